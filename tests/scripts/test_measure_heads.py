import pytest

from tests.support.commands import TINY, printed_by
from tf_models.data.grammar import generate_pairs

FEW = ["--max-sentences", 8]


@pytest.fixture(scope="module")
def grammar_run(tmp_path_factory):
    """A translator that can read the embedded sentences, one epoch old."""
    folder = tmp_path_factory.mktemp("grammar")
    lines = [f"{pair.source}\t{pair.target}" for pair in generate_pairs(200)]
    (folder / "deu.txt").write_text("\n".join(lines), "utf-8")
    sizes = dict(zip(TINY[::2], TINY[1::2], strict=True)) | {"--pieces": 400, "--positions": 60}
    options = [text for pair in sizes.items() for text in pair]
    arguments = ["--corpus", folder / "deu.txt", "--run-dir", folder / "run", "--epochs", 1]
    printed_by("train_translator", *arguments, *options)
    return folder / "run"


def test_tables_and_files(grammar_run, call, tmp_path):
    figures = [tmp_path / "effects.pdf", tmp_path / "alike.svg"]
    result = call(
        "measure_heads", "--run-dir", grammar_run, *FEW, "--output", tmp_path / "heads",
        "--figure", figures[0], "--similarity", figures[1],
    )  # fmt: skip

    assert result.status == 0
    assert "8 sentences" in result.out
    for part in ("encoder 1.1", "cross 1.2", "decoder random", "untrained", "it>noun", "BLEU"):
        assert part in result.out
    names = {"heads.csv", "heads.json", "heads.png", "similarity.png"}
    assert {path.name for path in (tmp_path / "heads").iterdir()} == names
    assert figures[0].read_bytes().startswith(b"%PDF")
    assert figures[1].read_bytes().startswith(b"<?xml")
    assert result.out.splitlines()[-2:] == [str(path) for path in figures]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-sentences", 0], "test has 2000 sentences; received 0"),
        (["--max-sentences", 1001, "--split", "validation"], "validation has 1000 sentences"),
        (["--split", "all"], "invalid choice: 'all'"),
        (["--figure", "heads.jpg"], "saved as .png, .pdf or .svg"),
        (["--output", "{file}"], "is a file; name a folder"),
        (["--output", "{file}/heads"], "cannot write {file}/heads"),
        (["--figure", "{file}/new/heads.png"], "cannot write {file}/new"),
        (["--run-dir", "{file}"], "file"),
        (["--seed", -1], "seed"),
    ],
)
def test_what_makes_no_sense(options, message, run_dir, call, tmp_path):
    (tmp_path / "file").write_text("mine")
    options = [str(one).format(file=tmp_path / "file") for one in options]
    result = call("measure_heads", "--run-dir", run_dir, *options)
    message = message.format(file=tmp_path / "file")
    assert message in result.complaint.replace("using the translator", "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"
