"""German clauses and nominals."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import german_forms as forms
from research.grammar.entries import ABSENT
from research.grammar.german_order import (
    in_slot,
    is_before_object,
    is_indefinite,
    may_contract,
    precedes_object,
    takes_kein,
    takes_nicht,
)
from research.grammar.german_verbs import agreement, verb_cluster
from research.grammar.syntax import (
    AdjectivalPredicate,
    Clause,
    Coordination,
    Count,
    Nominal,
    NominalPredicate,
    NounPhrase,
    PlaceName,
    PlacePredicate,
    PrepositionalPhrase,
    Pronoun,
    ProperName,
    RelativeClause,
    Somebody,
    Statement,
    Subordinate,
)
from research.grammar.tables import listed
from research.grammar.text import COMMA, Word, words

CONJUNCTIONS = {
    "because": "weil",
    "that": "dass",
    "although": "obwohl",
    "if": "wenn",
    "whether": "ob",
    "while": "während",
    "before": "bevor",
    "where": "wo",
    "why": "warum",
    "how": "wie",
    "and": "und",
    "or": "oder",
    "but": "aber",
    "so": "deshalb",
}


_DEGREE_WORDS = {"positive": "", "too": "zu", "very": "sehr", "so": "so", "really": "wirklich"}


_LIKE_NOMINATIVE = frozenset({"sie", "es"})


# Phrases that stand with the adverbs of time, before the objects and before 'nicht'.
_EARLY_ROLES = frozenset({"time", "cause"})


_LATE_ROLES = frozenset(
    {"direction", "container_direction", "surface_direction", "upright_direction"}
)


def verb_first(sentence: Statement, at: str) -> list[Word]:
    """What follows something in the first place: finite verb, then subject."""
    clause = sentence.clause
    cluster = verb_cluster(clause, at)
    return [
        *cluster.finite,
        *subject_and_pronouns(clause, at),
        *middle_field(clause, at),
        *cluster.tail,
    ]


def closing_clause(subordinate: Subordinate | None, at: str) -> list[Word]:
    """The subordinate clause behind its main clause, if there is one."""
    return [] if subordinate is None else subordinate_clause(subordinate, f"{at}subordinate/")


def subordinate_clause(subordinate: Subordinate, at: str) -> list[Word]:
    """A clause with its conjunction between commas, or an infinitive with zu."""
    clause = subordinate.clause
    if subordinate.conjunction == "to":
        infinitive = words(forms.infinitive_with_zu(clause.verb), f"{at}verb")
        before = [*object_pronouns(clause, at), *middle_field(clause, at)]
        return [COMMA, *before, *infinitive, COMMA] if before else infinitive
    if subordinate.conjunction == "when":
        conjunction = "als" if clause.tense == "past" else "wenn"
    else:
        conjunction = CONJUNCTIONS[subordinate.conjunction]
    return [COMMA, *words(conjunction, f"{at}conjunction"), *_verb_final(clause, at), COMMA]


def _verb_final(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    lead = subject_and_pronouns(clause, at, gap)
    return [*lead, *middle_field(clause, at, gap), *verb_cluster(clause, at).joined]


def subject_and_pronouns(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    """A noun as subject follows pronouns that show their case: 'Gestern half mir der Arzt'.

    So it does with 'sich': 'Hat sich das Kind angezogen?'
    """
    pronouns = object_pronouns(clause, at)
    if gap == "subject":
        return pronouns
    subject = nominal(clause.subject, "nom", f"{at}subject")
    unclear = {*_LIKE_NOMINATIVE, subject[0].text}  # not 'weil ihr ihr Bruder half' either
    shows_case = unclear.isdisjoint(word.text for word in pronouns)
    if isinstance(clause.subject, NounPhrase) and shows_case:
        return pronouns + subject
    return subject + pronouns


def gap_case(clause: Clause, gap: str) -> str:
    """The case of the constituent that a w-word or relative pronoun stands for."""
    if gap == "subject":
        return "nom"
    if gap == "recipient":
        return "dat"
    return _object_case(clause)


def _object_case(clause: Clause) -> str:
    """The accusative also of what is measured: 'Er lief einen Kilometer'."""
    is_free = clause.verb is None or clause.verb.case == ABSENT
    return "acc" if is_free else clause.verb.case


def middle_field(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    """From the adverbials, behind subject and pronouns, to the verbs that close the clause."""
    adverbials, objects = _early_adverbials(clause, at), _nominal_objects(clause, at, gap)
    is_named = isinstance(clause.object, ProperName)  # 'Er traf Anna gestern'
    written = _nominal_recipient(clause, at)  # 'Er gab dem Kind gestern den Ball'
    written += objects + adverbials if is_named else adverbials + objects
    if takes_nicht(clause):
        written += words("nicht", f"{at}negation")
    if not precedes_object(clause):
        written += in_slot(clause, "manner", at)
    if clause.agent is not None:
        written += _governed("von", clause.agent, "dat", f"{at}by", f"{at}agent")
    if not precedes_object(clause):
        written += in_slot(clause, "place", at)
    written += _prepositional_object(clause, at, gap)
    if gap != "phrase":
        written += _phrases(clause, at)
    if clause.role is not None:
        written += words("als", f"{at}as")
        written += _role(clause, f"{at}role")
    return written + in_slot(clause, "goal", at) + _predicate(clause, at)


def _role(clause: Clause, at: str) -> list[Word]:
    """'als kluge Anwältin': German has no article here, and the endings are the same."""
    role = clause.role
    if role.determiner == "indefinite":
        role = replace(role, determiner="zero")
    return nominal(role, clause.verb.case, at)


def _phrases(clause: Clause, at: str) -> list[Word]:
    """With whom comes before where to: 'mit dem Koch nach Paris'."""
    numbered = [
        (i, phrase)
        for i, phrase in enumerate(clause.phrases)
        if phrase.preposition.role not in _EARLY_ROLES and not is_before_object(phrase, clause)
    ]
    numbered.sort(key=lambda item: item[1].preposition.role in _LATE_ROLES)
    return [
        word for i, phrase in numbered for word in prepositional_phrase(phrase, f"{at}phrase{i}")
    ]


def object_pronouns(clause: Clause, at: str) -> list[Word]:
    """Pronouns come first, the reflexive and the accusative before the dative."""
    written = []
    if clause.verb is not None and clause.verb.is_reflexive:
        written += words(forms.reflexive(*agreement(clause.subject)), f"{at}verb")
    if isinstance(clause.object, Pronoun):
        written += nominal(clause.object, _object_case(clause), f"{at}object")
    if isinstance(clause.recipient, Pronoun):
        written += nominal(clause.recipient, "dat", f"{at}recipient")
    return written


def _early_adverbials(clause: Clause, at: str) -> list[Word]:
    written = in_slot(clause, "time", at)
    for i, phrase in enumerate(clause.phrases):
        if phrase.preposition.role in _EARLY_ROLES:
            written += prepositional_phrase(phrase, f"{at}phrase{i}")
    return written


def _nominal_objects(clause: Clause, at: str, gap: str | None) -> list[Word]:
    """Adverbs follow a definite object and precede an indefinite."""
    frequency = in_slot(clause, "frequency", at)
    if clause.object is None or isinstance(clause.object, Pronoun) or gap == "object":
        return [*frequency, *_gladly(clause, at)]
    accusative = _direct_object(clause, at)
    if not is_indefinite(clause.object):
        is_thing = isinstance(clause.object, NounPhrase) and not clause.object.noun.is_person
        if is_thing and clause.modal == "like to":  # 'Er sagt gern die Wahrheit'
            return [*frequency, *_gladly(clause, at), *accusative]
        return [*accusative, *frequency, *_gladly(clause, at)]
    frequency += _gladly(clause, at)
    if precedes_object(clause):
        frequency += [*in_slot(clause, "manner", at), *in_slot(clause, "place", at)]
        for i, phrase in enumerate(clause.phrases):
            if is_before_object(phrase, clause):
                frequency += prepositional_phrase(phrase, f"{at}phrase{i}")
    return frequency + accusative


def _nominal_recipient(clause: Clause, at: str) -> list[Word]:
    if clause.recipient is None or isinstance(clause.recipient, Pronoun):
        return []
    return nominal(clause.recipient, "dat", f"{at}recipient")


def _gladly(clause: Clause, at: str) -> list[Word]:
    """'likes to read' is 'liest gern'."""
    if clause.modal != "like to":
        return []
    nicht = words("nicht", f"{at}negation") if clause.negated else []
    return [*nicht, *words("gern", f"{at}modal")]


def _direct_object(clause: Clause, at: str) -> list[Word]:
    negation = f"{at}negation" if takes_kein(clause) else None
    return nominal(clause.object, _object_case(clause), f"{at}object", negation)


def _prepositional_object(clause: Clause, at: str, gap: str | None) -> list[Word]:
    if clause.prepositional_object is None or gap == "prepositional_object":
        return []
    verb, node = clause.verb, f"{at}prepositional_object"
    preposition = f"{at}preposition"
    governed = clause.prepositional_object
    if verb.case == "acc":  # 'erinnert sich an das Wort', not 'ans Wort'
        german = words(verb.german_preposition, preposition)
        return [*german, *nominal(governed, "acc", node)]
    return _governed(verb.german_preposition, governed, verb.case, preposition, node)


def prepositional_phrase(phrase: PrepositionalPhrase, at: str) -> list[Word]:
    """A preposition with what it governs, contracted with the article where it may be."""
    german, case = phrase.preposition.german, phrase.preposition.case
    if isinstance(phrase.object, PlaceName):
        if phrase.preposition.role == "direction":
            german = place_direction(phrase.object)
            case = "acc" if phrase.object.gender else "dat"
        elif german == "in" and phrase.object.english in listed("islands"):
            german = "auf"
    return _governed(german, phrase.object, case, at, f"{at}/object")


def place_direction(place: PlaceName) -> str:
    """'nach Berlin', 'in die Schweiz', 'auf die Philippinen'."""
    if not place.gender:
        return "nach"
    return "auf" if place.english in listed("islands") else "in"


def _governed(
    preposition: str, governed: Nominal, case: str, at: str, object_at: str
) -> list[Word]:
    written = nominal(governed, case, object_at)
    if may_contract(governed):
        article, *rest = written
        *before, last = preposition.split()  # 'in der Nähe von'
        merged = forms.contracted(last, article.text)
        if merged:
            return [*words(" ".join(before), at), Word(merged, (at, *article.nodes)), *rest]
    return [*words(preposition, at), *written]


def _predicate(clause: Clause, at: str) -> list[Word]:
    predicate, node = clause.predicate, f"{at}predicate"
    if predicate is None:
        return []
    if isinstance(predicate, NominalPredicate):
        negation = f"{at}negation" if takes_kein(clause) else None
        return nominal(predicate.phrase, "nom", node, negation)
    if isinstance(predicate, PlacePredicate):
        return prepositional_phrase(predicate.phrase, node)
    return _adjectival(predicate, node)


def _adjectival(predicate: AdjectivalPredicate, node: str) -> list[Word]:
    adjective, degree = predicate.adjective, f"{node}/degree"
    if predicate.degree == "comparative":
        standard = nominal(predicate.standard, "nom", f"{node}/standard")
        return [*words(adjective.german_comparative, node), *words("als", degree), *standard]
    if predicate.degree == "equal":
        standard = nominal(predicate.standard, "nom", f"{node}/standard")
        said = words(adjective.german, node)
        return [*words("so", degree), *said, *words("wie", f"{degree}2"), *standard]
    return [*words(_DEGREE_WORDS[predicate.degree], degree), *words(adjective.german, node)]


def nominal(phrase: Nominal, case: str, at: str, negation: str | None = None) -> list[Word]:
    """The words of a nominal in a case; with the node of a negation its determiner is kein."""
    if isinstance(phrase, Pronoun):
        return words(forms.pronoun(phrase.person, phrase.plural, phrase.gender, case), at)
    if isinstance(phrase, NounPhrase):
        return _noun_phrase(phrase, case, at, negation)
    if isinstance(phrase, Coordination):
        return [
            *nominal(phrase.first, case, f"{at}/first"),
            *words(CONJUNCTIONS[phrase.conjunction], f"{at}/conjunction"),
            *nominal(phrase.second, case, f"{at}/second"),
        ]
    if isinstance(phrase, PlaceName):
        return _place_name(phrase, case, at)
    if isinstance(phrase, Somebody):
        return words(forms.SOMEBODY[phrase.english][case], at)
    if isinstance(phrase, ProperName):
        return _name(phrase, case, at)
    if isinstance(phrase, Count):
        return words(forms.count(phrase.number, phrase.spelled), at)
    denied = words("kein", negation) if negation else []  # of a language
    return [*denied, *words(phrase.german, at)]


def _name(phrase: ProperName, case: str, at: str) -> list[Word]:
    """'Annas Buch', 'Frau Millers Buch', but 'Herrn Miller'."""
    *given, last = phrase.name.split()
    ending = "s" if case == "gen" else ""
    title = words(forms.title(phrase.gender, case), f"{at}/title") if phrase.title else []
    before = title + [Word(part, (f"{at}/given{i}",)) for i, part in enumerate(given)]
    return [*before, Word(last + ending, (at,))]


def _place_name(phrase: PlaceName, case: str, at: str) -> list[Word]:
    if not phrase.gender:
        return words(phrase.german, at)
    name = phrase.german.split(maxsplit=1)[1]  # 'Schweiz' of 'die Schweiz'
    return [*words(forms.determiner("definite", phrase.gender, case), at), *words(name, at)]


def _noun_phrase(phrase: NounPhrase, case: str, at: str, negation: str | None = None) -> list[Word]:
    gender = forms.noun_gender(phrase.noun, phrase.plural, phrase.female)
    kind = _kind(phrase, negation)
    written = _determiner(phrase, kind, gender, case, at, negation)
    for i, graded in enumerate(phrase.adjectives):
        form = forms.adjective(graded.adjective, graded.degree, kind, gender, case)
        written += words(form, f"{at}/adjective{i}")
    written += words(forms.noun(phrase.noun, phrase.plural, case, phrase.female), at)
    if phrase.owner is not None and not isinstance(phrase.owner, ProperName):
        written += nominal(phrase.owner, "gen", f"{at}/owner")
    if phrase.relative is not None:
        written += _relative(phrase.relative, gender, at)
    return written


def _kind(phrase: NounPhrase, negation: str | None) -> str:
    """What decides on the endings: a count and 'Annas' are no articles, hence strong endings."""
    if phrase.owner is not None:
        return "zero" if isinstance(phrase.owner, ProperName) else "definite"
    if phrase.count is not None:
        return "zero"
    if phrase.determiner == "in general":
        return "definite"
    return "no" if negation else phrase.determiner


def _determiner(
    phrase: NounPhrase, kind: str, gender: str, case: str, at: str, negation: str | None
) -> list[Word]:
    if isinstance(phrase.owner, ProperName):
        return nominal(phrase.owner, "gen", f"{at}/owner")
    if phrase.count is not None:
        return words(forms.count(phrase.count.number, phrase.count.spelled), f"{at}/count")
    nodes = (f"{at}/determiner", negation) if negation else (f"{at}/determiner",)
    return words(forms.determiner(kind, gender, case), *nodes)


def _relative(relative: RelativeClause, gender: str, at: str) -> list[Word]:
    clause, inside, node = relative.clause, f"{at}/relative/", f"{at}/relative"
    if relative.gap == "phrase":
        preposition = clause.phrases[0].preposition
        lead = words(preposition.german, f"{inside}phrase0")
        case = preposition.case
    else:
        lead, case = [], gap_case(clause, relative.gap)
    pronoun = words(forms.RELATIVE_PRONOUNS[gender][case], node)
    return [COMMA, *lead, *pronoun, *_verb_final(clause, inside, relative.gap), COMMA]
