"""English linearisation of the abstract syntax (American spelling)."""

from __future__ import annotations

from dataclasses import dataclass

from tf_models.data.grammar.lexicon import Verb
from tf_models.data.grammar.syntax import (
    AdjectivalPredicate,
    Clause,
    GradedAdjective,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PrepositionalPhrase,
    Pronoun,
    Question,
    RelativeClause,
    Sentence,
    Statement,
    Subordinate,
)
from tf_models.data.grammar.text import sentence_text

_NEGATED_AUXILIARIES = {
    "can": "can't",
    "could": "couldn't",
    "must": "mustn't",
    "should": "shouldn't",
    "do": "don't",
    "does": "doesn't",
    "did": "didn't",
    "is": "isn't",
    "are": "aren't",
    "was": "wasn't",
    "were": "weren't",
    "has": "hasn't",
    "have": "haven't",
}
_AUXILIARY_MODALS = {
    ("can", "present"): "can",
    ("can", "past"): "could",
    ("must", "present"): "must",
    ("may", "present"): "may",
    ("should", "present"): "should",
}
_SILENT_H = ("honest", "hour")
_QUESTION_WORDS = {"whither": "where"}
_DETERMINERS = {"definite": "the", "zero": ""}
_DEGREE_WORDS = {"positive": "", "too": "too", "very": "very"}


@dataclass(frozen=True)
class _Head:
    """The word that carries the tense, and the infinitive that hangs on it ('want' + 'to go')."""

    base: str
    third: str
    past: str
    participle: str
    ing: str
    complement: str = ""


@dataclass(frozen=True)
class _VerbGroup:
    auxiliary: str
    main: str


def english(sentence: Sentence) -> str:
    """The English sentence of a tree, with capital letter and final mark."""
    if isinstance(sentence, Question):
        return sentence_text(_question(sentence), "?")
    return sentence_text(_statement(sentence), ".")


def _statement(sentence: Statement) -> list[str]:
    words = _clause(sentence.clause)
    if sentence.fronted is not None:
        words = [*_fronted(sentence.fronted), *words]
    if sentence.subordinate is not None:
        words += _subordinate(sentence.subordinate)
    return words


def _fronted(front: object) -> list[str]:
    if isinstance(front, Subordinate):
        return [*_subordinate(front), ","]
    if isinstance(front, PrepositionalPhrase):
        return _phrase(front)
    return [front.english]


def _subordinate(subordinate: Subordinate) -> list[str]:
    return [subordinate.conjunction, *_clause(subordinate.clause)]


def _question(question: Question) -> list[str]:
    clause = question.clause
    if question.gap == "subject":
        return [question.asked, *_clause(clause, gap="subject")]
    group = _verb_group(clause, inverted=True)
    auxiliary, loose_not = _negated(group.auxiliary, clause)
    words = [auxiliary, *nominal(clause.subject), *loose_not, *_frequency(clause), group.main]
    words += _after_verb(clause, question.gap)
    if question.asked is not None:
        words.insert(0, _QUESTION_WORDS.get(question.asked, question.asked))
    return words


def _clause(clause: Clause, gap: str | None = None) -> list[str]:
    group = _verb_group(clause)
    auxiliary, loose_not = _negated(group.auxiliary, clause)
    subject = [] if gap == "subject" else nominal(clause.subject)
    words = [*subject, auxiliary, *loose_not, *_frequency(clause), group.main]
    return words + _after_verb(clause, gap)


def _negated(auxiliary: str, clause: Clause) -> tuple[str, list[str]]:
    """The auxiliary with its negation contracted, or followed by a separate 'not'."""
    if not clause.negated:
        return auxiliary, []
    if auxiliary in _NEGATED_AUXILIARIES and not clause.full_negation:
        return _NEGATED_AUXILIARIES[auxiliary], []
    if auxiliary == "can":
        return "cannot", []
    return auxiliary, ["not"]


def _frequency(clause: Clause) -> list[str]:
    adverb = clause.adverb
    return [adverb.english] if adverb is not None and adverb.slot == "frequency" else []


def _verb_group(clause: Clause, inverted: bool = False) -> _VerbGroup:
    modal = _AUXILIARY_MODALS.get((clause.modal, clause.tense))
    if modal is not None:
        return _VerbGroup(modal, clause.verb.english if clause.verb else "be")
    head = _head(clause)
    if clause.tense == "perfect":
        main = f"been {head.ing}" if clause.progressive else head.participle
        return _VerbGroup(_agreeing(clause, "have", "has"), main)
    if clause.progressive:
        return _VerbGroup(_be(clause), head.ing)
    if head.base == "be":
        return _VerbGroup(_be(clause), head.complement)
    return _simple_group(clause, head, inverted)


def _simple_group(clause: Clause, head: _Head, inverted: bool) -> _VerbGroup:
    """Simple tenses: 'do' appears in questions and negations only."""
    if clause.negated or inverted:
        do = "did" if clause.tense == "past" else _agreeing(clause, "do", "does")
        return _VerbGroup(do, f"{head.base} {head.complement}")
    finite = head.past if clause.tense == "past" else _agreeing(clause, head.base, head.third)
    return _VerbGroup("", f"{finite} {head.complement}")


def _head(clause: Clause) -> _Head:
    verb = clause.verb
    infinitive = verb.english if verb else "be"
    if clause.modal == "want":
        return _Head("want", "wants", "wanted", "wanted", "", f"to {infinitive}")
    if clause.modal == "have to":
        return _Head("have", "has", "had", "had", "", f"to {infinitive}")
    if clause.modal == "be allowed to":
        return _Head("be", "is", "was", "been", "being", f"allowed to {infinitive}")
    return _verb_head(verb)


def _verb_head(verb: Verb | None) -> _Head:
    if verb is None:
        return _Head("be", "is", "was", "been", "being")
    return _Head(verb.english, verb.third, verb.past, verb.participle, verb.ing)


def _is_third_singular(subject: Nominal) -> bool:
    if isinstance(subject, Pronoun):
        return subject.person == 3 and not subject.plural
    return not (isinstance(subject, NounPhrase) and subject.plural)


def _agreeing(clause: Clause, base: str, third: str) -> str:
    return third if _is_third_singular(clause.subject) else base


def _be(clause: Clause) -> str:
    subject = clause.subject
    is_first = isinstance(subject, Pronoun) and subject.person == 1 and not subject.plural
    if clause.tense == "past":
        return "was" if is_first or _is_third_singular(subject) else "were"
    if is_first:
        return "am"
    return _agreeing(clause, "are", "is")


def _after_verb(clause: Clause, gap: str | None) -> list[str]:
    """Everything that follows the verb: objects, predicate, role, phrases, adverb."""
    words = _objects(clause, gap)
    words += _prepositional_object(clause)
    words += _predicate(clause.predicate)
    if clause.role is not None:
        words += ["as", *nominal(clause.role)]
    for phrase in clause.phrases:
        words += [] if gap == "phrase" else _phrase(phrase)
    if clause.adverb is not None and clause.adverb.slot != "frequency":
        words.append(clause.adverb.english)
    return words


def _objects(clause: Clause, gap: str | None) -> list[str]:
    accusative = [] if clause.object is None else _object(clause)
    if gap == "recipient":
        return [*accusative, "to"]
    if clause.recipient is None:
        return accusative
    recipient = nominal(clause.recipient, "object")
    if clause.object is None or isinstance(clause.object, Pronoun):
        return [*accusative, "to", *recipient]
    return [*recipient, *accusative]


def _object(clause: Clause) -> list[str]:
    """The direct object; without article in a negated clause it takes 'any'."""
    words = nominal(clause.object, "object")
    is_bare = isinstance(clause.object, NounPhrase) and clause.object.determiner == "zero"
    return ["any", *words] if is_bare and clause.negated else words


def _prepositional_object(clause: Clause) -> list[str]:
    if clause.prepositional_object is None:
        return []
    return [clause.verb.english_preposition, *nominal(clause.prepositional_object, "object")]


def _phrase(phrase: PrepositionalPhrase) -> list[str]:
    return [phrase.preposition.english, *nominal(phrase.object, "object")]


def _predicate(predicate: AdjectivalPredicate | NominalPredicate | None) -> list[str]:
    if predicate is None:
        return []
    if isinstance(predicate, NominalPredicate):
        return nominal(predicate.phrase)
    adjective = predicate.adjective
    if predicate.degree == "comparative":
        return [adjective.comparative, "than", *nominal(predicate.standard, "object")]
    if predicate.degree == "equal":
        return ["as", adjective.english, "as", *nominal(predicate.standard, "object")]
    return [_DEGREE_WORDS[predicate.degree], adjective.english]


def nominal(phrase: Nominal, role: str = "subject") -> list[str]:
    """The words of a nominal as 'subject' or 'object'; only pronouns differ."""
    if isinstance(phrase, Pronoun):
        return [_pronoun(phrase, role)]
    if isinstance(phrase, NounPhrase):
        return _noun_phrase(phrase)
    name = phrase.name
    return [name if isinstance(name, str) else name.name]


def _pronoun(pronoun: Pronoun, role: str) -> str:
    subject, other = {
        (1, False): ("I", "me"),
        (2, False): ("you", "you"),
        (1, True): ("we", "us"),
        (3, True): ("they", "them"),
        (3, False): ("she", "her") if pronoun.gender == "f" else ("he", "him"),
    }[pronoun.person, pronoun.plural]
    if pronoun.inanimate:
        return "it"
    return subject if role == "subject" else other


def _noun_phrase(phrase: NounPhrase) -> list[str]:
    noun = phrase.noun.english_plural if phrase.plural else phrase.noun.english
    inner = [_adjective(graded) for graded in phrase.adjectives] + [noun]
    words = [_determiner(phrase, inner[0]), *inner]
    if phrase.genitive is not None:
        words += ["of", *nominal(phrase.genitive, "object")]
    if phrase.relative is not None:
        words += _relative(phrase.relative, phrase)
    return words


def _determiner(phrase: NounPhrase, following: str) -> str:
    if phrase.determiner == "indefinite":
        return "an" if following[0] in "aeiou" or following.startswith(_SILENT_H) else "a"
    return _DETERMINERS.get(phrase.determiner, phrase.determiner)


def _adjective(graded: GradedAdjective) -> str:
    adjective = graded.adjective
    if graded.degree == "positive":
        return adjective.english
    return adjective.comparative if graded.degree == "comparative" else adjective.superlative


def _relative(relative: RelativeClause, head: NounPhrase) -> list[str]:
    if relative.gap == "phrase":
        pronoun = "whom" if head.noun.is_person else "which"
        preposition = relative.clause.phrases[0].preposition.english
        return [preposition, pronoun, *_clause(relative.clause, "phrase")]
    pronoun = "who" if head.noun.is_person else "that"
    return [pronoun, *_clause(relative.clause, relative.gap)]
