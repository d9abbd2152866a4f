import pytest

from tf_models.decoding.scores import exact_match, score_translations

REFERENCES = ["Das Tier ist müde .", "Er sieht den großen Hund .", "Ja ."]


def test_perfect_translations():
    scores = score_translations(["a b", "a b c d e f", "a"], REFERENCES, REFERENCES, 0.0)

    assert scores.bleu == pytest.approx(100)
    assert scores.chrf == pytest.approx(100)
    assert scores.exact_match == 100
    assert {name: count for name, (_, count) in scores.bleu_by_length.items()} == {
        "1-5": 2,
        "6-10": 1,
    }


def test_case_counts_in_one_of_the_two_scores():
    lowered = [text.lower() for text in REFERENCES]
    scores = score_translations(["a"] * 3, lowered, REFERENCES, 0.0)

    assert scores.bleu < scores.bleu_lowercased == pytest.approx(100)
    assert scores.signature != scores.signature_lowercased
    assert "tok:13a" in scores.signature


def test_exact_match_is_to_the_letter():
    assert exact_match(["a b", "a c"], ["a b", "a C"]) == 50
