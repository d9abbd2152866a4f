import pytest

from tests.support.images import write_folder
from tf_models.tasks.autoencoding import classification


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(classification, "STEPS", 20)


@pytest.mark.parametrize("run", ["autoencoder_run", "vae_run"])
def test_table_and_figure(run, request, call, tmp_path):
    run_dir, figure = request.getfixturevalue(run), tmp_path / "transfer.png"
    result = call(
        "classify_codes", "--run-dir", run_dir, "--labels", 9, "all", "--repeats", 2,
        "--output", figure,
    )  # fmt: skip

    assert result.status == 0
    header, *rows, output = result.out.splitlines()
    assert header.split()[-4:] == ["9", "labels", "81", "labels"]  # nine are for validation
    assert [row[:32].strip() for row in rows] == [
        *("SVM on pixels", "SVM on codes"),
        *("network from random weights", "network from trained weights"),
    ]
    for row in rows:
        few, _, deviation, *many = row[32:].split()
        assert 0 <= float(few.strip("%")) <= 100
        assert 0 <= float(deviation) <= 100
        assert len(many) == 3
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--labels", 1000], "must be 3 (one a class) to 81; received 1000"),
        (["--labels", "many"], '--labels must be whole numbers or "all"; received many'),
        (["--repeats", 0], "--repeats must be at least 1; received 0"),
    ],
)
def test_bad_options(options, complaint, autoencoder_run, call):
    assert complaint in call("classify_codes", "--run-dir", autoencoder_run, *options).complaint


def test_models_and_images_without_classes(autoencoder_run, hierarchical_run, call, tmp_path):
    own = call("classify_codes", "--run-dir", autoencoder_run, "--dataset",
               write_folder(tmp_path / "own"))  # fmt: skip
    assert "no labels" in own.complaint
    deep = call("classify_codes", "--run-dir", hierarchical_run)
    assert "whose latents are no single code" in deep.complaint
