"""Random sentences of the whole grammar, weighted by construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from research.grammar.even_random import EvenRandom
from research.grammar.everyday import EverydaySampler
from research.grammar.pronoun_families import (
    Reference,
    sample_by_meaning,
    sample_by_place,
)
from research.grammar.syntax import Phrase, Sentence, Statement
from research.grammar.templates import fill, templates
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE

_FAMILIES = {BY_PLACE: sample_by_place, BY_MEANING: sample_by_meaning}


class SentenceSampler(EverydaySampler):
    """Draws sentences of the whole grammar."""

    def sentence(
        self, constructions: Mapping[str, float] | None = None
    ) -> tuple[Sentence, str, Reference | None]:
        """A sentence, its construction and, for the pronoun families, what 'it' refers to.

        Args:
            constructions: how often each one is drawn, by its name; if left out, all of
                `CONSTRUCTIONS` with their own weights.
        """
        weights = constructions or {name: weight for name, (_, weight) in CONSTRUCTIONS.items()}
        name = self.rng.choices(tuple(weights), tuple(weights.values()))[0]
        if name in _FAMILIES:
            tree, reference = _FAMILIES[name](self)
            return tree, name, reference
        return CONSTRUCTIONS[name][0](self), name, None

    def conventional(self) -> Phrase:
        """What is said in this way: a greeting, a price, the time of day."""
        return fill(self.word(templates()), self.rng)


def _in_frame(frame: str) -> Callable[[SentenceSampler], Statement]:
    return lambda sampler: sampler.framed(frame)


# Construction -> (sampler, weight).
CONSTRUCTIONS: dict[str, tuple[Callable | None, float]] = {
    BY_PLACE: (None, 22),
    BY_MEANING: (None, 16),
    "transitive": (_in_frame("transitive"), 10),
    "intransitive": (_in_frame("intransitive"), 3),
    "reflexive": (_in_frame("reflexive"), 2),
    "dative": (_in_frame("dative"), 2),
    "ditransitive": (_in_frame("ditransitive"), 3),
    "prepositional": (_in_frame("prepositional"), 2.5),
    "reflexive_prepositional": (_in_frame("reflexive_prepositional"), 1.5),
    "place": (_in_frame("position"), 3),
    "lying": (SentenceSampler.lying, 0.4),
    "direction": (_in_frame("motion"), 4),
    "travel": (_in_frame("travel"), 2),
    "placement": (_in_frame("placement"), 1),
    "standing": (_in_frame("upright"), 0.7),
    "hiding": (_in_frame("placement_at"), 0.5),
    "companion": (SentenceSampler.companion, 1.5),
    "modal": (SentenceSampler.modal, 4),
    "separable": (SentenceSampler.separable, 2.5),
    "perfect": (SentenceSampler.perfect, 2.5),
    "negation": (SentenceSampler.negation, 2.5),
    "inversion": (SentenceSampler.inversion, 2),
    "predicate": (SentenceSampler.predicate, 5),
    "nominal_predicate": (SentenceSampler.nominal_predicate, 1.5),
    "admiration": (SentenceSampler.admiration, 3),  # the article's own sentences are of it
    "comparison": (SentenceSampler.comparison, 1.5),
    "possession": (SentenceSampler.possession, 3),
    "subordinate": (SentenceSampler.subordinate, 2),
    "relative": (SentenceSampler.relative, 1),
    "yes_no": (SentenceSampler.yes_no, 4),
    "wh_question": (SentenceSampler.wh_question, 4),
    "wish": (SentenceSampler.wish, 4),
    "plan": (SentenceSampler.plan, 2.5),
    "command": (SentenceSampler.command, 3),
    "whereabouts": (SentenceSampler.whereabouts, 3),
    "existence": (SentenceSampler.existence, 3),
    "nobody": (SentenceSampler.nobody, 1.5),
    "numbers": (SentenceSampler.numbers, 4),
    "language": (SentenceSampler.language, 3),
    "opinion": (SentenceSampler.opinion, 1.5),
    "aim": (SentenceSampler.aim, 0.7),
    "two_deeds": (SentenceSampler.two_deeds, 1.5),
    "meanwhile": (SentenceSampler.meanwhile, 0.8),
    "passive": (SentenceSampler.passive, 0.5),
    "pairs": (SentenceSampler.pairs, 1.5),
    "term": (SentenceSampler.term, 26),
    "conventional": (SentenceSampler.conventional, 75),
}


def sentence_sampler(seed: int) -> SentenceSampler:
    """A sampler with its own random stream."""
    return SentenceSampler(EvenRandom(seed))
