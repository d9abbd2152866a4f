import pytest

from tests.support.commands import POSITIONS, changed

SENTENCE = "The dog sees the fox."


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *((kind, []) for kind in ("encoder", "decoder", "cross")),
        *(("cross", one) for one in (["--layer", "all"], ["--layer", "1", "--head", "2"])),
        ("encoder", ["--words"]),
        *((kind, ["--value-norms", "--without-marks"]) for kind in ("encoder", "decoder", "cross")),
        ("encoder", ["--query", "fox", "--words", "--without-marks"]),
    ],
)
def test_every_kind_of_picture(run_dir, call, tmp_path, kind, options):
    path = tmp_path / "new" / "figure.png"
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--kind", kind,
        "--output", path, *options,
    )  # fmt: skip

    assert result.status == 0
    assert result.out.strip() == str(path)
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("suffix", "magic"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_given_target_and_other_formats(run_dir, call, tmp_path, suffix, magic):
    path = tmp_path / f"figure.{suffix}"
    result = call(
        "plot_attention", "--run-dir", run_dir, "--sentence", SENTENCE, "--output", path,
        "--target", "Der Hund kennt den Fuchs.",
    )  # fmt: skip

    assert result.status == 0
    assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--head", "3"], "--head must be 1 to 2; received 3"),
        (["--sentence", ""], "the sentence is empty"),
        (["--sentence", "The fox. " * 30], f"positions end at {POSITIONS}"),
        (["--query", "cat"], "<end>; received cat"),
    ],
)
def test_options_that_make_no_sense(run_dir, call, tmp_path, arguments, message):
    usual = ["--run-dir", run_dir, "--sentence", SENTENCE, "--output", tmp_path / "figure.png"]
    result = call("plot_attention", *changed(usual, *arguments))

    assert message in result.complaint
    assert list(tmp_path.iterdir()) == []
