"""Each preset is a complete file: what a command trains with is read in one place."""

import tomllib
from pathlib import Path

import pytest

from tf_models.autoencoding import settings as autoencoding
from tf_models.classification import settings as classification
from tf_models.questions import settings as questions
from tf_models.translation import settings as translation

FILES = [
    (module, path)
    for module in (autoencoding, classification, questions, translation)
    for path in sorted(Path(module.__file__).with_name("presets").glob("*.toml"))
    if path.stem != "fine-tuning"
]
# TOML has no None: the article's peak follows from d_model and warm-up. No preset fixes anything.
FOLLOWS = {"peak", "fixed"}


def read(module, path):
    family, _, name = path.stem.partition("-")
    if module is translation and family == "recurrent":
        return translation.preset(name, "rnn-attention")
    if module is classification:
        is_of_images = path.stem in ("digits", "mnist", "photos")
        return (module.image_preset if is_of_images else module.text_preset)(path.stem)
    return module.preset(path.stem)


@pytest.mark.parametrize(("module", "path"), FILES, ids=lambda value: getattr(value, "stem", ""))
def test_it_has_every_setting_and_a_first_line(module, path):
    text = path.read_text(encoding="utf-8")
    values = tomllib.loads(text)
    top = {name for name, value in values.items() if not isinstance(value, dict)}
    in_sections = {n for value in values.values() if isinstance(value, dict) for n in value}

    settings = read(module, path)
    assert settings.flat().keys() - FOLLOWS == (top | in_sections) - FOLLOWS
    assert text.startswith("# ")
    for name, value in values.items():
        if isinstance(value, dict):
            section = getattr(settings, name).model_dump(mode="json")
            assert {n: section[n] for n in value} == value


@pytest.mark.parametrize(
    ("settings", "examples", "tokens"),
    [
        (translation.preset("toy"), 48_000, 700_000),
        (translation.preset("article"), 29_000, 450_000),  # Multi30k
        (translation.preset("best"), 29_000, 450_000),
        (translation.fine_tuning(translation.preset("toy")), 480, 8_400),
        (classification.text_preset("reference"), 9_000, 0),
        (classification.text_preset("own-texts"), 25_000, 0),
        (classification.image_preset("digits"), 1_259, 0),
        (classification.image_preset("mnist"), 55_000, 0),
        (questions.preset("attention"), 60_000, 0),
        *((autoencoding.preset(name), 1_133, 0) for name in ("dense", "vae", "hierarchical")),
        (autoencoding.preset("vae").changed(epochs=50), 1_133, 0),  # digits but for one
    ],
)
def test_enough_data_are_trained_on_as_the_preset_says(settings, examples, tokens):
    fitted = settings.fitted(examples, tokens)
    assert fitted.model_dump() == settings.model_dump()


def test_fine_tuning_keeps_model_and_tokenizer():
    best = translation.preset("best")
    tuned = translation.fine_tuning(best)

    assert (tuned.model, tuned.tokenizer, tuned.batching) == (
        best.model, best.tokenizer, best.batching
    )  # fmt: skip
    assert tuned.optimizer.peak < best.optimizer.peak
    assert tuned.training.label_smoothing == best.training.label_smoothing
