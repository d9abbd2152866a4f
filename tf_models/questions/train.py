"""Training of a question answering model, from questions to test scores."""

import math

from tf_models.data.batches import BucketedBatches
from tf_models.data.stories import (
    STORIES,
    QuestionSet,
    StoryVocabulary,
    embedded_questions,
    encode_questions,
)
from tf_models.errors import Report, StrPath, check_choice
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_training_curves
from tf_models.questions.answer import RUN_KIND, Answerer, build_model
from tf_models.questions.evaluate import report_test
from tf_models.questions.figures import draw_kinds
from tf_models.questions.settings import QuestionRunSettings
from tf_models.training.devices import EXAMPLES_IN_A_SHARD, device_scope
from tf_models.training.loop import TrainingLoop
from tf_models.training.optimizers import make_adam
from tf_models.training.run_directory import RunDirectory


def train_question_answering(
    run_dir: StrPath,
    data: QuestionSet | str,
    settings: QuestionRunSettings,
    seed: int = 0,
    *,
    minutes: float = math.inf,
    evaluates: bool = True,
    report: Report = print,
) -> TrainingLoop:
    """Train a question answering model, from its latest checkpoint on.

    Args:
        run_dir: the run directory, new or of an interrupted training.
        data: questions, or "stories", those of the package.
        settings: of model and training.
        seed: of weights, noise and order.
        minutes: of training, in place of a number of epochs.
        evaluates: True if the trained model answers the test questions and figures are drawn.
        report: takes the lines that are shown.

    Raises:
        InputError: the directory belongs to another training.
        TrainingInterrupted: by Ctrl-C; what is done is saved.
    """
    run = RunDirectory(run_dir)
    if isinstance(data, QuestionSet):
        questions = data
    else:
        check_choice("data", data, [STORIES])
        questions = embedded_questions(settings.stories.training_questions)
    description = {
        "questions": questions.name,
        "training_questions": len(questions.train),
        "validation_questions": len(questions.validation),
        "test_questions": len(questions.test),
    }
    settings = settings.fitted(len(questions.train))
    run.prepare(RUN_KIND, settings, description, seed, minutes)
    vocabulary = StoryVocabulary.of(questions.train)
    vocabulary.save(run.tokenizers)
    report(f"{len(vocabulary.read.words)} words to read, {len(vocabulary.written.words)} to write")
    train, validation = (
        encode_questions(split, vocabulary) for split in (questions.train, questions.validation)
    )
    training = settings.training
    with device_scope(seed, training.batch_size, EXAMPLES_IN_A_SHARD) as shards:
        batches = BucketedBatches(train, training.batch_size, seed)
        model = build_model(settings, vocabulary)
        model.num_shards = shards
        model.compile(make_adam(settings.optimizer, training.epochs * len(batches), minutes))
    loop = TrainingLoop(
        run,
        model,
        batches,
        BucketedBatches(validation, training.batch_size, seed).in_order(),
        epochs=training.epochs,
        minutes=minutes,
        report=report,
    )
    report(settings.length(len(train), "question", len(batches), minutes))
    loop.fit()
    if evaluates and loop.is_chief:
        answerer = Answerer.load(run.path)
        report_test(answerer, questions.test, report)
        figures = {"training": plot_training_curves(loop.history.columns())}
        if answerer.model.attends:
            figures |= draw_kinds(answerer, questions.test)
        save_figures(figures, run.figures, report)
    return loop
