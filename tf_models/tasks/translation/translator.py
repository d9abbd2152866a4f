"""A run directory becomes a translator: sentences in, translations and attention out."""

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.text.tokenizer import SubwordTokenizer, TokenizerPair
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.runtime import available_cores, use_cores_for_batches
from tf_models.search.beam_search import BeamSearch
from tf_models.search.greedy_search import GreedySearch
from tf_models.search.search import Hypotheses, Search, run, watch
from tf_models.tasks.translation.decoding_options import DecodingOptions
from tf_models.tasks.translation.run import load_settings
from tf_models.tasks.translation.train import build_model
from tf_models.tasks.translation.transformer_model import empty_kv_caches, encode, transformer_step
from tf_models.training.checkpoints import checkpoint_path, load_average, load_model
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.model import Transformer

INFERENCE_BATCH_SIZE = 128


class Translation(NamedTuple):
    """A translation and its score: log-probability in nats over the length penalty."""

    text: str
    score: float


class Attention(NamedTuple):
    """Attention of one sentence pair, without padding.

    source_tokens: with start and end, inp_len of them.
    target_tokens: from start token to the last piece, tar_len of them: what the decoder reads.
    next_tokens: from the first piece to the end token: what it writes at the same positions.
    weights: by the names that `Transformer` gives, (num_heads, rows, columns) each.
    """

    source_tokens: list[str]
    target_tokens: list[str]
    next_tokens: list[str]
    weights: dict[str, np.ndarray]


class Translator:
    """Translates with a trained model.

    Args:
        model: built, its weights loaded.
        tokenizers: of both languages.
        longest: most tokens that the model's positions allow, start and end included.
        decoding: beam size and length penalty where a method is not given any; greedy if left out.
    """

    def __init__(
        self,
        model: Transformer,
        tokenizers: TokenizerPair,
        longest: int,
        decoding: DecodingOptions | None = None,
    ):
        self.model, self.tokenizers, self.longest = model, tokenizers, longest
        self.decoding = decoding or DecodingOptions()
        self._compiled: dict[int, tf.types.experimental.PolymorphicFunction] = {}

    @classmethod
    def load(cls, run_dir: Path, checkpoint: str | None = None) -> "Translator":
        """Load the translator that was trained in `run_dir`.

        Args:
            run_dir: a run directory; nothing else is needed.
            checkpoint: "best", "latest", "average" (of the last epochs, if the run keeps them), or
                a name in its folder of checkpoints ("ckpt-300"); what was chosen at the end of
                training, or else the best, if left out.

        Raises:
            InputError: no run directory, no such checkpoint, or a damaged file.
        """
        use_cores_for_batches()
        run_directory = RunDirectory(Path(run_dir))
        settings, tokenizers = load_settings(run_directory)
        # Training in 16 bits is one thing; the scores of hypotheses need all digits.
        model = build_model(settings.changed(precision="float32"), tokenizers)
        decoding = DecodingOptions.of(run_directory)
        checkpoint = checkpoint or decoding.checkpoint
        if checkpoint == "average":
            load_average(model, run_directory.checkpoints)
        else:
            load_model(model, checkpoint_path(run_directory.checkpoints, checkpoint))
        return cls(model, tokenizers, settings.positions, decoding)

    @property
    def num_layers(self) -> int:
        """Layers of the encoder, and of the decoder."""
        return self.model.encoder.num_layers

    def translate(
        self,
        sentences: Sequence[str],
        *,
        beam_size: int | None = None,
        n_best: int = 1,
        length_penalty: float | None = None,
        progress: bool = False,
    ) -> list[list[Translation]]:
        """Translate sentences, the `n_best` best of each, best first.

        Args:
            sentences: each not empty and not too long.
            beam_size: hypotheses kept; 1 is greedy; `decoding.beam_size` if left out.
            n_best: translations of each sentence, at most beam_size.
            length_penalty: alpha of the beam search; `decoding.length_penalty` if left out.
            progress: whether to show a bar on stderr.

        Raises:
            InputError: a sentence cannot be translated, or n_best exceeds beam_size.
        """
        beam_size, length_penalty = self._decoding(beam_size, length_penalty)
        self.check_search(beam_size, length_penalty)
        if not 1 <= n_best <= beam_size:
            raise InputError(f"n_best must be 1 to beam_size={beam_size}; received {n_best}")
        sources = [self.encode_source(sentence) for sentence in sentences]
        order = sorted(range(len(sources)), key=lambda i: len(sources[i]), reverse=True)
        batches = [
            order[start : start + INFERENCE_BATCH_SIZE]
            for start in range(0, len(order), INFERENCE_BATCH_SIZE)
        ]
        search = functools.partial(self._search, beam_size=beam_size, length_penalty=length_penalty)
        translations: list[list[Translation]] = [[] for _ in sources]
        with (
            ThreadPoolExecutor(available_cores()) as threads,
            tqdm(total=len(sources), unit="sentence", disable=None if progress else True) as bar,
        ):
            found = threads.map(lambda batch: search([sources[i] for i in batch]), batches)
            for batch, hypotheses in zip(batches, found, strict=True):
                for i, ids, scores in zip(batch, *(t.numpy() for t in hypotheses), strict=True):
                    translations[i] = self._texts(ids[:n_best], scores[:n_best])
                bar.update(len(batch))
        return translations

    def evaluate(self, sentence: str) -> tuple[list[int], dict[str, np.ndarray]]:
        """Translate one sentence greedily, as the tutorial's function of this name.

        Returns:
            ids from the start token to the last before the end token, and the attention weights
            of the whole sentence by name, (num_heads, rows, columns) each.
        """
        (ids,) = self._search([self.encode_source(sentence)], 1, 0.0).ids.numpy()[0]
        tokenizer = self.tokenizers.target
        text = ids[: list(ids).index(tokenizer.end_id)] if tokenizer.end_id in ids else ids
        result = [tokenizer.start_id, *map(int, text)]
        return result, self._weights(self.encode_source(sentence), result)

    def attention(self, sentence: str, target: str | None = None) -> Attention:
        """Attention while translating `sentence`, or while being forced to write `target`.

        Raises:
            InputError: one of them is empty or too long.
        """
        source = self.encode_source(sentence)
        if target is None:
            target_ids, weights = self.evaluate(sentence)
            target_ids = [*target_ids, self.tokenizers.target.end_id]
        else:
            target_ids = self._encode(target, self.tokenizers.target)
            weights = self._weights(source, target_ids[:-1])
        tokens = self.tokenizers.target.tokens(target_ids)
        return Attention(self.tokenizers.source.tokens(source), tokens[:-1], tokens[1:], weights)

    def steps(
        self, sentence: str, beam_size: int | None = None, length_penalty: float | None = None
    ) -> Iterator:
        """Yield the state of the search after each token (`Greedy` or `Beams`)."""
        beam_size, length_penalty = self._decoding(beam_size, length_penalty)
        self.check_search(beam_size, length_penalty)
        memory = encode(self.model, tf.constant([self.encode_source(sentence)], tf.int32))
        search = self._make_search(beam_size, length_penalty)
        return watch(search, memory, empty_kv_caches(self.model, 1, beam_size))

    def _decoding(self, beam_size: int | None, length_penalty: float | None) -> tuple[int, float]:
        return (
            self.decoding.beam_size if beam_size is None else beam_size,
            self.decoding.length_penalty if length_penalty is None else length_penalty,
        )

    def check_search(self, beam_size: int, length_penalty: float) -> None:
        """Refuse a search that makes no sense.

        Raises:
            InputError: a beam of none, or of more hypotheses than there are ids for, or a length
                penalty that is out of range.
        """
        ids = self.tokenizers.target.vocabulary_size - len(self._suppressed_ids)
        widest = ids // 2  # a beam looks at twice as many continuations
        if not 1 <= beam_size <= widest:
            limit = "at least 1" if beam_size < 1 else f"at most {widest} with {ids} ids"
            raise InputError(f"beam_size must be {limit}; received {beam_size}")
        if not 0 <= length_penalty < 10:
            raise InputError(f"length_penalty must be 0 to 10; received {length_penalty}")

    @property
    def _suppressed_ids(self) -> tuple[int, int]:
        """Ids that no translation has."""
        return PADDING_ID, self.tokenizers.target.start_id

    def search(
        self, inp: tf.Tensor, beam_size: int, length_penalty: float | tf.Tensor
    ) -> Hypotheses:
        """Search with source ids (batch, len), padded with 0; to be traced in a graph."""
        return run(
            self._make_search(beam_size, length_penalty),
            encode(self.model, inp),
            empty_kv_caches(self.model, tf.shape(inp)[0], beam_size),
        )

    def encode_source(self, sentence: str) -> list[int]:
        """Ids of a sentence that is to be translated.

        Raises:
            InputError: it is empty, holds a NUL byte, has too many tokens, or no known one.
        """
        return self._encode(sentence, self.tokenizers.source)

    def can_translate(self, sentence: str) -> bool:
        """Whether `encode_source` accepts the sentence."""
        try:
            self.encode_source(sentence)
        except InputError:
            return False
        return True

    def _encode(self, sentence: str, tokenizer: SubwordTokenizer) -> list[int]:
        if not sentence.strip():
            raise InputError("the sentence is empty")
        if "\0" in sentence:
            raise InputError(f"the sentence holds a NUL byte: {sentence[:40]!r}")
        if any("\ud800" <= char <= "\udfff" for char in sentence):
            raise InputError(f"the sentence is not UTF-8: {sentence[:40]!r}")
        ids = tokenizer.encode(sentence)
        if not tokenizer.knows_any(ids):
            raise InputError(
                f"the tokenizer's alphabet has nothing of the sentence: {sentence[:40]!r}"
            )
        if len(ids) > self.longest:
            raise InputError(
                f"the sentence has {len(ids)} tokens with start and end, and the model's positions "
                f"end at {self.longest}: {sentence[:40]!r} …"
            )
        return ids

    def _weights(self, source: list[int], target: list[int]) -> dict[str, np.ndarray]:
        _, weights = self.model(tf.constant([source]), tf.constant([target]), training=False)
        return {name: values[0].numpy() for name, values in weights.items()}

    def _texts(self, ids: np.ndarray, scores: np.ndarray) -> list[Translation]:
        decode = self.tokenizers.target.decode
        return [
            Translation(decode(row), float(score)) for row, score in zip(ids, scores, strict=True)
        ]

    def _search(
        self, sources: list[list[int]], beam_size: int, length_penalty: float
    ) -> Hypotheses:
        if beam_size not in self._compiled:
            self._compiled[beam_size] = tf.function(
                lambda inp, length_penalty: self.search(inp, beam_size, length_penalty),
                input_signature=[tf.TensorSpec((None, None), tf.int32), tf.TensorSpec(())],
            )
        inp = tf.ragged.constant(sources, dtype=tf.int32).to_tensor()
        return self._compiled[beam_size](inp, tf.constant(length_penalty, tf.float32))

    def _make_search(self, beam_size: int, length_penalty: float | tf.Tensor) -> Search:
        start_id, end_id = self.tokenizers.target.start_id, self.tokenizers.target.end_id
        step = transformer_step(self.model, suppressed_ids=self._suppressed_ids)
        ends = {
            "start_id": start_id,
            "end_id": end_id,
            "longest": self.longest - 1,  # the start token takes one position
        }
        if beam_size == 1:
            return GreedySearch(step, **ends)
        return BeamSearch(step, beam_size=beam_size, length_penalty=length_penalty, **ends)
