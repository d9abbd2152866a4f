"""Random words by themselves, as one looks them up."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from research.grammar import lexicon
from research.grammar.entries import Expression, Noun
from research.grammar.even_random import EvenRandom
from research.grammar.nominals import indefinite_determiner
from research.grammar.selection import attributes_of, possessives_of
from research.grammar.syntax import Bare, GradedAdjective, NounPhrase, Term
from research.grammar.tables import words


@cache
def _words_alone() -> tuple[tuple[Expression, ...], ...]:
    """Verbs, adjectives and adverbs that have one translation, whatever stands beside them."""
    translations = defaultdict(set)
    for verb in lexicon.verbs():
        translations[verb.english].add((verb.german_infinitive, verb.is_reflexive))
    plain = {
        verb.english: verb
        for verb in lexicon.verbs()
        if len(translations[verb.english]) == 1
        and verb.english_preposition == lexicon.ABSENT
        and not verb.is_reflexive
    }
    adjectives = [a for a in lexicon.adjectives().values() if a.english not in words("not_alone")]
    adverbs = [a for a in lexicon.adverbs().values() if a.english not in lexicon.adjectives()]
    return (
        tuple(Expression(f"to {one.english}", one.german_infinitive) for one in plain.values()),
        tuple(Expression(one.english, one.german) for one in adjectives),
        tuple(Expression(one.english, one.german) for one in adverbs),
    )


@cache
def _plain_nouns() -> tuple[Noun, ...]:
    return tuple(lexicon.nouns().values())


def _may_stand_bare(noun: Noun) -> bool:
    """Whether the noun alone is no adjective or adverb ('cold', 'orange') and needs no 'my'."""
    is_other = noun.english in lexicon.adjectives() or noun.english in lexicon.adverbs()
    return not is_other and "possessed" not in noun.classes


def draw_term(rng: EvenRandom) -> Term:
    """'apple', 'the red apples', 'to sleep', 'yesterday': what one looks up."""
    if rng.chance("term.alone"):
        found = rng.word(rng.pick(_words_alone()))
        return Term(Bare(found.english, found.german))
    noun = rng.word(_plain_nouns())
    if _may_stand_bare(noun) and rng.chance("term.bare_noun"):
        return Term(NounPhrase(noun, "zero"))
    phrase = _draw_looked_up(rng, noun)
    is_bare = phrase.determiner == "zero" and not (phrase.plural or phrase.adjectives)
    if is_bare and not _may_stand_bare(noun):
        return Term(NounPhrase(noun))
    return Term(phrase)


def _draw_looked_up(rng: EvenRandom, noun: Noun) -> NounPhrase:
    """'the red apple', 'my brother', 'old churches', 'the longest day'."""
    if noun.is_bare:
        return NounPhrase(noun, "zero")
    plural = noun.has_plural and rng.chance("term.plural")
    kinds = ("definite", "definite", "indefinite", "possessive", "quantified")
    kind = rng.pick(kinds)
    is_own = not noun.classes.isdisjoint(words("own_things"))
    if "possessed" in noun.classes or (kind == "possessive" and is_own):
        kind = rng.pick(possessives_of(noun))
        plural = plural and "single" not in noun.classes
    elif kind == "quantified" and plural:
        few = () if "paired" in noun.classes else ("a few",)  # 'ein paar Ohren' are two
        kind = rng.pick(("many", "some", "all", "most", *few))
    elif kind == "indefinite":
        kind = indefinite_determiner(noun, plural)
    else:
        kind = "definite"
    return NounPhrase(noun, kind, _draw_adjectives(rng, noun, kind), plural)


def _draw_adjectives(rng: EvenRandom, noun: Noun, determiner: str) -> tuple[GradedAdjective, ...]:
    """No, one or two adjectives in their customary order."""
    usable = attributes_of(noun)
    if determiner == "most":  # "most expensive cars" are the most expensive ones
        usable = tuple(one for one in usable if not one.comparative.startswith("more "))
    if not usable or not rng.chance("term.adjective"):
        return ()
    first = rng.word(usable)
    is_lasting = first.is_gradable and first.rank < 4  # not "the most tired soldier"
    if is_lasting and determiner == "definite" and rng.chance("term.superlative"):
        return (GradedAdjective(first, "superlative"),)
    if is_lasting and determiner == "indefinite" and rng.chance("term.comparative"):
        return (GradedAdjective(first, "comparative"),)
    has_color = first.rank > 3 or first.english in ("dark", "bright", "colorful")
    colors = [] if has_color else [entry for entry in usable if entry.rank == 5]
    second = [rng.word(colors)] if colors and rng.chance("term.color") else []
    return tuple(GradedAdjective(entry) for entry in [first, *second])
