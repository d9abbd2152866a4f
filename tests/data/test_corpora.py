"""Each form of `--corpus`: pairs, languages, splits, and the line that says what is wrong."""

import gzip
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tf_models.data.corpora import SentencePair, load_corpus
from tf_models.data.splits import source_key
from tf_models.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared(name: str) -> str:
    path = SHARED_DATA / name
    if not path.exists():
        pytest.skip(f"real data: no shared/data/{name} beside the repository")
    return str(path)


def write(path: Path, text: str) -> str:
    content = text.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


def numbered(language: str, count: int = 10) -> str:
    return "".join(f"{language} {number}\n" for number in range(count))


def table(count: int = 10, end: str = "\n") -> str:
    return "".join(f"en {number}\tde {number}{end}" for number in range(count))


def all_pairs(corpus) -> list[SentencePair]:
    return corpus.train + corpus.validation + corpus.test


def languages(corpus) -> tuple[str, str]:
    return corpus.source_language, corpus.target_language


# --- a tab-separated file


@pytest.mark.parametrize("name", ["deu.txt", "deu.txt.gz", "deu.tsv"])
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


def test_empty_sides_and_duplicates_are_dropped_and_counted(tmp_path, capsys):
    text = table(10) + "\tallein\nalone\t  \n\n" + table(3)
    corpus = load_corpus(write(tmp_path / "deu.txt", text))

    assert sorted(all_pairs(corpus)) == [(f"en {n}", f"de {n}") for n in range(10)]
    output, errors = capsys.readouterr()
    assert output == ""
    assert "skipped 2 pair(s) with an empty side" in errors
    assert "skipped 3 pair(s) seen before" in errors


def test_clean_corpus_is_silent(tmp_path, capsys):
    load_corpus(write(tmp_path / "deu.txt", table()))
    assert capsys.readouterr() == ("", "")


def test_separator_within_a_line_does_not_break_it(tmp_path):
    corpus = load_corpus(write(tmp_path / "deu.txt", table() + "a\u2028b\tc\u0085d\n"))

    assert ("a\u2028b", "c\u0085d") in all_pairs(corpus)


@pytest.mark.parametrize("text", ["", "\n\n", "\tnur\n"])
def test_empty_corpus(tmp_path, text):
    with pytest.raises(InputError, match="has no train sentence pairs from en to de"):
        load_corpus(write(tmp_path / "deu.txt", text))


def test_corpus_too_small_to_split(tmp_path):
    text = "Hi.\tHallo!\nHi.\tServus!\nhi.\tGrüß Gott!\nGo.\tGeh.\n"
    with pytest.raises(InputError, match="received 2 distinct source sentences"):
        load_corpus(write(tmp_path / "deu.txt", text))
    with pytest.raises(InputError, match="received 2 distinct source sentences"):
        load_corpus(write(tmp_path / "deu.txt", table()), max_pairs=2)


def test_max_pairs_are_chosen_from_the_whole_file(tmp_path):
    path = write(tmp_path / "deu.txt", table(1000))
    corpus = load_corpus(path, max_pairs=100)
    numbers = [int(pair.source.split()[1]) for pair in all_pairs(corpus)]

    assert len(numbers) == 100
    assert min(numbers) < 200
    assert max(numbers) > 800
    assert load_corpus(path, max_pairs=100) == corpus
    assert set(all_pairs(load_corpus(path, max_pairs=100, seed=1))) != set(all_pairs(corpus))


@pytest.mark.parametrize("max_pairs", [0, -5])
def test_max_pairs_must_be_positive(max_pairs):
    with pytest.raises(InputError, match=f"at least 1; received {max_pairs}"):
        load_corpus("toy", max_pairs=max_pairs)


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


# --- a folder


@pytest.fixture
def folder(tmp_path):
    for split, count in (("train", 20), ("val", 4), ("test_2016_flickr", 5)):
        for code in ("en", "de"):
            write(tmp_path / f"{split}.{code}.gz", numbered(f"{split} {code}", count))
    write(tmp_path / "README.md", "not a corpus")
    return tmp_path


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


def test_missing_splits_are_held_out_of_the_training_pairs(folder):
    for path in folder.glob("val.*"):
        path.unlink()
    corpus = load_corpus(str(folder))
    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (19, 1, 5)
    for path in folder.glob("test_*"):
        path.unlink()
    corpus = load_corpus(str(folder))
    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (18, 1, 1)


def test_max_pairs_leaves_own_splits_whole(folder):
    corpus = load_corpus(str(folder), max_pairs=7)

    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (7, 4, 5)


def test_duplicates_of_own_test_pairs_stay(folder):
    for code in ("en", "de"):
        write(folder / f"test_2016_flickr.{code}.gz", f"same {code}\n" * 3)
        write(folder / f"train.{code}.gz", f"same {code}\n" * 3)
    corpus = load_corpus(str(folder))

    assert (len(corpus.train), len(corpus.test)) == (1, 3)


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


# --- the embedded toy


@pytest.fixture
def grammar(monkeypatch):
    """Stand in for the grammar; notes what it was asked."""
    asked = []

    def toy_splits(train, validation, test, seed=0):
        asked.append((train, validation, test, seed))
        pair = types.SimpleNamespace(source="the dog", target="der Hund")
        return types.SimpleNamespace(train=[pair] * train, validation=[pair], test=[pair])

    module = types.ModuleType("tf_models.data.grammar")
    module.toy_splits = toy_splits
    monkeypatch.setitem(sys.modules, "tf_models.data.grammar", module)
    return asked


def test_toy(grammar):
    corpus = load_corpus("toy", seed=3)

    assert grammar == [(50_000, 1000, 2000, 3)]
    assert (corpus.name, *languages(corpus)) == ("toy", "en", "de")
    assert len(corpus.train) == 50_000
    assert corpus.train[0] == SentencePair("the dog", "der Hund")


def test_toy_in_the_other_direction_and_size(grammar):
    corpus = load_corpus("toy", source_language="de", target_language="en", max_pairs=50)

    assert grammar[0][0] == 50
    assert languages(corpus) == ("de", "en")
    for part in (corpus.train, corpus.validation, corpus.test):
        assert part[0] == SentencePair("der Hund", "the dog")


def test_toy_knows_two_languages(grammar):
    with pytest.raises(InputError, match="the toy corpus holds en and de; received .*fr"):
        load_corpus("toy", target_language="fr")


# --- names


@pytest.mark.parametrize("name", ["no/such/file.txt", "", "wmt14", "a,b,c", "x" * 5000, "a\0b"])
def test_unknown_name_lists_the_accepted_forms(name):
    with pytest.raises(InputError) as caught:
        load_corpus(name)
    for form in ("toy", "tatoeba", "multi30k", "SOURCE_FILE,TARGET_FILE", "tfds:NAME/CONFIG"):
        assert form in str(caught.value)
    assert "\n" not in str(caught.value)


def test_named_corpora_are_read_from_the_cache(tmp_path, folder):
    (tmp_path / "tatoeba").mkdir()
    write(tmp_path / "tatoeba" / "deu.txt", table())
    folder.joinpath("multi30k").mkdir()
    for path in folder.glob("*.gz"):
        path.rename(folder / "multi30k" / path.name)

    corpus = load_corpus("tatoeba", data_dir=tmp_path, source_language="de")
    assert (corpus.name, *languages(corpus)) == ("tatoeba", "de", "en")
    corpus = load_corpus("multi30k", data_dir=folder)
    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (20, 4, 5)


def test_importing_is_quick():
    program = (
        "import sys; import tf_models.data.corpora;"
        "print([name for name in ('tensorflow', 'tensorflow_datasets', 'requests', 'numpy')"
        " if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


# --- real data


def test_real_multi30k():
    shared("multi30k")
    corpus = load_corpus("multi30k", data_dir=SHARED_DATA)

    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (28_997, 1014, 1000)
    assert corpus.train[0].source == "Two young, White males are outside near many bushes."
    assert corpus.train[0].target.startswith("Zwei junge weiße Männer")


def test_real_tatoeba():
    corpus = load_corpus(shared("tatoeba/deu.txt"))
    keys = [{source_key(pair) for pair in part} for part in (corpus.train, corpus.test)]

    assert len(all_pairs(corpus)) == 48_401
    assert not keys[0] & keys[1]
    assert SentencePair("Go.", "Geh.") in all_pairs(corpus)
    some = all_pairs(load_corpus(shared("tatoeba/deu.txt"), max_pairs=500))
    assert max(len(pair.source) for pair in some) > 20  # the first 500 lines have 9 at most
