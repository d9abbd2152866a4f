"""Draw the attention of a trained translator: every head's map, or what one word attends to.

  tf-models plot-attention --sentence "The old dog sleeps." --output heads.png
      every head of the last layer, while it translates
  tf-models plot-attention --kind encoder --layer all --output it.png \\
      --sentence "The animal didn't cross the street because it was too tired."
      what "it" attends to, in every head of every layer
  tf-models plot-attention --query it --words --kind encoder --output it.pdf \\
      --sentence "The animal didn't cross the street because it was too tired."
      one head's map with the row of one word framed, and this row as a histogram
  tf-models plot-attention --kind cross --words --output cross.pdf \\
      --sentence "Anthony Hopkins admired Michael Bay as a great director." \\
      --target "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."
      while the model is made to write the given German sentence
  tf-models plot-attention --kind encoder --layer all --value-norms --without-marks \\
      --sentence "He admired her as a great director." --output moved.png
      what each head moves from word to word: attention sinks on <start> move next to nothing
"""

from pathlib import Path
from typing import Literal

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.training.settings import Settings
from tf_models.translation.ready_made import TranslatorArguments


class MapArguments(Settings):
    """Arguments of an attention map."""

    sentence: str
    """Sentence in the source language."""
    target: str | None = None
    """Translation to force; if left out, the model's own."""
    kind: Literal["encoder", "decoder", "cross"] = "cross"
    """Kind of attention."""
    layer: str | None = None
    """1 to the last, or all; if left out, the last."""
    head: int | None = None
    """Draw this head alone, from 1."""
    query: str | None = None
    """Word whose row is framed and drawn as a histogram."""
    words: bool = False
    """Merge subwords into words."""
    without_marks: bool = False
    """Leave out <start>, <end> and punctuation, and share the rest anew."""
    value_norms: bool = False
    """Draw each weight times the norm of the value that it carries: what a head moves."""


class Arguments(TranslatorArguments):
    """All arguments."""

    output: Path
    """F.png, F.pdf or F.svg."""
    map: MapArguments


def main() -> None:
    arguments = parse(Arguments)
    chosen = arguments.map
    with quiet_tensorflow():
        from tf_models.plotting.files import check_figure_path, save_figure
        from tf_models.runtime import use_cores_for_inference
        from tf_models.translation.figures import draw_maps, draw_query
        from tf_models.translation.translate import Translator
    check_figure_path(arguments.output)  # refused before minutes are spent
    use_cores_for_inference()
    translator = Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    draw = draw_query if chosen.query else draw_maps
    save_figure(draw(translator, **dict(chosen)), arguments.output)
    print(arguments.output)
