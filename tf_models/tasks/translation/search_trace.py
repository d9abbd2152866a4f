"""Decoding as printed text: greedy steps line by line, and the tree of a beam search."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import tensorflow as tf

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.errors import InputError
from tf_models.ids import PADDING_ID
from tf_models.search.top_k import IMPOSSIBLE
from tf_models.tasks.translation.translator import Translator


def trace_greedy(translator: Translator, sentence: str) -> Iterator[str]:
    """One line for each step of greedy decoding: what was read, what was chosen, how surely.

    Raises:
        InputError: the sentence cannot be translated.
    """
    tokenizer = translator.tokenizers.target
    before = 0.0
    for number, greedy in enumerate(translator.steps(sentence, beam_size=1), start=1):
        tokens = tokenizer.tokens(greedy.ids[0].numpy())
        log_prob = float(greedy.log_probs[0])
        probability = math.exp(log_prob - before)
        before = log_prob
        yield f"{number:3}  {' '.join(tokens[:-1])}  ->  {tokens[-1]}  ({probability:.3f})"


@dataclass
class _Node:
    """A hypothesis: its last token, its log-probability (or score, if it ended), what followed."""

    token: str
    value: float | None = None
    children: dict[int, "_Node"] = field(default_factory=dict)


def tree_of_hypotheses(
    translator: Translator,
    sentence: str,
    beam_size: int | None = None,
    length_penalty: float | None = None,
) -> Iterator[str]:
    """Every hypothesis that the beam ever held, as an indented tree.

    Behind a token stands the log-probability of the hypothesis up to it, in nats; behind `<end>`
    the score by which ended hypotheses are compared, with a star at the best.

    Raises:
        InputError: the sentence cannot be translated, or the beam is too small for a tree.
    """
    if beam_size is None:
        beam_size = translator.decoding.beam_size
    if beam_size < 2:
        raise InputError(f"a tree needs a beam of 2 or more; received beam size {beam_size}")
    tokenizer = translator.tokenizers.target
    root = _Node("<start>")
    for beams in translator.steps(sentence, beam_size, length_penalty):
        for ids, log_prob in _rows(beams.alive_ids, beams.alive_log_probs):
            _node(root, ids, tokenizer).value = log_prob
        for ids, score in _rows(beams.ended_ids, beams.ended_scores):
            _node(root, ids, tokenizer).value = score
    best = float(tf.reduce_max(beams.ended_scores))
    yield from _draw(root, best)


def _rows(ids: tf.Tensor, values: tf.Tensor) -> Iterator[tuple[list[int], float]]:
    """Ids behind the start id, and value, of each possible hypothesis of the one sentence."""
    for row, value in zip(ids[0].numpy(), values[0].numpy(), strict=True):
        if value > IMPOSSIBLE / 2:
            yield [int(i) for i in row[1:] if i != PADDING_ID], float(value)


def _node(root: _Node, ids: list[int], tokenizer: SubwordTokenizer) -> _Node:
    """The node at the end of the path `ids`, made where it is missing."""
    node = root
    for i, token in zip(ids, tokenizer.tokens(ids), strict=True):
        node = node.children.setdefault(i, _Node(token))
    return node


def _draw(node: _Node, best: float, indent: str = "") -> Iterator[str]:
    value = "" if node.value is None else f"  {node.value:.3f}"
    star = " *" if node.token == "<end>" and node.value == best else ""
    yield f"{indent}{node.token}{value}{star}"
    for child in node.children.values():
        yield from _draw(child, best, indent + "  ")
