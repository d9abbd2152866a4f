"""Names of the tutorial "Transformer model for language understanding".

After `from tf_models.tutorial import *` the code of TensorFlow's tutorial runs as printed, in a
script or a notebook: what its functions read as globals, `transformer`, `optimizer`, `train_loss`
and `train_accuracy`, are those of `__main__`. Before there is a `transformer`, the translator of
the package translates. docs/deviations.md says what differs.
"""

import sys
from functools import cache, lru_cache
from types import SimpleNamespace

import tensorflow as tf

from tf_models.losses import accuracy_function, loss_function
from tf_models.plotting.attention import plot_attention_head, plot_attention_maps
from tf_models.plotting.notebook import show
from tf_models.transformer.attention import MultiHeadAttention, scaled_dot_product_attention
from tf_models.transformer.layers import point_wise_feed_forward_network
from tf_models.transformer.masks import create_look_ahead_mask, create_masks, create_padding_mask
from tf_models.transformer.positions import get_angles, positional_encoding
from tf_models.transformer.printed import Decoder, DecoderLayer, Encoder, EncoderLayer, Transformer
from tf_models.transformer.schedule import CustomSchedule
from tf_models.translation.model import TransformerModel
from tf_models.translation.translate import Translator, ready_made

_package = cache(ready_made)  # the translator of the package, loaded when it is needed


@lru_cache(maxsize=1)
def _translator_with(transformer: Transformer) -> Translator:
    """The translator with a reader's transformer, as far as its positions go."""
    positions = (
        stack.maximum_position_encoding for stack in (transformer.encoder, transformer.decoder)
    )
    return Translator(TransformerModel(transformer), _package().tokenizers, min(positions))


tokenizer_pt = tokenizer_en = SimpleNamespace(  # its subwords, of both languages
    vocab_size=10_000,
    encode=lambda text: _package().source.encode(text)[1:-1],
    decode=lambda ids: _package().tokenizers.target.decode(ids),
)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def print_out(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> None:
    """Print weights and output of attention."""
    output, weights = scaled_dot_product_attention(q, k, v, None)
    print(f"Attention weights are:\n{weights}\nOutput is:\n{output}")


def train_step(inp: tf.Tensor, tar: tf.Tensor) -> None:
    """Train `transformer` on a batch with `optimizer`: the library's step."""
    namespace = vars(sys.modules["__main__"])
    transformer, optimizer = namespace["transformer"], namespace["optimizer"]
    if getattr(transformer, "optimizer", None) is not optimizer:
        transformer.build()
        transformer.compile(optimizer)
    transformer.reset_metrics()
    for name, value in transformer.train_on_batch(inp, tar, return_dict=True).items():
        namespace[f"train_{name}"](value)


def evaluate(inp_sentence: str) -> tuple[list[int], dict[str, tf.Tensor]]:
    """Ids of a greedy translation with `<start>`; attention weights by name."""
    transformer = vars(sys.modules["__main__"]).get("transformer")
    translator = _translator_with(transformer) if transformer else _package()
    result, attention = translator.evaluate(inp_sentence)
    return result, {name: tf.constant([weights]) for name, weights in attention.items()}


def plot_attention_weights(attention: dict, sentence: str, result: list[int], layer: str) -> None:
    """Show the map of each head of a layer, a name in `attention`."""
    source, target = _package().source, _package().tokenizers.target
    read, written = source.tokenizer.tokens(source.encode(sentence)), target.tokens(result)
    rows = columns = read if layer.startswith("encoder") else written
    if layer.endswith("block2"):  # a row is the token that it helps to write
        rows, columns = written[1:], read
    weights = attention[layer][0, :, : len(rows)]
    show(plot_attention_maps(weights, rows, columns, title=f"{layer}: “{sentence}”"), layer)


def translate(sentence: str, plot: str = "") -> None:
    """Print a translation and, if `plot` names a layer, show its attention."""
    result, attention_weights = evaluate(sentence)
    print(f"Input: {sentence}\nPredicted translation: {tokenizer_en.decode(result)}")
    if plot:
        plot_attention_weights(attention_weights, sentence, result, plot)
