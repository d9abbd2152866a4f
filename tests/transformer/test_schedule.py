import keras
import pytest
import tensorflow as tf

from tf_models.transformer.schedule import CustomSchedule


@pytest.mark.parametrize("step", [1, 100, 4000, 4001, 90_000])
def test_the_papers_formula_on_integer_steps(step):
    expected = 128**-0.5 * min(step**-0.5, step * 4000**-1.5)

    assert float(CustomSchedule(128)(tf.constant(step, tf.int64))) == pytest.approx(expected)


def test_it_peaks_at_the_end_of_the_warm_up():
    schedule = CustomSchedule(512, warmup_steps=10)
    rates = [float(schedule(step)) for step in range(1, 30)]

    assert rates.index(max(rates)) == 9


def test_config_round_trip_inside_an_optimizer():
    optimizer = keras.optimizers.Adam(CustomSchedule(64, warmup_steps=7))
    again = keras.optimizers.Adam.from_config(optimizer.get_config())

    assert float(again.learning_rate) == pytest.approx(float(optimizer.learning_rate))


def test_another_peak_stretches_the_curve():
    plain, high = CustomSchedule(128, 100), CustomSchedule(128, 100, peak=0.005)

    assert float(high(100)) == pytest.approx(0.005)
    for step in (1, 50, 100, 400):
        ratio = float(high(step)) / float(plain(step))
        assert ratio == pytest.approx(0.005 * (128 * 100) ** 0.5)
