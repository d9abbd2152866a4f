"""Labelled texts of files and of the package."""

import gzip
from collections import Counter

import pytest

from tf_models.data.labelled import (
    LabelledText,
    LabelledTexts,
    embedded_texts,
    read_labelled,
    texts_of_files,
)
from tf_models.errors import InputError


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def lines(count=20, labels="ab"):
    return [f"{label}\ttext {label} {i}" for i in range(count) for label in labels]


def texts_of(split):
    return {one.text for one in split}


# --- files


def test_a_file_of_labels_and_texts(tmp_path):
    path = write(
        tmp_path / "x.tsv", ["good\tI like it.\tVery much.", "", " bad \t u\u0308 ", "a\t "]
    )
    expected = [LabelledText("I like it.\tVery much.", "good"), LabelledText("\xfc", "bad")]
    assert read_labelled(path) == expected

    packed = tmp_path / "x.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_labelled(packed) == expected


def test_what_is_missing_is_held_out(tmp_path):
    train = write(tmp_path / "train.tsv", [*lines(), "a\tTEXT  a 3", "b\ttext a 3"])
    test = write(tmp_path / "test.tsv", ["b\tanother", "a\ttext a 1"])
    texts = texts_of_files(train, test)

    assert texts.classes == ("a", "b")
    assert len(texts.train) + len(texts.validation) == 42
    keys = [{" ".join(one.text.casefold().split()) for one in split}
            for split in (texts.train, texts.validation)]  # fmt: skip
    assert len(keys[1]) == 4
    assert not keys[0] & keys[1]
    assert [one.label for one in texts.test] == ["b", "a"]
    assert texts_of_files(train, test) == texts
    assert texts_of_files(train, test, seed=1).validation != texts.validation
    sizes = [len(getattr(texts_of_files(train), name)) for name in ("validation", "test")]
    assert min(sizes) >= 4


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"good one column\n", "line 1: expected label<TAB>text, .* found 1: 'good one"),
        (b"\n\n", "is empty"),
        (b"\x89PNG\t\xffx\n", "is not UTF-8"),
        (b"a\tx\na\ty\n", "has one class only, 'a'; a classifier needs two"),
        (b"a\tx\nb\ty\n", "test.tsv has texts with the label 'c', not of a, b"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, content, complaint):
    train, test = tmp_path / "train.tsv", write(tmp_path / "test.tsv", ["c\tx"])
    train.write_bytes(content)
    with pytest.raises(InputError, match=complaint) as caught:
        texts_of_files(train, test)
    assert "\n" not in str(caught.value)


# --- fewer of them


def test_fewer_labels_are_nested_and_of_all_classes():
    train = [LabelledText(f"a{i}", "a") for i in range(90)]
    train += [LabelledText(f"b{i}", "b") for i in range(10)]
    texts = LabelledTexts("x", ("a", "b"), train, [], [])
    ten, twenty = (texts.with_fewer(count, seed=3) for count in (10, 20))

    assert Counter(one.label for one in twenty.train) == {"a": 18, "b": 2}
    assert set(ten.train) < set(twenty.train)
    assert {one.label for one in texts.with_fewer(2, seed=3).train} == {"a", "b"}
    assert texts.with_fewer(10, seed=4).train != ten.train
    assert texts.with_fewer(100, seed=3).train == train


# --- the embedded sentences


@pytest.mark.parametrize("labels", ["reference", "type", "voice"])
def test_embedded_sentences(labels):
    texts = embedded_texts(labels)
    for part in (texts.train, texts.validation, texts.test):
        counts = Counter((one.label, one.kind) for one in part)
        assert {label for label, _ in counts} == set(texts.classes)
        assert len(set(counts.values())) == 1
    assert not texts_of(texts.train) & (texts_of(texts.validation) | texts_of(texts.test))


def test_labels_that_never_come_again_are_refused(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"The dog {n}.\tDer Hund {n}.\n" for n in range(9)), "utf-8")
    with pytest.raises(InputError, match="each text has a label of its own"):
        texts_of_files(path)
