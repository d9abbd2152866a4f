import json
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from tf_models.errors import InputError
from tf_models.tasks.translation.export.saved_model import export_saved_model

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
    """Ids of sentences as lists, and padded."""
    sources = [translator.source.encode(sentence) for sentence in sentences]
    return sources, tf.ragged.constant(sources, dtype=tf.int32).to_tensor()


def test_without_this_package_it_finds_the_same(trained_translator, exported, sentences):
    sources, ids = encoded(trained_translator, sentences)
    found = found_by_a_stranger(exported, ids)

    for name, search in SEARCHES.items():
        expected = trained_translator.searcher.search(sources, *search)
        np.testing.assert_array_equal(found[f"{name}_ids"], expected.ids)
        np.testing.assert_allclose(found[f"{name}_scores"], expected.scores, atol=1e-5)
    assert found["beam_search_ids"].shape[1] == 3


def test_in_16_bits_it_finds_the_same(in_bfloat16, tmp_path, sentences):
    export_saved_model(in_bfloat16, tmp_path / "export", beam_size=3, length_penalty=0.6)
    sources, ids = encoded(in_bfloat16, sentences)
    model = tf.saved_model.load(str(tmp_path / "export"))

    for name, search in SEARCHES.items():
        found = getattr(model, name)(ids)
        expected = in_bfloat16.searcher.search(sources, *search)
        np.testing.assert_array_equal(found["ids"], expected.ids)
        np.testing.assert_allclose(found["scores"], expected.scores, atol=1e-5)


def test_a_source_that_is_too_long(exported):
    model = tf.saved_model.load(str(exported))

    model.greedy(tf.ones((1, 40), tf.int32))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="more ids than the model has positions"
    ):
        model.greedy(tf.ones((1, 41), tf.int32))


def test_description(trained_translator, exported):
    described = json.loads((exported / "translator.json").read_text())
    assert (described["beam_size"], described["length_penalty"]) == (3, 0.6)
    assert described["source"]["start_id"] == trained_translator.tokenizers.source.start_id
    assert (exported / "source.model").is_file()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam_size": 0}, "beam_size must be at least 1; received 0"),
        ({"length_penalty": -1.0}, "length_penalty must be 0 to 10; received -1.0"),
    ],
)
def test_options_that_make_no_sense(trained_translator, tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        export_saved_model(trained_translator, tmp_path, **options)
    assert list(tmp_path.iterdir()) == []
