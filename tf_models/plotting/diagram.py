"""Diagrams of the articles' networks, with sizes or symbols as arguments.

Each is a file in `diagrams`: boxes, chains of arrows, and the names of its sizes with the symbols
that stand for them. Data flows upwards, or from left to right.
"""

import tomllib
from functools import partial
from itertools import pairwise
from pathlib import Path

from matplotlib.figure import Figure

from tf_models.plotting.architecture import Arrow, Box, plot_architecture


def plot_diagram(name: str, **sizes: object) -> Figure:
    """Diagram of a file, with these sizes in place of its symbols."""
    path = Path(__file__).with_name("diagrams") / f"{name}.toml"
    diagram = tomllib.loads(path.read_text(encoding="utf-8"))
    values = diagram["sizes"] | sizes
    boxes = {
        key: Box(**box | {"text": box["text"].format(**values)})
        for key, box in diagram["boxes"].items()
    }
    chains = [chain.split(" > ") for chain in diagram["chains"]]
    arrows = [Arrow(*ends) for chain in chains for ends in pairwise(chain)]
    arrows += [Arrow(**arrow) for arrow in diagram.get("arrows", ())]
    return plot_architecture(boxes, arrows, title=diagram["title"], caption=diagram["caption"])


plot_attention_head = partial(plot_diagram, "attention-head")
plot_transformer_layers = partial(plot_diagram, "transformer-layers")
plot_bahdanau_decoder = partial(plot_diagram, "bahdanau-decoder")
plot_answering = partial(plot_diagram, "answering")
plot_vae = partial(plot_diagram, "vae")
plot_hierarchical_vae = partial(plot_diagram, "hierarchical-vae")
