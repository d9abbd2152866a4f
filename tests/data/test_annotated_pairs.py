"""Files of sentence pairs in columns."""

import lzma

import pytest

from tf_models.data.annotated_pairs import AnnotatedPair, header, is_annotated, read_annotated
from tf_models.errors import InputError

CELLS = {
    "source": "The dog is old.",
    "target": "Der Hund ist alt.",
    "split": "test",
    "references": "Es ist so. | Ja.",
    "alignment": "0-0 1-1 4-4",
    "source_relations": "subject:2-1 attribute:3-1",
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
    assert pair.relations("source") == [("subject", 2, 1), ("attribute", 3, 1)]
    assert pair.relations("target") == []


def test_the_header_names_the_languages():
    assert header("en", "de") == HEADER


def test_other_tables_are_not_of_this_kind(tmp_path):
    path = tmp_path / "deu.txt"
    path.write_text("Hi.\tHallo!\tCC-BY 2.0\n", "utf-8")
    assert not is_annotated(path)
    assert not is_annotated(tmp_path)
    assert not is_annotated(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (f"{HEADER}\n{LINE}\tmore\n", "line 2: expected 18 columns separated by tabs, found 19"),
        (f"{HEADER}\tmore\n", "line 1: expected the columns en, de, split"),
    ],
)
def test_damaged_files(content, complaint, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=complaint):
        read_annotated(path)
