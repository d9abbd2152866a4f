"""Interactive attention page: a translator in one HTML file.

The page loads nothing; its policy (web/page.html) forbids it. Its script is joined of the modules
in `web/` (the model, the views, the page around them), without a build tool. A module may say
`import { a, b } from "./other.js";` at the beginning of a line, or `"../model/other.js"`, and
`export` before a function, a class or a const. Each becomes a function that runs once and returns
what it exports. Arrays are written in 16 bits, deflated and in base64; web/model/packed.js reads
them.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf
from tqdm import tqdm

from tf_models.data.tokenizers import SubwordTokenizer
from tf_models.data.words import PLAIN_MARKS
from tf_models.errors import InputError, StrPath
from tf_models.ids import PADDING_ID
from tf_models.transformer.layers import DecoderLayer, EncoderLayer
from tf_models.transformer.model import Transformer
from tf_models.translation.model import ATTENTION_KINDS
from tf_models.translation.translate import LENGTH_PENALTY, Translator

WEB = Path(__file__).with_name("web")
MAX_PAGE = 16_000_000  # bytes of base64: what a browser opens at once
CANDIDATES = 10  # shown for each step
PAGE_HEIGHT = 900
CELL_HEIGHT = 800  # pixels, in a notebook
# Shown where no sentence is given, if the translator can read them.
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The old dog sleeps.",
    "He admired her as a great director.",
)
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[./\w]*)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (\w+))", re.MULTILINE)


class Page(NamedTuple):
    """An HTML page; as the last value of a notebook cell it is displayed."""

    html: str
    height: int = PAGE_HEIGHT

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="attention page" srcdoc="{escape(self.html)}" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )


def make_page(
    translator: Translator,
    sentences: Sequence[str] = (),
    target: str | None = None,
    *,
    name: str = "translator",
    run_dir: StrPath | None = None,
    in_cell: bool = False,
) -> Page:
    """The page of a translator; its weights are in 16 bits.

    Args:
        translator: loaded; of the article's Transformer.
        sentences: to be shown at first; some of `SENTENCES` if left out.
        target: a translation that the model is made to write, of the one sentence.
        name: of the translator, for the title.
        in_cell: True for a cell of a notebook: lower, without introduction, tour and form.
        run_dir: folder of `heads.csv`, if `python -m research.heads` has written it.

    Raises:
        InputError: the model is another one, or too large for a browser; a sentence cannot be read,
            or there is none.

    Example:
        >>> from tf_models.translation.translate import ready_made
        >>> page = make_page(ready_made(), ["I am a student."])
        >>> print("<title>" in page.html)
        True
    """
    network = translator.article_transformer("a page")
    sentences = list(sentences)
    size = 2 * network.count_params() * 4 // 3  # bytes of 16-bit weights in base64
    if size > MAX_PAGE:
        raise InputError(
            f"the model would take {size / 1e6:.0f} MB of the page, and a browser opens at most "
            f"{MAX_PAGE / 1e6:.0f} MB at once"
        )
    if target is not None and len(sentences) != 1:
        raise InputError(f"--target needs one --sentence; received {len(sentences)}")
    usual = filter(translator.can_translate, SENTENCES)
    sentences = sentences or sorted(usual, key=lambda text: len(translator.unknown_words(text)))
    if not sentences:
        raise InputError("this translator cannot read the usual sentences; pass --sentence")
    measured = Path(run_dir, "heads.csv") if run_dir else None
    data = {
        "name": name,
        "heads": measured.read_text(encoding="utf-8") if measured and measured.exists() else "",
        "kinds": ATTENTION_KINDS,
        "inCell": in_cell,
        "maxLength": translator.max_length,
        "decoding": {"beamSize": translator.beam_size, "lengthPenalty": LENGTH_PENALTY},
        "parameters": network.count_params(),
        "tokenizers": {
            "source": _packed_tokenizer(translator.tokenizers.source),
            "target": _packed_tokenizer(translator.tokenizers.target),
        },
        "plainMarks": PLAIN_MARKS,
        "knownWords": _pack("\n".join(sorted(translator.known_words)).encode()),
    }
    with rounded(network):
        sizes = ("num_layers", "d_model", "num_heads")
        data["model"] = {size: getattr(network.encoder, size) for size in sizes}
        data["weights"] = _packed_weights(network)
        bar = tqdm(sentences, desc="page", unit="sentence", delay=2, leave=False, disable=None)
        data["sentences"] = [_sentence_view(translator, sentence, target) for sentence in bar]
    return Page(make_document(f"Inside {name}", data), CELL_HEIGHT if in_cell else PAGE_HEIGHT)


def show_heads(translator: Translator, sentence: str) -> Page:
    """Interactive heads of a sentence, as the last value of a notebook's cell.

    It is the page of `make_page`, in the cell and without a network.
    """
    return make_page(translator, [sentence], run_dir=translator.run_dir, in_cell=True)


def _sentence_view(translator: Translator, sentence: str, target: str | None) -> dict[str, Any]:
    """Keras results for one sentence, by which the page checks itself."""
    source_ids = translator.source.encode(sentence)
    target_ids = translator.target_ids(source_ids, target)
    maps = translator.weights(source_ids, target_ids[:-1])
    return {
        "source": sentence,
        "target": target,
        "sourceIds": source_ids,
        "targetIds": target_ids,
        "sourceTokens": translator.tokenizers.source.tokens(source_ids),
        "targetTokens": translator.tokenizers.target.tokens(target_ids),
        "text": translator.tokenizers.target.decode(target_ids),
        "maps": {
            kind: {"shape": weights.shape, "data": _pack(_half_bytes(weights))}
            for kind, weights in maps.items()
        },
        "steps": _steps(translator, source_ids, target_ids),
    }


def _steps(
    translator: Translator, source_ids: Sequence[int], target_ids: Sequence[int]
) -> list[dict[str, Any]]:
    """Log-probability of each target token, and the likeliest candidates."""
    model = translator.model
    tokenizer = translator.tokenizers.target
    weights = model.weights((PADDING_ID, tokenizer.start_id))  # as search has them
    memory = model.encode(tf.constant([source_ids]))
    state = model.initial_state(memory)
    steps = []
    for read, written in zip(target_ids, target_ids[1:], strict=False):
        logits, state = model.step(tf.constant([[read]]), memory, state, *weights)
        log_probs = tf.nn.log_softmax(logits[0, 0, : tokenizer.vocabulary_size])
        best = [array.numpy().tolist() for array in tf.math.top_k(log_probs, CANDIDATES)]
        candidates = [
            {"id": i, "logProb": value, "token": token}
            for value, i, token in zip(*best, tokenizer.tokens(best[1]), strict=True)
        ]
        log_prob = float(log_probs[written])
        steps.append({"id": int(written), "logProb": log_prob, "candidates": candidates})
    return steps


@contextmanager
def rounded(network: keras.Model) -> Iterator[None]:
    """Round all weights to 16 bits within the block, as the page has them."""
    before = network.get_weights()
    try:
        for variable in network.trainable_variables:
            variable.assign(variable.numpy().astype(np.float16))
        yield
    finally:
        network.set_weights(before)


def _pack(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def _half_bytes(values: np.ndarray) -> bytes:
    """Numbers as float16, little-endian."""
    return np.ascontiguousarray(values, "<f2").tobytes()


def _packed_tokenizer(side: SubwordTokenizer) -> dict[str, Any]:
    """Pieces by id, sentencepiece's character map, and options."""
    from sentencepiece.sentencepiece_model_pb2 import ModelProto

    model = ModelProto.FromString(side.model_file.read_bytes())
    pieces = [piece.piece for piece in model.pieces]  # the earlier, the earlier it was merged
    return {
        "pieces": _pack(json.dumps(pieces, ensure_ascii=False).encode()),
        "charsmap": _pack(model.normalizer_spec.precompiled_charsmap),
        "language": side.language,
        "lowercase": side.lowercase,
        "keepsSpaces": not model.normalizer_spec.remove_extra_whitespaces,
    }


def _packed_weights(network: Transformer) -> dict[str, Any]:
    """Names and shapes of all tensors in order, and their bytes."""
    tensors = dict(named_weights(network))
    return {
        "shapes": {name: values.shape for name, values in tensors.items()},
        "data": _pack(b"".join(map(_half_bytes, tensors.values()))),
    }


def named_weights(network: Transformer) -> Iterator[tuple[str, np.ndarray]]:
    """Each weight once: a table that two layers share is the encoder's."""
    yield "encoder.embedding", network.encoder.embedding.embeddings.numpy()
    if not network.tie_embeddings:
        yield "decoder.embedding", network.decoder.embedding.embeddings.numpy()
        yield "final.kernel", network.final_layer.kernel.numpy()
    yield "final.bias", network.final_layer.bias.numpy()
    sides = {"encoder": network.encoder.enc_layers, "decoder": network.decoder.dec_layers}
    for side, layers in sides.items():
        for number, layer in enumerate(layers):
            for name, part in _named_parts(layer):
                for variable in part.trainable_variables:  # kernel and bias, or gamma and beta
                    yield f"{side}.{number}.{name}.{variable.name}", variable.numpy()


def _named_parts(layer: EncoderLayer | DecoderLayer) -> Iterator[tuple[str, keras.layers.Layer]]:
    for attention in layer.attentions:
        for part in ("wq", "wk", "wv", "dense"):
            yield f"{attention.name}.{part}", getattr(attention, part)
    for number, dense in enumerate(layer.ffn.layers):
        yield f"ffn.{number}", dense
    for part in ("layernorm1", "layernorm2", "layernorm3"):
        if hasattr(layer, part):
            yield part, getattr(layer, part)


def make_document(title: str, data: dict[str, Any]) -> str:
    """One HTML file that loads nothing, with `title` and the script's `data`."""
    return Template((WEB / "page.html").read_text(encoding="utf-8")).substitute(
        title=escape(title),
        style=(WEB / "page.css").read_text(encoding="utf-8"),
        # It cannot end the element it stands in, whatever the sentences say.
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        script=join_modules(WEB / "page" / "main.js"),
    )


def join_modules(first: Path) -> str:
    """The script of the module `first` and of all that it imports, each once."""
    joined: dict[str, str] = {}
    _join(first.resolve(), joined)
    return '"use strict";\n' + "".join(joined.values())


def _join(path: Path, joined: dict[str, str]) -> None:
    """Add a module after those that it imports; names of files are unique."""
    if path.stem in joined:
        return
    source = path.read_text(encoding="utf-8")
    for _, imported in _IMPORT.findall(source):
        _join((path.parent / f"{imported}.js").resolve(), joined)
    body = _IMPORT.sub(lambda line: f"const {{{line[1]}}} = module_{Path(line[2]).name};\n", source)
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", body)
    joined[path.stem] = (
        f"const module_{path.stem} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"
    )
