"""Draw the attention of every head of a trained translator as heat maps."""

import argparse
from pathlib import Path

from tf_models.command_line import CHECKPOINT_HELP, Parser, quiet_tensorflow, run
from tf_models.errors import InputError

EXAMPLES = """\
  python scripts/plot_attention.py --run-dir runs/toy-toy --kind encoder --layer all \\
      --sentence "The animal didn't cross the street because it was too tired." --output it.png
      where "it" looks, in every head of every layer
  python scripts/plot_attention.py --run-dir runs/toy-toy --kind cross --words \\
      --sentence "Anthony Hopkins admired Michael Bay as a great director." \\
      --target "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert." \\
      --output cross.pdf
      the last layer, while the model is made to write the given German sentence"""

KINDS = {
    "encoder": ("encoder self-attention", "encoder_layer{}"),
    "decoder": ("decoder self-attention", "decoder_layer{}_block1"),
    "cross": ("cross-attention", "decoder_layer{}_block2"),
}


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--sentence", required=True, help="in the source language")
    parser.add_argument("--target", help="the translation to force; default: the model's own")
    parser.add_argument("--kind", choices=KINDS, default="cross")
    parser.add_argument("--layer", help="1 to the last (default), or all", metavar="L")
    parser.add_argument("--head", type=int, metavar="H", help="draw this head alone, from 1")
    parser.add_argument("--output", type=Path, required=True, metavar="F.png|pdf|svg")
    parser.add_argument("--words", action="store_true", help="merge pieces into words")
    parser.add_argument("--checkpoint", help=CHECKPOINT_HELP)
    return parser


def main(arguments: argparse.Namespace) -> None:
    from tf_models.plotting.files import figure_format, save_figure

    figure_format(arguments.output)  # refused before minutes are spent
    with quiet_tensorflow():
        from tf_models.tasks.translation.translator import Translator
    translator = Translator.load(arguments.run_dir, arguments.checkpoint)
    figure = draw_attention(
        translator,
        arguments.sentence,
        arguments.target,
        kind=arguments.kind,
        layer=arguments.layer,
        head=arguments.head,
        words=arguments.words,
    )
    save_figure(figure, arguments.output)
    print(arguments.output)


def draw_attention(
    translator, sentence, target=None, *, kind="cross", layer=None, head=None, words=False
):
    """Figure of one layer (a number, or the last), of one head, or of all layers ("all")."""
    from tf_models.plotting.attention import plot_attention_layers, plot_attention_weights

    name, _ = KINDS[kind]
    weights, rows, columns = attention_maps(translator, sentence, target, kind=kind, words=words)
    check_head(head, weights.shape[1])
    options = {"heads": head and [head], "causal": kind == "decoder"}
    if layer == "all":
        return plot_attention_layers(weights, rows, columns, title=name, **options)
    number = layer_number(layer, len(weights))
    title = f"{name}, layer {number}"
    return plot_attention_weights(weights[number - 1], rows, columns, title=title, **options)


def attention_maps(translator, sentence, target=None, *, kind="cross", words=False):
    """Weights (layers, heads, rows, columns), the labels of the rows, those of the columns."""
    import numpy as np

    from tf_models.plotting.words import merge_pieces

    attention = translator.attention(sentence, target)
    _, key = KINDS[kind]
    layers = range(1, translator.num_layers + 1)
    weights = np.stack([attention.weights[key.format(layer)] for layer in layers])
    rows, columns = axis_labels(attention, kind)
    return merge_pieces(weights, rows, columns) if words else (weights, rows, columns)


def axis_labels(attention, kind: str) -> tuple[list[str], list[str]]:
    """Labels of queries and keys; a row of cross-attention is the token that it helps to write."""
    if kind == "encoder":
        return attention.source_tokens, attention.source_tokens
    if kind == "decoder":
        return attention.target_tokens, attention.target_tokens
    return attention.next_tokens, attention.source_tokens


def layer_number(layer: str | None, layers: int) -> int:
    number = str(layers) if layer is None else layer
    if not number.isdecimal() or not 1 <= int(number) <= layers:
        raise InputError(f"--layer must be 1 to {layers} or all; received {layer}")
    return int(number)


def check_head(head: int | None, heads: int) -> None:
    if head is not None and not 1 <= head <= heads:
        raise InputError(f"--head must be 1 to {heads}; received {head}")


if __name__ == "__main__":
    run(make_parser(), main)
