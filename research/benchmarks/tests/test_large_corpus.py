import functools
from pathlib import Path

import pytest

from research.benchmarks import large_corpus
from research.benchmarks.large_corpus import cost_of, lines, write_corpus
from tf_models.data.text.corpora import load_corpus

POOL = 1000
SAMPLE_SECONDS = 0.1


@pytest.fixture(scope="module", autouse=True)
def quick():
    """The same sentences for all tests, and a shorter sleep between two looks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_corpus, "load_corpus", functools.cache(load_corpus))
        patch.setattr(large_corpus, "SAMPLE_SECONDS", SAMPLE_SECONDS)
        yield


def test_lines_are_some_sentences_of_the_embedded_corpus_each():
    pairs = list(lines(300, POOL))
    of_source = {
        pair.source: pair.target
        for pair in large_corpus.load_corpus("everyday", max_pairs=POOL).train
    }

    assert len(set(pairs)) == 300
    for source, target in pairs:
        assert pieces(source, target, of_source) in range(2, 5)


def pieces(source, target, of_source):
    """How many known sentences the two texts are made of, one after the other."""
    if not source:
        return 0 if not target else -100
    known = (text for text in of_source if source.startswith(text))
    return max(
        (
            1 + pieces(source[len(text) + 1 :], target[len(of_source[text]) + 1 :], of_source)
            for text in known
            if target.startswith(of_source[text])
        ),
        default=-100,
    )


def test_files_are_aligned(tmp_path):
    paths = write_corpus(tmp_path / "all", 20, POOL).split(",")
    english, german = (Path(path).read_text(encoding="utf-8").splitlines() for path in paths)

    assert list(zip(english, german, strict=True)) == list(lines(20, POOL))


def test_the_cost_counts_children(monkeypatch, tmp_path):
    script = tmp_path / "scripts" / "parent.py"
    script.parent.mkdir()
    child = f"import time; held = bytearray(200_000_000); time.sleep({8 * SAMPLE_SECONDS})"
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])")
    monkeypatch.setattr("research.benchmarks.large_corpus.ROOT", tmp_path)
    cost, until = cost_of("parent.py")

    assert cost.resident > 200_000_000
    assert cost.seconds > 8 * SAMPLE_SECONDS
    assert until is None


def test_a_script_is_stopped_some_time_after_a_line(monkeypatch, tmp_path):
    script = tmp_path / "scripts" / "talker.py"
    script.parent.mkdir()
    script.write_text(
        "import time\nprint('here', flush=True)\n"
        "try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    raise SystemExit(130)\n"
    )
    monkeypatch.setattr("research.benchmarks.large_corpus.ROOT", tmp_path)
    cost, until = cost_of("talker.py", after=lambda line: line.startswith("here"), more=0.5)

    assert until + 0.4 < cost.seconds < 30
