"""How much of its attention each head rests on the start and the end token: the attention sinks.

Beside it what a head gives the noun that "it" stands for. Nothing is ablated, so that many
trainings can be compared in seconds each.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from research.heads.forced_attention import ForcedAttention
from research.heads.interventions import KINDS
from research.heads.sentences import RELATIONS
from research.heads.statistics import on_ends, on_relation
from tf_models.data.embedded.annotated_pairs import BY_PLACE
from tf_models.files import write_text
from tf_models.plotting.files import save_figure
from tf_models.plotting.heat_map import HeatMap, draw_heat_maps, with_decimals

SINK = 0.9  # a head that gives start and end token more than this does next to nothing
_CELL = 0.34  # inches; two decimals fit into a cell


class HeadShares(NamedTuple):
    """One head. Shares are of attention, from 0 to 1.

    start, end: on these tokens, the mean over the rows of all sentences; the decoder never reads
        an end token.
    noun_of_it: on the noun that "it" stands for, the mean over the sentences by place; of the
        encoder while it reads "it", of the decoder's two kinds while er, sie or es is written. NaN
        without such a sentence.
    mostly_noun: in which share of these sentences it is half of the attention, or more.
    """

    kind: str
    layer: int
    head: int
    start: float
    end: float
    noun_of_it: float
    mostly_noun: float

    @property
    def start_and_end(self) -> float:
        return self.start + self.end

    @property
    def name(self) -> str:
        return f"{self.kind} {self.layer}.{self.head}"


@dataclass(frozen=True)
class SinkMeasurement:
    """heads: kind by kind, layer by layer. by_place: how many of the sentences have an "it"."""

    heads: list[HeadShares]
    sentences: int
    by_place: int

    def sinks(self) -> list[HeadShares]:
        """The heads that give start and end token more than `SINK`."""
        return [head for head in self.heads if head.start_and_end > SINK]

    def reader_of_it(self) -> HeadShares:
        """The encoder head that gives the noun at least half of its attention most often."""
        encoder = [head for head in self.heads if head.kind == "encoder"]
        return max(encoder, key=lambda head: (head.mostly_noun, head.noun_of_it))


def measure_sinks(sentences: Iterable[ForcedAttention]) -> SinkMeasurement:
    """Measure all heads.

    Args:
        sentences: attention to pairs that are `GoldSentence`s, one at least.
    """
    ends, nouns = defaultdict(list), defaultdict(list)
    for one in sentences:
        for kind in KINDS:
            ends[kind].append(on_ends(one, kind))
            if one.pair.kind == BY_PLACE:
                nouns[kind] += on_relation(one, kind, RELATIONS["reference"])
    heads = [head for kind in KINDS for head in _heads(kind, ends[kind], nouns[kind])]
    return SinkMeasurement(heads, len(ends["encoder"]), len(nouns["encoder"]))


def _heads(kind: str, ends: list[np.ndarray], nouns: list[np.ndarray]) -> Iterable[HeadShares]:
    start, end = np.concatenate(ends, axis=-1).mean(axis=-1)  # (layers, heads) each
    nothing = np.full((1, *start.shape), np.nan)
    given = np.stack(nouns) if nouns else nothing  # (sentences, layers, heads)
    mostly = given >= 0.5 if nouns else nothing
    found = np.stack([start, end, given.mean(axis=0), mostly.mean(axis=0)], axis=-1)
    for layer, head in np.ndindex(start.shape):
        yield HeadShares(kind, layer + 1, head + 1, *map(float, found[layer, head]))


def table(measured: SinkMeasurement) -> list[str]:
    """A row for each head, then how many are sinks and which reads "it" best."""
    titles = ("start", "end", "both", "it>noun", "at least half")
    lines = [
        f"{measured.sentences} sentences, of which {measured.by_place} with an 'it' by place",
        "shares of attention from 0 to 1; sentences by place with half of it on the noun, percent",
        " " * 12 + "".join(f"{title:>{len(title) + 4}}" for title in titles),
    ]
    for head in measured.heads:
        shares = (head.start, head.end, head.start_and_end, head.noun_of_it)
        cells = [*(f"{share:.3f}" for share in shares), f"{100 * head.mostly_noun:.1f}"]
        row = "".join(
            f"{cell:>{len(title) + 4}}" for cell, title in zip(cells, titles, strict=True)
        )
        lines.append(f"{head.name:12}{row}")
    sinks = measured.sinks()
    names = ": " + ", ".join(head.name for head in sinks) if sinks else ""
    of_all = f"{len(sinks)} of {len(measured.heads)} heads"
    lines.append(f"{of_all} give <start> and <end> more than {SINK}{names}")
    if measured.by_place:
        best = measured.reader_of_it()
        lines.append(
            f"{best.name} gives the noun of 'it' at least half of its attention in "
            f"{100 * best.mostly_noun:.1f} % of the sentences by place, "
            f"and {best.noun_of_it:.3f} of it in the mean"
        )
    return lines


def as_csv(measured: SinkMeasurement) -> str:
    """A line for each head, with the names of `HeadShares` above."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HeadShares._fields)
    writer.writerows(measured.heads)
    return text.getvalue()


def plot_sinks(measured: SinkMeasurement, title: str = "") -> Figure:
    """A square for each head: on start and end token, by kind, and in the encoder on the noun."""
    shown = {
        f"{kind}: <start> and <end>": _matrix(measured, kind, "start_and_end") for kind in KINDS
    }
    if measured.by_place:
        shown['encoder: "it" to its noun'] = _matrix(measured, "encoder", "noun_of_it")
    layers, heads = shown[f"{KINDS[0]}: <start> and <end>"].shape
    labels = [f"layer {i + 1}" for i in range(layers)], [f"head {i + 1}" for i in range(heads)]
    maps = [
        HeatMap(values, *labels, (0.0, 1.0), name, texts=with_decimals(values))
        for name, values in shown.items()
    ]
    caption = (
        f"{measured.sentences} sentences. {len(measured.sinks())} of {len(measured.heads)} heads "
        f"give <start> and <end> more than {SINK} of their attention."
    )
    style = {"cell": (_CELL, _CELL), "bars": ["share of attention"]}
    return draw_heat_maps(maps, 2, title=title, caption=caption, **style)[0, 0].figure


def _matrix(measured: SinkMeasurement, kind: str, name: str) -> np.ndarray:
    """(layers, heads)."""
    values = [getattr(head, name) for head in measured.heads if head.kind == kind]
    return np.reshape(values, (max(head.layer for head in measured.heads), -1))


def save(measured: SinkMeasurement, folder: Path) -> list[Path]:
    """Write table and figure into a folder, which is made if need be; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "sinks.csv", as_csv(measured))
    figure = plot_sinks(measured, "where heads rest, and which reads 'it'")
    return [folder / "sinks.csv", save_figure(figure, folder / "sinks.png")]
