from tf_models.plotting.run_comparison import plot_runs


def test_a_line_for_each_run_over_the_minutes(drawn_texts):
    runs = {"article": ([4.0, 8.0], [10.0, 20.0]), "best": ([1.0], [30.0])}
    figure = plot_runs(runs, marks=[1, 5, 10], metric="validation BLEU", title="two runs")
    (axes,) = figure.axes

    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert drawn == {"article": [[4, 10], [8, 20]], "best": [[1, 30]]}
    assert axes.get_xscale() == "log"
    texts = {text for text, _ in drawn_texts(figure)}
    assert {"two runs", "article", "best", "validation BLEU", "minutes of training"} <= texts
    assert "1" in texts
    assert len({line.get_color() for line in axes.lines}) == 2
