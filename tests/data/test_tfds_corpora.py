"""TFDS data sets that these tests make themselves, found and read as any other."""

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
    ]

    def _info(self):
        return self.dataset_info_from_configs(
            features=tfds.features.Translation(languages=("en", "de")), supervised_keys=("de", "en")
        )

    def _split_generators(self, dl_manager):
        if self.builder_config.name == "broken":
            raise ConnectionError("no route to host\nand a long explanation")
        return {"train": self._generate_examples()}

    def _generate_examples(self):
        for number in range(40):
            yield number, {"en": f"u\u0308 {number}", "de": f"de\n{number}"}


class TinyNested(tfds.core.GeneratorBasedBuilder):
    """Three languages as TED Multi has them, one of which a talk may lack; all three splits."""

    VERSION = tfds.core.Version("1.0.0")

    def _info(self):
        return self.dataset_info_from_configs(
            features=tfds.features.FeaturesDict(
                {
                    "translations": tfds.features.TranslationVariableLanguages(
                        languages=["de", "en", "pt-br"]
                    ),
                    "talk_name": tfds.features.Text(),
                }
            )
        )

    def _split_generators(self, dl_manager):
        return {split: self._generate_examples(split) for split in ("train", "validation", "test")}

    def _generate_examples(self, split):
        for number in range(12):
            texts = {code: f"{split} {code} {number}" for code in ("en", "de", "pt-br")}
            if number % 3 == 0:
                del texts["de"]
            yield number, {"translations": texts, "talk_name": "talk"}


class TinyImages(tfds.core.GeneratorBasedBuilder):
    """No translations."""

    VERSION = tfds.core.Version("1.0.0")

    def _info(self):
        return self.dataset_info_from_configs(
            features=tfds.features.FeaturesDict({"label": tfds.features.ClassLabel(num_classes=2)})
        )

    def _split_generators(self, dl_manager):
        return {"train": iter([(0, {"label": 0})])}

    def _generate_examples(self):
        raise NotImplementedError


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    """Where the data sets lie, prepared."""
    folder = tmp_path_factory.mktemp("tfds")
    for name in ("tiny_flat/de-en", "tiny_nested", "tiny_images"):
        tfds.builder(name, data_dir=folder).download_and_prepare()
    return folder


def load(name, data_dir, **options):
    return load_corpus(f"tfds:{name}", data_dir=data_dir, **options)


def test_pairs_keyed_by_language(data_dir):
    corpus = load("tiny_flat/de-en", data_dir, source_language="en")

    assert corpus.name == "tfds:tiny_flat/de-en"
    assert (corpus.source_language, corpus.target_language) == ("en", "de")
    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (38, 1, 1)
    pairs = corpus.train + corpus.validation + corpus.test
    assert set(pairs) == {SentencePair(f"\xfc {n}", f"de {n}") for n in range(40)}


def test_direction_is_that_of_the_data_set_by_default(data_dir):
    corpus = load("tiny_flat/de-en", data_dir)

    assert (corpus.source_language, corpus.target_language) == ("de", "en")
    assert corpus.train[0].source.startswith("de ")


def test_nested_translations(data_dir):
    corpus = load("tiny_nested", data_dir)

    assert (corpus.source_language, corpus.target_language) == ("en", "de")
    numbers = [n for n in range(12) if n % 3]
    for split in ("train", "validation", "test"):
        expected = {SentencePair(f"{split} en {n}", f"{split} de {n}") for n in numbers}
        assert set(getattr(corpus, split)) == expected


def test_nested_translations_between_other_languages(data_dir):
    corpus = load("tiny_nested", data_dir, source_language="pt-br", target_language="en")

    assert len(corpus.train) == 12
    assert all(pair.source.startswith("train pt-br") for pair in corpus.train)


def test_max_pairs_counts_pairs_and_leaves_own_splits_whole(data_dir):
    corpus = load("tiny_nested", data_dir, max_pairs=5)

    assert (len(corpus.train), len(corpus.validation), len(corpus.test)) == (5, 8, 8)


def test_data_set_whose_code_is_not_installed(data_dir, tmp_path):
    (tmp_path / "copied_set").symlink_to(data_dir / "tiny_nested")
    corpus = load("copied_set", tmp_path)

    assert len(corpus.train) == 8


@pytest.mark.parametrize(
    ("name", "target", "complaint"),
    [
        ("no_such_set", None, "cannot load tfds:no_such_set: .*--data-dir"),
        ("tiny_flat/xx-yy", None, "cannot load tfds:tiny_flat/xx-yy"),
        ("tiny_flat/broken", None, "cannot load tfds:tiny_flat/broken: no route to host; .*"),
        ("tiny_flat/de-en", "fr", "holds de and en; received fr"),
        ("tiny_nested", "fr", "tiny_nested has no fr; its languages: de, en, pt-br"),
        ("tiny_images", None, "tiny_images has no training pairs; it holds label"),
    ],
)
def test_errors_are_one_line(data_dir, name, target, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        load(name, data_dir, target_language=target)
    assert "\n" not in str(caught.value)
