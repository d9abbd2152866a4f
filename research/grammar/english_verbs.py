"""The English verb group."""

from __future__ import annotations

from dataclasses import dataclass

from research.grammar import english_forms as forms
from research.grammar.entries import Verb
from research.grammar.syntax import Clause, Coordination, Nominal, NounPhrase, Pronoun
from research.grammar.text import Word, words


@dataclass(frozen=True)
class _VerbGroup:
    """The finite verb and, after 'not' and the adverbs of frequency, the rest of the verbs."""

    finite: list[Word]
    rest: list[Word]


def verb_group(clause: Clause, at: str, inverted: bool = False) -> _VerbGroup:
    """In order: modal auxiliaries, will, the perfect, forms of be, and the simple tenses."""
    verb, modal = f"{at}verb", f"{at}modal"
    lexical = _lexical(clause, at)
    if clause.modal in forms.MODAL_AUXILIARIES:
        auxiliary = forms.MODAL_AUXILIARIES[clause.modal].get(clause.tense)
        complement = forms.MODAL_COMPLEMENTS.get(clause.modal, "")
        return _VerbGroup(words(auxiliary, modal), [*words(complement, modal), *lexical])
    head, rest = _head(clause, at)
    node = modal if clause.modal else verb
    if clause.tense == "future":
        return _VerbGroup(words("will", f"{at}future"), [*words(head.base, node), *rest])
    if clause.tense == "perfect":
        have = words(_agreeing(clause, "have", "has"), f"{at}perfect")
        if clause.progressive:
            return _VerbGroup(have, [*words("been", verb), *words(head.ing, verb)])
        return _VerbGroup(have, [*words(head.participle, node), *rest])
    if clause.progressive:
        return _VerbGroup(words(_be(clause), verb), words(head.ing, verb))
    if head.base == "be":
        return _VerbGroup(words(_be(clause), node), rest)
    return _simple_group(clause, head, node, rest, inverted)


def _simple_group(
    clause: Clause, head: forms.VerbForms, node: str, rest: list[Word], inverted: bool
) -> _VerbGroup:
    """Simple tenses: 'do' appears in questions and negations only."""
    if clause.negated or inverted:
        do = "did" if clause.tense == "past" else _agreeing(clause, "do", "does")
        return _VerbGroup(words(do, node), [*words(head.base, node), *rest])
    finite = head.past if clause.tense == "past" else _agreeing(clause, head.base, head.third)
    return _VerbGroup([], [*words(finite, node), *rest])


def _lexical(clause: Clause, at: str) -> list[Word]:
    """The infinitive behind a modal; 'would like' needs none before a noun."""
    if clause.passive:
        return [*words("be", f"{at}passive"), *words(clause.verb.participle, f"{at}verb")]
    if clause.verb is None and clause.predicate is None:
        return []
    return words(verb_head(clause.verb).base, f"{at}verb")


def _head(clause: Clause, at: str) -> tuple[forms.VerbForms, list[Word]]:
    """The verb that carries the tense, and what hangs on it ('want' + 'to go')."""
    if clause.modal is not None:
        head, complement = forms.MODAL_VERBS[clause.modal]
        return head, [*words(complement, f"{at}modal"), *_lexical(clause, at)]
    if clause.passive:
        return forms.BE, words(clause.verb.participle, f"{at}verb")
    return verb_head(clause.verb), []


def verb_head(verb: Verb | None) -> forms.VerbForms:
    """Forms of the verb, or of 'be' where there is none."""
    if verb is None:
        return forms.BE
    return forms.VerbForms(verb.english, verb.third, verb.past, verb.participle, verb.ing)


def is_plural(phrase: NounPhrase) -> bool:
    """Whether the English noun is a plural: 'the glasses are' though 'die Brille ist'."""
    return phrase.plural or phrase.noun.is_plural_in_english


def _is_third_singular(subject: Nominal) -> bool:
    if isinstance(subject, Pronoun):
        return subject.person == 3 and not subject.plural
    if isinstance(subject, Coordination):
        return subject.conjunction == "or" and _is_third_singular(subject.second)
    return not (isinstance(subject, NounPhrase) and is_plural(subject))


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
