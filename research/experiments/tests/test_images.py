"""Experiments with autoencoders: the cost of the bottleneck, and the worth of codes."""


def test_larger_codes_have_smaller_errors(tiny_inputs, experiment, tmp_path):
    figure = tmp_path / "sizes.png"
    lines = experiment(
        *("code-sizes", "--model", "linear", "--dataset", tiny_inputs / "rows.npz"),
        *("--sizes", "4,1", "--set", "epochs=3", "--run-dir", tmp_path, "--output", figure),
    )
    header, *rows, output = lines[-4:]
    assert header.split() == ["1", "numbers", "4", "numbers"]
    linear, pca = ([float(cell) for cell in row.split()[1:]] for row in rows)
    assert all(error >= other for error, other in zip(linear, pca, strict=True))
    assert pca[0] > pca[1]
    assert output == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_codes(tiny_run, experiment, tmp_path):
    run_dir = tiny_run("autoencoder")
    lines = experiment(
        *(
            "codes",
            "--encoder-from",
            run_dir,
            "--counts",
            "9,all",
            "--seeds",
            "0,1",
            "--steps",
            "20",
        ),
        *("--output", tmp_path / "codes.png"),
    )
    header, *rows, _ = lines[-6:]
    assert header.split() == ["9", "labels,", "%", "81", "labels,", "%"]  # nine are for validation
    assert [row[:28].strip() for row in rows] == [
        *("SVM on pixels", "SVM on codes"),
        *("network from random weights", "network from trained weights"),
    ]
