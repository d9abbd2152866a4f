"""Training a question answering model: from questions and settings to a run directory."""

import math

import tensorflow as tf

from tf_models.data.batches import TranslationBatches
from tf_models.data.stories import (
    EncodedQuestions,
    Question,
    QuestionSet,
    StoryVocabulary,
    encode_questions,
)
from tf_models.errors import InputError, Report
from tf_models.questions.answer import KIND, build_model
from tf_models.questions.settings import QuestionRunSettings
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam, time_fraction
from tf_models.training.run_directory import RunDirectory
from tf_models.training.strategy import prepare_devices

QUESTIONS_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core


def prepare_question_training(
    run: RunDirectory,
    questions: QuestionSet,
    settings: QuestionRunSettings,
    seed: int,
    *,
    minutes: float = math.inf,
    strategy: tf.distribute.Strategy | None = None,
    report: Report = print,
) -> TrainingLoop:
    """Set up a training in its run directory, new or to be resumed.

    Args:
        run: its directory.
        questions: training and validation questions.
        settings: of model and training.
        seed: of weights, noise and order.
        minutes, strategy, report: see `TrainingLoop`.

    Raises:
        InputError: the directory belongs to another training, or all questions are too long.
    """
    run.prepare(KIND, settings, _describe(questions), seed, minutes)
    vocabulary = StoryVocabulary.of(questions.train)
    vocabulary.save(run.tokenizers)
    report(f"{len(vocabulary.read.words)} words to read, {len(vocabulary.written.words)} to write")
    training = _encode(questions.train, vocabulary, settings, "training", report)
    validation = _encode(questions.validation, vocabulary, settings, "validation", report)
    batch_size = settings.training.batch_size
    batches = TranslationBatches(training, batch_size, seed)

    shards = prepare_devices(seed, batch_size, QUESTIONS_IN_A_SHARD)
    strategy = strategy or tf.distribute.get_strategy()
    with strategy.scope():
        fraction = time_fraction(settings.optimizer.schedule, minutes)
        model = build_model(settings, vocabulary)
        model.num_shards = shards
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps, fraction))
    return TrainingLoop(
        run,
        model,
        batches,
        TranslationBatches(validation, batch_size, seed).in_order(),
        epochs=settings.training.epochs,
        minutes=minutes,
        fraction=fraction,
        strategy=strategy,
        report=report,
    )


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


def _describe(questions: QuestionSet) -> dict:
    return {
        "questions": questions.name,
        "training_questions": len(questions.train),
        "validation_questions": len(questions.validation),
        "test_questions": len(questions.test),
        "fingerprint": questions.fingerprint(),
    }
