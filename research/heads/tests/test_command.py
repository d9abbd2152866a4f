import pytest

from tests.support.commands import TINY, printed_by
from tf_models.data.embedded.annotated_pairs import embedded_file, read_annotated

HEADS = "research.heads.__main__"
FEW = ["--max-sentences", 8]


@pytest.fixture(scope="module")
def grammar_run(tmp_path_factory):
    """A translator that can read the embedded sentences, one epoch old."""
    folder = tmp_path_factory.mktemp("grammar")
    pairs = read_annotated(embedded_file("toy"))[1][:200]
    lines = [f"{pair.source}\t{pair.target}" for pair in pairs]
    (folder / "deu.txt").write_text("\n".join(lines), "utf-8")
    sizes = dict(zip(TINY[::2], TINY[1::2], strict=True)) | {"--pieces": 400, "--max-length": 60}
    options = [text for pair in sizes.items() for text in pair]
    arguments = ["--corpus", folder / "deu.txt", "--run-dir", folder / "run", "--epochs", 1]
    arguments += ["--preset", "toy"]
    printed_by("train_translator", *arguments, *options)
    return folder / "run"


def test_tables_and_files(grammar_run, call, tmp_path):
    folder = tmp_path / "heads"
    result = call(HEADS, "--run-dir", grammar_run, *FEW, "--output", folder)

    assert result.status == 0
    assert "8 sentences" in result.out
    for part in ("encoder 1.1", "cross 1.2", "decoder random", "untrained", "it>noun", "BLEU"):
        assert part in result.out
    names = ["heads.csv", "heads.json", "effects.png", "similarity.png"]
    assert result.out.splitlines()[-4:] == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)


def test_one_figure(grammar_run, call, tmp_path):
    file = tmp_path / "effects.pdf"
    result = call(HEADS, "--run-dir", grammar_run, *FEW, "--figure", "effects", "--output", file)

    assert result.out.splitlines()[-1] == str(file)
    assert file.read_bytes().startswith(b"%PDF")


def test_sinks_alone(grammar_run, call, tmp_path):
    folder = tmp_path / "sinks"
    result = call(HEADS, "--run-dir", grammar_run, *FEW, "--sinks", "--output", folder)

    assert result.status == 0
    assert "heads give <start> and <end> more than 0.9" in result.out
    assert "er/sie/es" not in result.out  # nothing is ablated
    assert sorted(path.name for path in folder.iterdir()) == ["sinks.csv", "sinks.png"]
    lines = (folder / "sinks.csv").read_text().splitlines()
    assert lines[0].startswith("kind,layer,head,start,end,noun_of_it")
    assert len(lines) == 1 + 3 * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-sentences", 0], "test has 2000 sentences; received 0"),
        (["--max-sentences", 1001, "--split", "validation"], "validation has 1000 sentences"),
        (["--split", "all"], "invalid choice: 'all'"),
        (["--figure", "effects", "--output", "heads.jpg"], "saved as .png, .pdf or .svg"),
        (["--figure", "effects"], "--figure needs --output"),
        (["--figure", "effects", "--sinks", "--output", "new.png"], "not --sinks alone"),
        (["--output", "{file}"], "cannot make the folder {file}"),
        (["--output", "{file}/heads"], "cannot make the folder {file}/heads"),
        (["--figure", "effects", "--output", "{file}/new/heads.png"], "cannot make the folder"),
        (["--run-dir", "{file}"], "file"),
        (["--seed", -1], "seed"),
    ],
)
def test_what_makes_no_sense(options, message, run_dir, call, tmp_path):
    (tmp_path / "file").write_text("mine")
    options = [str(one).format(file=tmp_path / "file") for one in options]
    result = call(HEADS, "--run-dir", run_dir, *options)
    message = message.format(file=tmp_path / "file")
    assert message in result.complaint.replace("using the translator", "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"
