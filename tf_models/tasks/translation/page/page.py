"""A translator as one web page: its weights, tokenizers and settings, and some sentences' views."""

import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import keras

from tf_models.data.text.sentence_encoder import list_of_sentences
from tf_models.data.text_files import read_lines
from tf_models.errors import InputError
from tf_models.progress import Progress
from tf_models.tasks.translation.attention import kept_epochs
from tf_models.tasks.translation.page.document import make_document
from tf_models.tasks.translation.page.packed import (
    packed_tokenizers,
    packed_training,
    packed_weights,
    rounded,
)
from tf_models.tasks.translation.page.sentence_views import (
    packed_maps,
    sentence_view,
    spread,
    without_what_is_computed,
)
from tf_models.tasks.translation.protocol import ATTENTION_KINDS, inner_transformer
from tf_models.tasks.translation.translator import LENGTH_PENALTY, Translator
from tf_models.training.checkpoints import half_fingerprint

MAX_LIVE_MODEL = 16_000_000  # bytes of base64: what a browser opens at once
MAX_SENTENCES, MAX_TOKENS = 200, 256  # each sentence takes a second or two, and maps of its tokens
MAX_EPOCHS_BYTES = 150_000  # of maps in base64: a page is to be hardly larger than its model
# Shown where no sentence is given, if the translator can read them.
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The old dog sleeps.",
    "He admired her as a great director.",
)


class Page(NamedTuple):
    """A page; a notebook shows it in a frame, where it is the last value of a cell.

    html: the document. live: whether the model is in it. note: what the user should know.
    """

    html: str
    live: bool
    note: str

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="attention page" srcdoc="{escape(self.html)}" '
            'style="width: 100%; height: 900px; border: 0"></iframe>'
        )


def make_page(
    translator: Translator,
    sentences: Sequence[str] = (),
    target: str | None = None,
    *,
    name: str = "translator",
    run_dir: Path | None = None,
) -> Page:
    """The page of a translator; its weights are in 16 bits.

    Args:
        translator: loaded; any architecture with attention.
        sentences: to be shown at first; some of `SENTENCES` if left out.
        target: a translation that the model is made to write, of the one sentence.
        name: of the translator, for the title.
        run_dir: where its epochs and what was measured of its heads lie, if they are to be shown.

    Raises:
        InputError: the model has no attention, a sentence cannot be read, there is none, or a
            weight is not finite in 16 bits.

    Example:
        >>> from tf_models.tasks.translation.ready_made import ready_made
        >>> page = make_page(ready_made(), ["I am a student."])
        >>> print(page.live, "<title>" in page.html)
        True True
    """
    model, sentences = translator.model, list_of_sentences(sentences)
    if not model.attention_kinds:
        raise InputError("this model has no attention, so there is nothing to show")
    if target is not None and len(sentences) != 1:
        raise InputError(f"--target needs one --sentence; received {len(sentences)}")
    if len(sentences) > MAX_SENTENCES:
        raise InputError(
            f"a page shows {MAX_SENTENCES} sentences at most; received {len(sentences):,}"
        )
    if not sentences:
        sentences = [text for text in SENTENCES if translator.can_translate(text)]
        if not sentences:
            raise InputError("this translator cannot read the usual sentences; pass --sentence")
    encoded = [(text, translator.source.encode(text)) for text in sentences]
    encoded += [(target, translator.target.encode(target))] if target is not None else []
    if too_long := next((one for one in encoded if len(one[1]) > MAX_TOKENS), None):
        raise InputError(
            f"a page shows sentences of {MAX_TOKENS} tokens at most; received one of "
            f"{len(too_long[1]):,}: {too_long[0][:40]!r} …"
        )
    size = 2 * model.network.count_params() * 4 // 3  # of 16 bits in base64
    live = inner_transformer(model) is not None and size <= MAX_LIVE_MODEL
    if live:
        note = "the page holds the model: it translates whatever is typed"
    elif inner_transformer(model) is None:
        note = (
            "the page holds the attention of the given sentences; only the article's Transformer, "
            "as it is, is live"
        )
    else:
        note = (
            f"the page holds the views of the given sentences: the model would take "
            f"{size / 1e6:.0f} MB, and a live page at most {MAX_LIVE_MODEL / 1e6:.0f} MB"
        )
    heads = "" if run_dir is None else _measured_heads(run_dir, model.network)
    if heads is None:
        note += "; heads.csv was not measured of these weights, so it is left out: measure anew"
    with rounded(model.network):
        data = {"name": name, **_data(translator, sentences, target, live, run_dir)}
        data["heads"] = heads or ""
    html = make_document(f"Inside {name}", data)
    return Page(html, live, note)


def _data(
    translator: Translator,
    sentences: Sequence[str],
    target: str | None,
    live: bool,
    run_dir: Path | None,
) -> dict[str, Any]:
    """What the page's script reads."""
    model = translator.model
    bar = Progress(sentences, desc="page", unit="sentence", delay=2)
    views = [sentence_view(translator, sentence, target) for sentence in bar]
    data: dict[str, Any] = {
        "kinds": {kind: ATTENTION_KINDS[kind] for kind in model.attention_kinds},
        "maxLength": translator.max_length,
        "decoding": {"beamSize": translator.beam_size, "lengthPenalty": LENGTH_PENALTY},
        "parameters": model.network.count_params(),
        "tokenizers": packed_tokenizers(translator.tokenizers),
        "training": packed_training(translator.known_words),
        "sentences": without_what_is_computed(views) if live else views,
    }
    if live:
        transformer = inner_transformer(model)
        settings = ("num_layers", "d_model", "num_heads")
        data["model"] = {setting: getattr(transformer.encoder, setting) for setting in settings}
        data["weights"] = packed_weights(transformer)
    if run_dir is not None:
        ids = views[0]["sourceIds"], views[0]["targetIds"]
        epochs = [
            {"epoch": epoch, **packed_maps(translator, *ids)}
            for epoch in kept_epochs(translator, run_dir)
        ]
        data["epochs"] = spread(epochs, MAX_EPOCHS_BYTES)
    return data


def _measured_heads(run_dir: Path, network: keras.Model) -> str | None:
    """What `python -m research.heads` wrote into a run directory, "" if nothing; None if it was
    measured of other weights.
    """
    path = run_dir / "heads.csv"
    if not path.is_file():
        return ""
    lines = list(read_lines(path))
    if {row.get("weights") for row in csv.DictReader(lines)} != {half_fingerprint(network)}:
        return None
    return "".join(f"{line}\n" for line in lines)
