"""A translator as one web page: its weights, tokenizers and settings, and views of sentences."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from tf_models.data.text_files import read_lines
from tf_models.data.tokenizers import PLAIN_MARKS, list_of_sentences
from tf_models.errors import InputError
from tf_models.translation.model import ATTENTION_KINDS, inner_transformer
from tf_models.translation.page.document import make_document
from tf_models.translation.page.packed import pack, packed_tokenizers, packed_weights, rounded
from tf_models.translation.page.sentence_view import sentence_view
from tf_models.translation.translate import LENGTH_PENALTY, Translator

MAX_LIVE_MODEL = 16_000_000  # bytes of base64: what a browser opens at once
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
        run_dir: where `heads.csv` lies, which was measured of its heads, if there is one.

    Raises:
        InputError: the model has no attention, a sentence cannot be read, or there is none.

    Example:
        >>> from tf_models.translation.ready_made import ready_made
        >>> page = make_page(ready_made(), ["I am a student."])
        >>> print(page.live, "<title>" in page.html)
        True True
    """
    model, sentences = translator.model, list_of_sentences(sentences)
    if not model.attention_kinds:
        raise InputError("this model has no attention, so there is nothing to show")
    if target is not None and len(sentences) != 1:
        raise InputError(f"--target needs one --sentence; received {len(sentences)}")
    sentences = sentences or [text for text in SENTENCES if translator.can_translate(text)]
    if not sentences:
        raise InputError("this translator cannot read the usual sentences; pass --sentence")
    live, note = _liveness(translator)
    heads = "" if run_dir is None else _measured_heads(run_dir)
    with rounded(model.network):
        data = {"name": name, "heads": heads, **_settings(translator)}
        if live:
            data.update(_model(translator))
        bar = tqdm(sentences, desc="page", unit="sentence", delay=2, leave=False, disable=None)
        data["sentences"] = [sentence_view(translator, sentence, target) for sentence in bar]
    return Page(make_document(f"Inside {name}", data), live, note)


def _liveness(translator: Translator) -> tuple[bool, str]:
    """Whether the page can hold the model, and what to say of that."""
    if inner_transformer(translator.model) is None:
        return False, (
            "the page holds the attention of the given sentences; only the article's Transformer, "
            "as it is, is live"
        )
    size = 2 * translator.model.network.count_params() * 4 // 3  # of 16 bits in base64
    if size > MAX_LIVE_MODEL:
        return False, (
            f"the page holds the views of the given sentences: the model would take "
            f"{size / 1e6:.0f} MB, and a live page at most {MAX_LIVE_MODEL / 1e6:.0f} MB"
        )
    return True, "the page holds the model: it translates whatever is typed"


def _settings(translator: Translator) -> dict[str, Any]:
    """What the page's script reads of any translator."""
    model = translator.model
    return {
        "kinds": {kind: ATTENTION_KINDS[kind] for kind in model.attention_kinds},
        "maxLength": translator.max_length,
        "decoding": {"beamSize": translator.beam_size, "lengthPenalty": LENGTH_PENALTY},
        "parameters": model.network.count_params(),
        "tokenizers": packed_tokenizers(translator.tokenizers),
        "plainMarks": PLAIN_MARKS,
        "knownWords": pack("\n".join(sorted(translator.known_words)).encode()),
    }


def _model(translator: Translator) -> dict[str, Any]:
    """What the script computes with."""
    transformer = inner_transformer(translator.model)
    settings = ("num_layers", "d_model", "num_heads")
    return {
        "model": {setting: getattr(transformer.encoder, setting) for setting in settings},
        "weights": packed_weights(transformer),
    }


def _measured_heads(run_dir: Path) -> str:
    """What `python -m research.heads` wrote into a run directory, "" if nothing."""
    path = run_dir / "heads.csv"
    return "".join(f"{line}\n" for line in read_lines(path)) if path.is_file() else ""
