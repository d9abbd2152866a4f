"""Decoding as printed text: greedy steps line by line, and the tree of a beam search."""

import math
from collections.abc import Iterator

import tensorflow as tf

from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.search.top_k import IMPOSSIBLE
from tf_models.tasks.translation.translator import Translator


def trace_greedy(translator: Translator, sentence: str) -> Iterator[str]:
    """One line for each step of greedy decoding of a sentence that can be translated: what was
    read, what was chosen, how surely.
    """
    tokenizer = translator.tokenizers.target
    before = 0.0
    for number, greedy in enumerate(translator.steps(sentence, beam_size=1), start=1):
        tokens = tokenizer.tokens(greedy.ids[0].numpy())
        log_prob = float(greedy.log_probs[0])
        probability = math.exp(log_prob - before)
        before = log_prob
        yield f"{number:3}  {' '.join(tokens[:-1])}  ->  {tokens[-1]}  ({probability:.3f})"


def tree_of_hypotheses(
    translator: Translator,
    sentence: str,
    beam_size: int | None = None,
    length_penalty: float | None = None,
) -> Iterator[str]:
    """Every hypothesis that the beam ever held, as an indented tree.

    Behind a token stands the log-probability of the hypothesis up to it, in nats; behind `<end>`
    the score by which ended hypotheses are compared, with a star at the best. Raises InputError:
    the sentence cannot be translated, or the beam is too small for a tree.
    """
    if beam_size is None:
        beam_size = translator.decoding.beam_size
    if beam_size < 2:
        raise InputError(f"a tree needs a beam of 2 or more; received beam size {beam_size}")
    tokenizer = translator.tokenizers.target
    tree: dict[tuple[int, ...], float | None] = {(): None}  # ids of a hypothesis: its value
    for beams in translator.steps(sentence, beam_size, length_penalty):
        alive = _rows(beams.alive_ids, beams.alive_log_probs)
        for ids, value in (*alive, *_rows(beams.ended_ids, beams.ended_scores)):
            for length in range(len(ids)):
                tree.setdefault(ids[:length])
            tree[ids] = value
    best = float(tf.reduce_max(beams.ended_scores))
    place = {ids: number for number, ids in enumerate(tree)}
    # Behind each hypothesis what went on from it, in the order in which it was found.
    for ids in sorted(tree, key=lambda ids: [place[ids[: i + 1]] for i in range(len(ids))]):
        (token,), found = tokenizer.tokens([(tokenizer.start_id, *ids)[-1]]), tree[ids]
        shown = "" if found is None else f"  {found:.3f}"
        star = " *" if token == "<end>" and found == best else ""
        yield f"{'  ' * len(ids)}{token}{shown}{star}"


def _rows(ids: tf.Tensor, values: tf.Tensor) -> Iterator[tuple[tuple[int, ...], float]]:
    """Ids behind the start id, and value, of each possible hypothesis of the one sentence."""
    for row, value in zip(ids[0].numpy(), values[0].numpy(), strict=True):
        if value > IMPOSSIBLE / 2:
            yield tuple(int(i) for i in row[1:] if i != PADDING_ID), float(value)
