import json
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from tf_models.translation.export import export_saved_model

pytestmark = pytest.mark.slow

SEARCHES = {"greedy": (1, 0.0), "beam_search": (3, 0.6)}  # beam size, length penalty
STRANGER = """
import sys
sys.modules["tf_models"] = None  # cannot be imported
import numpy as np
import tensorflow as tf

folder, ids, results = sys.argv[1:]
model = tf.saved_model.load(folder)
ids = tf.constant(np.load(ids))
found = {}
for name in ("greedy", "beam_search"):
    called, signature = getattr(model, name)(ids), model.signatures[name](ids=ids)
    for key in ("ids", "scores"):
        np.testing.assert_array_equal(called[key], signature[key])
        found[f"{name}_{key}"] = called[key]
np.savez(results, **found)
"""


def found_by_a_stranger(folder, ids):
    """What a process without this package finds with the SavedModel."""
    np.save(folder.parent / "ids.npy", ids)
    arguments = [folder, folder.parent / "ids.npy", folder.parent / "results.npz"]
    subprocess.run([sys.executable, "-c", STRANGER, *map(str, arguments)], check=True)
    return np.load(folder.parent / "results.npz")


@pytest.fixture(scope="module")
def exported(trained_translator, tmp_path_factory):
    """The folder of a SavedModel."""
    folder = tmp_path_factory.mktemp("saved") / "export"
    export_saved_model(trained_translator, folder, beam_size=3, length_penalty=0.6)
    return folder


def encoded(translator, sentences):
    """Ids of sentences, padded."""
    sources = [translator.source.encode(sentence) for sentence in sentences]
    return tf.ragged.constant(sources, dtype=tf.int32).to_tensor()


def test_without_this_package_it_finds_the_same(trained_translator, exported, sentences):
    ids = encoded(trained_translator, sentences)
    found = found_by_a_stranger(exported, ids)

    for name, search in SEARCHES.items():
        beam_size, penalty = search
        expected = trained_translator.search(beam_size, ids, penalty)
        np.testing.assert_array_equal(found[f"{name}_ids"], expected.ids)
        np.testing.assert_allclose(found[f"{name}_scores"], expected.scores, atol=1e-5)
    assert found["beam_search_ids"].shape[1] == 3


def test_in_16_bits_it_finds_the_same(in_bfloat16, tmp_path, sentences):
    export_saved_model(in_bfloat16, tmp_path / "export", beam_size=3, length_penalty=0.6)
    ids = encoded(in_bfloat16, sentences)
    model = tf.saved_model.load(str(tmp_path / "export"))

    for name, search in SEARCHES.items():
        found = getattr(model, name)(ids)
        beam_size, penalty = search
        expected = in_bfloat16.search(beam_size, ids, penalty)
        np.testing.assert_array_equal(found["ids"], expected.ids)
        np.testing.assert_allclose(found["scores"], expected.scores, atol=1e-5)


def test_description(trained_translator, exported):
    described = json.loads((exported / "translator.json").read_text())
    assert (described["beam_size"], described["length_penalty"]) == (3, 0.6)
    assert described["source"]["start_id"] == trained_translator.tokenizers.source.start_id
    assert (exported / "source.model").is_file()
