"""A trained sequence autoencoder: sentences to codes and back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.ids import PADDING_ID
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.search.free_running import ForcedAndFree
from tf_models.search.search import GreedySearch, run
from tf_models.tasks.autoencoding.sentences import load_sequence_autoencoder
from tf_models.training.run_directory import RunDirectory

INFERENCE_BATCH_SIZE = 100  # sentences at a time
IDS = tf.TensorSpec((None, None), tf.int32)


@dataclass(frozen=True)
class SentenceCoder:
    """Reads sentences into single vectors and writes them again from those."""

    model: SequenceAutoencoder
    tokenizer: SubwordTokenizer
    max_length: int  # tokens that it writes at most

    @classmethod
    def load(cls, run_dir: Path, checkpoint: str | None = None) -> "SentenceCoder":
        """Load a run's checkpoint: "best" (the default), "latest" or a name.

        Raises:
            InputError: no run of a sequence autoencoder, no such checkpoint, or a damaged file.
        """
        model, tokenizer, settings = load_sequence_autoencoder(
            RunDirectory(Path(run_dir)), checkpoint
        )
        return cls(model, tokenizer, settings.tokenizer.max_length)

    @property
    def code_size(self) -> int:
        """Numbers that the decoder starts from."""
        return 2 * self.model.code_units

    def encode(self, sentences: Sequence[str]) -> np.ndarray:
        """Final hidden and cell states of the encoder side by side, (sentences, code_size)."""
        ids = [self.tokenizer.encode(sentence) for sentence in sentences]
        return np.concatenate(self.model.encode(_padded(ids)), axis=-1)

    def reconstruct(self, sentences: Sequence[str], *, progress: bool = False) -> list[str]:
        """What the decoder writes from the codes, reading its own predictions only."""
        write = tf.function(self._write, input_signature=[IDS])
        written = [""] * len(sentences)
        for chosen, inp in self._batches(sentences, progress):
            for i, row in zip(chosen, write(inp).numpy(), strict=True):
                written[i] = self.tokenizer.decode(row)
        return written

    def write(self, codes: np.ndarray) -> list[str]:
        """What the decoder writes from codes (sentences, code_size), as `encode` returns them."""
        halves = [tf.convert_to_tensor(half) for half in np.split(np.float32(codes), 2, axis=-1)]
        return [self.tokenizer.decode(row) for row in self._write_codes(halves).numpy()]

    def reconstruct_and_compare(
        self, sentences: Sequence[str], *, progress: bool = False
    ) -> tuple[list[str], ForcedAndFree]:
        """The same, and teacher forcing beside it.

        The comparison has the sentences in another order, the shortest first.
        """
        predict = tf.function(self._predict, input_signature=[IDS])
        written, compared = [""] * len(sentences), []
        for chosen, inp in self._batches(sentences, progress):
            forced, free = (ids.numpy() for ids in predict(inp))
            compared.append((inp[:, 1:].numpy(), forced, free))
            for i, row in zip(chosen, free, strict=True):
                written[i] = self.tokenizer.decode(row)
        return written, ForcedAndFree.of(*zip(*compared, strict=True))

    def _batches(
        self, sentences: Sequence[str], progress: bool
    ) -> Iterator[tuple[np.ndarray, tf.Tensor]]:
        """Places of some sentences and their ids (batch, len), sorted: there is little padding."""
        ids = [self.tokenizer.encode(sentence) for sentence in sentences]
        order = np.argsort([len(one) for one in ids], kind="stable")
        chunks = range(0, len(order), INFERENCE_BATCH_SIZE)
        for first in tqdm(chunks, desc="writing", disable=None if progress else True):
            chosen = order[first : first + INFERENCE_BATCH_SIZE]
            yield chosen, _padded([ids[i] for i in chosen])

    def _predict(self, inp: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Most probable tokens after the right ones, (batch, len - 1), and what `_write` writes."""
        logits = self.model(inp, inp[:, :-1], training=False)
        return tf.argmax(logits, axis=-1, output_type=tf.int32), self._write(inp)

    def _write(self, inp: tf.Tensor) -> tf.Tensor:
        """Greedy search from the codes of inp (batch, len): ids (batch, tokens written)."""
        return self._write_codes(self.model.encode(inp))

    def _write_codes(self, states: list[tf.Tensor]) -> tf.Tensor:
        """Greedy search from hidden and cell states (batch, code_units)."""
        ends = {"start_id": self.tokenizer.start_id, "end_id": self.tokenizer.end_id}
        search = GreedySearch(self._step, **ends, longest=self.max_length)
        codes = [code[:, tf.newaxis] for code in states]  # (batch, 1, code_units)
        return run(search, (), codes).ids[:, 0]

    def _step(self, ids: tf.Tensor, memory: tuple, state: list[tf.Tensor]):
        """The decoder as search calls it: one hypothesis a sentence, and nothing but its state."""
        logits, state = self.model.decode(ids, [part[:, 0] for part in state])
        return logits, [part[:, tf.newaxis] for part in state]  # (batch, 1, code_units)


def _padded(ids: list[list[int]]) -> tf.Tensor:
    """(batch, len) int32."""
    return tf.ragged.constant(ids, dtype=tf.int32).to_tensor(PADDING_ID)
