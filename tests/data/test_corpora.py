"""What `--corpus` stands for: files and folders, cleaning, splits, languages, several corpora."""

import zipfile

import pytest
import requests

from tests.support.written_corpora import all_pairs, languages, numbered, table, write
from tf_models.data.annotated import pronoun_of
from tf_models.data.corpora import load_corpora, load_corpus, load_sentences, short_name
from tf_models.data.pairs import SentencePair, read_references
from tf_models.data.splits import source_key
from tf_models.errors import InputError


def sizes(corpus):
    return len(corpus.train), len(corpus.validation), len(corpus.test)


# --- a tab-separated file


@pytest.mark.parametrize("name", ["deu.txt", "deu.txt.gz", "deu.txt.xz", "deu.tsv"])
def test_table(tmp_path, name):
    path = write(tmp_path / name, table(end="\tCC-BY 2.0\r\n"))
    corpus = load_corpus(path)

    assert corpus.name == path
    assert languages(corpus) == ("en", "de")
    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]
    assert sizes(corpus) == (8, 1, 1)


def test_empty_sides_and_duplicates_are_dropped(tmp_path):
    text = table(10) + "\tallein\nalone\t  \n\n" + table(3)
    corpus = load_corpus(write(tmp_path / "deu.txt", text))

    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]


@pytest.mark.parametrize(
    ("stem", "codes"),
    [
        ("spa", ("en", "es")),
        ("Ita", ("en", "it")),
        ("en-es", ("en", "es")),
        ("Deu_eng", ("de", "en")),
        ("en-pt-br", ("en", "pt")),
        ("en_us-fr_fr", ("en", "fr")),
    ],
)
def test_the_name_of_a_table_says_its_languages(tmp_path, stem, codes):
    path = write(tmp_path / f"{stem}.tsv", table())

    assert languages(load_corpus(path)) == codes
    turned = load_corpus(path, languages=(codes[1], codes[0]))
    assert languages(turned) == codes[::-1]
    assert ("de 3", "en 3") in all_pairs(turned)
    with pytest.raises(InputError, match=f"holds {codes[0]} and {codes[1]}; received xx"):
        load_corpus(path, languages=("xx", None))


def test_columns_count_as_the_languages_asked_for(tmp_path):
    path = write(tmp_path / "mine.tsv", table())
    corpus = load_corpus(path, languages=("de", "en"))

    assert languages(corpus) == ("de", "en")
    assert ("en 3", "de 3") in all_pairs(corpus)
    with pytest.raises(InputError, match=r"languages of .*mine.tsv by its name; pass --languages"):
        load_corpus(path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            table(4) + "no tab in this line\n",
            r"deu.txt, line 5: expected 2 or 3 columns .* found 1",
        ),
        (table(4) + "1\ta\t2\tb\n", r"line 5: expected 2 or 3 columns .* found 4: '1\\ta"),
        ("\n\n", "is empty"),
        ("a\t\n\tb\n", "has no train sentence pairs"),
    ],
)
def test_tables_that_cannot_be_used(tmp_path, text, complaint):
    with pytest.raises(InputError, match=complaint):
        load_corpus(write(tmp_path / "deu.txt", text))


def test_max_pairs_are_chosen_from_the_whole_file(tmp_path):
    path = write(tmp_path / "deu.txt", table(1000))
    corpus = load_corpus(path, max_pairs=100)
    numbers = [int(pair.source.split()[1]) for pair in all_pairs(corpus)]

    assert len(numbers) == 100
    assert min(numbers) < 200
    assert max(numbers) > 800
    assert load_corpus(path, max_pairs=100) == corpus
    assert set(all_pairs(load_corpus(path, max_pairs=100, seed=1))) != set(all_pairs(corpus))


def test_a_table_in_an_archive_as_it_is_downloaded(tmp_path):
    path = tmp_path / "deu-eng.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__MACOSX/._deu.txt", "of a Mac")
        archive.mkdir("deu-eng")
        archive.writestr("deu-eng/_about.txt", "notes")
        archive.writestr("deu-eng/deu.txt", table(end="\tCC-BY 2.0\n"))
    corpus = load_corpus(str(path))

    assert languages(corpus) == ("en", "de")
    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("fra.txt", table())
    with pytest.raises(InputError, match="holds 2 files, not one table; unpack it"):
        load_corpus(str(path))


# --- two aligned files


def test_aligned_files(tmp_path):
    source = write(tmp_path / "train.en", numbered("en"))
    target = write(tmp_path / "train.de.gz", numbered("de"))
    corpus = load_corpus(f"{source},{target}")

    assert short_name(corpus.name) == "train"
    assert languages(corpus) == ("en", "de")
    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]
    turned = load_corpus(f"{source},{target}", languages=("de", "en"))
    assert languages(turned) == ("de", "en")
    assert ("de 3", "en 3") in all_pairs(turned)
    short = write(tmp_path / "b.de", numbered("de", 4))
    with pytest.raises(InputError, match=r"train\.en has 10 lines and .*b\.de has 4"):
        load_corpus(f"{source},{short}")


def test_a_name_of_nothing():
    with pytest.raises(InputError, match="no corpus, file or folder 'no/such/file.txt'"):
        load_corpus("no/such/file.txt")


def test_references(tmp_path):
    path = tmp_path / "lesson.tsv"
    path.write_text("The dog. \tDer Hund. \t Ein Hund.\t\n\n")
    assert read_references(path) == {"The dog.": ("Der Hund.", "Ein Hund.")}
    path.write_text("The dog.\n")
    with pytest.raises(InputError, match="line 1: expected a sentence, a tab and a reference"):
        read_references(path)


# --- a folder


def test_folder_has_its_own_splits(folder):
    corpus = load_corpus(str(folder))

    assert languages(corpus) == ("en", "de")
    assert corpus.train == [(f"train en {n}", f"train de {n}") for n in range(20)]
    assert corpus.validation == [(f"val en {n}", f"val de {n}") for n in range(4)]
    assert corpus.test[4] == ("test_2016_flickr en 4", "test_2016_flickr de 4")
    turned = load_corpus(str(folder), languages=("de", None), max_pairs=7)
    assert languages(turned) == ("de", "en")
    assert turned.test[3] == ("test_2016_flickr de 3", "test_2016_flickr en 3")
    assert sizes(turned) == (7, 4, 5)


def test_missing_splits_are_held_out_of_the_training_pairs(folder):
    for path in folder.glob("val.*"):
        path.unlink()
    assert sizes(load_corpus(str(folder))) == (19, 1, 5)
    for path in folder.glob("test_*"):
        path.unlink()
    assert sizes(load_corpus(str(folder))) == (18, 1, 1)


def test_folder_of_three_languages(folder):
    write(folder / "train.pt_br.gz", numbered("train pt", 20))
    assert languages(load_corpus(str(folder))) == ("en", "de")
    assert languages(load_corpus(str(folder), languages=(None, "en"))) == ("de", "en")
    brazilian = load_corpus(str(folder), languages=("pt-br", "en"))
    assert languages(brazilian) == ("pt", "en")
    assert ("train pt 3", "train en 3") in brazilian.train
    with pytest.raises(InputError, match="has no es or no en; it has en, de, pt"):
        load_corpus(str(folder), languages=("es", None))


# --- the embedded corpora, and files like them

HEADER = "en\tde\tsplit" + 15 * "\tcolumn"
DOGS = [
    ("The dog.", "Der Hund.", "train", "", "0-0 1-1 2-2"),
    ("A cat.", "Eine Katze.", "train", "", ""),
    ("Old dogs.", "Alte Hunde.", "validation", "", "0-0 1-1"),
    ("He's here.", "Er ist hier.", "test", "Er ist da. | Hier ist er.", "0-0 0-1 1-2"),
]


@pytest.fixture
def dogs(tmp_path):
    lines = ["\t".join((*cells, *[""] * 13)) for cells in DOGS]
    return write(tmp_path / "dogs.tsv", "\n".join([HEADER, *lines]) + "\n")


@pytest.mark.parametrize(
    ("name", "pairs", "fingerprint"),
    [("toy", 100_000, "1a562c3382bcd66f"), ("everyday", 105_000, "d917780fda035c12")],
)
def test_embedded_corpora(name, pairs, fingerprint):
    corpus = load_corpus(name, seed=3)

    assert (corpus.name, *languages(corpus)) == (name, "en", "de")
    assert sizes(corpus) == (pairs, 1_000, 2_000)
    assert not {p.source for p in corpus.test} & {p.source for p in corpus.train}
    assert set(corpus.annotated) == {p.source for p in (*corpus.validation, *corpus.test)}
    assert corpus.fingerprint() == fingerprint


def test_columns_of_a_file(dogs):
    corpus = load_corpus(dogs)

    assert languages(corpus) == ("en", "de")
    assert corpus.train == [pair[:2] for pair in DOGS[:2]]
    assert corpus.others == {"He's here.": ["Er ist da.", "Hier ist er."]}
    assert {source: pair.links for source, pair in corpus.annotated.items()} == {
        "Old dogs.": [(0, 0), (1, 1)],
        "He's here.": [(0, 0), (0, 1), (1, 2)],
    }
    turned = load_corpus(dogs, languages=("de", "en"))
    assert turned.train[0] == SentencePair("Der Hund.", "The dog.")
    assert not turned.annotated


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (f"{HEADER}\na\tb\n", "line 2: expected 18 columns, found 2"),
        (f"{HEADER}\tmore\n", "line 1: expected 18 columns, found 19"),
    ],
)
def test_files_with_other_columns(content, complaint, tmp_path):
    with pytest.raises(InputError, match=complaint):
        load_corpus(write(tmp_path / "pairs.tsv", content))


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


# --- sentences of one language

PLAIN = "".join(f"sentence {n}\n" for n in range(10))


@pytest.mark.parametrize(
    ("file", "text", "language", "expected"),
    [
        ("mine.txt", PLAIN + "\n  \nsentence 3\n", None, ("en", "sentence")),
        ("mine", PLAIN.replace("\n", "\r\n"), "tl", ("tl", "sentence")),
        ("deu.txt", table(), "de", ("de", "de")),
        ("windows.tsv", table(end="\tCC-BY\n"), "sv", ("sv", "en")),
    ],
)
def test_sentences_of_a_file(tmp_path, file, text, language, expected):
    corpus = load_sentences(write(tmp_path / file, text), language)

    of_language, word = expected
    assert corpus.source_language == of_language
    assert sorted(pair.source for pair in all_pairs(corpus)) == [f"{word} {n}" for n in range(10)]
    assert all(sizes(corpus))


# --- several corpora


@pytest.fixture
def deu(tmp_path):
    return write(tmp_path / "deu.txt", table())


def test_pairs_of_all_and_parts_by_short_names(dogs, deu, tmp_path):
    mixed = load_corpora([dogs, deu], max_pairs=5)
    first, second = load_corpus(dogs, max_pairs=5), load_corpus(deu, max_pairs=5)

    assert [*mixed.parts] == ["dogs", "deu"]
    assert mixed.parts["deu"] == second
    assert mixed.train == first.train + second.train
    assert mixed.validation == first.validation + second.validation
    assert mixed.test == first.test + second.test
    (tmp_path / "other").mkdir()
    other = write(tmp_path / "other" / "deu.txt", table(12))
    assert [*load_corpora([deu, other]).parts] == [deu, other]


def test_the_languages_of_the_first_are_wanted_of_all(tmp_path, dogs, deu):
    own = write(tmp_path / "own.tsv", table(20))
    assert languages(load_corpora([dogs, own])) == ("en", "de")
    assert languages(load_corpora([own, deu], languages=("de", "en"))) == ("de", "en")
    spanish = write(tmp_path / "spa.txt", table())
    with pytest.raises(InputError, match=r"spa\.txt holds en and es; received en and de"):
        load_corpora([deu, spanish])


def test_what_one_holds_out_another_does_not_train_on(tmp_path, dogs):
    """Sentences are the same whatever their case and spaces, and whatever the translation."""
    leaking = "he's  HERE.\tEr ist da!\nOld dogs.\tHunde.\nThe dog.\tHund.\n"
    mixed = load_corpora([write(tmp_path / "deu.txt", leaking + table(40)), dogs])
    held_out = {source_key(pair) for part in mixed.parts.values() for pair in part.test}
    held_out |= {source_key(pair) for part in mixed.parts.values() for pair in part.validation}

    assert not held_out & {source_key(pair) for pair in mixed.train}
    assert "The dog." in [pair.source for pair in mixed.parts["deu"].train]


# --- downloads are pooch's; here is which files, where they lie, and the line without a network


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionError("no route\nto host"), "no route"),
        (requests.ConnectionError("HTTPSConnectionPool(host='x', port=443)" * 9), "no connection"),
    ],
)
def test_what_cannot_be_fetched_is_one_short_line(error, reason, tmp_path, monkeypatch):
    def fail(*arguments):
        raise error

    monkeypatch.setattr("pooch.retrieve", fail)
    with pytest.raises(InputError, match=r"cannot download https://.*deu-eng\.zip") as caught:
        load_corpus("tatoeba", data_dir=tmp_path)
    assert f"({reason})" in str(caught.value)
    assert str(tmp_path / "tatoeba" / "deu-eng.zip") in str(caught.value)
    assert "\n" not in str(caught.value)


# --- real data


def test_real_multi30k(shared_data):
    corpus = load_corpus("multi30k", data_dir=shared_data)

    assert sizes(corpus) == (28_997, 1014, 1000)
    assert corpus.train[0].source == "Two young, White males are outside near many bushes."
    assert corpus.train[0].target.startswith("Zwei junge weiße Männer")
