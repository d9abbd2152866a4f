"""What a page shows of one sentence without computing it: maps, candidates, attributions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.tasks.translation.attention import value_norms_of
from tf_models.tasks.translation.page.packed import half_bytes, pack
from tf_models.tasks.translation.protocol import inner_transformer
from tf_models.tasks.translation.translator import Translator
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer

CANDIDATES = 10  # shown for each step
ROWS = 32  # whose gradients are taken at once: each has its own copy of the sentence's maps
MAX_MAPS_BYTES = 100_000  # of maps in base64, by which a live page checks itself


def sentence_view(translator: Translator, sentence: str, target: str | None = None) -> dict:
    """Everything of one sentence, computed by Keras; a live page checks itself by it.

    Args:
        translator: with weights that are rounded to 16 bits.
        sentence: in the source language.
        target: the translation to force; the model's own, greedily, if left out.

    Returns:
        source, and target if it is forced, as text; sourceIds, targetIds; maps and valueNorms of
        each kind; candidates of each step; gradientTimesInput, if the model is a Transformer.

    Raises:
        InputError: a sentence is empty or too long.
    """
    source_ids = translator.source.encode(sentence)
    if target is None:
        target_ids = translator.greedy_sequence(source_ids)
    else:
        target_ids = translator.target.encode(target)
    view = {
        "source": sentence,
        "target": target,
        "sourceIds": source_ids,
        "targetIds": target_ids,
        "sourceTokens": translator.tokenizers.source.tokens(source_ids),
        "targetTokens": translator.tokenizers.target.tokens(target_ids),
        "text": translator.tokenizers.target.decode(target_ids),
        **packed_maps(translator, source_ids, target_ids),
        "steps": _steps(translator, source_ids, target_ids),
    }
    transformer = inner_transformer(translator.model)
    if transformer is not None:
        shares = gradient_times_input(transformer, source_ids, target_ids)
        view["gradientTimesInput"] = packed_array(shares)
    return view


def without_what_is_computed(views: Sequence[dict]) -> list[dict]:
    """Views for a live page, which computes maps and candidates itself.

    Of maps it keeps what it checks itself by: those for which there is room, and the first
    sentence's always. A long sentence would otherwise weigh as much as a layer of the model.
    """
    kept, size = [], 0
    for number, view in enumerate(views):
        more = _size_of(view["maps"])
        fits = number == 0 or size + more <= MAX_MAPS_BYTES
        size += more if fits else 0
        steps = [{**step, "candidates": []} for step in view["steps"]]
        kept.append({**view, "steps": steps, "maps": view["maps"] if fits else {}})
    return kept


def spread(epochs: Sequence[dict], most: int) -> list[dict]:
    """As many epochs as `most` bytes of maps allow, evenly spread: two at least, and the last."""
    if not epochs:
        return []
    count = max(2, most // _size_of(epochs[-1]["maps"]))
    places = np.linspace(0, len(epochs) - 1, min(count, len(epochs))).round().astype(int)
    return [epochs[place] for place in places]


def _size_of(maps: dict) -> int:
    return sum(len(packed["data"]) for packed in maps.values())


def packed_array(values: np.ndarray) -> dict:
    """An array in 16 bits, with its shape."""
    return {"shape": values.shape, "data": pack(half_bytes(values))}


def packed_maps(
    translator: Translator, source_ids: Sequence[int], target_ids: Sequence[int]
) -> dict:
    """Attention while the target is read.

    Returns:
        maps: by kind, (layers, heads, rows, columns) each; valueNorms: (layers, heads, 1, columns)
        each (see `value_norms_of`), none where there are no heads.
    """
    ids = list(source_ids), list(target_ids[:-1])
    norms = value_norms_of(translator, *ids) if inner_transformer(translator.model) else {}
    norms = {kind: values[..., np.newaxis, :] for kind, values in norms.items()}
    found = {"maps": translator.weights(*ids), "valueNorms": norms}
    return {
        name: {kind: packed_array(values) for kind, values in one.items()}
        for name, one in found.items()
    }


def gradient_times_input(
    network: Transformer, source_ids: Sequence[int], target_ids: Sequence[int]
) -> np.ndarray:
    """Gradient of each written token's log-probability with regard to each source embedding,
    times that embedding: (written, read).

    To first order it is what the log-probability would lose in nats, were the embedding to shrink
    to nothing.
    """
    places = np.arange(len(target_ids) - 1)
    parts = np.split(places, places[ROWS::ROWS])
    return np.concatenate([_rows(network, source_ids, target_ids, part) for part in parts])


def _rows(
    network: Transformer, source_ids: Sequence[int], target_ids: Sequence[int], places: np.ndarray
) -> np.ndarray:
    """`gradient_times_input` of the tokens that are written at these places."""
    written = np.array(target_ids[1:])[places]
    # One copy of the sentence for each written token: one gradient gives the rows of all.
    inp = tf.repeat(tf.constant([source_ids]), len(written), axis=0)  # (rows, inp_len)
    tar = tf.repeat(tf.constant([target_ids[:-1]]), len(written), axis=0)  # (rows, tar_len)
    padding_mask, combined_mask, _ = create_masks(inp, tar)
    encoder = network.encoder
    embedded = encoder.embedding(inp) * encoder.d_model**0.5  # (rows, inp_len, d_model)
    with tf.GradientTape() as tape:
        tape.watch(embedded)
        x = embedded + encoder.pos_encoding[:, : inp.shape[1]]
        (*_, enc_output), _ = encoder.layer_states(x, padding_mask=padding_mask)
        states, _ = network.decoder(
            tar, enc_output, look_ahead_mask=combined_mask, padding_mask=padding_mask
        )
        log_probs = tf.nn.log_softmax(network.final_layer(states))  # (rows, tar_len, vocabulary)
        own = tf.gather_nd(log_probs, np.stack([np.arange(len(written)), places, written], axis=1))
        total = tf.reduce_sum(own)
    gradient = tape.gradient(total, embedded)
    return tf.reduce_sum(gradient * embedded, axis=2).numpy()


def _steps(
    translator: Translator, source_ids: Sequence[int], target_ids: Sequence[int]
) -> list[dict[str, Any]]:
    """For each written token its log-probability, and the likeliest ones in its place."""
    model, tokenizer = translator.model, translator.tokenizers.target
    step = model.step((PADDING_ID, tokenizer.start_id))  # as search sees it
    memory = model.encode(tf.constant([source_ids]))
    state = model.initial_state(memory, 1)
    rows = []
    for i in target_ids[:-1]:
        logits, state = step(tf.constant([[i]]), memory, state)
        rows.append(logits[0, 0, : tokenizer.vocabulary_size])
    log_probs = tf.nn.log_softmax(tf.stack(rows))  # (tar_len, vocabulary)
    values, ids = (found.numpy().tolist() for found in tf.math.top_k(log_probs, CANDIDATES))
    return [
        {
            "id": int(written),
            "logProb": float(row[written]),
            "candidates": [
                {"id": i, "logProb": value, "token": token}
                for i, value, token in zip(best, likeliest, tokenizer.tokens(best), strict=True)
            ],
        }
        for written, row, best, likeliest in zip(
            target_ids[1:], log_probs.numpy(), ids, values, strict=True
        )
    ]
