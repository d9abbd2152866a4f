"""Files of sentence pairs in columns; pronouns, names and numbers in translations."""

import lzma

import pytest

from tf_models.data.annotated_pairs import (
    BY_MEANING,
    UNSEEN,
    AnnotatedPair,
    is_annotated,
    metrics,
    pronoun_of,
    read_annotated,
)
from tf_models.errors import InputError

CELLS = {
    "source": "The dog is old.",
    "target": "Der Hund ist alt.",
    "split": "test",
    "references": "Es ist so. | Ja.",
    "alignment": "0-0 1-1 4-4",
}
LINE = "\t".join(AnnotatedPair(**{**dict.fromkeys(AnnotatedPair._fields, ""), **CELLS}))
HEADER = (
    "en\tde\tsplit\treferences\talignment\ten_relations\tde_relations\tconstruction\tkind\tunseen\t"
    "verb\tadjective\tfirst_noun\tsecond_noun\tgenders\treference\ttype\tvoice"
)


@pytest.mark.parametrize("suffix", ["tsv", "tsv.xz"])
def test_a_file_is_read(suffix, tmp_path):
    path, content = tmp_path / f"pairs.{suffix}", f"{HEADER}\n{LINE}\n".encode()
    path.write_bytes(lzma.compress(content) if suffix.endswith("xz") else content)

    assert is_annotated(path)
    languages, (pair,) = read_annotated(path)
    assert languages == ("en", "de")
    assert pair.links == [(0, 0), (1, 1), (4, 4)]


def test_other_tables_are_not_of_this_kind(tmp_path):
    path = tmp_path / "deu.txt"
    path.write_text("Hi.\tHallo!\tCC-BY 2.0\n", "utf-8")
    assert not is_annotated(path)
    assert not is_annotated(tmp_path)
    assert not is_annotated(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (f"{HEADER}\n{LINE}\tmore\n", "line 2: expected 18 columns, found 19"),
        (f"{HEADER}\tmore\n", "line 1: expected 18 columns"),
    ],
)
def test_damaged_files(content, complaint, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=complaint):
        read_annotated(path)


EMPTY = AnnotatedPair(*[""] * len(AnnotatedPair._fields))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Das Tier überquerte die Straße nicht, weil es zu müde war.", "es"),
        ("Die Schlange erreicht den See nicht, weil er", "er"),
        ("Die Frau lächelte, weil Esel", None),
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
