"""Several trained translators that translate as one."""

import math
from collections.abc import Mapping, Sequence

import tensorflow as tf

from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import InputError
from tf_models.search.search import Nested, StepFunction
from tf_models.tasks.translation.protocol import TranslationModel
from tf_models.tasks.translation.translator import Translator


class Ensemble:
    """Models whose probabilities of the next token are averaged in search (Sutskever et al. 2014).

    To search it is one model, whose memory and state are those of all; it has no attention of its
    own.

    Args:
        models: of the same ids.
    """

    attention_kinds = ()

    def __init__(self, models: Sequence[TranslationModel]):
        self._models = tuple(models)

    def encode(self, inp: tf.Tensor) -> tuple[Nested, ...]:
        """What each model's decoder reads of the sources (batch, inp_len)."""
        return tuple(model.encode(inp) for model in self._models)

    def initial_state(self, memory: tuple[Nested, ...], n: int) -> tuple[Nested, ...]:
        """Each model's state before the first token, n hypotheses a sentence."""
        pairs = zip(self._models, memory, strict=True)
        return tuple(model.initial_state(of_model, n) for model, of_model in pairs)

    def step(self, suppressed_ids: Sequence[int]) -> StepFunction:
        """One token more of each hypothesis, by all models (see `TranslationModel`)."""
        steps = [model.step(suppressed_ids) for model in self._models]

        def step(ids: tf.Tensor, memory: tuple[Nested, ...], states: tuple[Nested, ...]):
            trios = zip(steps, memory, states, strict=True)
            logits, states = zip(*(one(ids, *parts) for one, *parts in trios), strict=True)
            log_probs = tf.nn.log_softmax(tf.stack(logits))  # (models, batch, n, vocabulary)
            # log (1/m) sum_m p_m, the logits of the mean
            return tf.reduce_logsumexp(log_probs, axis=0) - math.log(len(steps)), states

        return step

    def attention(self, inp: tf.Tensor, tar: tf.Tensor) -> dict[str, tf.Tensor]:
        """No weights: each model has its own."""
        return {}


def together(translators: Mapping[str, Translator]) -> Translator:
    """One translator that averages several, with the first one's beam size.

    Args:
        translators: by name; with the same tokenizers.

    Raises:
        InputError: the tokenizers differ.
    """
    name, first = next(iter(translators.items()))
    for other_name, other in translators.items():
        if _identity(first.tokenizers) != _identity(other.tokenizers):
            raise InputError(
                f"the tokenizers of {name} and {other_name} differ, so their probabilities are "
                "of different tokens; average runs with the same training pairs and tokenizer "
                "settings (each seed holds out other pairs of a corpus without splits of its own)"
            )
    model = Ensemble([one.model for one in translators.values()])
    max_length = min(one.max_length for one in translators.values())
    return Translator(model, first.tokenizers, max_length, first.beam_size)


def _identity(pair: TokenizerPair) -> list[tuple]:
    sides = (pair.source, pair.target)
    return [(side.model_file.read_bytes(), side.language, side.lowercase) for side in sides]
