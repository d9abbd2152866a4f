"""A trained translator for LiteRT, TensorFlow Lite's successor: phones, browsers, small boards."""

import shutil
import tempfile
from pathlib import Path

import tensorflow as tf

from tf_models.command_line import quiet_tensorflow
from tf_models.data.text.alphabet import PLAIN_MARKS
from tf_models.errors import InputError, check_choice
from tf_models.ids import PADDING_ID
from tf_models.search.search import Nested
from tf_models.tasks.translation.export.saved_model import save_tokenizers
from tf_models.tasks.translation.translator import Translator

QUANTIZATIONS = ("float32", "float16", "int8")
PROGRAM = Path(__file__).with_name("litert_program.py")


def export_litert(
    translator: Translator,
    folder: Path,
    quantization: str = "float32",
    beam_size: int | None = None,
    length_penalty: float | None = None,
) -> None:
    """Write model.tflite, the tokenizers, and translate.py, which translates with them.

    The model has two signatures, for one sentence:

    - "encode": source ids (1, len), int32, from start to end id, to `logits` (1, 1, vocabulary) of
      the first target id; memory_0, …, what the decoder reads of the source; state_0, …, what it
      remembers of the hypotheses, (1, 1, ...) each.
    - "step": the newest ids (1, n) of n hypotheses, the memory, and their state (1, n, ...) to
      `logits` (1, n, vocabulary) and the next state.

    The vocabulary is followed by ids that are never the most probable ones.

    Args:
        folder: exists, empty.
        quantization: of the weights, one of `QUANTIZATIONS`; with int8, activations are quantized
            at run time.
        beam_size, length_penalty: of translate.py; what training chose, if left out.

    Raises:
        InputError: another quantization, beam_size or length_penalty is out of range, the weights
            are not finite, or LiteRT lacks an operation of the model.
    """
    check_choice("--quantization", quantization, QUANTIZATIONS)
    beam_size, length_penalty = translator.search_options(beam_size, length_penalty)
    model = _convert(translator, quantization)
    (folder / "model.tflite").write_bytes(model)
    shutil.copyfile(PROGRAM, folder / "translate.py")
    alphabet = translator.source.alphabet
    save_tokenizers(
        translator,
        folder,
        format="litert",
        quantization=quantization,
        beam_size=beam_size,
        length_penalty=length_penalty,
        marks={mark: alphabet.read(mark) for mark in (*PLAIN_MARKS, *alphabet.never_met)},
    )


def _convert(translator: Translator, quantization: str) -> bytes:
    module = tf.Module()
    module.weights = [variable.value for variable in translator.model.network.weights]
    signatures = _signatures(translator)
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder, signatures)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder, list(signatures))
        if quantization != "float32":
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
        if quantization == "float16":
            converter.target_spec.supported_types = [tf.float16]
        try:
            with quiet_tensorflow():  # its C++ part writes lines of its own before an error
                return converter.convert()
        except Exception as error:  # of TensorFlow's own kind, which it keeps private
            name = type(translator.model.network).__name__
            raise InputError(
                f"LiteRT lacks an operation of this {name}; export it with --format saved-model"
            ) from error


def _signatures(translator: Translator) -> dict[str, tf.types.experimental.ConcreteFunction]:
    """The functions that `export_litert` describes, by their names."""
    model, start_id = translator.model, translator.tokenizers.target.start_id
    step = model.step((PADDING_ID, start_id))

    def after_start(ids: tf.Tensor, n: int = 1, tokens: int = 1) -> tuple[tf.Tensor, dict]:
        # LiteRT cannot hand over a KV cache of no tokens, so the start is read with the source.
        memory = model.encode(ids)
        state = model.initial_state(memory, n)
        for _ in range(tokens):
            logits, state = step(tf.fill((1, n), start_id), memory, state)
        return logits, {"memory": memory, "state": state}

    _, short = after_start(tf.ones((1, 2), tf.int32))
    _, long = after_start(tf.ones((1, 3), tf.int32), n=2, tokens=2)
    specs = _named(tf.nest.map_structure(_any_length, short, long))

    def encode(ids: tf.Tensor) -> dict[str, tf.Tensor]:
        logits, given = after_start(ids)
        return {"logits": logits, **_named(given)}

    def next_step(ids: tf.Tensor, **given: tf.Tensor) -> dict[str, tf.Tensor]:
        given = tf.nest.pack_sequence_as(short, [given[name] for name in specs])
        logits, state = step(ids, given["memory"], given["state"])
        return {"logits": logits, **_named({"state": state})}

    ids = tf.TensorSpec((1, None), tf.int32)
    return {
        "encode": tf.function(encode).get_concrete_function(ids=ids),
        "step": tf.function(next_step).get_concrete_function(ids=ids, **specs),
    }


def _any_length(one: tf.Tensor, other: tf.Tensor) -> tf.TensorSpec:
    """Tensors like both: where their shapes differ, any length."""
    return tf.TensorSpec(one.shape.most_specific_compatible_shape(other.shape), one.dtype)


def _named(nested: dict[str, Nested]) -> dict:
    """memory_0, memory_1, …, state_0, …: a signature has flat arguments and results."""
    return {
        f"{kind}_{i}": tensor
        for kind, tensors in nested.items()
        for i, tensor in enumerate(tf.nest.flatten(tensors))
    }
