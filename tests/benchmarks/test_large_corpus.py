from pathlib import Path

from benchmarks.large_corpus import SAMPLE_SECONDS, cost_of, lines, write_corpus
from tf_models.data.text.corpora import load_corpus

POOL = 1000


def test_lines_are_different_pairs_of_the_embedded_corpus():
    pairs = list(lines(300, POOL))

    assert len(set(pairs)) > 250
    single = {(pair.source, pair.target) for pair in load_corpus("toy", max_pairs=POOL).train}
    assert 30 < sum(pair in single for pair in pairs) < 150  # one sentence of up to four


def test_files_are_aligned(tmp_path):
    paths = write_corpus(tmp_path / "all", 20, POOL).split(",")
    english, german = (Path(path).read_text().splitlines() for path in paths)

    assert list(zip(english, german, strict=True)) == list(lines(20, POOL))


def test_the_cost_counts_children(monkeypatch, tmp_path):
    script = tmp_path / "scripts" / "parent.py"
    script.parent.mkdir()
    child = f"import time; held = bytearray(200_000_000); time.sleep({8 * SAMPLE_SECONDS})"
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])")
    monkeypatch.setattr("benchmarks.large_corpus.ROOT", tmp_path)
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
    monkeypatch.setattr("benchmarks.large_corpus.ROOT", tmp_path)
    cost, until = cost_of("talker.py", after=lambda line: line.startswith("here"), more=0.5)

    assert until + 0.4 < cost.seconds < 30
