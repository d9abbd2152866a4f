"""Greedy and beam search with a model that translates."""

from collections.abc import Iterator

import tensorflow as tf

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.search.beam_search import BeamSearch
from tf_models.search.greedy_search import GreedySearch
from tf_models.search.search import Hypotheses, Search, run, watch
from tf_models.tasks.translation.architectures import TranslationModel


class Searcher:
    """Finds translations, ids to ids; each search is compiled once for each beam size.

    Args:
        model: built, its weights loaded.
        tokenizer: of the target language.
        longest: most tokens of a translation, start and end included.
    """

    def __init__(self, model: TranslationModel, tokenizer: SubwordTokenizer, longest: int):
        self._model, self._tokenizer, self._longest = model, tokenizer, longest
        self._compiled: dict[int, tf.types.experimental.PolymorphicFunction] = {}

    @property
    def _suppressed_ids(self) -> tuple[int, int]:
        """Ids that no translation has."""
        return PADDING_ID, self._tokenizer.start_id

    def check(self, beam_size: int, length_penalty: float) -> None:
        """Refuse a search that makes no sense.

        Raises:
            InputError: a beam of none, or of more hypotheses than there are ids for, or a length
                penalty that is out of range.
        """
        ids = self._tokenizer.vocabulary_size - len(self._suppressed_ids)
        widest = ids // 2  # a beam looks at twice as many continuations
        if not 1 <= beam_size <= widest:
            limit = "at least 1" if beam_size < 1 else f"at most {widest} with {ids} ids"
            raise InputError(f"beam_size must be {limit}; received {beam_size}")
        if not 0 <= length_penalty < 10:
            raise InputError(f"length_penalty must be 0 to 10; received {length_penalty}")

    def trace(
        self, inp: tf.Tensor, beam_size: int, length_penalty: float | tf.Tensor
    ) -> Hypotheses:
        """Search with source ids (batch, len), padded with 0; to be traced in a graph."""
        memory = self._model.encode(inp)
        state = self._model.initial_state(memory, beam_size)
        return run(self._make(beam_size, length_penalty), memory, state)

    def search(self, sources: list[list[int]], beam_size: int, length_penalty: float) -> Hypotheses:
        """Search with the ids of some sentences."""
        if beam_size not in self._compiled:
            self._compiled[beam_size] = tf.function(
                lambda inp, length_penalty: self.trace(inp, beam_size, length_penalty),
                input_signature=[tf.TensorSpec((None, None), tf.int32), tf.TensorSpec(())],
            )
        inp = tf.ragged.constant(sources, dtype=tf.int32).to_tensor()  # (batch, len)
        return self._compiled[beam_size](inp, tf.constant(length_penalty, tf.float32))

    def steps(self, source: list[int], beam_size: int, length_penalty: float) -> Iterator:
        """Yield the state of the search after each token (`Greedy` or `Beams`)."""
        memory = self._model.encode(tf.constant([source], tf.int32))
        state = self._model.initial_state(memory, beam_size)
        return watch(self._make(beam_size, length_penalty), memory, state)

    def _make(self, beam_size: int, length_penalty: float | tf.Tensor) -> Search:
        step = self._model.step(self._suppressed_ids)
        ends = {
            "start_id": self._tokenizer.start_id,
            "end_id": self._tokenizer.end_id,
            "longest": self._longest - 1,  # the start token takes one position
        }
        if beam_size == 1:
            return GreedySearch(step, **ends)
        return BeamSearch(step, beam_size=beam_size, length_penalty=length_penalty, **ends)
