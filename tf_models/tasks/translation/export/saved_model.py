"""A trained translator as a SavedModel: TensorFlow alone loads it, without this package."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.files import write_text
from tf_models.ids import PADDING_ID, UNKNOWN_ID
from tf_models.tasks.translation.translator import Translator

BEAM_SIZE = 4  # as Vaswani et al. (2017) use it


def export_saved_model(
    translator: Translator,
    folder: Path,
    beam_size: int | None = None,
    length_penalty: float | None = None,
) -> None:
    """Write a SavedModel with the signatures "greedy" and "beam_search", and its tokenizers.

    Both take source ids (batch, len), int32, from start to end id, padded with 0, and return

    - ids, (batch, n, len), best first, after the start id, padded behind the end id;
    - scores, (batch, n), log-probability in nats, divided by the length penalty.

    n is 1 for "greedy", which has no length penalty, and `beam_size` for "beam_search".

    Args:
        folder: exists, empty.
        beam_size: hypotheses kept; what the run's training chose, or else 4, if left out.
        length_penalty: alpha of the beam search; what training chose, or else 0.6.

    Raises:
        InputError: beam_size or length_penalty is out of range, or the weights are not finite.
    """
    chosen = translator.decoding
    if beam_size is None:
        beam_size = chosen.beam_size if chosen.beam_size > 1 else BEAM_SIZE
    length_penalty = chosen.length_penalty if length_penalty is None else length_penalty
    beam_size, length_penalty = translator.searcher.check(beam_size, length_penalty)
    module = tf.Module()
    module.weights = [variable.value for variable in translator.model.network.weights]
    module.greedy = _search_function(translator, 1, 0.0)
    module.beam_search = _search_function(translator, beam_size, length_penalty)
    signatures = {"greedy": module.greedy, "beam_search": module.beam_search}
    tf.saved_model.save(module, str(folder), signatures)
    options = {"beam_size": beam_size, "length_penalty": length_penalty}
    save_tokenizers(translator, folder, format="saved-model", **options)


def _search_function(translator: Translator, beam_size: int, length_penalty: float) -> Callable:
    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32, name="ids")])
    def search(ids: tf.Tensor) -> dict[str, tf.Tensor]:
        fits = tf.debugging.assert_less_equal(
            tf.shape(ids)[1],
            translator.max_length,
            "the source has more ids than the model has positions",
        )
        with tf.control_dependencies([fits]):  # or a later operation would complain of its shapes
            ids = tf.identity(ids)
        return translator.searcher.trace(ids, beam_size, length_penalty)._asdict()  # ids and scores

    return search


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
