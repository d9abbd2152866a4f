"""Search step by step: greedy decoding, and the tree of a beam."""

import math
from collections.abc import Iterator

import tensorflow as tf

from tf_models.ids import PADDING_ID
from tf_models.search import IMPOSSIBLE, Beams
from tf_models.translation.translate import LENGTH_PENALTY, Translator


def trace_greedy(translator: Translator, sentence: str) -> Iterator[str]:
    """Greedy decoding, a line a step: tokens read, choice, probability."""
    before = 0.0
    for number, beams in enumerate(_steps(translator, sentence, 1, 0.0), start=1):
        ended = _rows(beams.ended_ids, beams.ended_scores)  # with penalty 0 log-probabilities
        ((ids, log_prob),) = ended or _rows(beams.alive_ids, beams.alive_log_probs)
        tokens = translator.tokenizers.target.tokens(ids)
        probability = math.exp(log_prob - before)
        before = log_prob
        yield f"{number:3}  {' '.join(tokens[:-1])}  ->  {tokens[-1]}  ({probability:.3f})"


def tree_of_hypotheses(
    translator: Translator,
    sentence: str,
    beam_size: int | None = None,
    length_penalty: float = LENGTH_PENALTY,
) -> Iterator[str]:
    """Every hypothesis that the beam ever held, as an indented tree.

    Behind a token stands the log-probability of the hypothesis up to it, in nats; behind `<end>`
    the score by which ended hypotheses are compared, with a star at the best.
    """
    tree: dict[tuple[int, ...], float | None] = {}  # ids of a hypothesis: its value
    for beams in _steps(translator, sentence, beam_size or translator.beam_size, length_penalty):
        alive = _rows(beams.alive_ids, beams.alive_log_probs)
        for ids, value in (*alive, *_rows(beams.ended_ids, beams.ended_scores)):
            for length in range(1, len(ids)):
                tree.setdefault(ids[:length])
            tree[ids] = value
    best = float(tf.reduce_max(beams.ended_scores))

    def subtree(prefix: tuple[int, ...]) -> Iterator[str]:
        """Lines of all continuations of `prefix`, in the order of the search."""
        for ids, value in tree.items():
            if len(ids) == len(prefix) + 1 and ids[:-1] == prefix:
                token = translator.tokenizers.target.tokens(ids[-1:])[0]
                number = "" if value is None else f"  {value:.3f}"
                star = " *" if token == "<end>" and value == best else ""
                yield f"{'  ' * len(prefix)}{token}{number}{star}"
                yield from subtree(ids)

    yield from subtree(())


def _steps(
    translator: Translator, sentence: str, beam_size: int, length_penalty: float
) -> list[Beams]:
    steps: list[Beams] = []
    inp = tf.constant([translator.source.encode(sentence)])
    translator.search(beam_size, inp, length_penalty, steps.append)
    return steps


def _rows(ids: tf.Tensor, values: tf.Tensor) -> list[tuple[tuple[int, ...], float]]:
    """Ids, without padding, and value of each possible hypothesis."""
    return [
        (tuple(int(i) for i in row if i != PADDING_ID), float(value))
        for row, value in zip(ids[0].numpy(), values[0].numpy(), strict=True)
        if value > IMPOSSIBLE / 2
    ]
