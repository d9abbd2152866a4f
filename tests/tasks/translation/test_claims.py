import pytest

from tests.support import language
from tf_models.errors import InputError
from tf_models.tasks.translation.architectures import ARCHITECTURES, architecture
from tf_models.tasks.translation.claims import (
    POSITIONLESS,
    SHORT,
    TRIALS,
    UNSCALED,
    WHOLE,
    dot_products,
    known_variants,
    measure_trial,
    trials_of,
)
from tf_models.tasks.translation.presets import preset


def test_each_trial_changes_its_own_settings():
    toy = preset("toy")
    found = trials_of(toy)
    assert found[WHOLE] == toy
    assert "2 layers" not in found  # as it is
    assert found["6 layers"] == toy.changed(num_layers=6)
    assert found["1 head"] == toy.changed(num_heads=1)
    assert found["without positions"].architecture == POSITIONLESS
    assert found["scores not divided by sqrt(d_k)"].architecture == UNSCALED
    assert found[f"trained on up to {SHORT} tokens"].batching.longest_source == SHORT
    assert len(found) == sum(map(len, TRIALS.values()))


def test_those_asked_for():
    assert list(trials_of(preset("toy"), ["depth"])) == [WHOLE, "1 layer", "4 layers", "6 layers"]
    with pytest.raises(InputError, match="must be one of scaling, .*; received salt"):
        trials_of(preset("toy"), ["salt"])
    with pytest.raises(InputError, match="received rnn"):
        trials_of(preset("toy", "rnn"))


def test_variants_are_known_for_a_while():
    with known_variants():
        assert architecture(UNSCALED).settings_for("toy") == preset("toy").model
    assert not {UNSCALED, POSITIONLESS} & ARCHITECTURES.keys()


def test_a_trained_trial_is_measured(uninterrupted):
    scores = measure_trial(uninterrupted.run.path, language.corpus())
    assert 0 <= scores.bleu <= 100
    assert scores.minutes > 0
    assert None in (scores.bleu_short, scores.bleu_long) or scores.bleu_short != scores.bleu_long
    assert set(scores.cells()) >= {"minutes", "BLEU", "exact, %"}


def test_dot_products_as_the_footnote_says():
    """Variance d_k, and a softmax that has no gradient any more; divided, neither depends on it."""
    for depth in (4, 64, 1024):
        assert dot_products(depth, scaled=False).spread == pytest.approx(depth**0.5, rel=0.03)
        assert dot_products(depth, scaled=True).spread == pytest.approx(1, rel=0.03)
    small, large = (dot_products(depth, scaled=False) for depth in (4, 1024))
    assert large.gradient < small.gradient / 3
    assert large.largest > 0.9
    scaled = [dot_products(depth, scaled=True).gradient for depth in (64, 1024)]
    assert scaled[0] == pytest.approx(scaled[1], rel=0.02)
