"""A run directory becomes a translator: sentences in, translations out.

`Searcher` finds ids for ids, and `Translator` puts it and the tokenizers around a trained model.
"""

import math
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from numbers import Integral
from pathlib import Path
from typing import Any, cast

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.text.sentence_encoder import SentenceEncoder, list_of_sentences
from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.runtime import available_cores
from tf_models.search.fixed_shapes import greedy_in_fixed_shapes
from tf_models.search.search import BeamSearch, GreedySearch, Hypotheses, Search, run, watch
from tf_models.tasks.translation.architectures import build_model
from tf_models.tasks.translation.decoding_options import DecodingOptions
from tf_models.tasks.translation.protocol import TUTORIAL_NAMES, TranslationModel, inner_transformer
from tf_models.tasks.translation.remarks import Remarks, TrainingSentences
from tf_models.tasks.translation.run import load_settings
from tf_models.training.checkpoints import load_weights
from tf_models.training.run_directory import RunDirectory

INFERENCE_BATCH_SIZE = 128  # sentences
WORTH_COMPILING = 16  # sentences; fewer are found step by step before the search is compiled
# Sentences that come one by one, greedily: then XLA compiles their search, which takes seconds for
# each length bucket; each sentence after that takes a third of the time.
WORTH_XLA = 64


@dataclass(frozen=True)
class Translation:
    """A translation of a sentence.

    score: log-probability in nats, of a beam over the length penalty.
    look_up: finds `remarks`, which who only scores translations does not wait for.
    """

    text: str
    score: float
    look_up: Callable[[], Remarks] = field(repr=False, compare=False)

    @cached_property
    def remarks(self) -> Remarks:
        """What training sentences did not have of the sentence."""
        return self.look_up()


class Searcher:
    """Finds translations, ids to ids; each search is compiled once for each beam size, or not.

    Args:
        model: built, its weights loaded.
        tokenizer: of the target language.
        max_length: most tokens of a translation, start and end included.
    """

    def __init__(self, model: TranslationModel, tokenizer: SubwordTokenizer, max_length: int):
        self._model, self._tokenizer, self._max_length = model, tokenizer, max_length
        self._compiled: dict[int, tf.types.experimental.PolymorphicFunction] = {}
        self._before_xla = WORTH_XLA if inner_transformer(model) else math.inf

    @property
    def _suppressed_ids(self) -> tuple[int, int]:
        """Ids that no translation has."""
        return PADDING_ID, self._tokenizer.start_id

    @property
    def _ends(self) -> dict[str, int]:
        """Where a translation begins and ends."""
        return {
            "start_id": self._tokenizer.start_id,
            "end_id": self._tokenizer.end_id,
            "max_length": self._max_length - 1,  # the start token takes one position
        }

    def check(self, beam_size: int, length_penalty: float) -> tuple[int, float]:
        """Refuse a search that makes no sense; return its options as Python's own numbers. Raises
        InputError: a beam of none, or of more hypotheses than there are ids for, or a length
        penalty that is out of range.
        """
        if not isinstance(beam_size, Integral):
            raise InputError(f"beam_size must be a whole number; received {beam_size!r}")
        ids = self._tokenizer.vocabulary_size - len(self._suppressed_ids)
        widest = ids // 2  # a beam looks at twice as many continuations
        if not 1 <= beam_size <= widest:
            limit = "at least 1" if beam_size < 1 else f"at most {widest} with {ids} ids"
            raise InputError(f"beam_size must be {limit}; received {beam_size}")
        if not 0 <= length_penalty < 10:
            raise InputError(f"length_penalty must be 0 to 10; received {length_penalty}")
        return int(beam_size), float(length_penalty)

    def trace(
        self, inp: tf.Tensor, beam_size: int, length_penalty: float | tf.Tensor
    ) -> Hypotheses:
        """Search with source ids (batch, len), padded with 0; to be traced in a graph."""
        memory = self._model.encode(inp)
        state = self._model.initial_state(memory, beam_size)
        return run(self._make(beam_size, length_penalty), memory, state)

    def search(
        self,
        sources: list[list[int]],
        beam_size: int,
        length_penalty: float,
        *,
        compiled: bool = True,
    ) -> Hypotheses:
        """Search with the ids of some sentences; `compiled` as for `Translator.translate`."""
        if compiled and beam_size == 1 and len(sources) == 1 and self._xla_pays():
            try:
                return self._search_in_xla(*sources)
            except tf.errors.OpError:  # TensorFlow has no XLA for this machine
                self._before_xla = math.inf
        inp = tf.ragged.constant(sources, dtype=tf.int32).to_tensor()  # (batch, len)
        if not compiled:
            *_, last = self.watch(inp, beam_size, length_penalty)
            return self._make(beam_size, length_penalty).hypotheses(last)
        if beam_size not in self._compiled:
            self._compiled[beam_size] = tf.function(
                lambda inp, length_penalty: self.trace(inp, beam_size, length_penalty),
                input_signature=[tf.TensorSpec((None, None), tf.int32), tf.TensorSpec(())],
            )
        return self._compiled[beam_size](inp, tf.constant(length_penalty, tf.float32))

    def _xla_pays(self) -> bool:
        """Whether so many single sentences came already that more are to be expected."""
        self._before_xla -= 1
        return self._before_xla < 0

    def _search_in_xla(self, source: list[int]) -> Hypotheses:
        """The greedy search of one sentence. XLA compiles it for each length anew: so the source is
        padded to a power of two.
        """
        length = min(self._max_length, max(16, 1 << (len(source) - 1).bit_length()))
        return self._greedy_in_xla(tf.constant([source + [PADDING_ID] * (length - len(source))]))

    @cached_property
    def _greedy_in_xla(self) -> tf.types.experimental.PolymorphicFunction:
        def search(inp: tf.Tensor) -> Hypotheses:
            model: Any = self._model  # the article's Transformer: it has windows
            memory = model.encode(inp)
            step = model.step_in_window(self._suppressed_ids)
            window = model.empty_window(memory, self._ends["max_length"])
            return greedy_in_fixed_shapes(step, memory, window, **self._ends)

        return tf.function(search, jit_compile=True)

    def watch(self, inp: tf.Tensor, beam_size: int, length_penalty: float) -> Iterator:
        """Yield the state of the search after each token (`Greedy` or `Beams`)."""
        memory = self._model.encode(inp)
        state = self._model.initial_state(memory, beam_size)
        return watch(self._make(beam_size, length_penalty), memory, state)

    def _make(self, beam_size: int, length_penalty: float | tf.Tensor) -> Search:
        step = self._model.step(self._suppressed_ids)
        if beam_size == 1:
            return GreedySearch(step, **self._ends)
        return BeamSearch(step, beam_size=beam_size, length_penalty=length_penalty, **self._ends)


class Translator:
    """Translates with a trained model.

    Args:
        model: built, its weights loaded.
        tokenizers: of the source and of the target language.
        max_length: most tokens that the model's positions allow, start and end included.
        decoding: beam size and length penalty where a method is not given any; greedy if left out.
        training: what training sentences had; unknown if left out.

    Example:
        >>> from tf_models.tasks.translation.ready_made import ready_made
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
        decoding: DecodingOptions | None = None,
        training: TrainingSentences | None = None,
    ):
        self.model, self.tokenizers, self.max_length = model, tokenizers, max_length
        self.decoding = decoding or DecodingOptions()
        self.training = training or TrainingSentences(max_length)
        never_met = self.training.never_met
        self.source = SentenceEncoder(tokenizers.source, max_length, never_met=never_met)
        self.target = SentenceEncoder(tokenizers.target, max_length)
        self.searcher = Searcher(model, tokenizers.target, max_length)

    @classmethod
    def load(cls, run_dir: str | Path, checkpoint: str | None = None) -> "Translator":
        """Load the translator that was trained in `run_dir`.

        Args:
            run_dir: a run directory; nothing else is needed.
            checkpoint: "best", "latest", "average" (of the last epochs, if the run keeps them), or
                a name in its folder of checkpoints ("ckpt-300"); what was chosen at the end of
                training, or else the best, if left out.

        Raises:
            InputError: no run directory, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        settings, tokenizers = load_settings(run)
        decoding = DecodingOptions.of(run, settings.decoding.beam_size)
        checkpoint = checkpoint or decoding.checkpoint
        # Training in 16 bits is one thing; the scores of hypotheses need all digits.
        model = build_model(settings, tokenizers)
        load_weights(model.network, run.checkpoints, checkpoint)
        training = TrainingSentences.load(run, settings.batching.max_lengths[0])
        return cls(model, tokenizers, settings.model.positions, decoding, training)

    def can_translate(self, sentence: str) -> bool:
        """Whether the model can read the sentence."""
        return self.source.can_encode(sentence)

    def remarks(self, sentence: str) -> Remarks:
        """What training sentences did not have of a sentence."""
        alphabet, tokenizer = self.source.alphabet, self.tokenizers.source
        text = tokenizer.normalize(alphabet.plainer(sentence))
        tokens = len(self.source.ids(sentence))
        found = self.training.remarks(text, tokens, tokenizer.language)
        words = {word: form for word, form in found.unknown_words.items() if alphabet.read(word)}
        return replace(found, lacking=alphabet.lacking(sentence), unknown_words=words)

    def translate(
        self,
        sentences: Iterable[str],
        *,
        beam_size: int | None = None,
        n_best: int = 1,
        length_penalty: float | None = None,
        compiled: bool = True,
        progress: bool = False,
    ) -> list[list[Translation]]:
        """Translate sentences, the `n_best` best of each, best first.

        Args:
            sentences: each not empty and not too long.
            beam_size: hypotheses kept; 1 is greedy; `decoding.beam_size` if left out.
            n_best: translations of each sentence, at most beam_size.
            length_penalty: alpha of the beam search; `decoding.length_penalty` if left out.
            compiled: whether to compile the search, once for each beam size, which takes seconds,
                and pays from some `WORTH_COMPILING` sentences on; the translations are the same.
            progress: whether to show a bar on stderr.

        Raises:
            InputError: a sentence cannot be translated, n_best exceeds beam_size, or a text stands
                in place of the list.
        """
        sentences = list_of_sentences(sentences)
        options = self.search_options(beam_size, length_penalty)
        if not 1 <= n_best <= options[0]:
            raise InputError(f"n_best must be 1 to beam_size={options[0]}; received {n_best}")
        sources = [self.source.encode(sentence) for sentence in sentences]
        batches = _by_length(sources)
        translations: list[list[Translation]] = [[] for _ in sources]

        def search(batch: list[int]) -> Hypotheses:
            return self.searcher.search([sources[i] for i in batch], *options, compiled=compiled)

        with (
            ThreadPoolExecutor(available_cores()) as threads,
            closing(
                cast(Generator, threads.map(search, batches))
            ) as found,  # Ctrl-C does not wait for the rest
            tqdm(
                desc="translating",
                total=len(sources),
                unit="sentence",
                leave=False,
                disable=None if progress else True,
            ) as bar,
        ):
            for batch, hypotheses in zip(batches, found, strict=True):
                for i, ids, scores in zip(batch, *(t.numpy() for t in hypotheses), strict=True):
                    translations[i] = self._texts(sentences[i], ids[:n_best], scores[:n_best])
                bar.update(len(batch))
        return translations

    def steps(
        self, sentence: str, beam_size: int | None = None, length_penalty: float | None = None
    ) -> Iterator:
        """Yield the state of the search after each token (`Greedy` or `Beams`).

        Raises:
            InputError: the sentence cannot be translated, or an option makes no sense.
        """
        options = self.search_options(beam_size, length_penalty)
        return self.searcher.watch(tf.constant([self.source.encode(sentence)]), *options)

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
        (ids,) = self.searcher.search([source], 1, 0.0, compiled=compiled).ids.numpy()[0]
        tokenizer = self.tokenizers.target
        ids = ids[: list(ids).index(tokenizer.end_id)] if tokenizer.end_id in ids else ids
        return [tokenizer.start_id, *map(int, ids)]

    def greedy_sequence(self, source: list[int]) -> list[int]:
        """Ids of the greedy translation with the end token, if there was room for it."""
        ids = self.greedy_ids(source)
        ended = len(ids) < self.max_length
        return [*ids, self.tokenizers.target.end_id] if ended else ids

    def weights(self, source: list[int], target: list[int]) -> dict[str, np.ndarray]:
        """Attention while target ids are read, by kind: (layers, heads, rows, columns)."""
        weights = self.model.attention(tf.constant([source]), tf.constant([target]))
        return {kind: values[0].numpy() for kind, values in weights.items()}

    def search_options(
        self, beam_size: int | None, length_penalty: float | None
    ) -> tuple[int, float]:
        """Beam size and length penalty: the given ones, or else those chosen for this model."""
        return self.searcher.check(
            self.decoding.beam_size if beam_size is None else beam_size,
            self.decoding.length_penalty if length_penalty is None else length_penalty,
        )

    def _texts(self, sentence: str, ids: np.ndarray, scores: np.ndarray) -> list[Translation]:
        decode, look_up = self.tokenizers.target.decode, partial(self.remarks, sentence)
        return [
            Translation(decode(row), float(score), look_up)
            for row, score in zip(ids, scores, strict=True)
        ]


def _by_length(sources: list[list[int]]) -> list[list[int]]:
    """Indices of sentences in batches of like length, the longest first."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]), reverse=True)
    starts = range(0, len(order), INFERENCE_BATCH_SIZE)
    return [order[start : start + INFERENCE_BATCH_SIZE] for start in starts]
