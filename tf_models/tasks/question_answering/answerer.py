"""A trained question answering model: stories and questions in, answers out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.stories.encoding import QuestionBatches, StoryVocabulary, encode_questions
from tf_models.data.stories.limits import StoryLimits
from tf_models.data.stories.story import Question
from tf_models.errors import InputError, error_message
from tf_models.recurrent.question_answering import QuestionAnsweringModel
from tf_models.search.search import GreedySearch, run
from tf_models.tasks.question_answering.settings import DEFAULTS, QuestionRunSettings
from tf_models.training.checkpoints import load_model
from tf_models.training.run_directory import RunDirectory

KIND = "question answering"
INFERENCE_BATCH_SIZE = 100  # questions at a time


class Answer(NamedTuple):
    """An answer, and which facts the model attended to while it read and wrote.

    text: of the answer.
    steps: of attention, by name: "hop 1" …, then the words of the answer.
    weights: (steps, facts); those of a step sum to 1.
    """

    text: str
    steps: list[str]
    weights: np.ndarray

    def most_read(self) -> list[tuple[int, float]]:
        """Facts, by their index, and their weights, the means of all steps; most first."""
        means = self.weights.mean(axis=0)
        return [(int(i), float(means[i])) for i in np.argsort(-means, kind="stable")]


class Predictions(NamedTuple):
    """What a batch of questions gave.

    places: numbers of the questions, (batch,).
    right: ids of the right answers with end id, padded, (batch, len).
    forced: predictions while the right words were read, (batch, len).
    free: ids of the answers that were written, (batch, any length).
    """

    places: np.ndarray
    right: np.ndarray
    forced: np.ndarray
    free: np.ndarray


@dataclass(frozen=True)
class Answerer:
    """Answers questions about stories."""

    model: QuestionAnsweringModel
    vocabulary: StoryVocabulary
    limits: StoryLimits

    @classmethod
    def load(cls, run_dir: Path, checkpoint: str | None = None) -> "Answerer":
        """Load a run's checkpoint: "best" (the default), "latest" or a name.

        Raises:
            InputError: no run of question answering, no such checkpoint, or a damaged file.
        """
        run_directory = RunDirectory(Path(run_dir))
        config = run_directory.read_config(KIND)
        try:
            settings = DEFAULTS.from_config(config)
        except (KeyError, TypeError, InputError) as error:
            raise InputError(
                f"{run_directory.config_file} is damaged: {error_message(error)}"
            ) from error
        vocabulary = StoryVocabulary.load(run_directory.tokenizers)
        model = build_model(settings, vocabulary)
        load_model(model, run_directory, checkpoint or "best")
        return cls(model, vocabulary, settings.stories.limits)

    def check(self, question: Question) -> None:
        """Refuse what cannot be answered.

        Raises:
            InputError: no fact, an empty sentence, one that is too long, or a question without any
                word that the model knows.
        """
        if not question.facts:
            raise InputError("there are no facts; a question is about a story")
        for i, fact in enumerate(question.facts, start=1):
            if not fact.strip():
                raise InputError(f"fact {i} is empty")
        if not question.question.strip():
            raise InputError("the question is empty")
        if problem := self.limits.problem(question):
            raise InputError(problem)
        if not self.vocabulary.knows_any(question.question):
            raise InputError(f"the model knows no word of the question {question.question!r}")

    def can_answer(self, question: Question) -> bool:
        """Whether `check` accepts the question."""
        try:
            self.check(question)
        except InputError:
            return False
        return True

    def unknown_words(self, question: Question) -> list[str]:
        """Words of the facts and the question that the model has never read, each once."""
        texts = " ".join((*question.facts, question.question))
        return self.vocabulary.unknown(texts)

    def answer(self, question: Question) -> Answer:
        """The answer to one question, and what was read; the right answer is not read.

        Raises:
            InputError: see `check`.
        """
        self.check(question)
        batches = QuestionBatches(encode_questions([question], self.vocabulary), 1, seed=0)
        ((facts, asked, *_),) = batches.in_order()
        written = self._write(facts, asked).numpy()  # (1, words)
        reading = self.model.read(facts, asked)
        start = [[self.vocabulary.written.start_id]]
        tar_inp = np.concatenate([start, written[:, :-1]], axis=1)
        _, weights = self.model.write(tf.constant(tar_inp, tf.int32), reading)
        words = self.vocabulary.written.words_of(written[0]) or ["<end>"]
        weights = np.concatenate([reading.hop_weights[0], weights[0, : len(words)]])
        hops = [f"hop {i}" for i in range(1, self.model.hops + 1)]
        return Answer(self.vocabulary.answer_of(written[0]), [*hops, *words], weights)

    def predict(
        self, questions: Sequence[Question], *, progress: bool = False
    ) -> Iterator[Predictions]:
        """Answers to many questions, batch by batch, none of them too long.

        Args:
            questions: their right answers are read for `forced` alone.
            progress: whether to show a bar on stderr.
        """
        batches = QuestionBatches(
            encode_questions(questions, self.vocabulary), INFERENCE_BATCH_SIZE, seed=0
        )
        in_order = batches.in_order()
        predict = tf.function(self._predict, input_signature=in_order.element_spec)
        places = batches.places()
        bar = tqdm(in_order, desc="answering", disable=None if progress else True)
        for i, batch in enumerate(bar):
            right, (forced, free) = batch[2], predict(*batch)
            first = i * INFERENCE_BATCH_SIZE
            yield Predictions(
                places[first : first + len(right)],
                right[:, 1:].numpy(),
                forced.numpy(),
                free.numpy(),
            )

    def _predict(self, facts: tf.Tensor, asked: tf.Tensor, right: tf.Tensor, support: tf.Tensor):
        logits, _ = self.model(facts, asked, right[:, :-1])
        return tf.argmax(logits, axis=-1, output_type=tf.int32), self._write(facts, asked)

    def _write(self, facts: tf.Tensor, asked: tf.Tensor) -> tf.Tensor:
        """Greedy search: ids of facts and questions -> those of the answers, (batch, words)."""
        reading = self.model.read(facts, asked)
        written = self.vocabulary.written
        search = GreedySearch(
            self.model.step,
            start_id=written.start_id,
            end_id=written.end_id,
            max_length=self.limits.answer_words + 1,  # and the end id
        )
        return run(search, reading, reading.state[:, tf.newaxis]).ids[:, 0]


def build_model(
    settings: QuestionRunSettings, vocabulary: StoryVocabulary
) -> QuestionAnsweringModel:
    """The untrained model of these settings."""
    model = settings.model
    return QuestionAnsweringModel(
        vocabulary.read.size,
        vocabulary.written.size,
        model.embedding_dim,
        model.units,
        model.hops,
        model.dropout,
        model.support_weight,
    )
