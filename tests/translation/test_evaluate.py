"""Scores, and what the end of a training reports."""

import pytest

from tf_models.data.annotated import BY_MEANING, BY_PLACE, UNSEEN, AnnotatedPair
from tf_models.data.pairs import SentencePair
from tf_models.errors import InputError
from tf_models.translation.evaluate import evaluate_translator, right_of_kinds, score_translations
from tf_models.translation.train import report_translations
from tf_models.translation.translate import Translator

REFERENCES = ["Das Tier ist müde .", "Er sieht den großen Hund .", "Ja ."]


def test_perfect_translations():
    scores = score_translations(["a b", "a b c d e f", "a"], REFERENCES, REFERENCES, 0.0, "de")

    assert scores.bleu == pytest.approx(100)
    assert scores.chrf == pytest.approx(100)
    assert scores.exact_match == 100
    counts = {name: count for name, (_, count) in scores.bleu_by_length.items()}
    assert counts == {"1-5": 2, "6-10": 1}


def test_case_counts_in_one_of_the_two_scores():
    lowered = [text.lower() for text in REFERENCES]
    scores = score_translations(["a"] * 3, lowered, REFERENCES, 0.0, "de")

    assert scores.bleu < scores.bleu_lowercased == pytest.approx(100)
    assert scores.exact_match == 0
    assert scores.signature != scores.signature_lowercased
    assert "tok:13a" in scores.signature


def test_pairs_with_an_empty_side_do_not_score(random_translator):
    pair = SentencePair("the dog sees the cat .", "der Hund sieht die Katze .")
    blank = [SentencePair("", ""), SentencePair("the cat .", " "), SentencePair("\u3000", "sie")]
    alone, (translation,) = evaluate_translator(random_translator, [pair])
    scores, translations = evaluate_translator(random_translator, [*blank, pair])
    assert scores == alone
    assert translations[3] == translation
    assert translations[1] != "" == translations[0]
    with pytest.raises(InputError, match="no sentence pairs to evaluate on"):
        evaluate_translator(random_translator, blank)


def test_few_pairs_have_no_bleu():
    few, enough = (
        score_translations(*[["Ja.", "Nein."] * n] * 3, 0.0, "de").lines() for n in (1, 15)
    )
    assert few == ["2 test pairs: too few for BLEU", "exact match     2 of 2"]
    assert enough[0] == "sentences       30"


def test_any_of_several_references():
    others = {"I slept.": ("Ich habe geschlafen.", "Ich hab geschlafen."), "No.": ("Nein.",)}
    sources, references = ["I slept.", "Yes."], ["Ich schlief.", "Ja."]
    hypotheses = ["Ich habe geschlafen.", "Nein."]
    scores = score_translations(sources, hypotheses, references, 0.0, "de", others=others)

    assert (scores.exact_match, scores.exact_match_of_any) == (0, 50)
    alone = score_translations(sources, references, references, 0.0, "de")
    assert alone.exact_match_of_any is None


def annotated(**cells):
    return AnnotatedPair(**{**dict.fromkeys(AnnotatedPair._fields, ""), **cells})


def test_only_the_pronoun_counts():
    apple = "We brought the apple to the horse because it was ripe."
    german = "Wir brachten den Apfel zum Pferd, weil er reif war."
    pairs = {
        apple: annotated(target=german, kind=BY_MEANING),
        "He sleeps.": annotated(target="Er schläft.", kind="others"),
    }
    hypotheses = ["Der Apfel, weil er frisch war.", "Wir brachten, weil sie reif war.", "Er."]
    right = right_of_kinds([apple, apple, "He sleeps."], hypotheses, pairs)

    assert right == {BY_MEANING: (50, 2), BY_PLACE: (None, 0), UNSEEN: (None, 0)}
    assert right_of_kinds([apple], hypotheses[:1], {}) == {}


def test_all_unseen_words_must_be_kept():
    dog = "Belo's dog has 512 apples."
    pairs = {dog: annotated(kind=UNSEEN, unseen="Belos 512")}
    hypotheses = ["Belos Hund hat 512 Äpfel.", "Belos Hund hat 1512 Äpfel.", "Bellos Hund, 512"]
    right = right_of_kinds([*[dog] * 3, "Hi."], [*hypotheses, "Belos 512"], pairs)

    assert right[UNSEEN] == (100 / 3, 3)


def test_unknown_words_are_named(tiny_run):
    lines = []
    translator = Translator.load(tiny_run("translator"))
    translator.known_words = frozenset(["the", "dog", "sees", "fox"])
    sentences = ["the dog sees the fox", "the dog sees the zebra"]
    report_translations(translator, sentences, lines.append)
    assert [line for line in lines if "unknown" in line] == ["  unknown      zebra"]
