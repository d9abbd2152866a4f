import pytest


def test_more_numbers_less_error(npz, call, tmp_path):
    figure = tmp_path / "sizes.png"
    arguments = [
        "--model", "linear", "--dataset", npz, "--sizes", 4, 1, "--epochs", 3, "--run-dir",
        tmp_path / "sizes", "--output", figure,
    ]  # fmt: skip
    result = call("compare_code_sizes", *arguments)

    assert result.status == 0
    header, *rows, output = result.out.splitlines()[-4:]
    assert header.split() == ["numbers", "linear", "PCA"]
    numbers = [[float(cell) for cell in row.split()] for row in rows]
    assert [size for size, *_ in numbers] == [1, 4]
    assert all(error >= pca for _, error, pca in numbers)
    assert numbers[0][2] > numbers[1][2]
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    again = call("compare_code_sizes", *arguments)
    assert again.out.count("going on after epoch 3") == 2
    assert again.out.splitlines()[-4:] == result.out.splitlines()[-4:]


def test_runs_go_into_no_other_run(autoencoder_run, call):
    result = call("compare_code_sizes", "--sizes", 2, "--run-dir", autoencoder_run)
    assert "holds a run itself; name another folder" in result.complaint
    assert not (autoencoder_run / "2").exists()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--sizes", 0], "code_size must be at least 1; received 0"),
        (["--model", "one-hot"], "--model must be one of linear, dense, convolutional, stacked"),
        (["--output", "sizes.doc"], "sizes.doc"),
    ],
)
def test_bad_options(options, complaint, npz, call, tmp_path):
    result = call("compare_code_sizes", "--dataset", npz, "--run-dir", tmp_path / "r", *options)
    assert complaint in result.complaint
    assert not (tmp_path / "r").exists()
