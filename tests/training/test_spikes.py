import pytest

from tf_models.training.spikes import MIN_EPOCHS, describe_spike, ends_in_spike, spike_epochs

CALM = [100.0, 99.0, 98.5, 98.2, 98.0, 97.6, 97.5, 97.1, 97.0, 96.9]


def test_the_first_of_high_epochs_is_a_spike():
    losses = [*CALM, 280.7, 200.0, 130.0, 97.0, 96.8]

    assert spike_epochs(losses) == [11]
    assert ends_in_spike(losses[:11])
    assert not ends_in_spike(losses[:12])


@pytest.mark.parametrize(
    "losses",
    [
        [],
        [3.0] * 20,
        CALM,
        CALM[: MIN_EPOCHS - 1] + [280.7],  # too few to compare with
        [*CALM, 99.5],  # less than a twentieth
        [1.0, 2.0, 1.2, 2.1, 0.9, 1.9, 1.1, 2.5],  # as unsteady as ever
        [10.0, 14.0, 18.0, 22.0, 26.0, 30.0, 34.0],  # rises steadily: a KL term that warms up
    ],
)
def test_ordinary_courses_have_none(losses):
    assert spike_epochs(losses) == []


def test_a_single_odd_epoch_hides_no_later_spike():
    assert spike_epochs([*CALM, 280.7, *CALM[-4:], 150.0]) == [11, 16]


def test_negative_losses():
    assert spike_epochs([-500.0, -510.0, -515.0, -518.0, -520.0, -521.0, -300.0]) == [7]


def test_the_line_says_what_helps():
    assert "epoch 11 is 280.7, far above the 97.8 " in describe_spike([*CALM, 280.7], None)
    assert "with --clip-norm or a lower learning rate" in describe_spike([*CALM, 280.7], None)
    assert "with a lower --clip-norm than 200 or" in describe_spike([*CALM, 280.7], 200.0)
