"""Training a question answering model: from questions and settings to a run directory."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import tensorflow as tf

from tf_models.data.stories.encoding import (
    EncodedQuestions,
    QuestionBatches,
    StoryVocabulary,
    encode_questions,
)
from tf_models.data.stories.question_sets import QuestionSet
from tf_models.data.stories.story import Question
from tf_models.errors import InputError
from tf_models.recurrent.question_answering import QuestionAnsweringModel
from tf_models.tasks.question_answering.answerer import KIND, build_model
from tf_models.tasks.question_answering.settings import QuestionRunSettings
from tf_models.training.assembly import Trainable, assemble, share_cores
from tf_models.training.distributed.workers import Workers
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.reproducibility import make_reproducible
from tf_models.training.run_directory import RunDirectory, run_config
from tf_models.training.summed_loss_objective import SummedLossObjective

QUESTIONS_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core

Report = Callable[[str], None]  # what to do with a line for the reader


@dataclass(frozen=True)
class QuestionTraining:
    """Everything of one training run, ready to `fit`."""

    run: RunDirectory
    settings: QuestionRunSettings
    questions: QuestionSet
    model: QuestionAnsweringModel
    loop: TrainingLoop

    def fit(self, minutes: float = math.inf) -> bool:
        """Train to the end of the settings; return False if Ctrl-C ended it before.

        Args:
            minutes: begin no epoch after so much training, earlier sessions included.
        """
        training = self.settings.training
        return self.loop.fit(training.epochs, minutes=minutes)


def prepare_question_training(
    run: RunDirectory,
    questions: QuestionSet,
    settings: QuestionRunSettings,
    seed: int,
    *,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> QuestionTraining:
    """Set up a run in its directory, or pick up the one that is there.

    It sets TensorFlow's threads, too, if TensorFlow has computed nothing yet.

    Args:
        run: new, or made by the same call before.
        questions: to train on and to validate.
        settings: model and training.
        seed: of weights, dropout and order, 0 to 2**32 - 1.
        strategy: how to distribute; TensorFlow's default strategy (one device) if left out.
        report: what to do with a line for the reader.

    Raises:
        InputError: the directory belongs to other settings, or no question fits them.
    """
    strategy = strategy or tf.distribute.get_strategy()
    make_reproducible(seed)
    workers = Workers(strategy)
    run = workers.share(run)
    vocabulary = StoryVocabulary.of(questions.train)
    with workers.chief_first():
        changeable = [*settings.changeable(), "data.questions"]
        run.prepare(_config(questions, settings, seed), changeable, settings.lowerable())
        if run.writes:
            vocabulary.save(run.tokenizers)
    report(f"{len(vocabulary.read.words)} words to read, {len(vocabulary.written.words)} to write")
    training = _encode(questions.train, vocabulary, settings, "training", report)
    validation = _encode(questions.validation, vocabulary, settings, "validation", report)
    batch_size = settings.training.batch_size
    num_shards = share_cores(strategy, batch_size, QUESTIONS_IN_A_SHARD)
    batches = QuestionBatches(training, batch_size, seed)

    def make() -> Trainable:
        model = build_model(settings, vocabulary)
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps))
        return Trainable(model, model.optimizer, SummedLossObjective(model, "words"))

    loop = assemble(
        run,
        batches,
        QuestionBatches(validation, batch_size, seed).in_order(),
        make,
        strategy=strategy,
        num_shards=num_shards,
        report=report,
    )
    return QuestionTraining(run, settings, questions, loop.step.model, loop)


def _encode(
    questions: list[Question],
    vocabulary: StoryVocabulary,
    settings: QuestionRunSettings,
    name: str,
    report: Report,
) -> EncodedQuestions:
    """Ids of the questions that are not too long."""
    problems = [settings.stories.limits.problem(one) for one in questions]
    kept = [one for one, problem in zip(questions, problems, strict=True) if not problem]
    if not kept:
        raise InputError(f"all {len(questions)} {name} questions are too long: {problems[0]}")
    dropped = len(questions) - len(kept)
    report(f"{len(kept):,} {name} questions ({dropped} too long)")
    return encode_questions(kept, vocabulary)


def _config(questions: QuestionSet, settings: QuestionRunSettings, seed: int) -> dict:
    data = {
        "questions": questions.name,
        "training_questions": len(questions.train),
        "validation_questions": len(questions.validation),
        "test_questions": len(questions.test),
        "fingerprint": questions.fingerprint(),
    }
    return run_config(KIND, settings, data, seed)
