import pytest

from tf_models.data.grammar import first_of_split
from tf_models.data.text.corpora import TOY_SIZES
from tf_models.data.words import split_words


@pytest.mark.parametrize("split", ["train", "test"])
def test_pairs_and_their_alignment(split, call, tmp_path):
    path = tmp_path / "pairs.tsv"
    result = call("write_pairs", "--pairs", 60, "--split", split, "--output", path)

    assert result.status == 0
    assert result.out == f"60 pairs: {path}\n"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    assert len(rows) == 60
    for english, german, alignment in rows:
        lengths = len(split_words(english)), len(split_words(german))
        links = [tuple(map(int, link.split("-"))) for link in alignment.split()]
        assert links
        assert all(i < lengths[0] and j < lengths[1] for i, j in links)
    made = first_of_split(split, 60, TOY_SIZES)
    assert [row[0] for row in rows] == [pair.source for pair in made]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pairs", 0], "--pairs must be at least 1; received 0"),
        (["--pairs", 2001, "--split", "test"], "test has 2000 pairs; received --pairs 2001"),
        (["--pairs", 1001, "--split", "validation"], "validation has 1000 pairs; received"),
        (["--split", "all"], "invalid choice: 'all'"),
    ],
)
def test_bad_options(options, message, call, tmp_path):
    result = call("write_pairs", "--output", tmp_path / "pairs.tsv", *options)
    assert message in result.complaint
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written(call, tmp_path):
    assert "it is a folder" in call("write_pairs", "--output", tmp_path).complaint
