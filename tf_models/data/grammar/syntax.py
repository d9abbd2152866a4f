"""The abstract syntax: trees that `english.py` and `german.py` linearise.

A tree says nothing about the order or the inflection of either language. It records what a
translator has to keep: who does what to whom, when, and whether it is asked or denied.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tf_models.data.grammar.lexicon import Adjective, Adverb, GivenName, Noun, Preposition, Verb


@dataclass(frozen=True)
class Pronoun:
    """A personal pronoun; `gender` matters in the third person singular only.

    The English of a neuter or `inanimate` third person is 'it'; the German follows the gender of
    the antecedent, which therefore has to stand in the same sentence.
    """

    person: int
    plural: bool = False
    gender: str = "m"
    inanimate: bool = False


I = Pronoun(1)  # noqa: E741 - the English pronoun itself
YOU = Pronoun(2)
HE = Pronoun(3, gender="m")
SHE = Pronoun(3, gender="f")
WE = Pronoun(1, plural=True)
THEY = Pronoun(3, plural=True)
PERSONAL_PRONOUNS = (I, YOU, HE, SHE, WE, THEY)


def it(gender: str) -> Pronoun:
    """'it' with the German gender of its antecedent."""
    return Pronoun(3, gender=gender, inanimate=True)


@dataclass(frozen=True)
class ProperName:
    """A person called by name."""

    name: GivenName


@dataclass(frozen=True)
class CityName:
    """A city, without article in both languages."""

    name: str


@dataclass(frozen=True)
class GradedAdjective:
    """An attributive adjective in one of its degrees: positive, comparative or superlative."""

    adjective: Adjective
    degree: str = "positive"


@dataclass(frozen=True)
class NounPhrase:
    """A noun with determiner, adjectives, genitive attribute and relative clause.

    Determiners: 'definite', 'indefinite', 'zero', 'no', and the possessives 'my', 'your', 'his',
    'her', 'our', 'their'. `female` asks for the feminine counterpart of a person noun.
    """

    noun: Noun
    determiner: str = "definite"
    adjectives: tuple[GradedAdjective, ...] = ()
    plural: bool = False
    female: bool = False
    genitive: NounPhrase | None = None
    relative: RelativeClause | None = None


Nominal = Pronoun | ProperName | CityName | NounPhrase


@dataclass(frozen=True)
class PrepositionalPhrase:
    """A preposition with its object."""

    preposition: Preposition
    object: Nominal


@dataclass(frozen=True)
class AdjectivalPredicate:
    """What is said with 'be' and an adjective.

    `degree`: 'positive', 'too', 'very', 'comparative' (than the standard) or 'equal' (as ... as).
    """

    adjective: Adjective
    degree: str = "positive"
    standard: Nominal | None = None


@dataclass(frozen=True)
class NominalPredicate:
    """What is said with 'be' and a noun: 'a good teacher'."""

    phrase: NounPhrase


@dataclass(frozen=True)
class Clause:
    """A predication. `verb` is None for the copula, which then has a predicate.

    `tense`: 'present', 'past' or 'perfect'; `progressive` and `full_negation` ('did not') change
    the English only, save that the perfect progressive is a German present tense.
    """

    subject: Nominal
    verb: Verb | None = None
    tense: str = "present"
    progressive: bool = False
    modal: str | None = None
    negated: bool = False
    full_negation: bool = False
    object: Nominal | None = None
    recipient: Nominal | None = None
    prepositional_object: Nominal | None = None
    phrases: tuple[PrepositionalPhrase, ...] = ()
    role: NounPhrase | None = None
    predicate: AdjectivalPredicate | NominalPredicate | None = None
    adverb: Adverb | None = None


@dataclass(frozen=True)
class RelativeClause:
    """A clause about the noun it follows; `gap` names the constituent the noun stands for.

    Gaps: 'subject', 'object' (accusative or dative, as the verb governs), 'recipient' or
    'phrase' (the object of the clause's only prepositional phrase). The gap is filled with the
    head noun so that agreement and case can be read off the clause itself.
    """

    clause: Clause
    gap: str


@dataclass(frozen=True)
class Subordinate:
    """A subordinate clause with its conjunction: because, that, although or if."""

    conjunction: str
    clause: Clause


@dataclass(frozen=True)
class Statement:
    """A declarative sentence; what is fronted comes first in both languages."""

    clause: Clause
    fronted: Adverb | PrepositionalPhrase | Subordinate | None = None
    subordinate: Subordinate | None = None


@dataclass(frozen=True)
class Question:
    """A question. `asked` is None for yes-no questions, otherwise what the w-word stands for.

    'who' and 'what' replace the constituent named by `gap` ('subject', 'object', 'recipient');
    'where', 'whither', 'when', 'why' and 'how' are adverbial.
    """

    clause: Clause
    asked: str | None = None
    gap: str | None = None


Sentence = Statement | Question


@dataclass
class _NounCollector:
    found: set[str] = field(default_factory=set)

    def visit(self, node: object) -> None:
        """Descend into every dataclass of the tree and note the nouns."""
        if isinstance(node, Noun):
            self.found.add(node.english)
        elif isinstance(node, tuple):
            for part in node:
                self.visit(part)
        elif isinstance(node, _BRANCHING):
            for name in node.__dataclass_fields__:
                self.visit(getattr(node, name))


_BRANCHING = (
    NounPhrase,
    PrepositionalPhrase,
    AdjectivalPredicate,
    NominalPredicate,
    Clause,
    RelativeClause,
    Subordinate,
    Statement,
    Question,
)


def nouns_of(sentence: Sentence) -> frozenset[str]:
    """The English lemmas of every noun in the sentence."""
    collector = _NounCollector()
    collector.visit(sentence)
    return frozenset(collector.found)
