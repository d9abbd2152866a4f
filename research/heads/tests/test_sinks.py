import csv
import io

import numpy as np
import pytest

from research.heads.forced_attention import ForcedAttention
from research.heads.sentences import GoldSentence
from research.heads.sinks import as_csv, measure_sinks, plot_sinks, table
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE

ENGLISH = ["<start>", "▁dogs", "▁know", "▁it", "<end>"]
GERMAN = ["<start>", "▁Hunde", "▁kennen", "▁ihn", "<end>"]
KINDS = ("encoder", "decoder", "cross")


def sentence(encoder, decoder, cross, kind=BY_PLACE):
    """A layer of heads; "it", the third word, stands for the first."""
    edges = {
        one: {"noun_of_it": ((2, 0),), "subject_of_verb": (), "noun_of_adjective": ()}
        for one in KINDS
    }
    pair = GoldSentence("dogs know it", "Hunde kennen ihn", ((0, 0), (1, 1), (2, 2)), edges, kind)
    weights = {"encoder": encoder, "decoder": decoder, "cross": cross}
    weights = {kind: np.array([heads], float) for kind, heads in weights.items()}
    return ForcedAttention(pair, weights, ENGLISH, GERMAN)


def looking_at(*keys, of=5):
    return np.eye(of)[list(keys)]


def both(*looks):
    """An encoder head that rests on start and end token, and one that does what is asked."""
    ends = np.tile([0.75, 0, 0, 0, 0.25], (5, 1))
    return [ends, looking_at(*looks)]


STILL = [looking_at(0, 0, 0, 0, of=4), looking_at(0, 1, 2, 3, of=4)]
CROSSING = [looking_at(4, 4, 4, 4), looking_at(1, 2, 1, 4)]


@pytest.fixture(scope="module")
def measured():
    """In the first sentence "it" looks at "dogs", in the second halfway, the third has another."""
    half = np.eye(5)
    half[3] = [0.25, 0.5, 0.25, 0, 0]
    ends = both(0, 1, 2, 1, 4)
    return measure_sinks(
        [
            sentence(ends, STILL, CROSSING),
            sentence([ends[0], half], STILL, CROSSING),
            sentence(both(0, 1, 2, 1, 4), STILL, CROSSING, BY_MEANING),
        ]
    )


def head_of(measured, name):
    return next(head for head in measured.heads if head.name == name)


def test_shares_of_start_and_end(measured):
    sink, other = head_of(measured, "encoder 1.1"), head_of(measured, "encoder 1.2")
    assert (sink.start, sink.end, sink.start_and_end) == (0.75, 0.25, 1)
    assert other.start == pytest.approx((1 + 1.25 + 1) / 15)  # of all rows
    assert other.end == pytest.approx(3 / 15)
    assert head_of(measured, "decoder 1.2").start_and_end == 1 / 4  # its last row is no end token
    assert head_of(measured, "cross 1.1").end == 1
    assert [head.name for head in measured.sinks()] == ["encoder 1.1", "decoder 1.1", "cross 1.1"]


def test_it_is_measured_in_sentences_by_place(measured):
    assert (measured.sentences, measured.by_place) == (3, 2)
    reader = measured.reader_of_it()
    assert (reader.name, reader.noun_of_it, reader.mostly_noun) == ("encoder 1.2", 0.75, 1)
    assert head_of(measured, "encoder 1.1").mostly_noun == 0
    assert head_of(measured, "cross 1.2").noun_of_it == 1  # the row that writes "ihn"
    less = both(0, 1, 2, 1, 4)[1] * 0.49
    found = measure_sinks([sentence([less, less], STILL, CROSSING)])
    assert found.reader_of_it().mostly_noun == 0


def test_row_lengths_count():
    """A mean over rows, not over sentences."""
    long = sentence(both(0, 0, 0, 0, 0), STILL, CROSSING)
    short = sentence(
        [looking_at(1, 1, of=2)] * 2, [looking_at(0, of=1)] * 2, [looking_at(1, of=2)] * 2, ""
    )
    found = head_of(measure_sinks([long, short]), "encoder 1.2")
    assert (found.start, found.end) == (pytest.approx(5 / 7), pytest.approx(2 / 7))


def test_without_it(measured):
    found = measure_sinks([sentence(both(0, 1, 2, 1, 4), STILL, CROSSING, BY_MEANING)])
    assert found.by_place == 0
    assert np.isnan(found.heads[0].noun_of_it)
    assert not any("gives the noun" in line for line in table(found))
    assert len(plot_sinks(found).axes) == 3 + 1 + 1  # a place left over, and the colour bar


def test_table_and_csv(measured):
    lines = table(measured)
    assert lines[0] == "3 sentences, of which 2 with an 'it' by place"
    assert lines[3].split() == ["encoder", "1.1", "0.750", "0.250", "1.000", "0.000", "0.0"]
    assert "3 of 6 heads" in lines[-2]
    assert "cross 1.1" in lines[-2]
    assert lines[-1].startswith("encoder 1.2")
    assert "100.0 %" in lines[-1]
    assert "0.750" in lines[-1]
    rows = list(csv.DictReader(io.StringIO(as_csv(measured))))
    assert [row["kind"] for row in rows] == [kind for kind in KINDS for _ in range(2)]
    assert float(rows[0]["end"]) == 0.25


def test_figure_shows_each_head(measured, drawn_texts):
    figure = plot_sinks(measured, "sinks")
    texts = {text for text, _ in drawn_texts(figure)}
    for text in ("encoder: <start> and <end>", 'encoder: "it" to its noun', "layer 1", "head 2"):
        assert text in texts
    encoder = figure.axes[0].images[0].get_array()
    np.testing.assert_allclose(encoder, [[1, (3.25 + 3) / 15]])
