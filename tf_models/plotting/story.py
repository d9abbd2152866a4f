"""A story beside what was read of it: each look at its facts as a column."""

from collections.abc import Collection, Sequence

import numpy as np
from matplotlib.figure import Figure

from tf_models.plotting.attention import check_attention
from tf_models.plotting.heat_map import MapSize, darkest_weight, draw_heat_map
from tf_models.plotting.page import Layout, Page

CAPTION = (
    "Each column is a look at the story and shows how its attention is shared among the facts."
)
MARK = "→ "
MARK_CAPTION = f" The answer follows from the facts with an arrow ({MARK.strip()})."


def plot_story(
    weights: np.ndarray,
    looks: Sequence[str],
    facts: Sequence[str],
    *,
    marked: Collection[int] = (),
    title: str = "",
) -> Figure:
    """The facts in their order, from top to bottom, and where each look went.

    Args:
        weights: (looks, facts); those of a look sum to one.
        looks: their names: "hop 1" …, then the words of the answer.
        facts: of the story.
        marked: indices of the facts from which the answer follows.
        title: question and answer.
    """
    weights = check_attention(weights, len(looks), len(facts))
    labels = [f"{MARK if i in marked else ''}{fact}" for i, fact in enumerate(facts)]
    size = MapSize.for_labels(labels, looks)
    layout = Layout(
        rows=1,
        columns=1,
        panel_width=size.width,
        panel_height=size.height,
        left=size.left,
        top=size.top,
        title=title,
        caption=CAPTION + (MARK_CAPTION if marked else ""),
    )
    page = Page(layout)
    image = draw_heat_map(
        page.panel(0),
        weights.T,  # (facts, looks)
        labels,
        looks,
        limits=(0.0, darkest_weight(weights)),
        label_size=size.label_size,
    )
    page.add_color_bar(image, "attention weight")
    return page.figure
