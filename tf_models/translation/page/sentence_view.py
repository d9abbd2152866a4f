"""The view of one sentence that Keras computes: its maps, and the candidates of each step."""

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.translation.page.packed import packed_array
from tf_models.translation.translate import Translator

CANDIDATES = 10  # shown for each step


def sentence_view(translator: Translator, sentence: str, target: str | None = None) -> dict:
    """Everything of one sentence, computed by Keras; a live page checks itself by it.

    Args:
        translator: with weights that are rounded to 16 bits.
        sentence: in the source language.
        target: the translation to force; the model's own, greedily, if left out.

    Returns:
        source, and target if it is forced, as text; sourceIds, targetIds, their tokens, and the
        translation as text; maps by kind, (layers, heads, rows, columns) each; steps.

    Raises:
        InputError: a sentence is empty or too long.
    """
    source_ids = translator.source.encode(sentence)
    if target is None:
        target_ids = translator.greedy_sequence(source_ids)
    else:
        target_ids = translator.target.encode(target)
    maps = translator.weights(source_ids, target_ids[:-1])
    return {
        "source": sentence,
        "target": target,
        "sourceIds": source_ids,
        "targetIds": target_ids,
        "sourceTokens": translator.tokenizers.source.tokens(source_ids),
        "targetTokens": translator.tokenizers.target.tokens(target_ids),
        "text": translator.tokenizers.target.decode(target_ids),
        "maps": {kind: packed_array(weights) for kind, weights in maps.items()},
        "steps": _steps(translator, source_ids, target_ids),
    }


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
