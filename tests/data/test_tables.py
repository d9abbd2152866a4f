"""The same pairs and labelled texts, as pandas, Tatoeba, spreadsheets and Kaggle write them."""

import csv
import io
from pathlib import Path

import pytest

from tests.support.written_corpora import all_pairs, languages, write
from tf_models.data.corpora import load_corpus, load_sentences
from tf_models.data.labelled import read_labelled, texts_of_files
from tf_models.data.pairs import read_references
from tf_models.errors import InputError

PAIRS = [(f"A dog, number {n}.", f'Ein Hund{"; " * (n % 2)} "der {n}."') for n in range(10)]
TEXTS = [(f"Film {n}, it is {word}.", word) for n in range(10) for word in ("good", "bad")]


def tabs(rows):
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def quoted(rows, delimiter=","):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return file.getvalue()


def numbered(rows):
    return [(n, *row) for n, row in enumerate(rows)]


def turned(rows):
    return [row[::-1] for row in rows]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("en-de.tsv", tabs(numbered(PAIRS))),
        ("en-de.tsv", tabs([("", "foo", "bar"), *numbered(PAIRS)])),
        ("pandas.tsv", quoted([("", "en", "de"), *numbered(PAIRS)], "\t")),
        ("en-de.tsv", tabs((n, first, n + 90, second) for n, (first, second) in enumerate(PAIRS))),
        ("en-de.tsv", tabs((0.25, *pair) for pair in PAIRS)),
        ("own.tsv", tabs([("English", "German"), *PAIRS, ("English", "German")])),
        ("own.tsv", tabs([("de_DE", "en_GB"), *turned(PAIRS)])),
        ("own.tsv", tabs([("id", "fr", "de", "en"), *(("x", "y", b, a) for a, b in PAIRS)])),
        ("en-de.tsv", tabs([("target", "source"), *turned(PAIRS)])),
        ("en-de.csv", quoted(PAIRS)),
        ("en-de.csv", quoted(numbered(PAIRS))),
        ("en-de.csv", quoted(PAIRS, "\t").replace("\r", "")),
        ("excel.csv", "\ufeff" + quoted([("english", "german"), *PAIRS, ("", "")], ";")),
        ("own.csv.gz", quoted([("english", "german", "", ""), *((*p, "", "") for p in PAIRS)])),
    ],
)  # fmt: skip
def test_pairs(tmp_path, name, text):
    corpus = load_corpus(write(tmp_path / name, text), languages=("en", "de"))

    assert languages(corpus) == ("en", "de")
    assert sorted(all_pairs(corpus)) == PAIRS


def test_a_header_says_the_languages(tmp_path):
    path = write(tmp_path / "own.tsv", tabs([("de", "en"), *turned(PAIRS)]))

    assert languages(load_corpus(path)) == ("de", "en")
    assert sorted(all_pairs(load_corpus(path))) == sorted(turned(PAIRS))
    with pytest.raises(InputError, match="no fr; it has de, en"):
        load_corpus(path, languages=("en", "fr"))


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("en-de.tsv", tabs((n, "only one") for n in range(9)), "line 1: .* found 2"),
        ("en-de.tsv", tabs(("eng", a, "deu", b) for a, b in PAIRS), "line 1: .* found 4"),
        ("en-de.tsv", tabs([*numbered(PAIRS), (11, "alone")]), "line 11: .* found 2"),
        ("en-de.csv", 'english,german\n"A dog,Ein Hund\nA cat,Eine Katze\n', "line 3: .* found 1"),
        ("en-de.csv", "a,b\n" + '"' + "x" * 200_000, "line 2: field larger"),
        ("en-de.jsonl", '{"en": "A dog.", "de": "Ein Hund."}\n', "is JSON"),
        ("en-de.json", '\ufeff[\n{"en": "A dog."}]\n', "is JSON"),
        ("en-de.tmx", '<?xml version="1.0"?>\n<tmx>', "is XML"),
        ("en-de.tsv", "<!DOCTYPE html>\n", "is HTML"),
    ],
)
def test_tables_that_are_refused(tmp_path, name, text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        load_corpus(write(tmp_path / name, text))
    assert "\n" not in str(caught.value)


def test_references_and_sentences_beside_numbers(tmp_path):
    path = write(tmp_path / "own.tsv", tabs([("source", "reference"), *numbered(PAIRS)]))
    assert read_references(Path(path)) == {first: (second,) for first, second in PAIRS}

    rows = [(n, "eng", first) for n, (first, _) in enumerate(PAIRS)]
    sentences = load_sentences(write(tmp_path / "sentences.csv", tabs(rows)))
    assert {pair.source for pair in all_pairs(sentences)} == {first for first, _ in PAIRS}
    path = write(tmp_path / "both.tsv", tabs([("de", "en"), *turned(PAIRS)]))
    assert all_pairs(load_sentences(path, "en"))[0].source.startswith("A dog")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.tsv", tabs(turned(TEXTS))),
        ("x.tsv", tabs(TEXTS)),
        ("x.tsv", tabs(numbered(TEXTS))),
        ("x.tsv", tabs([("label", "text"), *turned(TEXTS), ("label", "text")])),
        ("x.csv", quoted([("review", "sentiment"), *TEXTS])),
        ("x.csv", quoted([("", "Text", "Label"), *numbered(TEXTS)], ";")),
        ("x.csv", quoted([("id", "label", "on", "text"), *((n, b, "May", a) for n, (a, b) in
                          enumerate(TEXTS))])),
        ("x.csv", quoted((b, a, "", "") for a, b in TEXTS)),
    ],
)  # fmt: skip
def test_labelled_texts(tmp_path, name, text):
    path = write(tmp_path / name, text)
    assert [(example.text, example.label) for example in read_labelled(path)] == TEXTS


def test_numbers_are_labels_unless_they_count_the_rows(tmp_path):
    rows = [(n % 2, f"text {n}") for n in range(20)]
    for text in (tabs(rows), tabs(turned(rows)), tabs(numbered(rows))):
        texts = read_labelled(write(tmp_path / "x.tsv", text))
        assert [(int(example.label), example.text) for example in texts] == rows


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (tabs([("v1", "v2"), *turned(TEXTS)]), "the first line alone has the label 'v1'"),
        (tabs((*row, "x", n) for n, row in enumerate(TEXTS)), "line 1: .* found 4"),
        (tabs([*TEXTS, ("a text", "with a tab", "good")]), "line 21: .* found 3"),
    ],
)
def test_labelled_texts_that_are_refused(tmp_path, text, complaint):
    with pytest.raises(InputError, match=complaint):
        texts_of_files(write(tmp_path / "x.tsv", text))
