"""A trained translator as a SavedModel: TensorFlow alone loads it, without this package."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf_models.data.tokenizers import SubwordTokenizer
from tf_models.files import write_text
from tf_models.ids import PADDING_ID, UNKNOWN_ID
from tf_models.translation.translate import LENGTH_PENALTY, Translator, check_beam_size

BEAM_SIZE = 4  # as Vaswani et al. (2017) use it


def export_saved_model(
    translator: Translator,
    folder: Path,
    beam_size: int | None = None,
    length_penalty: float = LENGTH_PENALTY,
) -> None:
    """Write a SavedModel with three signatures, and its tokenizers.

    "greedy" and "beam_search" take source ids (batch, len), int32, from start to end id, padded
    with 0, and return

    - ids, (batch, n, len), best first, after the start id, padded behind the end id;
    - scores, (batch, n), log-probability in nats, divided by the length penalty.

    n is 1 for "greedy", which has no length penalty, and `beam_size` for "beam_search". "logits" is
    the model itself, for one sentence: inp (1, len) and tar (1, tar_len), int32, to `logits`
    (1, tar_len, target_vocab_size). LiteRT can convert it.

    Args:
        folder: exists, empty.
        beam_size: hypotheses kept; the run's, or else 4, if left out.
        length_penalty: alpha of the beam search.

    Raises:
        InputError: beam_size is below 1.
    """
    if beam_size is None:
        beam_size = translator.beam_size if translator.beam_size > 1 else BEAM_SIZE
    check_beam_size(beam_size)
    module = tf.Module()
    module.weights = [variable.value for variable in translator.model.network.weights]
    module.greedy = _search_function(translator, 1, 0.0)
    module.beam_search = _search_function(translator, beam_size, length_penalty)
    module.logits = _logits_function(translator)
    names = ("greedy", "beam_search", "logits")
    signatures = {name: getattr(module, name) for name in names}
    tf.saved_model.save(module, str(folder), signatures)
    options = {"beam_size": beam_size, "length_penalty": length_penalty}
    save_tokenizers(translator, folder, format="saved-model", **options)


def _search_function(translator: Translator, beam_size: int, length_penalty: float) -> Callable:
    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32, name="ids")])
    def search(ids: tf.Tensor) -> dict[str, tf.Tensor]:
        return translator.search(beam_size, ids, length_penalty)._asdict()  # ids and scores

    return search


def _logits_function(translator: Translator) -> Callable:
    sides = [tf.TensorSpec((1, None), tf.int32, name=name) for name in ("inp", "tar")]

    @tf.function(input_signature=sides)
    def compute(inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        logits, _ = translator.model.network(inp, tar, training=False)
        return {"logits": logits}

    return compute


def save_tokenizers(translator: Translator, folder: Path, **options: Any) -> None:
    """Write source.model, target.model and translator.json, with the options of the export, into
    `folder`, which exists.
    """
    tokenizers = translator.tokenizers
    tokenizers.copy_to(folder)
    description = {
        **options,
        "source": _describe(tokenizers.source),
        "target": _describe(tokenizers.target),
        "padding_id": PADDING_ID,
        "unknown_id": UNKNOWN_ID,
        "max_source_length": translator.max_length,  # ids, start and end included
        "max_target_length": translator.max_length - 1,  # ids after the start, the end included
    }
    write_text(folder / "translator.json", json.dumps(description, indent=2) + "\n")


def _describe(tokenizer: SubwordTokenizer) -> dict:
    return {
        "language": tokenizer.language,
        "lowercase": tokenizer.lowercase,  # with a 0 for every digit, as BPEmb has it
        "pieces": tokenizer.pieces,
        "start_id": tokenizer.start_id,
        "end_id": tokenizer.end_id,
    }
