"""TFDS data sets that these tests make themselves, found and read as any other."""

import time

import pytest

from tf_models.data.corpora import load_corpus
from tf_models.data.pairs import SentencePair
from tf_models.errors import InputError

tfds = pytest.importorskip("tensorflow_datasets")


class TinyFlat(tfds.core.GeneratorBasedBuilder):
    """English and German as WMT has them; only a training split."""

    VERSION = tfds.core.Version("1.0.0")
    BUILDER_CONFIGS = [
        tfds.core.BuilderConfig(name="de-en"),
        tfds.core.BuilderConfig(name="broken"),
        tfds.core.BuilderConfig(name="far"),
    ]

    def _info(self):
        return self.dataset_info_from_configs(
            features=tfds.features.Translation(languages=("en", "de")), supervised_keys=("de", "en")
        )

    def _split_generators(self, dl_manager):
        if self.builder_config.name == "broken":
            raise ConnectionError("no route to host\nand a long explanation")
        if self.builder_config.name == "far":
            dl_manager.download("http://127.0.0.1:9/pairs")
        return {"train": self._generate_examples()}

    def _generate_examples(self):
        for number in range(40):
            yield number, {"en": f"u\u0308 {number}", "de": f"de\n{number}"}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    """Where the data sets lie, prepared."""
    folder = tmp_path_factory.mktemp("tfds")
    tfds.builder("tiny_flat/de-en", data_dir=folder).download_and_prepare()
    return folder


def load(name, data_dir, **options):
    return load_corpus(f"tfds:{name}", data_dir=data_dir, **options)


def test_pairs_keyed_by_language(data_dir):
    corpus = load("tiny_flat/de-en", data_dir, languages=("en", None))

    assert corpus.name == "tfds:tiny_flat/de-en"
    assert (corpus.source_language, corpus.target_language) == ("en", "de")
    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (38, 1, 1)
    pairs = corpus.train + corpus.validation + corpus.test
    assert set(pairs) == {SentencePair(f"\xfc {n}", f"de {n}") for n in range(40)}


@pytest.mark.parametrize(
    ("name", "target", "complaint"),
    [
        ("no_such_set", None, "cannot load tfds:no_such_set: .*--data-dir"),
        ("tiny_flat/broken", None, "cannot load tfds:tiny_flat/broken: no route to host; .*"),
        # A minute and more with TFDS' own retries.
        pytest.param(
            *("tiny_flat/far", None, "tfds:tiny_flat/far: no connection"), marks=pytest.mark.slow
        ),
        ("tiny_flat/de-en", "fr", "has no de or no fr; it has de, en"),
    ],
)
def test_errors_are_one_line(data_dir, name, target, complaint):
    started = time.monotonic()
    with pytest.raises(InputError, match=complaint) as caught:
        load(name, data_dir, languages=(None, target))
    assert "\n" not in str(caught.value)
    assert time.monotonic() - started < 30
