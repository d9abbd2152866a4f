"""Training a question answering model: from questions and settings to a run directory."""

from typing import Any

from tf_models.data.stories.encoding import EncodedQuestions, StoryVocabulary, encode_questions
from tf_models.data.stories.question_sets import QuestionSet
from tf_models.data.stories.story import Question
from tf_models.data.text.batches import TranslationBatches
from tf_models.errors import InputError, Report
from tf_models.tasks.question_answering.answerer import KIND, build_model
from tf_models.tasks.question_answering.settings import QuestionRunSettings
from tf_models.training.assembly import Preparation, Trainable, Training
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory
from tf_models.training.train_step import SummedLossObjective

QUESTIONS_IN_A_SHARD = 16  # at least; with fewer, its matrices are too small to be worth a core


def prepare_question_training(
    run: RunDirectory,
    questions: QuestionSet,
    settings: QuestionRunSettings,
    seed: int,
    **options: Any,
) -> Training:
    """Set up a run in its directory, or pick up the one that is there (see `Preparation`), for
    questions to train on and to validate. Raises InputError: the directory belongs to other
    settings, or no question fits them.
    """
    start = Preparation(run, settings, seed, **options)
    report = start.report
    vocabulary = StoryVocabulary.of(questions.train)
    with start.directory(KIND, _describe(questions), "data.questions"):
        if start.run.writes:
            vocabulary.save(start.run.tokenizers)
    report(f"{len(vocabulary.read.words)} words to read, {len(vocabulary.written.words)} to write")
    training = _encode(questions.train, vocabulary, settings, "training", report)
    validation = _encode(questions.validation, vocabulary, settings, "validation", report)
    batch_size = settings.training.batch_size
    start.share_cores(batch_size, QUESTIONS_IN_A_SHARD)
    batches = TranslationBatches(training, batch_size, seed)

    def make() -> Trainable:
        model = build_model(settings, vocabulary)
        steps = settings.training.epochs * len(batches)
        model.compile(make_adam(settings.optimizer, steps, start.fraction))
        return Trainable(model, model.optimizer, SummedLossObjective(model, "words"))

    in_order = TranslationBatches(validation, batch_size, seed).in_order()
    return start.assemble(batches, in_order, make)


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
