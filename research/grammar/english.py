"""English linearisation of the abstract syntax (American spelling)."""

from __future__ import annotations

from research.grammar import english_forms as forms
from research.grammar.english_verbs import is_plural, verb_group, verb_head
from research.grammar.entries import ABSENT, Adverb
from research.grammar.syntax import (
    AdjectivalPredicate,
    Chain,
    Clause,
    Command,
    Compound,
    Coordination,
    Count,
    Existence,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PlacePredicate,
    PrepositionalPhrase,
    Pronoun,
    ProperName,
    Question,
    RelativeClause,
    Somebody,
    Statement,
    Subordinate,
)
from research.grammar.text import COMMA, Word, words

_QUESTION_WORDS = {"whither": "where"}
_DEGREE_WORDS = {"positive": "", "too": "too", "very": "very", "so": "so", "really": "really"}


def statement(sentence: Statement, at: str = "", *, subject: bool = True) -> list[Word]:
    """Words of a statement; without its subject after 'He sings and'."""
    written = _clause(sentence.clause, at, gap=None if subject else "subject")
    if sentence.fronted is not None:
        written = [*_fronted(sentence.fronted, f"{at}fronted"), *written]
    return written + _subordinate(sentence.subordinate, at)


def existence(sentence: Existence) -> list[Word]:
    """Words of 'there is', stated or asked; an object that is denied takes 'any'."""
    thing = sentence.thing
    is_several = is_plural(thing)
    finite = {"present": ("is", "are"), "past": ("was", "were")}[sentence.tense][is_several]
    nodes = ("verb", "negation") if sentence.negated else ("verb",)
    verb = words(forms.NEGATED_AUXILIARIES[finite] if sentence.negated else finite, *nodes)
    there = words("there", "there")
    is_open = sentence.negated or sentence.asked
    loose = words("any" if is_open and thing.determiner == "zero" and not thing.count else "")
    lead = [*verb, *there] if sentence.asked else [*there, *verb]
    return [*lead, *loose, *nominal(thing, "object"), *_where(sentence.place)]


def _where(place: PrepositionalPhrase | Adverb | None) -> list[Word]:
    if place is None:
        return []
    if isinstance(place, PrepositionalPhrase):
        return _phrase(place, "place")
    return words(place.english, "place")


def compound(sentence: Compound) -> list[Word]:
    """Words of two statements; a comma separates them unless they share their subject."""
    comma = [] if sentence.shares_subject else [COMMA]
    return [
        *statement(sentence.first, "first/"),
        *comma,
        *words(sentence.conjunction, "conjunction"),
        *statement(sentence.second, "second/", subject=not sentence.shares_subject),
    ]


def chain(sentence: Chain) -> list[Word]:
    """Words of all statements, 'and' between them."""
    written = statement(sentence.links[0], "link0/")
    for i, link in enumerate(sentence.links[1:], start=1):
        written += [COMMA, *words("and", f"conjunction{i}"), *statement(link, f"link{i}/")]
    return written


def command(sentence: Command) -> list[Word]:
    """Words of an imperative: 'Please don't open the door', 'Let's dance'."""
    clause = sentence.clause
    written = _after_verb(clause, "", None)
    base = words(verb_head(clause.verb).base, "verb")
    if sentence.together:
        lead = words("Let's not" if clause.negated else "Let's", "together")
    else:
        lead = words("don't", "negation") if clause.negated else []
    written = [*lead, *base, *written]
    if sentence.please == "first":
        return [*words("please", "please"), *written]
    return [*written, COMMA, *words("please", "please")] if sentence.please else written


def question(sentence: Question) -> list[Word]:
    """Words of a question, without its mark."""
    clause, gap = sentence.clause, sentence.gap
    asked = _QUESTION_WORDS.get(sentence.asked, sentence.asked)
    if sentence.asked == "phrase":
        lead = nominal(getattr(clause, gap), gap, "object")
    else:
        lead = words(asked or "", "asked")
    if gap == "subject":
        return [*lead, *_clause(clause, "", gap), *_subordinate(sentence.subordinate, "")]
    group = verb_group(clause, "", inverted=True)
    finite, loose_not = _negated(group.finite, clause, "")
    written = [*lead, *finite, *nominal(clause.subject, "subject"), *loose_not]
    written += [*_frequency(clause, ""), *group.rest, *_after_verb(clause, "", gap)]
    return written + _subordinate(sentence.subordinate, "")


def _fronted(front: object, at: str) -> list[Word]:
    if isinstance(front, Subordinate):
        return [*_subordinate_clause(front, f"{at}/"), COMMA]
    if isinstance(front, PrepositionalPhrase):
        return _phrase(front, at)
    return words(front.english, at)


def _subordinate(subordinate: Subordinate | None, at: str) -> list[Word]:
    return [] if subordinate is None else _subordinate_clause(subordinate, f"{at}subordinate/")


def _subordinate_clause(subordinate: Subordinate, at: str) -> list[Word]:
    conjunction = words(subordinate.conjunction, f"{at}conjunction")
    if subordinate.conjunction == "to":
        clause = subordinate.clause
        base = words(verb_head(clause.verb).base, f"{at}verb")
        return [*conjunction, *base, *_after_verb(clause, at, None)]
    return [*conjunction, *_clause(subordinate.clause, at)]


def _clause(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    group = verb_group(clause, at)
    finite, loose_not = _negated(group.finite, clause, at)
    subject = [] if gap == "subject" else nominal(clause.subject, f"{at}subject")
    written = [*subject, *finite, *loose_not, *_frequency(clause, at), *group.rest]
    return written + _after_verb(clause, at, gap)


def _negated(finite: list[Word], clause: Clause, at: str) -> tuple[list[Word], list[Word]]:
    """The finite verb with its negation contracted, or followed by a separate 'not'."""
    if not clause.negated:
        return finite, []
    negation = f"{at}negation"
    *before, last = finite
    if last.text == "can" and clause.full_negation:
        return [*before, Word("cannot", (*last.nodes, negation))], []
    contracted = forms.NEGATED_AUXILIARIES.get(last.text)
    if contracted is None or clause.full_negation:
        return finite, words("not", negation)
    return [*before, Word(contracted, (*last.nodes, negation))], []


def _frequency(clause: Clause, at: str) -> list[Word]:
    return _in_slots(clause, at, ("frequency",))


def _in_slots(clause: Clause, at: str, slots: tuple[str, ...]) -> list[Word]:
    written: list[Word] = []
    for slot in slots:
        for i, adverb in enumerate(clause.adverbs):
            if adverb.slot == slot:
                written += words(adverb.english, f"{at}adverb{i}")
    return written


def _after_verb(clause: Clause, at: str, gap: str | None) -> list[Word]:
    """Everything that follows the verb: objects, predicate, role, manner, place, time."""
    written = _objects(clause, at, gap)
    if clause.prepositional_object is not None:
        preposition = clause.verb.english_preposition
        written += words("" if preposition == ABSENT else preposition, f"{at}preposition")
        if gap != "prepositional_object":
            written += nominal(clause.prepositional_object, f"{at}prepositional_object", "object")
    if clause.agent is not None:
        written += [*words("by", f"{at}by"), *nominal(clause.agent, f"{at}agent", "object")]
    written += _predicate(clause, at)
    if clause.role is not None:
        written += [*words("as", f"{at}as"), *nominal(clause.role, f"{at}role")]
    shown = () if gap == "phrase" else clause.phrases
    written += _phrases_in_roles(shown, at, is_direction=True)
    written += _in_slots(clause, at, ("manner", "goal", "place"))
    written += _phrases_in_roles(shown, at, is_direction=False)
    return written + _in_slots(clause, at, ("time",))


def _phrases_in_roles(
    phrases: tuple[PrepositionalPhrase, ...], at: str, is_direction: bool
) -> list[Word]:
    """Where to comes before how and with whom: 'to Paris by train', 'to Paris with the cook'."""
    written: list[Word] = []
    for i, phrase in enumerate(phrases):
        if (phrase.preposition.role == "direction") is is_direction:
            written += _phrase(phrase, f"{at}phrase{i}")
    return written


def _objects(clause: Clause, at: str, gap: str | None) -> list[Word]:
    accusative = [] if clause.object is None or gap == "object" else _object(clause, at)
    if gap == "recipient":
        return [*accusative, *words("to", f"{at}recipient")]
    if clause.recipient is None:
        return accusative
    recipient = nominal(clause.recipient, f"{at}recipient", "object")
    if clause.object is None or isinstance(clause.object, Pronoun):
        return [*accusative, Word("to"), *recipient]
    return [*recipient, *accusative]


def _object(clause: Clause, at: str) -> list[Word]:
    """The direct object; without article in a negated clause it takes 'any'.

    'didn't see anything' is 'sah nichts'.
    """
    if isinstance(clause.object, Somebody) and clause.negated:
        any_one = {"nothing": "anything", "nobody": "anybody"}[clause.object.english]
        return words(any_one, f"{at}object", f"{at}negation")
    written = nominal(clause.object, f"{at}object", "object")
    if clause.negated and isinstance(clause.object, NounPhrase) and _has_no_article(clause.object):
        return [*words("any", f"{at}negation"), *written]
    return written


def _has_no_article(phrase: NounPhrase) -> bool:
    """Whether a noun stands without article: 'books', 'bread', but never 'any Christmas'."""
    is_open = phrase.determiner == "zero" and not phrase.noun.is_bare
    return is_open and phrase.count is None and phrase.owner is None


def _phrase(phrase: PrepositionalPhrase, at: str) -> list[Word]:
    preposition = words(phrase.preposition.english, at)
    return [*preposition, *nominal(phrase.object, f"{at}/object", "object")]


def _predicate(clause: Clause, at: str) -> list[Word]:
    predicate, node = clause.predicate, f"{at}predicate"
    if predicate is None:
        return []
    if isinstance(predicate, NominalPredicate):
        return nominal(predicate.phrase, node)
    if isinstance(predicate, PlacePredicate):
        return _phrase(predicate.phrase, node)
    return _adjectival(predicate, node)


def _adjectival(predicate: AdjectivalPredicate, node: str) -> list[Word]:
    adjective, degree = predicate.adjective, f"{node}/degree"
    if predicate.degree == "comparative":
        standard = nominal(predicate.standard, f"{node}/standard", "object")
        return [*words(adjective.comparative, node), *words("than", degree), *standard]
    if predicate.degree == "equal":
        standard = nominal(predicate.standard, f"{node}/standard", "object")
        said = words(adjective.english, node)
        return [*words("as", degree), *said, *words("as", f"{degree}2"), *standard]
    return [*words(_DEGREE_WORDS[predicate.degree], degree), *words(adjective.english, node)]


def nominal(phrase: Nominal, at: str, role: str = "subject") -> list[Word]:
    """The words of a nominal as 'subject' or 'object'; only pronouns differ."""
    if isinstance(phrase, Pronoun):
        return words(forms.pronoun(phrase, role), at)
    if isinstance(phrase, NounPhrase):
        return _noun_phrase(phrase, at)
    if isinstance(phrase, Coordination):
        return [
            *nominal(phrase.first, f"{at}/first", role),
            *words(phrase.conjunction, f"{at}/conjunction"),
            *nominal(phrase.second, f"{at}/second", role),
        ]
    if isinstance(phrase, ProperName):
        return full_name(phrase, at)
    if isinstance(phrase, Count):
        return words(forms.count(phrase), at)
    return words(phrase.english, at)  # of a place, of what is bare, of somebody


def full_name(phrase: ProperName, at: str) -> list[Word]:
    """A name of one or more words, which agree one by one with those of the other language."""
    *given, last = phrase.name.split()
    title = words("Mrs." if phrase.gender == "f" else "Mr.", f"{at}/title") if phrase.title else []
    return [
        *title,
        *(Word(part, (f"{at}/given{i}",)) for i, part in enumerate(given)),
        Word(last, (at,)),
    ]


def possessive(phrase: Nominal, at: str) -> list[Word]:
    """ "Anna's", "my parents'", "the boss's"."""
    *before, last = nominal(phrase, at)
    is_several = isinstance(phrase, NounPhrase) and is_plural(phrase)
    ending = "'" if is_several and last.text.endswith("s") else "'s"
    return [*before, last._replace(text=last.text + ending)]


def _noun_phrase(phrase: NounPhrase, at: str) -> list[Word]:
    noun = phrase.noun.english_plural if phrase.plural else phrase.noun.english
    inner = [
        word
        for i, graded in enumerate(phrase.adjectives)
        for word in words(forms.adjective(graded), f"{at}/adjective{i}")
    ]
    inner += words(noun, at)
    written = [*_determiner(phrase, at, inner[0].text), *inner]
    if phrase.relative is not None:
        written += _relative(phrase.relative, phrase, at)
    return written


def _determiner(phrase: NounPhrase, at: str, following: str) -> list[Word]:
    if phrase.owner is not None:
        return possessive(phrase.owner, f"{at}/owner")
    if phrase.count is not None:
        return words(forms.count(phrase.count), f"{at}/count")
    text = forms.determiner(phrase.determiner, is_plural(phrase), following)
    return words(text, f"{at}/determiner")


def _relative(relative: RelativeClause, head: NounPhrase, at: str) -> list[Word]:
    inside, node = f"{at}/relative/", f"{at}/relative"
    if relative.gap == "phrase":
        pronoun = "whom" if head.noun.is_person else "which"
        preposition = words(relative.clause.phrases[0].preposition.english, f"{inside}phrase0")
        clause = _clause(relative.clause, inside, "phrase")
        return [*preposition, *words(pronoun, node), *clause]
    pronoun = "who" if head.noun.is_person else "that"
    return [*words(pronoun, node), *_clause(relative.clause, inside, relative.gap)]
