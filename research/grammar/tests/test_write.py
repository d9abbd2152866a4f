"""The grammar writes the embedded files again, byte for byte."""

import gzip
import lzma

import pytest

from research.grammar.splits import placed_pairs
from research.grammar.write import EVERYDAY, LONG, SIZES, TOY, lines, row, selection_of
from tf_models.data.embedded.annotated_pairs import LABELS, embedded_file, read_annotated
from tf_models.data.text.corpora import load_corpus
from tf_models.data.text_files import stream_lines

FILES = {kind: embedded_file(kind) for kind in (TOY, EVERYDAY, *LABELS)}
COMMAND = "research.grammar.write"


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_every_line(kind):
    for number, (written, shipped) in enumerate(
        zip(lines(kind, SIZES[kind]), stream_lines(FILES[kind]), strict=True), start=1
    ):
        assert written == shipped, f"line {number}"


@pytest.mark.parametrize("kind", FILES)
def test_the_first_pairs_of_each_split(kind):
    """Of each embedded file, as many as are quickly drawn."""
    shipped = {split: [] for split in SIZES[kind]}
    for pair in read_annotated(FILES[kind])[1]:
        shipped[pair.split].append(pair)
    counts = dict.fromkeys(shipped, 0)
    placed = placed_pairs(SIZES[kind], selection=selection_of(kind))
    for (split, pair), _ in zip(placed, range(2_000), strict=False):
        assert row(pair, split) == shipped[split][counts[split]]
        counts[split] += 1
    assert min(counts.values()) > 0


def test_other_sizes_and_seeds(call, tmp_path):
    path, again = tmp_path / "few.tsv", tmp_path / "few.tsv.xz"
    options = ["--train", 60, "--validation", 10, "--test", 20, "--seed", 1]
    result = call(COMMAND, *options, "--output", path)

    assert result.out == f"90 pairs: {path}\n"
    corpus = load_corpus(str(path))
    assert [len(part) for part in (corpus.train, corpus.validation, corpus.test)] == [60, 10, 20]
    assert len(corpus.alignments) == 30
    call(COMMAND, *options, "--output", again)
    assert lzma.decompress(again.read_bytes()) == path.read_bytes()


def test_long_sentences(call, tmp_path):
    path = tmp_path / "long.tsv.gz"
    sizes = ["--train", 100, "--validation", 60, "--test", 60]
    assert call(COMMAND, "--corpus", LONG, *sizes, "--output", path).status == 0
    assert gzip.decompress(path.read_bytes()).count(b"\tchain\t") == 220
    pairs = read_annotated(path)[1]
    assert all(pair.links for pair in pairs)
    known = set().union(*map(uncapitalised_words, load_corpus(TOY).train))
    assert set().union(*map(uncapitalised_words, pairs)) <= known


def uncapitalised_words(pair):
    """English words but for names and the first one."""
    return {word.strip(",.?!") for word in pair.source.split() if word.islower()}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--train", 0], "--train must be at least 1; received 0"),
        (["--corpus", "all"], "invalid choice: 'all'"),
        (["--test", "x"], "invalid int value: 'x'"),
    ],
)
def test_bad_options(options, complaint, call, tmp_path):
    result = call(COMMAND, "--output", tmp_path / "pairs.tsv", *options)
    assert complaint in result.complaint
    assert not list(tmp_path.iterdir())
