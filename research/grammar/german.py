"""German linearisation of the abstract syntax: word order, and the choice of forms."""

from __future__ import annotations

from dataclasses import dataclass, replace

from research.grammar import german_forms as forms
from research.grammar.lexicon import ABSENT, Adverb
from research.grammar.syntax import (
    YOU,
    AdjectivalPredicate,
    Bare,
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
    PlaceName,
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

# Like 'sein' and the modal verbs these keep the Präteritum where people talk to each other.
_SAID_IN_PAST = frozenset({"haben", "wissen", "kennen", "mögen"})
_CONJUNCTIONS = {
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
    "be allowed to": "dürfen",
    "want": "wollen",
    "should": "sollen",
    "would like": "möchten",
    "would like to": "möchten",
}
_DEGREE_WORDS = {
    "positive": "",
    "too": "zu",
    "very": "sehr",
    "so": "so",
    "really": "wirklich",
}
# What is felt for a kind is denied with 'nicht': 'hasst Spinnen nicht'.
_NEVER_KEIN = frozenset({"lieben", "hassen"})
_LIKE_NOMINATIVE = frozenset({"sie", "es"})
# Phrases that stand with the adverbs of time, before the objects and before 'nicht'.
_EARLY_ROLES = frozenset({"time", "cause"})
_LATE_ROLES = frozenset(
    {"direction", "container_direction", "surface_direction", "upright_direction"}
)


@dataclass(frozen=True)
class _Cluster:
    """The finite verb and what closes the clause: prefix, participle or infinitive."""

    finite: list[Word]
    tail: list[Word]
    joined: list[Word]  # finite verb and tail in a verb-final clause


def statement(sentence: Statement, at: str = "", *, subject: bool = True) -> list[Word]:
    """Words of a statement, the finite verb in second place; without subject after 'und'."""
    clause = sentence.clause
    cluster = _cluster(clause, at)
    if not subject:
        written = [*cluster.finite, *_object_pronouns(clause, at)]
    elif sentence.fronted is None:
        lead = nominal(clause.subject, "nom", f"{at}subject")
        written = [*lead, *cluster.finite, *_object_pronouns(clause, at)]
    else:
        lead = _fronted(sentence.fronted, f"{at}fronted")
        written = [*lead, *_verb_first(sentence, at)]
        return written + _subordinate(sentence.subordinate, at)
    written += [*_middle(clause, at), *cluster.tail]
    return written + _subordinate(sentence.subordinate, at)


def existence(sentence: Existence) -> list[Word]:
    """Words of 'es gibt', the place first in a statement: 'Im Dorf gibt es einen Park'."""
    verb = words({"present": "gibt", "past": "gab"}[sentence.tense], "verb")
    es, place = words("es", "there"), _where(sentence.place)
    thing = _thing_there(sentence)
    if sentence.asked:
        return [*verb, *es, *place, *thing]
    return [*place, *verb, *es, *thing] if place else [*es, *verb, *thing]


def _thing_there(sentence: Existence) -> list[Word]:
    thing = sentence.thing
    if not sentence.negated:
        return nominal(thing, "acc", "object")
    if thing.count is not None or thing.determiner not in ("indefinite", "zero"):
        return [*words("nicht", "negation"), *nominal(thing, "acc", "object")]
    return nominal(thing, "acc", "object", "negation")


def _where(place: PrepositionalPhrase | Adverb | None) -> list[Word]:
    if place is None:
        return []
    if isinstance(place, PrepositionalPhrase):
        return _phrase(place, "place")
    return words(place.german, "place")


def compound(sentence: Compound) -> list[Word]:
    """Words of two statements; a comma before aber and deshalb, which takes the first place."""
    first = statement(sentence.first, "first/")
    conjunction = words(_CONJUNCTIONS[sentence.conjunction], "conjunction")
    if sentence.conjunction == "so":
        return [*first, COMMA, *conjunction, *_verb_first(sentence.second, "second/")]
    comma = [COMMA] if sentence.conjunction == "but" else []
    second = statement(sentence.second, "second/", subject=not sentence.shares_subject)
    return [*first, *comma, *conjunction, *second]


def chain(sentence: Chain) -> list[Word]:
    """Words of all statements, 'und' between them."""
    written = statement(sentence.links[0], "link0/")
    for i, link in enumerate(sentence.links[1:], start=1):
        conjunction = words(_CONJUNCTIONS["and"], f"conjunction{i}")
        written += [*conjunction, *statement(link, f"link{i}/")]
    return written


def _verb_first(sentence: Statement, at: str) -> list[Word]:
    """What follows something in the first place: finite verb, then subject."""
    clause = sentence.clause
    cluster = _cluster(clause, at)
    return [
        *cluster.finite,
        *_subject_and_pronouns(clause, at),
        *_middle(clause, at),
        *cluster.tail,
    ]


def command(sentence: Command) -> list[Word]:
    """Words of an imperative: 'Bitte öffne die Tür nicht', 'Lass uns tanzen'."""
    clause = sentence.clause
    please = words("bitte" if sentence.please else "", "please")
    verb = clause.verb
    if sentence.together:
        lead = words("lass uns", "together")
        tail = words(verb.german_infinitive, "verb")
    else:
        lead = words(forms.imperative(verb), "verb")
        tail = words(verb.prefix if verb.prefix != ABSENT else "", "verb")
    return [*please, *lead, *_object_pronouns(clause, ""), *_middle(clause, ""), *tail]


def question(sentence: Question) -> list[Word]:
    """Words of a question, without its mark."""
    clause, gap = sentence.clause, sentence.gap
    cluster = _cluster(in_perfect(clause), "")
    written = [*_asked(sentence), *cluster.finite, *_subject_and_pronouns(clause, "", gap)]
    written += [*_middle(clause, "", gap), *cluster.tail]
    return written + _subordinate(sentence.subordinate, "")


def _asked(sentence: Question) -> list[Word]:
    clause = sentence.clause
    if sentence.asked == "who":
        return words(_WHO[_gap_case(clause, sentence.gap)], "asked")
    if sentence.asked == "phrase":
        asked = getattr(clause, sentence.gap)
        return nominal(asked, _gap_case(clause, sentence.gap), sentence.gap)
    return words(_QUESTION_WORDS.get(sentence.asked, ""), "asked")


def _fronted(front: object, at: str) -> list[Word]:
    if isinstance(front, Subordinate):
        return _subordinate_clause(front, f"{at}/")
    if isinstance(front, PrepositionalPhrase):
        return _phrase(front, at)
    return words(front.german, at)


def _subordinate(subordinate: Subordinate | None, at: str) -> list[Word]:
    return [] if subordinate is None else _subordinate_clause(subordinate, f"{at}subordinate/")


def _subordinate_clause(subordinate: Subordinate, at: str) -> list[Word]:
    clause = subordinate.clause
    if subordinate.conjunction == "to":
        infinitive = words(forms.infinitive_with_zu(clause.verb), f"{at}verb")
        before = [*_object_pronouns(clause, at), *_middle(clause, at)]
        return [COMMA, *before, *infinitive, COMMA] if before else infinitive
    if subordinate.conjunction == "when":
        conjunction = "als" if clause.tense == "past" else "wenn"
    else:
        conjunction = _CONJUNCTIONS[subordinate.conjunction]
    return [COMMA, *words(conjunction, f"{at}conjunction"), *_verb_final(clause, at), COMMA]


def _verb_final(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    lead = _subject_and_pronouns(clause, at, gap)
    return [*lead, *_middle(clause, at, gap), *_cluster(clause, at).joined]


def _subject_and_pronouns(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    """A noun as subject follows pronouns that show their case: 'Gestern half mir der Arzt'.

    So it does with 'sich': 'Hat sich das Kind angezogen?'
    """
    pronouns = _object_pronouns(clause, at)
    if gap == "subject":
        return pronouns
    subject = nominal(clause.subject, "nom", f"{at}subject")
    unclear = {*_LIKE_NOMINATIVE, subject[0].text}  # not 'weil ihr ihr Bruder half' either
    shows_case = unclear.isdisjoint(word.text for word in pronouns)
    if isinstance(clause.subject, NounPhrase) and shows_case:
        return pronouns + subject
    return subject + pronouns


def _gap_case(clause: Clause, gap: str) -> str:
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


def agreement(subject: Nominal) -> tuple[int, bool]:
    """Person and number that the finite verb takes from its subject."""
    if isinstance(subject, Pronoun):
        return subject.person, subject.plural
    if isinstance(subject, Coordination):
        persons = [agreement(subject.first)[0], agreement(subject.second)[0]]
        is_or = subject.conjunction == "or"
        return agreement(subject.second) if is_or else (min(persons), True)
    if isinstance(subject, Somebody):
        return 3, subject.english in ("everybody", "everyone")
    return 3, isinstance(subject, NounPhrase) and is_plural(subject)


def is_plural(phrase: NounPhrase) -> bool:
    """Whether the German noun is a plural: 'die Hausaufgaben sind' though 'the homework is'."""
    return phrase.plural or phrase.noun.gender == "p"


def in_perfect(clause: Clause) -> Clause:
    """Where people talk to each other the past is the Perfekt: 'Hast du den Ball gefunden?'

    The clause itself where German says the Präteritum: 'Warst du krank?', 'Wusstest du das?'
    """
    keeps = clause.verb is None or clause.verb.infinitive in _SAID_IN_PAST
    if clause.tense != "past" or keeps or clause.modal or clause.passive:
        return clause
    return replace(clause, tense="perfect", progressive=False)


def _cluster(clause: Clause, at: str) -> _Cluster:
    if clause.subject == YOU:
        clause = in_perfect(clause)
    person, plural = agreement(clause.subject)
    verb, lexicon_verb = f"{at}verb", clause.verb
    if clause.modal is not None and clause.modal != "like to":
        return _modal_cluster(clause, at, person, plural)
    if clause.tense == "future":
        finite = words(forms.werden("present", person, plural), f"{at}future")
        return _around(finite, _infinitive(clause, at))
    if clause.passive:
        finite = words(forms.werden(clause.tense, person, plural), f"{at}passive")
        return _around(finite, words(lexicon_verb.german_participle, verb))
    if clause.tense == "perfect" and not clause.progressive:
        return _perfect_cluster(clause, at, person, plural)
    # 'has been waiting since ...' still goes on, hence the German present.
    tense = "present" if clause.tense == "perfect" else clause.tense
    if lexicon_verb is None:
        finite = words(forms.sein(tense, person, plural), verb)
        return _Cluster(finite, [], finite)
    finite = forms.finite(lexicon_verb, tense, person, plural)
    prefix = "" if lexicon_verb.prefix == ABSENT else lexicon_verb.prefix
    return _Cluster(words(finite, verb), words(prefix, verb), words(prefix + finite, verb))


def _around(finite: list[Word], tail: list[Word]) -> _Cluster:
    return _Cluster(finite, tail, [*tail, *finite])


def _perfect_cluster(clause: Clause, at: str, person: int, plural: bool) -> _Cluster:
    verb = clause.verb
    finite = forms.auxiliary(verb.auxiliary if verb else "sein", person, plural)
    participle = verb.german_participle if verb else "gewesen"
    return _around(words(finite, f"{at}perfect"), words(participle, f"{at}verb"))


def _modal_cluster(clause: Clause, at: str, person: int, plural: bool) -> _Cluster:
    modal = _MODALS[clause.modal]
    if clause.modal == "must" and clause.negated:
        modal = "dürfen"  # 'must not' forbids; 'does not have to' is 'nicht müssen'
    if clause.tense == "future":  # 'will have to'
        finite = words(forms.werden("present", person, plural), f"{at}future")
        return _around(finite, [*_infinitive(clause, at), *words(modal, f"{at}modal")])
    finite = words(forms.modal(modal, clause.tense, person, plural), f"{at}modal")
    return _around(finite, _infinitive(clause, at))


def _infinitive(clause: Clause, at: str) -> list[Word]:
    if clause.passive:
        participle = words(clause.verb.german_participle, f"{at}verb")
        return [*participle, *words("werden", f"{at}passive")]
    if clause.verb is not None:
        return words(clause.verb.german_infinitive, f"{at}verb")
    return [] if clause.predicate is None else words("sein", f"{at}verb")


def _middle(clause: Clause, at: str, gap: str | None = None) -> list[Word]:
    """From the adverbials, behind subject and pronouns, to the verbs that close the clause."""
    adverbials, objects = _early_adverbials(clause, at), _nominal_objects(clause, at, gap)
    is_named = isinstance(clause.object, ProperName)  # 'Er traf Anna gestern'
    written = _nominal_recipient(clause, at)  # 'Er gab dem Kind gestern den Ball'
    written += objects + adverbials if is_named else adverbials + objects
    if _takes_nicht(clause):
        written += words("nicht", f"{at}negation")
    if not _precedes_object(clause):
        written += _in_slot(clause, "manner", at)
    if clause.agent is not None:
        written += _governed("von", clause.agent, "dat", f"{at}by", f"{at}agent")
    if not _precedes_object(clause):
        written += _in_slot(clause, "place", at)
    written += _prepositional_object(clause, at, gap)
    if gap != "phrase":
        written += _phrases(clause, at)
    if clause.role is not None:
        written += words("als", f"{at}as")
        written += _role(clause, f"{at}role")
    return written + _in_slot(clause, "goal", at) + _predicate(clause, at)


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
        if phrase.preposition.role not in _EARLY_ROLES and not _is_before_object(phrase, clause)
    ]
    numbered.sort(key=lambda item: item[1].preposition.role in _LATE_ROLES)
    return [word for i, phrase in numbered for word in _phrase(phrase, f"{at}phrase{i}")]


def _is_before_object(phrase: PrepositionalPhrase, clause: Clause) -> bool:
    """'kochte mit dem Gärtner eine Suppe': before an object that is new."""
    return phrase.preposition.role == "companion" and _precedes_object(clause)


def _object_pronouns(clause: Clause, at: str) -> list[Word]:
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
    written = _in_slot(clause, "time", at)
    for i, phrase in enumerate(clause.phrases):
        if phrase.preposition.role in _EARLY_ROLES:
            written += _phrase(phrase, f"{at}phrase{i}")
    return written


def _nominal_objects(clause: Clause, at: str, gap: str | None) -> list[Word]:
    """Adverbs follow a definite object and precede an indefinite."""
    frequency = _in_slot(clause, "frequency", at)
    if clause.object is None or isinstance(clause.object, Pronoun) or gap == "object":
        return [*frequency, *_gladly(clause, at)]
    accusative = _direct_object(clause, at)
    if not _is_indefinite(clause.object):
        is_thing = isinstance(clause.object, NounPhrase) and not clause.object.noun.is_person
        if is_thing and clause.modal == "like to":  # 'Er sagt gern die Wahrheit'
            return [*frequency, *_gladly(clause, at), *accusative]
        return [*accusative, *frequency, *_gladly(clause, at)]
    frequency += _gladly(clause, at)
    if _precedes_object(clause):
        frequency += [*_in_slot(clause, "manner", at), *_in_slot(clause, "place", at)]
        for i, phrase in enumerate(clause.phrases):
            if _is_before_object(phrase, clause):
                frequency += _phrase(phrase, f"{at}phrase{i}")
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


def _in_slot(clause: Clause, slot: str, at: str) -> list[Word]:
    """The adverbs of the clause that belong in this slot."""
    return [
        word
        for i, adverb in enumerate(clause.adverbs)
        if adverb.slot == slot
        for word in words(adverb.german, f"{at}adverb{i}")
    ]


def _precedes_object(clause: Clause) -> bool:
    """'Er trinkt schnell Saft', 'Sie lernt dort Tischtennis', but 'den Saft schnell'."""
    return _is_indefinite(clause.object)


def _direct_object(clause: Clause, at: str) -> list[Word]:
    negation = f"{at}negation" if _takes_kein(clause) else None
    return nominal(clause.object, _object_case(clause), f"{at}object", negation)


def _is_indefinite(phrase: Nominal | None) -> bool:
    if isinstance(phrase, Coordination):
        return _is_indefinite(phrase.second)
    if not isinstance(phrase, NounPhrase):
        return isinstance(phrase, Bare)
    if phrase.owner is not None:
        return False
    return phrase.count is not None or phrase.determiner in (
        *("indefinite", "zero", "generic", "no", "many", "some", "a few"),
    )


def _takes_kein(clause: Clause) -> bool:
    """Negation merges with an indefinite object or predicate noun: kein instead of nicht ein.

    So it does with a language: 'Er spricht kein Polnisch'.
    """
    if not clause.negated or clause.modal == "like to":
        return False
    phrase = clause.object
    if isinstance(clause.predicate, NominalPredicate):
        phrase = clause.predicate.phrase
    if isinstance(phrase, Bare):
        return True
    if isinstance(phrase, NounPhrase) and _is_felt(clause, phrase):
        return False
    return (
        isinstance(phrase, NounPhrase)
        and phrase.count is None
        and phrase.owner is None
        and phrase.determiner in ("indefinite", "zero", "generic", "no")
    )


def _is_felt(clause: Clause, phrase: NounPhrase) -> bool:
    """'liebt Hunde nicht', 'mag Geografie nicht', but 'mag keine Hunde'."""
    verb = clause.verb
    if verb is None or phrase.determiner not in ("zero", "generic"):
        return False
    is_stuff = phrase.noun.is_mass and not phrase.noun.is_bare
    if verb.infinitive == "lieben" and is_stuff:  # 'liebt keinen Kaffee'
        return False
    return verb.infinitive in _NEVER_KEIN or (verb.infinitive == "mögen" and phrase.noun.is_bare)


def _takes_nicht(clause: Clause) -> bool:
    """Not where kein, nichts or niemand denies already, nor beside gern."""
    is_denied_by_object = isinstance(clause.object, Somebody)
    denies = clause.negated and not _takes_kein(clause) and not is_denied_by_object
    return denies and clause.modal != "like to"


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


def _phrase(phrase: PrepositionalPhrase, at: str) -> list[Word]:
    preposition = phrase.preposition
    german = preposition.german
    if preposition.role == "direction" and isinstance(phrase.object, PlaceName):
        german = "in" if phrase.object.gender else "nach"
        case = "acc" if phrase.object.gender else "dat"
        return _governed(german, phrase.object, case, at, f"{at}/object")
    return _governed(german, phrase.object, preposition.case, at, f"{at}/object")


def _governed(
    preposition: str, governed: Nominal, case: str, at: str, object_at: str
) -> list[Word]:
    written = nominal(governed, case, object_at)
    if _may_contract(governed):
        article, *rest = written
        *before, last = preposition.split()  # 'in der Nähe von'
        merged = forms.contracted(last, article.text)
        if merged:
            return [*words(" ".join(before), at), Word(merged, (at, *article.nodes)), *rest]
    return [*words(preposition, at), *written]


def _may_contract(phrase: Nominal) -> bool:
    """'im Haus', but 'in dem Haus, das ...': a restrictive clause keeps the article."""
    return (
        isinstance(phrase, NounPhrase)
        and phrase.determiner == "definite"
        and phrase.count is None
        and phrase.relative is None
    )


def _predicate(clause: Clause, at: str) -> list[Word]:
    predicate, node = clause.predicate, f"{at}predicate"
    if predicate is None:
        return []
    if isinstance(predicate, NominalPredicate):
        negation = f"{at}negation" if _takes_kein(clause) else None
        return nominal(predicate.phrase, "nom", node, negation)
    if isinstance(predicate, PlacePredicate):
        return _phrase(predicate.phrase, node)
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
            *words(_CONJUNCTIONS[phrase.conjunction], f"{at}/conjunction"),
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
        lead, case = [], _gap_case(clause, relative.gap)
    pronoun = words(forms.RELATIVE_PRONOUNS[gender][case], node)
    return [COMMA, *lead, *pronoun, *_verb_final(clause, inside, relative.gap), COMMA]
