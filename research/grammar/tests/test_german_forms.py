"""Written-out tables of German inflection."""

from __future__ import annotations

import pytest

from research.grammar import german_forms as forms
from research.grammar import lexicon

# Rows: nominative, accusative, dative, genitive; columns: masculine, feminine, neuter, plural.
DECLENSIONS = {
    "definite": """
        der gute      | die gute     | das gute      | die guten
        den guten     | die gute     | das gute      | die guten
        dem guten     | der guten    | dem guten     | den guten
        des guten     | der guten    | des guten     | der guten
    """,
    "no": """
        kein guter    | keine gute   | kein gutes    | keine guten
        keinen guten  | keine gute   | kein gutes    | keine guten
        keinem guten  | keiner guten | keinem guten  | keinen guten
        keines guten  | keiner guten | keines guten  | keiner guten
    """,
    "our": """
        unser guter   | unsere gute  | unser gutes   | unsere guten
        unseren guten | unsere gute  | unser gutes   | unsere guten
        unserem guten | unserer guten | unserem guten | unseren guten
        unseres guten | unserer guten | unseres guten | unserer guten
    """,
    "zero": """
        guter         | gute         | gutes         | gute
        guten         | gute         | gutes         | gute
        gutem         | guter        | gutem         | guten
        guten         | guter        | guten         | guter
    """,
}


def _cells():
    for kind, table in DECLENSIONS.items():
        for case, line in zip(forms.CASES, table.strip().splitlines(), strict=True):
            for gender, cell in zip("mfnp", line.split("|"), strict=True):
                yield kind, case, gender, cell.strip()


@pytest.mark.parametrize(("kind", "case", "gender", "expected"), list(_cells()))
def test_determiner_and_adjective(kind, case, gender, expected):
    good = lexicon.adjectives()["good"]
    words = (
        forms.determiner(kind, gender, case),
        forms.adjective(good, "positive", kind, gender, case),
    )
    assert " ".join(words).strip() == expected


@pytest.mark.parametrize(
    ("english", "plural", "expected"),
    [
        ("teacher", False, "Lehrer Lehrer Lehrer Lehrers"),
        ("teacher", True, "Lehrer Lehrer Lehrern Lehrer"),
        ("student", False, "Student Studenten Studenten Studenten"),
        ("boy", False, "Junge Jungen Jungen Jungen"),
        ("neighbor", False, "Nachbar Nachbarn Nachbarn Nachbarn"),
        ("child", True, "Kinder Kinder Kindern Kinder"),
        ("car", True, "Autos Autos Autos Autos"),
        ("woman", True, "Frauen Frauen Frauen Frauen"),
        ("house", False, "Haus Haus Haus Hauses"),
        ("secret", False, "Geheimnis Geheimnis Geheimnis Geheimnisses"),
    ],
)
def test_noun_declension(english, plural, expected):
    noun = lexicon.nouns()[english]
    assert [forms.noun(noun, plural, case) for case in forms.CASES] == expected.split()


def test_feminine_counterparts():
    doctor = lexicon.nouns()["doctor"]
    assert forms.noun(doctor, False, "acc", female=True) == "Ärztin"
    assert forms.noun(doctor, True, "dat", female=True) == "Ärztinnen"
    assert forms.noun_gender(doctor, False, female=True) == "f"


# ich, du, er, wir in the present, then in the past.
CONJUGATIONS = {
    ("admire", None): "bewundere bewunderst bewundert bewundern | "
    "bewunderte bewundertest bewunderte bewunderten",
    ("read", None): "lese liest liest lesen | las lasest las lasen",
    ("work", None): "arbeite arbeitest arbeitet arbeiten | "
    "arbeitete arbeitetest arbeitete arbeiteten",
    ("smile", None): "lächle lächelst lächelt lächeln | lächelte lächeltest lächelte lächelten",
    ("know", "wissen"): "weiß weißt weiß wissen | wusste wusstest wusste wussten",
    ("have", None): "habe hast hat haben | hatte hattest hatte hatten",
    ("find", None): "finde findest findet finden | fand fandest fand fanden",
    ("run", None): "laufe läufst läuft laufen | lief liefst lief liefen",
    ("eat", "essen"): "esse isst isst essen | aß aßest aß aßen",
    ("give", None): "gebe gibst gibt geben | gab gabst gab gaben",
}
CELLS = [(1, False), (2, False), (3, False), (1, True)]


@pytest.mark.parametrize(("lemma", "expected"), CONJUGATIONS.items())
def test_conjugation(lemma, expected):
    verb = lexicon.verb(*lemma)
    present, past = (part.split() for part in expected.split("|"))
    assert [forms.finite(verb, "present", *cell) for cell in CELLS] == present
    assert [forms.finite(verb, "past", *cell) for cell in CELLS] == past


def test_sein_and_modals():
    assert [forms.sein("present", *cell) for cell in CELLS] == ["bin", "bist", "ist", "sind"]
    assert [forms.sein("past", *cell) for cell in CELLS] == ["war", "warst", "war", "waren"]
    assert [forms.modal("können", "past", *cell) for cell in CELLS] == [
        "konnte", "konntest", "konnte", "konnten",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("preposition", "article", "expected"),
    [("in", "dem", "im"), ("zu", "der", "zur"), ("an", "das", "ans"), ("in", "der", None)],
)
def test_contractions(preposition, article, expected):
    assert forms.contracted(preposition, article) == expected


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        (("open", None), "öffne"),
        (("wait", None), "warte"),
        (("give", None), "gib"),
        (("help", None), "hilf"),
        (("read", None), "lies"),
        (("eat", "essen"), "iss"),
        (("drive", None), "fahr"),
        (("sleep", None), "schlaf"),
        (("come", None), "komm"),
        (("smile", None), "lächle"),
        (("breathe", None), "atme"),
        (("see", None), "sieh"),
        (("learn", None), "lern"),
        (("draw", None), "zeichne"),
        (("travel", None), "reise"),
        (("kiss", None), "küss"),
    ],
)
def test_imperatives(lemma, expected):
    assert forms.imperative(lexicon.verb(*lemma)) == expected


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [("read", "zu lesen"), ("clean up", "aufzuräumen"), ("take a walk", "spazieren zu gehen")],
)
def test_infinitives_with_zu(lemma, expected):
    assert forms.infinitive_with_zu(lexicon.verb(lemma)) == expected


@pytest.mark.parametrize(
    ("noun", "plural", "expected"),
    [
        ("parents", False, "Eltern"),
        ("furniture", False, "Möbeln"),
        ("dog", True, "Hunden"),
        ("car", True, "Autos"),
        ("euro", True, "Euro"),
        ("student", False, "Studenten"),
    ],
)
def test_dative(noun, plural, expected):
    assert forms.noun(lexicon.nouns()[noun], plural, "dat") == expected
