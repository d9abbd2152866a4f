"""What is exported for LiteRT, in processes that have neither TensorFlow nor this package."""

import json
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.tasks.translation.export.litert import export_litert
from tf_models.tasks.translation.ready_made import ready_made
from tf_models.tasks.translation.translator import Translator

pytestmark = pytest.mark.slow

pytest.importorskip("ai_edge_litert", reason='no LiteRT: pip install -e ".[benchmark]"')

BEAM_SIZES = (1, 3)
STRANGER = """
import json, sys
folder, *missing = sys.argv[1:]
sys.modules |= dict.fromkeys(["tensorflow", "tf_models", *missing])  # cannot be imported
sys.path.insert(0, folder)
from translate import Translator
sentences, beam_sizes = json.load(sys.stdin)
translator = Translator()
print(json.dumps([[translator.translate(s, n) for s in sentences] for n in beam_sizes]))
"""


def found_by_a_stranger(folder, sentences, beam_sizes=BEAM_SIZES):
    """Translations for each beam size."""
    done = run_stranger(folder, sentences, beam_sizes, check=True)
    return json.loads(done.stdout)


def run_stranger(folder, sentences, beam_sizes=BEAM_SIZES, missing=(), **options):
    return subprocess.run(
        [sys.executable, "-c", STRANGER, folder, *missing],
        input=json.dumps([sentences, beam_sizes]),
        capture_output=True,
        text=True,
        **options,
    )


def translations(translator, sentences, beam_sizes=BEAM_SIZES):
    """What this project finds, for each beam size."""
    return [
        [best.text for best, *_ in translator.translate(sentences, beam_size=n)] for n in beam_sizes
    ]


def test_without_tensorflow_it_finds_the_same(trained_translator, tmp_path, sentences):
    export_litert(trained_translator, tmp_path)
    sentences = [*sentences[::5], "The😀 sees the  dog.", "fox漢字", "A fóx 🙂 sees 🙂."]

    found = found_by_a_stranger(tmp_path, sentences)
    assert found == translations(trained_translator, sentences)
    assert len(set(found[0])) > 10


def test_a_recurrent_model(tiny_run, tmp_path, sentences):
    translator = Translator.load(tiny_run("recurrent"))
    export_litert(translator, tmp_path)

    found = found_by_a_stranger(tmp_path, sentences[:20])
    assert found == translations(translator, sentences[:20])


def test_a_translation_that_does_not_end_stops_at_the_last_position(changed, tmp_path, sentences):
    translator = changed(end=-50.0)
    export_litert(translator, tmp_path)

    found = found_by_a_stranger(tmp_path, sentences[:2])
    assert found == translations(translator, sentences[:2])


def test_the_ready_made_translator(tmp_path, shared_data):
    """The same in 32 bits; smaller, and nearly the same, in 16 and 8."""
    lines = (shared_data / "tatoeba" / "deu.txt").read_text(encoding="utf-8").splitlines()
    translator = ready_made()
    sources = [line.split("\t")[0] for line in lines[::400]]
    sentences = [source for source in sources if translator.can_translate(source)]
    sentences += ["Don’t go – it’s “late” 🙂!", "Señor Müller’s café is №5…"]
    expected, sizes = translations(translator, sentences, [1, 5]), {}
    for quantization, alike in {"float32": 1, "float16": 0.98, "int8": 0.9}.items():
        folder = tmp_path / quantization
        folder.mkdir()
        export_litert(translator, folder, quantization)

        found = found_by_a_stranger(folder, sentences, [1, 5])
        assert np.mean(np.equal(found, expected)) >= alike
        sizes[quantization] = (folder / "model.tflite").stat().st_size
    assert len(sentences) > 100
    assert sizes["float16"] < 0.52 * sizes["float32"]
    assert sizes["int8"] < 0.3 * sizes["float32"]


def test_what_cannot_be_translated(trained_translator, tmp_path):
    export_litert(trained_translator, tmp_path, beam_size=2, length_penalty=0.5)
    described = json.loads((tmp_path / "translator.json").read_text(encoding="utf-8"))
    assert (described["beam_size"], described["length_penalty"]) == (2, 0.5)

    program = [sys.executable, tmp_path / "translate.py"]
    for sentence, message in {
        " ": "nothing to translate in ' '",
        "漢字": "nothing to translate in '漢字'",
        "dog " * 40: "the sentence is too long, ",
    }.items():
        done = subprocess.run([*program, sentence], capture_output=True, encoding="utf-8")
        assert done.returncode == 1
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_a_missing_package_is_named(trained_translator, tmp_path):
    export_litert(trained_translator, tmp_path)
    done = run_stranger(tmp_path, [], missing=["ai_edge_litert"])

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "ai_edge_litert" in line
    assert line.endswith("run: pip install ai-edge-litert sentencepiece")


def test_an_operation_that_litert_lacks(trained_translator, tmp_path, monkeypatch, capfd):
    def with_fft(ids):
        waves = tf.signal.fft(tf.cast(ids, tf.complex64))
        return encode(ids)._replace(padding_mask=tf.math.imag(waves)[:, tf.newaxis, tf.newaxis])

    encode = trained_translator.model.encode
    monkeypatch.setattr(trained_translator.model, "encode", with_fft)
    with pytest.raises(InputError, match=r"LiteRT lacks .* Transformer; export .* saved-model"):
        export_litert(trained_translator, tmp_path)
    assert "FFT" not in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
