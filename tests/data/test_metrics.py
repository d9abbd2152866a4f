"""Pronouns, names and numbers in translations."""

import pickle

import pytest

from tf_models.data.annotated_pairs import BY_MEANING, UNSEEN, AnnotatedPair, metrics, pronoun_of

EMPTY = AnnotatedPair(*[""] * len(AnnotatedPair._fields))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Das Tier überquerte die Straße nicht, weil es zu müde war.", "es"),
        ("Der Bär erreichte das Dorf, obwohl es sehr abgelegen war", "es"),
        ("Die Schlange erreicht den See nicht, weil er", "er"),
        ("Die Frau lächelte, weil Esel", None),
        ("Er schläft.", None),
    ],
)
def test_pronoun_of(sentence, expected):
    assert pronoun_of(sentence) == expected


def test_only_the_pronoun_counts():
    apple = EMPTY._replace(
        source="We brought the apple to the horse because it was ripe.",
        target="Wir brachten den Apfel zum Pferd, weil er reif war.",
        kind=BY_MEANING,
    )
    other = EMPTY._replace(source="He sleeps because", target="Er schläft, weil er")
    by_place, by_meaning, _ = metrics([apple, other])
    sources, references = zip(*[apple[:2], apple[:2], other[:2]], strict=True)
    hypotheses = ["Der Apfel, weil er frisch war.", "Wir brachten, weil sie reif war.", "Er."]

    assert by_meaning.compute(sources, hypotheses, references) == (0.5, 2)
    assert by_place.compute(sources, hypotheses, references) == (None, 0)


def test_all_unseen_words_must_be_kept():
    dog = EMPTY._replace(
        source="Belo's dog has 512 apples.",
        target="Belos Hund hat 512 Äpfel.",
        kind=UNSEEN,
        unseen="Belos 512",
    )
    *_, copies = metrics([dog])
    sources = [dog.source] * 3 + ["Hi."]
    hypotheses = [dog.target, "Belos Hund hat 1512 Äpfel.", "Bellos Hund, 512", "Belos 512"]
    assert copies.compute(sources, hypotheses, hypotheses) == (1 / 3, 3)
    assert copies.compute(["Hi."], ["Hallo."], ["Hallo."]) == (None, 0)


def test_other_processes_can_measure():
    """A corpus is pickled for them, and its metrics with it."""
    dog = EMPTY._replace(source="Belo's dog.", target="Belos Hund.", kind=UNSEEN, unseen="Belos")
    *_, copies = pickle.loads(pickle.dumps(metrics([dog])))

    assert copies.compute([dog.source], [dog.target], [dog.target]) == (1.0, 1)
