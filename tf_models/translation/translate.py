"""Translation with a trained run, greedily or by beam search."""

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import overload

import keras
import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.tokenizers import SentenceEncoder, SubwordTokenizer, TokenizerPair
from tf_models.data.words import normalize_source, split_words, word_form
from tf_models.errors import InputError, StrPath
from tf_models.ids import PADDING_ID
from tf_models.search import Beams, BeamSearch, Hypotheses, Nested
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.devices import available_cores
from tf_models.training.run_directory import RunDirectory, summary
from tf_models.transformer.model import Encoder, Transformer
from tf_models.translation.load import (
    _default_checkpoint,
    load_class,
    load_known_words,
    load_settings,
)
from tf_models.translation.model import (
    TUTORIAL_NAMES,
    TranslationModel,
    build_model,
    inner_transformer,
    translation_model,
)
from tf_models.translation.settings import RUN_DIR, run_dir_of

MOST_TOGETHER = 128  # sentences in a batch
FEWEST_TOGETHER = 32  # smaller batches use a core badly
Search = Callable[[tf.Tensor, tf.Tensor], Hypotheses]  # (inp, length penalty) -> translations
LENGTH_PENALTY = 0.6  # alpha of Wu et al. (2016), as Vaswani et al. (2017) use it


@dataclass(frozen=True)
class Translation:
    """A translation; its score is log-probability (nats) / length penalty."""

    text: str
    score: float


class Translator:
    """Trained model and tokenizers: sentences in, translations out.

    Args:
        model: a `Transformer`, a `RecurrentTranslator`, or another `TranslationModel`; built, its
            weights loaded.
        tokenizers: of the source and of the target language.
        max_length: most tokens that the model's positions allow, start and end included.
        beam_size: hypotheses kept where `translate` is not given any; 1 is greedy.
        known_words: the words of the training sentences; empty if they are not known.
        run_dir: the run directory that it comes from, if there is one.

    Example:
        >>> translator = ready_made()
        >>> print(translator.translate("The old dog sleeps."))
        Der alte Hund schläft.

        >>> yours = Translator.load("runs/toy-toy", "latest")
        >>> len(yours.translate(["The dog sees."], beam_size=2, n_best=2)[0])
        2
    """

    def __init__(
        self,
        model: TranslationModel | keras.Model,
        tokenizers: TokenizerPair,
        max_length: int,
        beam_size: int = 1,
        known_words: frozenset[str] = frozenset(),
        run_dir: Path | None = None,
    ):
        self.model = translation_model(model)
        self.run_dir = run_dir
        self.tokenizers = tokenizers
        self.max_length = max_length
        self.beam_size = beam_size
        self.known_words = known_words
        self.source = SentenceEncoder(tokenizers.source, max_length)
        self.target = SentenceEncoder(tokenizers.target, max_length, normalizes=False)
        self._encode = tf.function(
            self._encode_sources,
            input_signature=[tf.TensorSpec((None, None), tf.int32)],
            autograph=False,
        )
        self._attention = tf.function(
            self.model.attention,
            input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2,
            autograph=False,
        )
        self._beam_search = cache(self._make_search)
        self._graph = cache(self._make_graph)

    def __repr__(self) -> str:
        network = self.model.network
        sides = self.tokenizers
        what = f"{sides.source.language} to {sides.target.language}, {type(network).__name__}"
        return summary(self, what, network, self.run_dir)

    @classmethod
    def load(cls, run_dir: StrPath, checkpoint: str | None = None) -> "Translator":
        """Load the translator that was trained in `run_dir`.

        Args:
            run_dir: a run directory; nothing else is needed.
            checkpoint: "best", "latest", "average" of the last epochs, or a name in its folder of
                checkpoints ("ckpt-300"); the average if the run keeps one, or else the best, if
                left out.

        Raises:
            InputError: no run directory, no such checkpoint, a damaged file, or a class of
                Transformers whose module is not imported.
        """
        run = RunDirectory(run_dir)
        settings, tokenizers = load_settings(run)
        # Training in 16 bits is one thing; the scores of hypotheses need all digits.
        model = build_model(settings, tokenizers, transformer_class=load_class(run))
        checkpoint = checkpoint or _default_checkpoint(run, settings.training)
        load_weights(model.network, run.checkpoints, checkpoint)
        beam_size = settings.decoding.beam_size
        positions = settings.model.positions
        return cls(model, tokenizers, positions, beam_size, load_known_words(run), run.path)

    def evaluate(self, sentence: str) -> tuple[list[int], dict[str, np.ndarray]]:
        """Translate a sentence greedily, as the tutorial's `evaluate` does.

        Returns:
            ids from the start token to the last before the end token, and the attention weights
            of the whole sentence by the tutorial's names, (num_heads, rows, columns) each.

        Raises:
            InputError: the sentence is empty or too long.
        """
        source = self.source.encode(sentence)
        result = self.greedy_ids(source)
        return result, {
            TUTORIAL_NAMES[kind].format(i): layer
            for kind, layers in self.weights(source, result).items()
            for i, layer in enumerate(layers, start=1)
        }

    @overload
    def translate(
        self, sentences: str, *, beam_size: int | None = None, length_penalty: float = ...
    ) -> str: ...

    @overload
    def translate(
        self,
        sentences: Iterable[str],
        *,
        beam_size: int | None = None,
        n_best: int = 1,
        length_penalty: float = ...,
    ) -> list[list[Translation]]: ...

    def translate(
        self,
        sentences: str | Iterable[str],
        *,
        beam_size: int | None = None,
        n_best: int = 1,
        length_penalty: float = LENGTH_PENALTY,
    ) -> str | list[list[Translation]]:
        """Translate sentences: the `n_best` translations of each, best first.

        Args:
            sentences: each not empty and not too long; or one, whose best translation is returned.
            beam_size: hypotheses kept; 1 is greedy; the run's if left out.
            n_best: translations of each sentence, at most beam_size.
            length_penalty: alpha, by which the hypotheses of a beam are compared.

        Raises:
            InputError: a sentence cannot be translated, or n_best exceeds beam_size.
        """
        beam_size = self.beam_size if beam_size is None else beam_size
        if not 1 <= n_best <= beam_size:
            raise InputError(f"n_best must be 1 to beam_size={beam_size}; received {n_best}")
        if isinstance(sentences, str):
            (best, *_), *_ = self.translate(
                [sentences], beam_size=beam_size, length_penalty=length_penalty
            )
            return best.text
        sources = [self.source.encode(sentence) for sentence in sentences]
        search = self._graph(beam_size)
        decode = self.tokenizers.target.decode

        def translate_batch(batch: list[int]) -> list[list[Translation]]:
            inp = tf.ragged.constant([sources[i] for i in batch], dtype=tf.int32).to_tensor()
            hypotheses = search(inp, tf.constant(length_penalty, tf.float32))
            best = zip(hypotheses.ids.numpy()[:, :n_best], hypotheses.scores.numpy(), strict=True)
            return [
                [Translation(decode(row), float(s)) for row, s in zip(ids, scores, strict=False)]
                for ids, scores in best
            ]

        cores = available_cores()
        batches = _by_length(sources, cores)
        bar = tqdm(total=len(sources), desc="translating", delay=2, leave=False, disable=None)
        translations: dict[int, list[Translation]] = {}
        with ThreadPoolExecutor(cores) as threads, bar:
            for batch, results in zip(batches, threads.map(translate_batch, batches), strict=True):
                translations |= zip(batch, results, strict=True)
                bar.update(len(batch))
        return [translations[i] for i in range(len(sources))]

    def search(
        self,
        beam_size: int,
        inp: tf.Tensor,
        length_penalty: float | tf.Tensor = 0.0,
        observe: Callable[[Beams], object] = lambda beams: None,
    ) -> Hypotheses:
        """Search the `beam_size` best translations of source ids (batch, len).

        Ids are padded with 0. `observe` gets the state after each token (see `BeamSearch`).
        """
        memory, weights = self._encode(inp)
        state = self.model.initial_state(memory)
        search = self._beam_search(beam_size)
        return search(memory, state, observe, length_penalty=length_penalty, weights=weights)

    def _encode_sources(self, inp: tf.Tensor) -> tuple[Nested, Sequence[tf.Tensor]]:
        suppressed_ids = (PADDING_ID, self.tokenizers.target.start_id)
        return self.model.encode(inp), self.model.weights(suppressed_ids)

    def _make_search(self, beam_size: int) -> BeamSearch:
        """The search of this beam size, compiled for any length."""
        target = self.tokenizers.target
        search = BeamSearch(
            self.model.step,
            start_id=target.start_id,
            end_id=target.end_id,
            max_length=self.max_length - 1,  # the start token takes one position
            beam_size=beam_size,
        )
        memory, weights = self._encode(tf.constant([[self.tokenizers.source.end_id]]))
        search.compile(memory, self.model.initial_state(memory), *weights)
        return search

    def _make_graph(self, beam_size: int) -> Search:
        """The whole search of this beam size, compiled for any length."""
        signature = [tf.TensorSpec((None, None), tf.int32), tf.TensorSpec(())]
        search = partial(self.search, beam_size)
        return tf.function(search, input_signature=signature, autograph=False)

    def greedy_ids(self, source: list[int]) -> list[int]:
        """Ids of the greedy translation, with the start id, without the end id."""
        (ids,) = self._graph(1)(tf.constant([source]), tf.constant(0.0)).ids.numpy()[0]
        return [self.tokenizers.target.start_id, *self.tokenizers.target.until_end(ids)]

    def target_ids(self, source: list[int], target: str | None = None) -> list[int]:
        """Ids of `target`, or of the greedy translation, from start to end.

        The greedy translation lacks the end id if there was no room for it.
        """
        if target is not None:
            return self.target.encode(target)
        ids = self.greedy_ids(source)
        return [*ids, self.tokenizers.target.end_id] if len(ids) < self.max_length else ids

    def weights(self, source: list[int], target: list[int]) -> dict[str, np.ndarray]:
        """Attention weights by kind: (layers, heads, rows, columns) each."""
        weights = self._attention(tf.constant([source]), tf.constant([target]))
        return {kind: values[0].numpy() for kind, values in weights.items()}

    def article_transformer(self, user: str) -> Transformer:
        """The article's Transformer; InputError, naming `user`, for another model."""
        transformer = inner_transformer(self.model)
        if transformer is None:
            raise InputError(f"{user} needs the article's Transformer; received another model")
        return transformer

    def can_translate(self, sentence: str) -> bool:
        """True if a sentence has known characters and is not too long."""
        return self.source.can_encode(sentence)

    def unknown_words(self, sentence: str) -> list[str]:
        """Out-of-vocabulary words of a sentence, each once, in order."""
        words = dict.fromkeys(split_words(normalize_source(sentence))) if self.known_words else ()
        return [word for word in words if word_form(word) not in self.known_words]


def _by_length(sources: list[list[int]], cores: int) -> list[list[int]]:
    """Indices of sentences in batches of similar length, longest first.

    If there are enough, each core gets as many batches, all of one size.
    """
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]), reverse=True)
    share = math.ceil(len(order) / cores)
    batches_of_a_core = max(1, math.ceil(share / MOST_TOGETHER))
    size = max(FEWEST_TOGETHER, math.ceil(share / batches_of_a_core))
    return [order[start : start + size] for start in range(0, len(order), size)]


def ready_made() -> Translator:
    """Load the package's translator: English to German, everyday sentences."""
    return Translator.load(RUN_DIR)


def source_encoder(name: str) -> tuple[SubwordTokenizer, dict[str, object], Callable[[], Encoder]]:
    """Source tokenizer, model settings and encoder loader of a translator.

    `name` is the path of its run or `READY_MADE`. An InputError if it is recurrent.
    """
    run = RunDirectory(run_dir_of(name))
    settings, tokenizers = load_settings(run)
    if settings.is_recurrent:
        raise InputError(f"--encoder-from needs a Transformer; {name} is {settings.architecture}")

    def load() -> Encoder:
        return Translator.load(run.path, BEST).article_transformer("--encoder-from").encoder

    return tokenizers.source, settings.model.flat(), load
