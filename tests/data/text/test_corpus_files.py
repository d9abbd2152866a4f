"""Files and folders as `--corpus`: pairs, languages, and the line that says what is wrong."""

from pathlib import Path

import pytest

from tests.support.written_corpora import all_pairs, languages, numbered, table, write
from tf_models.data.text.corpora import load_corpus
from tf_models.data.text.corpus_files import short_name
from tf_models.data.text_files import named_files
from tf_models.errors import InputError

# --- a tab-separated file


@pytest.mark.parametrize("name", ["deu.txt", "deu.txt.gz", "deu.txt.xz", "deu.tsv"])
def test_table(tmp_path, name):
    path = write(tmp_path / name, table())
    corpus = load_corpus(path)

    assert corpus.name == path
    assert languages(corpus) == ("en", "de")
    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]
    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (8, 1, 1)


def test_attribution_is_ignored(tmp_path):
    corpus = load_corpus(write(tmp_path / "deu.txt", table(end="\tCC-BY 2.0\r\n")))

    assert sorted(all_pairs(corpus))[3] == ("en 3", "de 3")


@pytest.mark.parametrize(
    "wanted", [("de", "en"), ("de", None), (None, "en")], ids=["both", "source", "target"]
)
def test_table_is_swapped_by_languages(tmp_path, wanted):
    path = write(tmp_path / "deu.txt", table())
    corpus = load_corpus(path, source_language=wanted[0], target_language=wanted[1])

    assert languages(corpus) == ("de", "en")
    assert sorted(all_pairs(corpus))[3] == ("de 3", "en 3")


@pytest.mark.parametrize(("stem", "code"), [("spa", "es"), ("fra", "fr"), ("Ita", "it")])
def test_language_is_guessed_from_the_name(tmp_path, stem, code):
    assert languages(load_corpus(write(tmp_path / f"{stem}.txt", table()))) == ("en", code)


@pytest.mark.parametrize(("stem", "codes"), [("en-es", ("en", "es")), ("Deu_eng", ("de", "en"))])
def test_a_name_may_say_both_languages(tmp_path, stem, codes):
    path = write(tmp_path / f"{stem}.tsv", table())

    assert languages(load_corpus(path)) == codes
    turned = load_corpus(path, source_language=codes[1], target_language=codes[0])
    assert languages(turned) == codes[::-1]
    with pytest.raises(InputError, match="cannot tell the languages of .*my-tv.tsv"):
        load_corpus(write(tmp_path / "my-tv.tsv", table()))


def test_unknown_name_takes_the_languages_as_given(tmp_path):
    path = write(tmp_path / "mine.tsv", table())

    assert languages(load_corpus(path, target_language="fr")) == ("en", "fr")
    corpus = load_corpus(path, source_language="de", target_language="en")
    assert languages(corpus) == ("de", "en")
    assert ("en 3", "de 3") in all_pairs(corpus)
    for wanted in ({}, {"source_language": "fr"}, {"target_language": "en"}):
        with pytest.raises(InputError, match="cannot tell the languages of .*mine.tsv"):
            load_corpus(path, **wanted)


def test_languages_that_a_table_does_not_hold(tmp_path):
    path = write(tmp_path / "deu.txt", table())
    with pytest.raises(InputError, match="holds en and de; received no source and fr language"):
        load_corpus(path, target_language="fr")
    with pytest.raises(InputError, match="must differ; received de twice"):
        load_corpus(path, source_language="de", target_language="de")


@pytest.mark.parametrize(("line", "found"), [("no tab in this line", 1), ("1\ta\t2\tb", 4)])
def test_wrong_number_of_columns(tmp_path, line, found):
    path = write(tmp_path / "deu.txt", table(4) + line + " and so on" * 9 + "\n" + table(4))
    with pytest.raises(InputError) as caught:
        load_corpus(path)
    message = str(caught.value)

    assert f"deu.txt, line 5: expected 2 or 3 columns separated by tabs, found {found}:" in message
    assert repr(line)[:-1] in message
    assert len(message) < len(path) + 130


def test_separator_within_a_line_does_not_break_it(tmp_path):
    corpus = load_corpus(write(tmp_path / "deu.txt", table() + "a\u2028b\tc\u0085d\n"))

    assert ("a\u2028b", "c\u0085d") in all_pairs(corpus)


# --- two aligned files


def test_aligned_files(tmp_path):
    source = write(tmp_path / "train.en", numbered("en"))
    target = write(tmp_path / "train.de.gz", numbered("de"))
    corpus = load_corpus(f"{source},{target}")

    assert languages(corpus) == ("en", "de")
    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]
    corpus = load_corpus(f"{target},{source}")
    assert languages(corpus) == ("de", "en")
    assert ("de 3", "en 3") in all_pairs(corpus)
    corpus = load_corpus(f"{source},{target}", source_language="de", target_language="en")
    assert languages(corpus) == ("de", "en")
    assert ("de 3", "en 3") in all_pairs(corpus)


def test_aligned_files_with_silent_names(tmp_path):
    source = write(tmp_path / "left.txt", numbered("en"))
    target = write(tmp_path / "right.de", numbered("de"))
    corpus = load_corpus(f"{source},{target}", source_language="it")

    assert languages(corpus) == ("it", "de")
    with pytest.raises(InputError, match="cannot tell the languages"):
        load_corpus(f"{source},{target}")
    with pytest.raises(InputError, match="cannot tell the languages"):
        load_corpus(f"{source},{target}", source_language="it", target_language="fr")
    with pytest.raises(InputError, match="cannot tell the languages"):
        load_corpus(f"{target},{source}", target_language="de")


def test_aligned_files_of_different_length(tmp_path):
    source = write(tmp_path / "a.en", numbered("en", 10))
    target = write(tmp_path / "a.de", numbered("de", 9))
    with pytest.raises(InputError, match=r"a\.en has 10 lines and .*a\.de has 9"):
        load_corpus(f"{source},{target}")


def test_empty_lines_keep_the_alignment(tmp_path):
    source = write(tmp_path / "a.en", "one\n\nthree\nfour\nfive\n")
    target = write(tmp_path / "a.de", "eins\nzwei\n\nvier\nfünf\n")

    assert sorted(all_pairs(load_corpus(f"{source},{target}"))) == [
        ("five", "fünf"),
        ("four", "vier"),
        ("one", "eins"),
    ]


def test_comma_in_the_name_of_one_file(tmp_path):
    path = write(tmp_path / "a,b.tsv", table())
    assert len(all_pairs(load_corpus(path, target_language="de"))) == 10


@pytest.mark.parametrize(
    ("first", "second"), [("a,b/train.en", "a,b/train.de"), ("a.en", "b,c.de"), (",a,.en", ",.de")]
)
def test_commas_in_the_names_of_two_files(tmp_path, monkeypatch, first, second):
    monkeypatch.chdir(tmp_path)
    for path, word in ((first, "one"), (second, "eins")):
        Path(path).parent.mkdir(exist_ok=True)
        write(Path(path), "".join(f"{word} {i}\n" for i in range(5)))

    assert named_files(f"{first},{second}") == (Path(first), Path(second))
    assert ("one 1", "eins 1") in all_pairs(load_corpus(f"{first},{second}"))
    assert short_name(f"{first},{second}") == Path(first).name.split(".")[0]


@pytest.mark.parametrize(
    ("name", "message"), [("a.en,b.de", "cannot read a.en"), ("a,b,c", "no corpus, file or folder")]
)
def test_two_files_that_are_not_there(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        all_pairs(load_corpus(name))


# --- a folder


def test_folder_has_its_own_splits(folder):
    corpus = load_corpus(str(folder))

    assert languages(corpus) == ("en", "de")
    assert corpus.train == [(f"train en {n}", f"train de {n}") for n in range(20)]
    assert corpus.validation == [(f"val en {n}", f"val de {n}") for n in range(4)]
    assert corpus.test[4] == ("test_2016_flickr en 4", "test_2016_flickr de 4")


def test_folder_in_the_other_direction(folder):
    corpus = load_corpus(str(folder), source_language="de")

    assert languages(corpus) == ("de", "en")
    assert corpus.train[3] == ("train de 3", "train en 3")
    assert corpus.test[3] == ("test_2016_flickr de 3", "test_2016_flickr en 3")


@pytest.mark.parametrize("name", ["valid", "validation"])
def test_other_split_names_and_plain_files(tmp_path, name):
    for split in ("train", name, "test"):
        for code in ("en", "fr"):
            write(tmp_path / f"{split}.{code}", numbered(f"{split} {code}"))
    corpus = load_corpus(str(tmp_path))

    assert languages(corpus) == ("en", "fr")
    assert corpus.validation[0] == (f"{name} en 0", f"{name} fr 0")
    assert corpus.test[0] == ("test en 0", "test fr 0")


def test_folder_of_three_languages(folder):
    write(folder / "train.fr.gz", numbered("train fr", 20))
    assert languages(load_corpus(str(folder))) == ("en", "de")
    assert languages(load_corpus(str(folder), target_language="en")) == ("de", "en")
    with pytest.raises(InputError, match="has no es; its languages: en, de, fr"):
        load_corpus(str(folder), source_language="es")
    with pytest.raises(InputError, match="has validation sentences in en but none in fr"):
        load_corpus(str(folder), target_language="fr")


def test_folder_without_sentences(tmp_path):
    with pytest.raises(InputError, match=r"has no train\.en and train\.de"):
        load_corpus(str(tmp_path))
