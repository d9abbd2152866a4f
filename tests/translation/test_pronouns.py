"""Contrast of heads over pairs: the noun that is meant against the nearest one."""

import numpy as np
import pytest

from tf_models.data.annotated import BY_MEANING, BY_PLACE, AnnotatedPair
from tf_models.translation.attention import AttentionMaps
from tf_models.translation.pronouns import pronoun_contrast, pronoun_contrasts, pronoun_pairs
from tf_models.translation.translate import ready_made

SENTENCE = ["▁dog", "▁saw", "▁guinea", "▁p", "ig", "▁it", "'s", "<end>"]


def pair(reference):
    known = {
        "first_noun": "dog",
        "second_noun": "guinea pig",
        "reference": reference,
        "adjective": "saw",
    }
    return AnnotatedPair(**{**dict.fromkeys(AnnotatedPair._fields, ""), **known})


def test_contrast_of_known_maps():
    """Head 1 gives the nearer noun .8, head 2 the noun that is meant .6."""
    maps = []
    for meant in (0, 3):
        weights = np.zeros((1, 2, 9, 9))  # a padded position behind the end
        weights[0, 0, 5:7, 3:5] = 0.4
        weights[0, 0, 5:7, 0] = 0.1
        weights[0, 1, 5:7, meant] = 0.6
        weights[0, 1, 5:7, 8] = 0.4
        maps.append(AttentionMaps(weights, SENTENCE, SENTENCE))
    found = pronoun_contrast(maps, [pair("first noun"), pair("second noun")])
    np.testing.assert_allclose(found.right, [[0.45, 0.6]])
    np.testing.assert_allclose(found.other, [[0.45, 0]])
    np.testing.assert_allclose(found.resolved, [[0.5, 1]])
    np.testing.assert_allclose(found.nearest, [[1, 0.5]])
    assert (found.nearest_is_right, found.best) == (0.5, (0, 1))
    assert found.verdict(0, 0) == "attends to the nearest noun, whichever is meant"
    assert found.verdict(0, 1) == "attends to the noun that is meant"
    looks_at_it = found._replace(right=0 * found.right, it=found.nearest)
    assert (looks_at_it.best, looks_at_it.verdict(0, 0)) == ((0, 0), "attends to “it” itself")


@pytest.mark.parametrize("family", [BY_MEANING, BY_PLACE])
def test_the_encoder_of_the_ready_made_translator_resolves_it(family):
    translator, pairs = ready_made(), pronoun_pairs("test", family)
    layer, head = pronoun_contrasts(translator, pronoun_pairs())["encoder"].best
    found = pronoun_contrasts(translator, pairs)["encoder"]
    assert found.right[layer, head] > 0.5 > found.other[layer, head]
    assert found.resolved[layer, head] >= 0.85
    assert found.nearest[layer, head] < 0.6
