"""Answers of a trained model to questions about stories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.batches import chunks
from tf_models.data.stories import Question, StoryVocabulary, encode_questions
from tf_models.errors import InputError, StrPath
from tf_models.questions.settings import AttentionSettings, QuestionRunSettings
from tf_models.recurrent.question_answering import (
    AnsweringModel,
    EncodedStory,
    LastState,
    LSTMAnsweringModel,
    QuestionAnsweringModel,
)
from tf_models.search import BeamSearch
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.run_directory import RunDirectory, summary

RUN_KIND = "question answering"
QUESTIONS_TOGETHER = 100  # number of questions that are answered at a time
MAX_ANSWER_WORDS = 10


class Answer(NamedTuple):
    """An answer, and attention to the facts, hop by hop and word by word.

    text: words of the answer.
    steps: names of the attention steps: "hop 1" …, then the words of the answer.
    weights: (steps, facts); those of a step sum to 1; None if the model has no attention.
    """

    text: str
    steps: list[str]
    weights: np.ndarray | None

    def most_read(self) -> list[tuple[int, float]]:
        """Indices of facts and their mean weights over all steps, greatest first."""
        means = np.mean(self.weights, axis=0)
        return [(int(i), float(means[i])) for i in np.argsort(-means, kind="stable")]


@dataclass(frozen=True)
class Answerer:
    """Answers questions about stories.

    Example:
        >>> answerer = Answerer.load("runs/stories")
        >>> facts = ("Mary went to the kitchen.", "Mary took the apple.")
        >>> answer = answerer.answer(Question(facts, "Where is the apple?", answer=""))
        >>> answer.weights.shape == (len(answer.steps), len(facts))
        True
    """

    model: AnsweringModel
    vocabulary: StoryVocabulary
    run_dir: Path | None = None

    def __repr__(self) -> str:
        return summary(self, type(self.model).__name__, self.model, self.run_dir)

    @classmethod
    def load(cls, run_dir: StrPath, checkpoint: str | None = None) -> "Answerer":
        """Load a run's checkpoint: "best" (the default), "latest" or a name.

        Raises InputError: no run of question answering, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(run_dir)
        config = run.read_config(RUN_KIND)
        settings = QuestionRunSettings.from_config(config)
        vocabulary = StoryVocabulary.load(run.tokenizers)
        model = build_model(settings, vocabulary)
        load_weights(model, run.checkpoints, checkpoint or BEST)
        return cls(model, vocabulary, run.path)

    def answer(self, question: Question) -> Answer:
        """Answer a question, ignoring its `answer`; an InputError without facts."""
        if not question.facts:
            raise InputError("there are no facts; a question is about a story")
        (facts, question_ids), _ = encode_questions([question], self.vocabulary).gather()([0])
        (ids,), weights = self._compiled(facts, question_ids)
        text = self.vocabulary.answer_of(ids.numpy())
        if weights is None:
            return Answer(text, [], None)
        words = self.vocabulary.written.words_of(ids.numpy()) or ["<end>"]
        steps = [*(f"hop {i}" for i in range(1, self.model.hops + 1)), *words]
        return Answer(text, steps, weights[0, : len(steps)].numpy())

    def answers(self, questions: Sequence[Question]) -> list[str]:
        """Answers to many questions."""
        gather = encode_questions(questions, self.vocabulary).gather()
        answers: list[str] = []
        batches = chunks(np.arange(len(questions)), QUESTIONS_TOGETHER)
        for batch in tqdm(batches, desc="answering", leave=False, disable=None):
            (facts, asked), _ = gather(batch)
            ids, _ = self._compiled(facts, asked)
            answers += map(self.vocabulary.answer_of, ids.numpy())
        return answers

    @cached_property
    def _compiled(self) -> Callable[..., tuple[tf.Tensor, tf.Tensor | None]]:
        """`_read` in one graph, for any number of stories of any length."""
        shapes = [tf.TensorSpec((None,) * rank, tf.int32) for rank in (3, 2)]
        return tf.function(self._read, input_signature=shapes, autograph=False)

    def _read(self, facts: tf.Tensor, asked: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor | None]:
        """Ids of the answers (batch, words), weights (batch, hops + words, facts)."""
        story = self.model.encode(facts, asked)
        ids = self._write(story)
        if not self.model.attends:
            return ids, None
        start = tf.fill((tf.shape(ids)[0], 1), self.vocabulary.written.start_id)
        _, weights = self.model.decode(tf.concat([start, ids[:, :-1]], axis=1), story)
        return ids, tf.concat([story.hop_weights, weights], axis=1)

    def _write(self, story: EncodedStory | LastState) -> tf.Tensor:
        """Greedy search: ids of the answers, (batch, words)."""
        vocabulary = self.vocabulary.written
        greedy = BeamSearch(
            self.model.step,
            start_id=vocabulary.start_id,
            end_id=vocabulary.end_id,
            max_length=MAX_ANSWER_WORDS + 1,  # with the end id
        )
        # A state for each hypothesis, (batch, 1, units)
        state = tf.nest.map_structure(lambda part: part[:, tf.newaxis], story.state)
        return greedy(story, state).ids[:, 0]


def build_model(settings: QuestionRunSettings, vocabulary: StoryVocabulary) -> AnsweringModel:
    """The untrained model of these settings."""
    sizes = dict(vars(settings.model))
    attends = isinstance(settings.model, AttentionSettings)
    architecture = QuestionAnsweringModel if attends else LSTMAnsweringModel
    return architecture(
        vocabulary.read.vocabulary_size,
        vocabulary.written.vocabulary_size,
        rate=sizes.pop("dropout"),
        **sizes,
    )
