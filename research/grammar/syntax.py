"""The abstract syntax: trees that `english.py` and `german.py` linearise.

A tree says nothing about the order or the inflection of either language. It records what a
translator has to keep: who does what to whom, when, and whether it is asked, told or denied.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from research.grammar.entries import Adjective, Adverb, Noun, Preposition, Verb


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A personal pronoun; `gender` matters in the third person singular only.

    The English of an `inanimate` third person is 'it'; the German follows the gender of the
    antecedent, which therefore has to stand in the same sentence: `antecedent` is its path.
    """

    person: int
    plural: bool = False
    gender: str = "m"
    inanimate: bool = False
    antecedent: str = ""


I = Pronoun(1)  # noqa: E741 - the English pronoun itself
YOU = Pronoun(2)
HE = Pronoun(3, gender="m")
SHE = Pronoun(3, gender="f")
WE = Pronoun(1, plural=True)
THEY = Pronoun(3, plural=True)
PERSONAL_PRONOUNS = (I, YOU, HE, SHE, WE, THEY)


def it(gender: str, antecedent: str = "") -> Pronoun:
    """'it' with the German gender of its antecedent; without one it is the impersonal 'es'."""
    return Pronoun(3, gender=gender, inanimate=True, antecedent=antecedent)


@dataclass(frozen=True, slots=True)
class Somebody:
    """An indefinite pronoun: nobody, no one, somebody, someone, everybody, everyone; nothing,
    something, everything.
    """

    english: str


@dataclass(frozen=True, slots=True)
class ProperName:
    """A person called by name, which is the same in both languages; gender 'm' or 'f'.

    With a `title` it is a last name: 'Mrs. Miller', 'Frau Miller'.
    """

    name: str
    gender: str
    title: bool = False


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A city or a country; `gender` is 'm', 'f', 'n' or 'p' where German has an article."""

    english: str
    german: str
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Bare:
    """Words that are the same in all cases: a language, a price, what a template chooses from."""

    english: str
    german: str
    gender: str = ""


@dataclass(frozen=True, slots=True)
class GradedAdjective:
    """An attributive adjective in one of its degrees: positive, comparative or superlative."""

    adjective: Adjective
    degree: str = "positive"


@dataclass(frozen=True, slots=True)
class Count:
    """How many: in digits, or `spelled` out."""

    number: int
    spelled: bool = False


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun with determiner, adjectives, owner and relative clause.

    Determiners: 'definite', 'indefinite', 'zero', 'no', 'this', 'every', 'which', 'many', 'some',
    'a few', 'all', 'most', 'how many', 'job' ('a teacher', 'Lehrer') and the possessives 'my',
    'your', 'his', 'her', 'our', 'their', and 'generic' ('likes dogs'), which is 'zero' but that
    English never adds 'any'; 'in general' is 'the' in German alone ('Life is short').
    A `count` or an `owner` ('Anna's book', "the teacher's book") takes the place of the determiner.
    `female` asks for the feminine counterpart of a person noun.
    """

    noun: Noun
    determiner: str = "definite"
    adjectives: tuple[GradedAdjective, ...] = ()
    plural: bool = False
    female: bool = False
    count: Count | None = None
    owner: Nominal | None = None
    relative: RelativeClause | None = None


@dataclass(frozen=True, slots=True)
class Coordination:
    """Two nominals joined by 'and' or 'or'."""

    first: Nominal
    second: Nominal
    conjunction: str = "and"


Nominal = Pronoun | Somebody | ProperName | PlaceName | Bare | Count | NounPhrase | Coordination


@dataclass(frozen=True, slots=True)
class PrepositionalPhrase:
    """A preposition with its object."""

    preposition: Preposition
    object: Nominal


@dataclass(frozen=True, slots=True)
class AdjectivalPredicate:
    """What is said with 'be' and an adjective.

    `degree`: 'positive', 'too', 'very', 'so', 'really', 'comparative' (than the standard) or
    'equal' (as ... as).
    """

    adjective: Adjective
    degree: str = "positive"
    standard: Nominal | None = None


@dataclass(frozen=True, slots=True)
class NominalPredicate:
    """What is said with 'be' and a noun: 'a good teacher'."""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class PlacePredicate:
    """Where something is: 'in the kitchen'."""

    phrase: PrepositionalPhrase


@dataclass(frozen=True, slots=True)
class Clause:
    """A predication. `verb` is None for the copula, which then has a predicate.

    `tense`: 'present', 'past', 'perfect' or 'future'; `progressive` and `full_negation`
    ('did not') change the English only, save that the perfect progressive is a German present
    tense. In the `passive` the subject is what the verb acts on, and `agent` who does it.
    """

    subject: Nominal
    verb: Verb | None = None
    tense: str = "present"
    progressive: bool = False
    modal: str | None = None
    passive: bool = False
    negated: bool = False
    full_negation: bool = False
    object: Nominal | None = None
    recipient: Nominal | None = None
    prepositional_object: Nominal | None = None
    agent: Nominal | None = None
    phrases: tuple[PrepositionalPhrase, ...] = ()
    role: NounPhrase | None = None
    predicate: AdjectivalPredicate | NominalPredicate | PlacePredicate | None = None
    adverbs: tuple[Adverb, ...] = ()


@dataclass(frozen=True, slots=True)
class RelativeClause:
    """A clause about the noun it follows; `gap` names the constituent the noun stands for.

    Gaps: 'subject', 'object' (accusative or dative, as the verb governs), 'recipient' or
    'phrase' (the object of the clause's only prepositional phrase). The gap is filled with the
    head noun so that agreement and case can be read off the clause itself.
    """

    clause: Clause
    gap: str


@dataclass(frozen=True, slots=True)
class Subordinate:
    """A subordinate clause with its conjunction.

    because, although, if, that, whether, when, while, before; where, why, how (indirect
    questions); and 'to', whose clause is an infinitive with the subject of the main clause.
    """

    conjunction: str
    clause: Clause


@dataclass(frozen=True, slots=True)
class Statement:
    """A declarative sentence; what is fronted comes first in both languages."""

    clause: Clause
    fronted: Adverb | PrepositionalPhrase | Subordinate | None = None
    subordinate: Subordinate | None = None


@dataclass(frozen=True, slots=True)
class Existence:
    """'There is a library in the village', 'Are there any parks here?'

    place: where.
    """

    thing: NounPhrase
    place: PrepositionalPhrase | Adverb | None = None
    tense: str = "present"
    negated: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question. `asked` is None for yes-no questions, otherwise what the w-word stands for.

    'who' and 'what' replace the constituent named by `gap` ('subject', 'object', 'recipient');
    'where', 'whither', 'when', 'why' and 'how' are adverbial. 'phrase' asks with the object
    itself, whose determiner is 'which' or 'how many'.
    """

    clause: Clause
    asked: str | None = None
    gap: str | None = None
    subordinate: Subordinate | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """An imperative to 'du'; `please` is '', 'first' or 'last' in English, always first in German.

    `together`: 'Let's go'. The clause's subject is YOU (WE when together).
    """

    clause: Clause
    please: str = ""
    together: bool = False


@dataclass(frozen=True, slots=True)
class Compound:
    """Two statements joined by 'and', 'but' or 'or'.

    shares_subject: the subject is said once: 'He sings and dances'.
    """

    first: Statement
    conjunction: str
    second: Statement
    shares_subject: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements joined by 'and', as many as one likes."""

    links: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Filler:
    """What stands in a slot of a template: a nominal, or words that need no grammar."""

    name: str
    value: Nominal


@dataclass(frozen=True, slots=True)
class Phrase:
    """A conventional sentence: a template of `templates.tsv` with its slots filled."""

    template: object
    fillers: tuple[Filler, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """Words by themselves, as one looks them up: 'apple', 'the red apples', 'to sleep'."""

    nominal: Nominal


Sentence = Statement | Existence | Question | Command | Compound | Chain | Phrase | Term


def nodes_of(tree: object) -> list[object]:
    """Every node of a tree, the tree itself first; entries of the lexicon are leaves."""
    nodes = [tree]
    for node in nodes:  # which grows meanwhile
        if type(node) is tuple:
            nodes.extend(node)
        else:
            for name in _PARTS.get(type(node), ()):
                part = getattr(node, name)
                if part is not None and type(part) not in (str, bool, int):
                    nodes.append(part)
    return nodes


# The fields of a node that hold other nodes.
_PARTS = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (
        *(NounPhrase, Coordination, PrepositionalPhrase, AdjectivalPredicate, NominalPredicate),
        *(PlacePredicate, Clause, RelativeClause, Subordinate, Statement, Existence),
        *(Question, Command),
        *(Compound, Chain, Filler, Phrase, Term),
    )
}
