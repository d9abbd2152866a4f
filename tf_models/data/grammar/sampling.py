"""Random sentences of the whole grammar, weighted by construction."""

from __future__ import annotations

import random
from collections.abc import Callable

from tf_models.data.grammar.pronoun_family import sample_pronoun_sentence
from tf_models.data.grammar.questions import QuestionSampler
from tf_models.data.grammar.syntax import (
    Sentence,
    Statement,
)


class SentenceSampler(QuestionSampler):
    """Draws sentences of the whole grammar."""

    def sentence(self) -> tuple[Sentence, str, tuple[str, str] | None]:
        """A sentence, its construction and, for the pronoun family, its pair of nouns."""
        weights = [weight for _, weight in CONSTRUCTIONS.values()]
        name = self.rng.choices(tuple(CONSTRUCTIONS), weights)[0]
        if name == "pronoun":
            tree, pair = sample_pronoun_sentence(self)
            return tree, name, pair
        return CONSTRUCTIONS[name][0](self), name, None


def _in_frame(frame: str) -> Callable[[SentenceSampler], Statement]:
    return lambda sampler: sampler.framed(frame)


# Construction -> (sampler, weight in percent).
CONSTRUCTIONS: dict[str, tuple[Callable | None, float]] = {
    "pronoun": (None, 16),
    "role": (SentenceSampler.role, 9),
    "transitive": (_in_frame("transitive"), 11),
    "intransitive": (_in_frame("intransitive"), 2),
    "dative": (_in_frame("dative"), 4),
    "ditransitive": (_in_frame("ditransitive"), 5),
    "prepositional": (_in_frame("prepositional"), 3),
    "place": (_in_frame("position"), 4),
    "direction": (_in_frame("motion"), 4),
    "travel": (_in_frame("travel"), 1),
    "placement": (_in_frame("placement"), 2),
    "hiding": (_in_frame("placement_at"), 1),
    "companion": (SentenceSampler.companion, 2),
    "modal": (SentenceSampler.modal, 5),
    "separable": (SentenceSampler.separable, 4),
    "perfect": (SentenceSampler.perfect, 4),
    "negation": (SentenceSampler.negation, 4),
    "inversion": (SentenceSampler.inversion, 4),
    "predicate": (SentenceSampler.predicate, 3),
    "nominal_predicate": (SentenceSampler.nominal_predicate, 3),
    "comparison": (SentenceSampler.comparison, 3),
    "genitive": (SentenceSampler.genitive, 3),
    "subordinate": (SentenceSampler.subordinate, 6),
    "relative": (SentenceSampler.relative, 5),
    "yes_no": (SentenceSampler.yes_no, 4),
    "wh_question": (SentenceSampler.wh_question, 5),
}


def sentence_sampler(seed: int) -> SentenceSampler:
    """A sampler with its own random stream."""
    return SentenceSampler(random.Random(seed))
