"""What `--corpus` stands for: cleaning, choice and splits of its pairs, the toy, the names."""

import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.support.written_corpora import all_pairs, languages, table, write
from tf_models.data.grammar.measures import MEASURES, copying_accuracy
from tf_models.data.grammar.pronoun_families import BY_MEANING, BY_PLACE
from tf_models.data.text.corpora import TOY_TRAINING_PAIRS, load_corpus, metrics_of
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


# --- the embedded toy


@pytest.fixture
def grammar(monkeypatch):
    """Stand in for the grammar; notes what it was asked."""
    asked = []

    def toy_splits(train, validation, test, seed=0, progress=False):
        asked.append((train, validation, test, seed))
        facts = {"others": ("der Köter",), "kind": "others"}
        texts = {"english": "the dog", "german": "der Hund"}
        written = types.SimpleNamespace(**texts, alignment=((0, 0), (0, 1), (1, 1)))
        facts |= {"source": "the dog", "target": "der Hund", "written": written}
        pair = types.SimpleNamespace(**facts)
        return types.SimpleNamespace(train=[pair] * train, validation=[pair], test=[pair])

    monkeypatch.setattr("tf_models.data.grammar.toy_splits", toy_splits)
    return asked


def test_toy(grammar):
    corpus = load_corpus("toy", seed=3)

    assert grammar == [(TOY_TRAINING_PAIRS, 1000, 2000, 3)]
    assert (corpus.name, *languages(corpus)) == ("toy", "en", "de")
    assert len(corpus.train) == TOY_TRAINING_PAIRS
    assert corpus.others == {"the dog": ("der Köter",)}
    assert corpus.train[0] == SentencePair("the dog", "der Hund")
    assert corpus.alignments == {"the dog": [(0, 0), (0, 1), (1, 1)]}


def test_each_metric_of_the_toy_has_its_measure():
    by_place, by_meaning, copies = metrics_of("toy", "de")

    assert by_place.compute is MEASURES[BY_PLACE]
    assert by_meaning.compute is MEASURES[BY_MEANING]
    assert copies.compute is copying_accuracy


def test_guesses_stand_beside_what_is_measured():
    corpus = load_corpus("toy", max_pairs=2_000)

    assert set(corpus.baselines) == {metric.name for metric in corpus.metrics[:2]}
    for guesses in corpus.baselines.values():
        assert 20 < guesses["nothing"] < 60


def test_toy_in_the_other_direction_and_size(grammar):
    corpus = load_corpus("toy", source_language="de", target_language="en", max_pairs=50)

    assert grammar[0][0] == 50
    assert languages(corpus) == ("de", "en")
    for part in (corpus.train, corpus.validation, corpus.test):
        assert part[0] == SentencePair("der Hund", "the dog")
    assert corpus.alignments == {"der Hund": [(0, 0), (1, 0), (1, 1)]}


def test_toy_knows_two_languages(grammar):
    with pytest.raises(InputError, match="the corpus toy holds en and de; received .*fr"):
        load_corpus("toy", target_language="fr")
    assert not grammar  # nothing was made in vain


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
