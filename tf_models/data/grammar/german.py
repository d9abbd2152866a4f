"""German linearisation of the abstract syntax: word order, and the choice of forms."""

from __future__ import annotations

from dataclasses import dataclass

from tf_models.data.grammar import german_forms as forms
from tf_models.data.grammar.lexicon import ABSENT
from tf_models.data.grammar.syntax import (
    AdjectivalPredicate,
    CityName,
    Clause,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PrepositionalPhrase,
    Pronoun,
    ProperName,
    Question,
    RelativeClause,
    Sentence,
    Statement,
    Subordinate,
)
from tf_models.data.grammar.text import sentence_text

_CONJUNCTIONS = {"because": "weil", "that": "dass", "although": "obwohl", "if": "wenn"}
_QUESTION_WORDS = {
    "where": "wo",
    "whither": "wohin",
    "when": "wann",
    "why": "warum",
    "how": "wie",
    "what": "was",
}
_WHO = {"nom": "wer", "acc": "wen", "dat": "wem"}
_MODALS = {
    "can": "können",
    "must": "müssen",
    "have to": "müssen",
    "may": "dürfen",
    "be allowed to": "dürfen",
    "want": "wollen",
    "should": "sollen",
}
_DEGREE_WORDS = {"positive": "", "too": "zu", "very": "sehr"}
_LIKE_NOMINATIVE = frozenset({"sie", "es"})
# Phrases that stand with the adverbs of time, before the objects and before 'nicht'.
_EARLY_ROLES = frozenset({"time", "cause"})


@dataclass(frozen=True)
class _Cluster:
    """The finite verb and what closes the clause: prefix, participle or infinitive."""

    finite: str
    tail: str
    joined: str  # finite verb and tail in a verb-final clause


def german(sentence: Sentence) -> str:
    """The German sentence of a tree, with capital letter and final mark."""
    if isinstance(sentence, Question):
        return sentence_text(_question(sentence), "?")
    return sentence_text(_statement(sentence), ".")


def _statement(sentence: Statement) -> list[str]:
    clause = sentence.clause
    cluster = _cluster(clause)
    if sentence.fronted is None:
        words = [*nominal(clause.subject, "nom"), cluster.finite, *_object_pronouns(clause)]
    else:
        words = [*_fronted(sentence.fronted), cluster.finite, *_subject_and_pronouns(clause)]
    words += [*_middle(clause), cluster.tail]
    if sentence.subordinate is not None:
        words += _subordinate(sentence.subordinate)
    return words


def _fronted(front: object) -> list[str]:
    if isinstance(front, Subordinate):
        return _subordinate(front)
    if isinstance(front, PrepositionalPhrase):
        return _phrase(front)
    return [front.german]


def _subordinate(subordinate: Subordinate) -> list[str]:
    conjunction = _CONJUNCTIONS[subordinate.conjunction]
    return [",", conjunction, *_verb_final(subordinate.clause), ","]


def _verb_final(clause: Clause, gap: str | None = None) -> list[str]:
    return [*_subject_and_pronouns(clause, gap), *_middle(clause, gap), _cluster(clause).joined]


def _subject_and_pronouns(clause: Clause, gap: str | None = None) -> list[str]:
    """A noun as subject follows pronouns that show their case: 'Gestern half mir der Arzt'."""
    pronouns = _object_pronouns(clause)
    if gap == "subject":
        return pronouns
    subject = nominal(clause.subject, "nom")
    unclear = {*_LIKE_NOMINATIVE, subject[0]}  # not 'weil ihr ihr Bruder half' either
    if isinstance(clause.subject, NounPhrase) and unclear.isdisjoint(pronouns):
        return pronouns + subject
    return subject + pronouns


def _question(question: Question) -> list[str]:
    clause = question.clause
    cluster = _cluster(clause)
    words = [cluster.finite, *_subject_and_pronouns(clause, question.gap)]
    words += [*_middle(clause, question.gap), cluster.tail]
    if question.asked == "who":
        return [_WHO[_gap_case(clause, question.gap)], *words]
    if question.asked is not None:
        return [_QUESTION_WORDS[question.asked], *words]
    return words


def _gap_case(clause: Clause, gap: str) -> str:
    """The case of the constituent that a w-word or relative pronoun stands for."""
    if gap == "subject":
        return "nom"
    if gap == "recipient":
        return "dat"
    return clause.verb.case


def _agreement(subject: Nominal) -> tuple[int, bool]:
    if isinstance(subject, Pronoun):
        return subject.person, subject.plural
    return 3, isinstance(subject, NounPhrase) and subject.plural


def _cluster(clause: Clause) -> _Cluster:
    person, plural = _agreement(clause.subject)
    if clause.modal is not None:
        return _modal_cluster(clause, person, plural)
    if clause.tense == "perfect" and not clause.progressive:
        return _perfect_cluster(clause, person, plural)
    # 'has been waiting since ...' still goes on, hence the German present.
    tense = "present" if clause.tense == "perfect" else clause.tense
    if clause.verb is None:
        finite = forms.sein(tense, person, plural)
        return _Cluster(finite, "", finite)
    finite = forms.finite(clause.verb, tense, person, plural)
    prefix = "" if clause.verb.prefix == ABSENT else clause.verb.prefix
    return _Cluster(finite, prefix, prefix + finite)


def _perfect_cluster(clause: Clause, person: int, plural: bool) -> _Cluster:
    verb = clause.verb
    finite = forms.auxiliary(verb.auxiliary if verb else "sein", person, plural)
    participle = verb.german_participle if verb else "gewesen"
    return _Cluster(finite, participle, f"{participle} {finite}")


def _modal_cluster(clause: Clause, person: int, plural: bool) -> _Cluster:
    modal = _MODALS[clause.modal]
    if clause.modal == "must" and clause.negated:
        modal = "dürfen"  # 'must not' forbids; 'does not have to' is 'nicht müssen'
    finite = forms.modal(modal, clause.tense, person, plural)
    infinitive = clause.verb.german_infinitive if clause.verb else "sein"
    return _Cluster(finite, infinitive, f"{infinitive} {finite}")


def _middle(clause: Clause, gap: str | None = None) -> list[str]:
    """From the adverbials, behind subject and pronouns, to the verbs that close the clause."""
    words = _early_adverbials(clause)
    words += _nominal_objects(clause)
    if clause.negated and not _takes_kein(clause):
        words.append("nicht")
    if not _precedes_object(clause):
        words += _in_slot(clause, "manner")
    words += _prepositional_object(clause)
    if gap != "phrase":
        for phrase in clause.phrases:
            words += [] if phrase.preposition.role in _EARLY_ROLES else _phrase(phrase)
    if clause.role is not None:
        words += ["als", *nominal(clause.role, clause.verb.case)]
    return words + _predicate(clause)


def _object_pronouns(clause: Clause) -> list[str]:
    """Pronouns come first, the accusative before the dative."""
    words = []
    if isinstance(clause.object, Pronoun):
        words += nominal(clause.object, clause.verb.case)
    if isinstance(clause.recipient, Pronoun):
        words += nominal(clause.recipient, "dat")
    return words


def _early_adverbials(clause: Clause) -> list[str]:
    words = _in_slot(clause, "time")
    for phrase in clause.phrases:
        words += _phrase(phrase) if phrase.preposition.role in _EARLY_ROLES else []
    return words


def _nominal_objects(clause: Clause) -> list[str]:
    """Dative before accusative; adverbs follow a definite object and precede an indefinite."""
    words = []
    if clause.recipient is not None and not isinstance(clause.recipient, Pronoun):
        words += nominal(clause.recipient, "dat")
    frequency = _in_slot(clause, "frequency")
    if clause.object is None or isinstance(clause.object, Pronoun):
        return words + frequency
    accusative = _direct_object(clause)
    if _is_indefinite(clause.object):
        manner = _in_slot(clause, "manner") if _precedes_object(clause) else []
        return words + frequency + manner + accusative
    return words + accusative + frequency


def _in_slot(clause: Clause, slot: str) -> list[str]:
    """The adverb of the clause if it belongs in this slot."""
    adverb = clause.adverb
    return [adverb.german] if adverb is not None and adverb.slot == slot else []


def _precedes_object(clause: Clause) -> bool:
    """'Er trinkt schnell Saft', but 'den Saft schnell' and 'keinen Saft schnell'."""
    phrase = clause.object
    return _is_indefinite(phrase) and phrase.determiner != "no" and not clause.negated


def _direct_object(clause: Clause) -> list[str]:
    if _takes_kein(clause):
        return _noun_phrase(clause.object, clause.verb.case, kein=True)
    return nominal(clause.object, clause.verb.case)


def _is_indefinite(phrase: Nominal | None) -> bool:
    return isinstance(phrase, NounPhrase) and phrase.determiner in ("indefinite", "zero", "no")


def _takes_kein(clause: Clause) -> bool:
    """Negation merges with an indefinite object or predicate noun: kein instead of nicht ein."""
    if not clause.negated:
        return False
    if isinstance(clause.predicate, NominalPredicate):
        return _is_indefinite(clause.predicate.phrase)
    return _is_indefinite(clause.object)


def _prepositional_object(clause: Clause) -> list[str]:
    if clause.prepositional_object is None:
        return []
    verb = clause.verb
    return _governed(verb.german_preposition, clause.prepositional_object, verb.case)


def _phrase(phrase: PrepositionalPhrase) -> list[str]:
    preposition = phrase.preposition
    german = preposition.german
    if preposition.role == "direction" and isinstance(phrase.object, CityName):
        german = "nach"
    return _governed(german, phrase.object, preposition.case)


def _governed(preposition: str, governed: Nominal, case: str) -> list[str]:
    words = nominal(governed, case)
    if _may_contract(governed):
        return [*forms.contracted(preposition, words[0]), *words[1:]]
    return [preposition, *words]


def _may_contract(phrase: Nominal) -> bool:
    """'im Haus', but 'in dem Haus, das ...': a restrictive clause keeps the article."""
    return (
        isinstance(phrase, NounPhrase)
        and phrase.determiner == "definite"
        and phrase.relative is None
    )


def _predicate(clause: Clause) -> list[str]:
    predicate = clause.predicate
    if predicate is None:
        return []
    if isinstance(predicate, NominalPredicate):
        return _noun_phrase(predicate.phrase, "nom", kein=_takes_kein(clause))
    return _adjectival(predicate)


def _adjectival(predicate: AdjectivalPredicate) -> list[str]:
    adjective = predicate.adjective
    if predicate.degree == "comparative":
        return [adjective.german_comparative, "als", *nominal(predicate.standard, "nom")]
    if predicate.degree == "equal":
        return ["so", adjective.german, "wie", *nominal(predicate.standard, "nom")]
    return [_DEGREE_WORDS[predicate.degree], adjective.german]


def nominal(phrase: Nominal, case: str) -> list[str]:
    """The words of a nominal in a case."""
    if isinstance(phrase, Pronoun):
        return [forms.pronoun(phrase.person, phrase.plural, phrase.gender, case)]
    if isinstance(phrase, NounPhrase):
        return _noun_phrase(phrase, case)
    return [phrase.name.name if isinstance(phrase, ProperName) else phrase.name]


def _noun_phrase(phrase: NounPhrase, case: str, kein: bool = False) -> list[str]:
    gender = forms.noun_gender(phrase.noun, phrase.plural, phrase.female)
    kind = "no" if kein else phrase.determiner
    words = [forms.determiner(kind, gender, case)]
    for graded in phrase.adjectives:
        words.append(forms.adjective(graded.adjective, graded.degree, kind, gender, case))
    words.append(forms.noun(phrase.noun, phrase.plural, case, phrase.female))
    if phrase.genitive is not None:
        words += nominal(phrase.genitive, "gen")
    if phrase.relative is not None:
        words += _relative(phrase.relative, gender)
    return words


def _relative(relative: RelativeClause, gender: str) -> list[str]:
    clause = relative.clause
    if relative.gap == "phrase":
        preposition = clause.phrases[0].preposition
        pronoun = [preposition.german, forms.RELATIVE_PRONOUNS[gender][preposition.case]]
    else:
        pronoun = [forms.RELATIVE_PRONOUNS[gender][_gap_case(clause, relative.gap)]]
    return [",", *pronoun, *_verb_final(clause, relative.gap), ","]
