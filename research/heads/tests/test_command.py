import pytest

from research.heads.measurement import COLUMNS
from tests.support.commands import TINY, printed_by
from tf_models.data.annotated import embedded_file, read_annotated


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory):
    """A translator that can read the embedded sentences, one epoch old."""
    folder = tmp_path_factory.mktemp("embedded")
    pairs = read_annotated(embedded_file("toy"))[1][:200]
    lines = [f"{pair.source}\t{pair.target}" for pair in pairs]
    (folder / "deu.txt").write_text("\n".join(lines), "utf-8")
    sizes = dict(zip(TINY[::2], TINY[1::2], strict=True)) | {"--pieces": 400, "--max-length": 60}
    options = [text for pair in sizes.items() for text in pair]
    arguments = ["--corpus", folder / "deu.txt", "--run-dir", folder / "run", "--epochs", 1]
    printed_by("train_translator", *arguments, "--preset", "toy", *options)
    return folder / "run"


@pytest.mark.slow
def test_tables_and_files(run_dir, call, tmp_path):
    command = ["research.heads.__main__", "--run-dir", run_dir, "--max-sentences", 8, "--output"]
    assert sum(line.startswith("encoder 1.") for line in call(*command[:3], "--it")) >= 4
    lines = call(*command, tmp_path)
    text = "\n".join(lines)
    assert "8 sentences" in text
    for part in ("encoder 1.1", "cross 1.2", "decoder 1.2", "it>noun", "BLEU"):
        assert part in text
    assert lines[-1] == str(tmp_path / "heads.csv")
    header, *rows = (tmp_path / "heads.csv").read_text("utf-8").splitlines()
    assert header.split(",") == [*COLUMNS]
    assert len(rows) == 1 + 3 * 2  # the whole model, and two heads of each kind
