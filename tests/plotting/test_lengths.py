import numpy as np

from tf_models.plotting.lengths import plot_lengths


def test_bars_count_sentences():
    figure = plot_lengths([3, 3, 5], [4, 4, 4], limits=(41, 42))
    source, target = figure.axes[0].containers

    assert [bar.get_height() for bar in source] == [0, 0, 2, 0, 1]
    assert [bar.get_height() for bar in target] == [0, 0, 0, 3, 0]
    lines = [line.get_xdata()[0] for line in figure.axes[0].lines]
    np.testing.assert_array_equal(lines, [41.5, 42.5])


def test_bars_stand_over_whole_numbers():
    (bars, _) = plot_lengths([1, 2, 7], [1, 2, 7]).axes[0].containers

    assert round(bars[6].get_x()) == 7
