"""Several corpora in one training: which pairs, in which languages, and what stays apart."""

import pytest

from tests.support.written_corpora import all_pairs, languages, table, write
from tf_models.data.embedded.annotated_pairs import header
from tf_models.data.text.corpora import load_corpus
from tf_models.data.text.mixed import load_corpora
from tf_models.data.text.splits import source_key
from tf_models.errors import InputError

ANNOTATED = [
    ("The dog.", "Der Hund.", "train"),
    ("A cat.", "Eine Katze.", "train"),
    ("Old dogs.", "Alte Hunde.", "validation"),
    ("He's here.", "Er ist hier.", "test", "Er ist da."),
]


def annotated(path, rows):
    columns = header("en", "de").count("\t") + 1
    lines = ["\t".join((*cells, *[""] * (columns - len(cells)))) for cells in rows]
    return write(path, "\n".join([header("en", "de"), *lines]) + "\n")


@pytest.fixture
def dogs(tmp_path):
    """A file with the columns of the embedded corpus."""
    return annotated(tmp_path / "dogs.tsv", ANNOTATED)


@pytest.fixture
def deu(tmp_path):
    return write(tmp_path / "deu.txt", table())


def test_one_corpus_is_itself(deu):
    assert load_corpora([deu]) == load_corpus(deu)
    assert load_corpora([deu]).parts == {"deu": load_corpus(deu)}


def test_pairs_of_all_and_parts_by_short_names(dogs, deu):
    mixed = load_corpora([dogs, deu])
    first, second = load_corpus(dogs), load_corpus(deu)

    assert [*mixed.parts] == ["dogs", "deu"]
    assert mixed.parts["deu"] == second
    assert mixed.train == first.train + second.train
    assert mixed.validation == first.validation + second.validation
    assert mixed.test == first.test + second.test
    assert languages(mixed) == ("en", "de")
    assert mixed.parts["dogs"].others == {"He's here.": ["Er ist da."]}


def test_files_of_one_name_have_their_whole_names(tmp_path, deu):
    (tmp_path / "other").mkdir()
    other = write(tmp_path / "other" / "deu.txt", table(12))
    assert [*load_corpora([deu, other]).parts] == [deu, other]


def test_what_one_holds_out_another_does_not_train_on(tmp_path, dogs, capsys):
    """Sentences are the same whatever their case and spaces, and whatever the translation."""
    leaking = "he's  HERE.\tEr ist da!\nOld dogs.\tHunde.\nThe dog.\tHund.\n"
    path = write(tmp_path / "deu.txt", leaking + table(40))
    mixed = load_corpora([path, dogs])
    held_out = {source_key(pair) for part in mixed.parts.values() for pair in part.test}
    held_out |= {source_key(pair) for part in mixed.parts.values() for pair in part.validation}

    assert not held_out & {source_key(pair) for pair in mixed.train}
    assert "The dog." in [pair.source for pair in mixed.parts["deu"].train]
    error = capsys.readouterr().err
    assert error == f"{path}: skipped 2 pair(s) that another corpus validates or tests with\n"


def test_nothing_left_to_train_on(tmp_path, dogs):
    rows = [("He's here.", "Er ist da.", "train"), ("a", "b", "validation"), ("c", "d", "test")]
    other = annotated(tmp_path / "other.tsv", rows)
    with pytest.raises(InputError, match=r"other\.tsv has no train sentence pairs from en to de"):
        load_corpora([dogs, other])


def test_the_first_that_says_its_languages_decides(tmp_path, dogs, deu):
    own = write(tmp_path / "own.tsv", table(20))
    assert languages(load_corpora([own, dogs])) == ("en", "de")
    turned = write(tmp_path / "a.de", "Hund\nKatze\nTier\nMaus\n")
    write(tmp_path / "a.en", "dog\ncat\nanimal\nmouse\n")
    files = f"{turned},{tmp_path / 'a.en'}"
    assert languages(load_corpora([files, deu])) == ("de", "en")
    mixed = load_corpora([dogs, files])
    assert languages(mixed) == ("en", "de")
    assert ("mouse", "Maus") in all_pairs(mixed)


def test_columns_count_as_the_direction_asked_for(tmp_path, dogs):
    own = write(tmp_path / "own.tsv", table(20))
    mixed = load_corpora([own, dogs], languages=("de", "en"))
    assert mixed.parts["own"].train[0].source.startswith("en ")  # as its first column is taken
    assert mixed.parts["dogs"].train[0] == ("Der Hund.", "The dog.")


def test_max_pairs_are_of_each(deu, dogs):
    mixed = load_corpora([deu, dogs], max_pairs=5)
    assert [len(part.train) for part in mixed.parts.values()] == [3, 2]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["deu.txt", "deu.txt"], r"deu\.txt and \S*deu\.txt have the same pairs; name one of them"),
        (["deu.txt", "copy/deu.txt"], "have the same pairs; name one of them"),
        (["deu.txt", "spa.txt"], r"spa\.txt holds en and es; received en and de language"),
        (["deu.txt", "empty.txt"], r"empty\.txt has no train sentence pairs"),
        (["deu.txt", "missing.txt"], "no corpus, file or folder"),
        (["own.tsv", "own2.tsv"], r"cannot tell the languages of \S*own\.tsv by its name"),
    ],
)
def test_bad_input(tmp_path, deu, names, message):
    (tmp_path / "copy").mkdir()
    write(tmp_path / "copy" / "deu.txt", table())
    write(tmp_path / "spa.txt", table())
    write(tmp_path / "empty.txt", "\n")
    write(tmp_path / "own.tsv", table(20))
    write(tmp_path / "own2.tsv", table(30))
    with pytest.raises(InputError, match=message):
        load_corpora([str(tmp_path / name) for name in names])
