import pytest

SENTENCE = "The dog sees the fox."


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *((kind, []) for kind in ("encoder", "decoder", "cross")),
        *(("cross", one) for one in (["--layer", "all"], ["--layer", "1", "--head", "2"])),
        ("encoder", ["--words"]),
        *((kind, ["--without-marks"]) for kind in ("encoder", "decoder", "cross")),
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
