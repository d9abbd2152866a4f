"""What `--corpus` stands for: cleaning, choice and splits of its pairs, the toy, the names."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.written_corpora import all_pairs, languages, numbered, table, write
from tf_models.data.embedded.annotated_pairs import header
from tf_models.data.text.corpora import load_corpus, load_sentences, metrics_of
from tf_models.data.text.corpus_files import read_aligned, read_references
from tf_models.data.text.pairs import SentencePair
from tf_models.data.text.splits import source_key
from tf_models.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
SHARED_DATA = ROOT.parent / "shared" / "data"


def shared(name: str) -> str:
    path = SHARED_DATA / name
    if not path.exists():
        pytest.skip(f"real data: no shared/data/{name} beside the repository")
    return str(path)


# --- which pairs, in which split


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


@pytest.mark.parametrize("text", ["", "\n\n", "\tnur\n"])
def test_empty_corpus(tmp_path, text):
    with pytest.raises(InputError, match="has no train sentence pairs from en to de"):
        load_corpus(write(tmp_path / "deu.txt", text))


# --- sentences of one language

PLAIN = "".join(f"sentence {n}\n" for n in range(10))


@pytest.mark.parametrize(
    ("file", "text", "language", "expected"),
    [
        ("mine.txt", PLAIN + "\n  \nsentence 3\n", None, ("en", "sentence")),
        ("mine", PLAIN.replace("\n", "\r\n"), "tl", ("tl", "sentence")),
        ("train.fr.gz", PLAIN, None, ("fr", "sentence")),
        ("deu.txt", PLAIN, None, ("de", "sentence")),
        ("deu.txt", table(), None, ("en", "en")),
        ("deu.txt", table(), "de", ("de", "de")),
        ("windows.tsv", table(end="\tCC-BY\n"), None, ("en", "en")),
        ("windows.tsv", table(), "sv", ("sv", "en")),
    ],
)
def test_sentences_of_a_file(tmp_path, file, text, language, expected):
    corpus = load_sentences(write(tmp_path / file, text), language)

    of_language, word = expected
    assert corpus.source_language == of_language
    assert sorted(pair.source for pair in all_pairs(corpus)) == [f"{word} {n}" for n in range(10)]
    assert all(map(len, (corpus.train, corpus.validation, corpus.test)))


def test_sentences_of_the_corpora_that_translators_train_on(tmp_path):
    folder = tmp_path / "both"
    folder.mkdir()
    for code in ("en", "de"):
        write(folder / f"train.{code}", numbered(code))
    path = str(folder)
    pair = f"{folder / 'train.en'},{folder / 'train.de'}"
    for name in (path, pair, write(tmp_path / "deu.txt", table())):
        for code in (None, "en", "de"):
            assert load_sentences(name, code) == load_corpus(name, source_language=code)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine.tsv", "1\ta\t2\tb\n", "line 1: expected 2 or 3 columns"),
        ("mine.txt", "\n", "mine.txt has no train sentence"),
        ("a.txt,b.txt", "a\n", "name the one file with the sentences, one a line"),
        ("none.txt", None, "no corpus, file or folder"),
    ],
)
def test_files_of_no_sentences(tmp_path, monkeypatch, name, text, message):
    monkeypatch.chdir(tmp_path)
    for path in name.split(",") if text else ():
        write(tmp_path / path, text)
    with pytest.raises(InputError, match=message) as error:
        load_sentences(name)
    assert "language" not in str(error.value).split("by its name")[-1]


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


# --- the embedded corpus, and files like it

COLUMNS = header("en", "de")
DOGS = [
    ("The dog.", "Der Hund.", "train", "", "0-0 1-1 2-2"),
    ("A cat.", "Eine Katze.", "train", "", ""),
    ("Old dogs.", "Alte Hunde.", "validation", "", "0-0 1-1"),
    ("He's here.", "Er ist hier.", "test", "Er ist da. | Hier ist er.", "0-0 0-1 1-2"),
]


@pytest.fixture
def annotated(tmp_path):
    lines = ["\t".join((*cells, *[""] * 13)) for cells in DOGS]
    return write(tmp_path / "dogs.tsv", "\n".join([COLUMNS, *lines]) + "\n")


@pytest.mark.parametrize(
    ("name", "pairs", "fingerprint"),
    [("toy", 100_000, "1a562c3382bcd66f"), ("everyday", 105_000, "d917780fda035c12")],
)
def test_embedded_corpora(name, pairs, fingerprint):
    corpus = load_corpus(name, seed=3)

    assert (corpus.name, *languages(corpus)) == (name, "en", "de")
    assert [len(part) for part in (corpus.train, corpus.validation, corpus.test)] == [
        *(pairs, 1_000, 2_000)
    ]
    assert not {p.source for p in corpus.test} & {p.source for p in corpus.train}
    assert set(corpus.alignments) == {p.source for p in (*corpus.validation, *corpus.test)}
    assert corpus.fingerprint() == fingerprint


def test_columns_of_a_file(annotated):
    corpus = load_corpus(annotated)

    assert languages(corpus) == ("en", "de")
    assert corpus.train == [pair[:2] for pair in DOGS[:2]]
    assert corpus.others == {"He's here.": ["Er ist da.", "Hier ist er."]}
    assert corpus.alignments["He's here."] == [(0, 0), (0, 1), (1, 2)]
    assert set(corpus.alignments) == {"Old dogs.", "He's here."}


def test_the_other_direction(annotated):
    corpus = load_corpus(annotated, source_language="de", target_language="en")

    assert languages(corpus) == ("de", "en")
    assert corpus.train[0] == SentencePair("Der Hund.", "The dog.")
    assert corpus.alignments["Er ist hier."] == [(0, 0), (1, 0), (2, 1)]
    assert not corpus.metrics
    with pytest.raises(InputError, match=r"dogs\.tsv holds en and de; received .*fr"):
        load_corpus(annotated, target_language="fr")


def test_max_pairs_are_the_first_ones(annotated, capsys):
    assert load_corpus(annotated, max_pairs=1).train == [DOGS[0][:2]]
    assert capsys.readouterr().err == ""
    assert len(load_corpus(annotated, max_pairs=3).train) == 2
    assert "has 2 training pairs; all of them are used" in capsys.readouterr().err


def test_a_split_that_is_missing(annotated):
    path = Path(annotated)
    path.write_text(path.read_text("utf-8").replace("\ttest\t", "\tvalidation\t"), "utf-8")
    with pytest.raises(InputError, match="has no test sentence pairs from en to de"):
        load_corpus(annotated)


def test_metrics_are_of_the_corpus_that_has_them(annotated):
    assert [metric.name for metric in metrics_of(["toy"], "de")] == [
        *("pronouns_by_place", "pronouns_by_meaning", "copies")
    ]
    assert metrics_of(["deu.txt", str(annotated)], "de")
    assert metrics_of(["toy"], "en") == ()
    assert metrics_of(["multi30k"], "de") == ()
    assert metrics_of(["no/such/file.tsv"], "de") == ()


# --- names


@pytest.mark.parametrize("name", ["no/such/file.txt", "", "wmt14", "a,b,c", "x" * 5000, "a\0b"])
def test_unknown_name_lists_the_accepted_forms(name):
    with pytest.raises(InputError) as caught:
        load_corpus(name)
    named = ("toy", "everyday", "tatoeba", "multi30k")
    for form in (*named, "SOURCE_FILE,TARGET_FILE", "tfds:NAME/CONFIG"):
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
        "import sys; import tf_models.data.text.corpora;"
        "print([name for name in ('tensorflow', 'tensorflow_datasets', 'requests')"
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


def test_references_lose_the_space_around_them(tmp_path):
    path = tmp_path / "lesson.tsv"
    path.write_text("The dog. \tDer Hund. \t Ein Hund.\t\n")
    assert read_references(path) == {"The dog.": ("Der Hund.", "Ein Hund.")}


def test_aligned_files_lose_the_space_around_their_lines(tmp_path):
    (tmp_path / "a.en").write_text("The dog. \n")
    (tmp_path / "a.de").write_text(" Der Hund.\r\n")
    assert read_aligned(tmp_path / "a.en", tmp_path / "a.de") == [("The dog.", "Der Hund.")]
