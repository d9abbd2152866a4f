from tf_models.plotting.dots import plot_dots


def test_values_and_their_mean_in_each_row(drawn_texts):
    rows = {"all": [40.0, 42.0], "without dropout": [30.0, 34.0]}
    figure = plot_dots(rows, axis_name="validation BLEU", title="ingredients")
    (axes,) = figure.axes

    first, *drawn = [line.get_xydata().tolist() for line in axes.lines]
    assert [x for x, _ in first] == [41, 41]
    assert drawn == [[[40, 0], [42, 0]], [[41, 0]], [[30, 1], [34, 1]], [[32, 1]]]
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"all", "without dropout", "validation BLEU", "ingredients"} <= texts
    below, above = axes.get_ylim()
    assert below > above  # the first row is on top
