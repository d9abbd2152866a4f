"""A run directory becomes a translator: sentences in, translations out."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.tokenizers import (
    SentenceEncoder,
    TokenizerPair,
    list_of_sentences,
    normalize_source,
)
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.runtime import available_cores
from tf_models.search import Beams, BeamSearch, Hypotheses
from tf_models.training.checkpoints import AVERAGE, BEST, kept_epochs, load_weights
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.known_words import load_known_words, unknown_words
from tf_models.translation.model import TUTORIAL_NAMES, TranslationModel, build_model
from tf_models.translation.run import load_settings
from tf_models.translation.settings import TrainingSettings

INFERENCE_BATCH_SIZE = 128  # sentences
WORTH_COMPILING = 16  # sentences; fewer are found step by step before the search is compiled
LENGTH_PENALTY = 0.6  # alpha of Wu et al. (2016), as Vaswani et al. (2017) use it


@dataclass(frozen=True)
class Translation:
    """A translation of a sentence, and its score: log-probability in nats / length penalty."""

    text: str
    score: float


class Translator:
    """Translates with a trained model.

    Args:
        model: built, its weights loaded.
        tokenizers: of the source and of the target language.
        max_length: most tokens that the model's positions allow, start and end included.
        beam_size: hypotheses kept where `translate` is not given any; 1 is greedy.
        known_words: the words of the training sentences; empty if they are not known.

    Example:
        >>> from tf_models.translation.ready_made import ready_made
        >>> translator = ready_made()
        >>> best = translator.translate(["The old dog sleeps."], compiled=False)[0][0]
        >>> print(best.text)
        Der alte Hund schläft.

        >>> yours = Translator.load("runs/toy-toy", "latest")
        >>> len(yours.translate(["The dog sees."], beam_size=2, n_best=2, compiled=False)[0])
        2
    """

    def __init__(
        self,
        model: TranslationModel,
        tokenizers: TokenizerPair,
        max_length: int,
        beam_size: int = 1,
        known_words: frozenset[str] = frozenset(),
    ):
        self.model, self.tokenizers, self.max_length = model, tokenizers, max_length
        self.beam_size, self.known_words = beam_size, known_words
        self.source = SentenceEncoder(tokenizers.source, max_length)
        self.target = SentenceEncoder(tokenizers.target, max_length, normalizes=False)
        self._compiled: dict[int, tf.types.experimental.PolymorphicFunction] = {}

    @classmethod
    def load(cls, run_dir: str | Path, checkpoint: str | None = None) -> "Translator":
        """Load the translator that was trained in `run_dir`.

        Args:
            run_dir: a run directory; nothing else is needed.
            checkpoint: "best", "latest", "average" of the last epochs, or a name in its folder of
                checkpoints ("ckpt-300"); the average if the run keeps one, or else the best, if
                left out.

        Raises:
            InputError: no run directory, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        settings, tokenizers = load_settings(run)
        # Training in 16 bits is one thing; the scores of hypotheses need all digits.
        model = build_model(settings, tokenizers)
        checkpoint = checkpoint or default_checkpoint(run, settings.training)
        load_weights(model.network, run.checkpoints, checkpoint)
        beam_size, positions = settings.decoding.beam_size, settings.model.positions
        return cls(model, tokenizers, positions, beam_size, load_known_words(run.words_file))

    def can_translate(self, sentence: str) -> bool:
        """Whether the model can read the sentence."""
        return self.source.can_encode(sentence)

    def unknown_words(self, sentence: str) -> list[str]:
        """Words of a sentence that no training sentence had, in order."""
        return unknown_words(normalize_source(sentence), self.known_words)

    def translate(
        self,
        sentences: Iterable[str],
        *,
        beam_size: int | None = None,
        n_best: int = 1,
        length_penalty: float = LENGTH_PENALTY,
        compiled: bool = True,
        progress: bool = False,
    ) -> list[list[Translation]]:
        """Translate sentences, the `n_best` best of each, best first.

        Args:
            sentences: each not empty and not too long.
            beam_size: hypotheses kept; 1 is greedy; the run's if left out.
            n_best: translations of each sentence, at most beam_size.
            length_penalty: alpha, by which the hypotheses of a beam are compared.
            compiled: whether to compile the search, once for each beam size, which takes seconds,
                and pays from some `WORTH_COMPILING` sentences on; the translations are the same.
            progress: whether to show a bar on stderr.

        Raises:
            InputError: a sentence cannot be translated, n_best exceeds beam_size, or a text stands
                in place of the list.
        """
        beam_size = self.beam_size if beam_size is None else beam_size
        check_beam_size(beam_size)
        if not 1 <= n_best <= beam_size:
            raise InputError(f"n_best must be 1 to beam_size={beam_size}; received {n_best}")
        sources = [self.source.encode(sentence) for sentence in list_of_sentences(sentences)]
        search = self._compiled_search(beam_size) if compiled else partial(self.search, beam_size)
        decode = self.tokenizers.target.decode
        translations: list[list[Translation]] = [[] for _ in sources]

        def translate_batch(batch: list[int]) -> int:
            ids = tf.ragged.constant([sources[i] for i in batch], dtype=tf.int32).to_tensor()
            found = search(ids, tf.constant(length_penalty, tf.float32))
            for i, rows, scores in zip(batch, found.ids.numpy(), found.scores.numpy(), strict=True):
                best = zip(rows[:n_best], scores, strict=False)
                translations[i] = [Translation(decode(row), float(score)) for row, score in best]
            return len(batch)

        options = {"total": len(sources), "unit": "sentence", "leave": False}
        bar = tqdm(desc="translating", disable=None if progress else True, **options)
        with ThreadPoolExecutor(available_cores()) as threads, bar:
            for count in threads.map(translate_batch, _by_length(sources)):
                bar.update(count)
        return translations

    def search(
        self,
        beam_size: int,
        inp: tf.Tensor,
        length_penalty: float | tf.Tensor = 0.0,
        observe: Callable[[Beams], object] = lambda beams: None,
    ) -> Hypotheses:
        """Find the `beam_size` best ids for source ids (batch, len), padded with 0.

        `observe` is given the state of the search after each token (see `BeamSearch`).
        """
        target = self.tokenizers.target
        search = BeamSearch(
            self.model.step((PADDING_ID, target.start_id)),
            start_id=target.start_id,
            end_id=target.end_id,
            max_length=self.max_length - 1,  # the start token takes one position
            beam_size=beam_size,
            length_penalty=length_penalty,
        )
        memory = self.model.encode(inp)
        return search(memory, self.model.initial_state(memory, beam_size), observe)

    def _compiled_search(self, beam_size: int) -> tf.types.experimental.PolymorphicFunction:
        if beam_size not in self._compiled:
            signature = [tf.TensorSpec((None, None), tf.int32), tf.TensorSpec(())]
            self._compiled[beam_size] = tf.function(
                partial(self.search, beam_size), input_signature=signature
            )
        return self._compiled[beam_size]

    def evaluate(self, sentence: str) -> tuple[list[int], dict[str, np.ndarray]]:
        """Translate one sentence greedily, as the tutorial's function of this name.

        Returns:
            ids from the start token to the last before the end token, and the attention weights
            of the whole sentence by the tutorial's names, (num_heads, rows, columns) each.

        Raises:
            InputError: the sentence is empty or too long.
        """
        source = self.source.encode(sentence)
        result = self.greedy_ids(source, compiled=True)
        found = self._compiled_attention(tf.constant([source]), tf.constant([result]))
        weights = {
            TUTORIAL_NAMES[kind].format(i): layer
            for kind, layers in found.items()
            for i, layer in enumerate(layers.numpy()[0], start=1)
        }
        return result, weights

    @cached_property
    def _compiled_attention(self) -> tf.types.experimental.PolymorphicFunction:
        ids = tf.TensorSpec((None, None), tf.int32)
        return tf.function(self.model.attention, input_signature=[ids, ids])

    def greedy_ids(self, source: list[int], *, compiled: bool = False) -> list[int]:
        """Ids of the greedy translation, from the start token to the last before the end token."""
        search = self._compiled_search(1) if compiled else partial(self.search, 1)
        (ids,) = search(tf.constant([source]), tf.constant(0.0)).ids.numpy()[0]
        return [self.tokenizers.target.start_id, *self.tokenizers.target.until_end(ids)]

    def greedy_sequence(self, source: list[int]) -> list[int]:
        """Ids of the greedy translation with the end token, if there was room for it."""
        ids = self.greedy_ids(source)
        ended = len(ids) < self.max_length
        return [*ids, self.tokenizers.target.end_id] if ended else ids

    def weights(self, source: list[int], target: list[int]) -> dict[str, np.ndarray]:
        """Attention while target ids are read, by kind: (layers, heads, rows, columns)."""
        weights = self.model.attention(tf.constant([source]), tf.constant([target]))
        return {kind: values[0].numpy() for kind, values in weights.items()}


def check_beam_size(beam_size: int) -> None:
    """Raise an InputError if there is to be no hypothesis."""
    if beam_size < 1:
        raise InputError(f"beam_size must be at least 1; received {beam_size}")


def default_checkpoint(run: RunDirectory, training: TrainingSettings) -> str:
    """The checkpoint that a run translates with: the average if there is one, or else the best.

    An average over most epochs has weights from before the model had learnt.
    """
    is_late = 0 < 2 * training.average_last_n <= training.epochs
    return AVERAGE if is_late and kept_epochs(run.checkpoints) else BEST


def _by_length(sources: list[list[int]]) -> list[list[int]]:
    """Indices of sentences in batches of like length, the longest first."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]), reverse=True)
    starts = range(0, len(order), INFERENCE_BATCH_SIZE)
    return [order[start : start + INFERENCE_BATCH_SIZE] for start in starts]
