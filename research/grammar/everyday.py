"""Random sentences of everyday life: requests, plans, wishes, possessions, whereabouts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache

from research.grammar import lexicon, names
from research.grammar.complex_sentences import (
    deed_of,
    draw_consequence,
    draw_somebody,
    is_clear_of,
    plainly,
)
from research.grammar.even_random import EvenRandom
from research.grammar.lexicon import Adverb, Deed, Expression, Found, Noun, Verb
from research.grammar.phrases import (
    PERSON,
    draw_city_phrase,
    draw_known,
    draw_new,
    draw_noun,
    draw_person,
    draw_position,
    draw_subject,
    indefinite_determiner,
    is_distinct,
    is_kind,
    is_several,
    kind_of,
    natural_pronoun,
    settled,
    with_adverb,
)
from research.grammar.questions import draw_asked_about
from research.grammar.selection import attributes_of, nouns_in, possessives_of, verbs_with
from research.grammar.statements import (
    draw_copula,
    draw_deed,
    draw_described_thing,
    draw_modal_clause,
    negate,
)
from research.grammar.syntax import (
    HE,
    WE,
    YOU,
    AdjectivalPredicate,
    Bare,
    Clause,
    Command,
    Compound,
    Coordination,
    Existence,
    GradedAdjective,
    I,
    Nominal,
    NounPhrase,
    PlacePredicate,
    PrepositionalPhrase,
    Pronoun,
    Question,
    Somebody,
    Statement,
    Subordinate,
    Term,
)
from research.grammar.tables import odds

_DONE_TO_THINGS = frozenset(
    {
        *("build", "paint", "write", "open", "close", "repair", "fix", "sell", "buy", "steal"),
        *("print", "wash", "translate", "clean", "find", "sign", "bake", "cook", "eat", "sweep"),
        *("deliver", "solve", "read", "photograph", "decorate", "correct", "plant"),
    }
)
_WISHED = frozenset({"orderable", "sweets", "fruit", "drink", "clothing", "pet", "toy"})
_DONE_TOGETHER = frozenset({"intransitive", "travel"})
_OWN_THINGS = frozenset({"relation", "body", "thing", "clothing", "home"})
_IN_ROOMS = 13  # where there are fewer things than this, it is somebody's kitchen or desk
_SETTLEMENTS = ("city", "town", "capital", "village")  # of these one says 'here'
# Of one dog that is somewhere German says 'ist', of several dogs 'gibt es'.
_ALIVE = frozenset({"animal", "insect", "wild_bird", "water_animal"})
_MANY = 100  # where there are more than these, one speaks of several: not 'a book' in a library
_FEW = 3  # where there are no more than these, one speaks of one: not 'seven stoves'
_WHICH = ("read", "buy", "know", "need", "choose", "open", "visit", "like")
_WHY = ("laugh", "cry", "wait", "smile", "scream", "hurry", "smoke", "come back", "go away")
# Verb -> the use of the verbs in its infinitive.
_AIMS = {
    "try": "told",
    "forget": "told",
    "promise": "told",
    "decide": "wished",
    "plan": "wished",
    "begin": "repeated",
}
# What one forgets to do, and what goes on for a while after one has begun.
_USUAL_AIMS = {
    "forget": frozenset(
        {
            *("turn on", "turn off", "close", "lock", "call", "bring back", "water", "feed"),
            *("answer", "sign", "charge", "invite", "set", "clean", "do", "pack", "buy", "return"),
            *("pay", "translate", "correct", "repeat", "wash", "iron", "cancel", "check"),
        }
    ),
    "begin": frozenset(
        {
            *("cry", "sing", "dance", "work", "read", "cook", "learn", "snore", "paint", "write"),
            *("clean", "draw", "argue", "train", "practice", "sweep", "swim", "smoke", "bake"),
        }
    ),
}
_LASTING = frozenset({"read", "cook", "watch TV", "clean", "sing", "dance", "listen to", "wash"})
_INTERRUPTING = ("come in", "wake up", "arrive", "come back", "get up")
_SOON = 4  # deeds of a scene that are joined follow within fewer than so many
# Verb -> the classes of two things that it is done to.
_DONE_TO_PAIRS = {
    "buy": ("fruit", "clothing", "toy", "furniture", "vegetable"),
    "need": ("clothing", "tool", "cutlery", "container"),
    "see": ("animal", "vehicle"),
    "eat": ("fruit",),
    "order": ("dish", "drink"),
    "drink": ("drink",),
    "have": ("pet", "instrument"),
}


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
    adverbs = [a for a in lexicon.adverbs().values() if a.english not in lexicon.adjectives()]
    return (
        tuple(Expression(f"to {one.english}", one.german_infinitive) for one in plain.values()),
        tuple(Expression(one.english, one.german) for one in lexicon.adjectives().values()),
        tuple(Expression(one.english, one.german) for one in adverbs),
    )


@cache
def _plain_nouns() -> tuple[Noun, ...]:
    return tuple(lexicon.nouns().values())


@cache
def _what_is_somewhere() -> tuple[Verb, ...]:
    """Verbs that say where people, animals, cars and things may be."""
    names_of_verbs = ("work", "wait", "sleep", "stand")
    found = tuple(verb for verb in verbs_with("position") if verb.english in names_of_verbs)
    return found + verbs_with("lying")


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
    is_own = not noun.classes.isdisjoint(_OWN_THINGS)
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


def draw_wish(rng: EvenRandom) -> Statement | Question:
    """'I would like an apple', 'Would you like to dance?', 'She likes to read'."""
    subject = draw_person(rng, "close")
    draw = rng.random()
    if draw < odds("wish.thing"):
        noun = draw_noun(rng, _WISHED)
        thing = draw_new(rng, noun, "paired" in noun.classes, share="wished")
        return _or_asked(rng, Clause(subject, modal="would like", object=thing))
    if draw < odds("wish.deed"):
        subject = YOU if rng.chance("wish.deed_asked") else subject
        clause = replace(draw_deed(rng, "wished", subject=subject), progressive=False)
        clause = replace(clause, modal="would like to")
        return Question(clause) if subject == YOU else Statement(clause)
    clause = replace(_draw_hobby(rng, subject), modal="like to")
    if rng.chance("wish.hobby_denied"):
        return Statement(negate(rng, clause))
    return Question(clause) if subject == YOU else Statement(clause)


def _draw_hobby(rng: EvenRandom, subject: Nominal) -> Clause:
    """'read novels', 'visit my aunt', 'dance': what one likes to do."""
    clause = replace(draw_deed(rng, "liked", subject=subject), progressive=False)
    thing = clause.object
    if not isinstance(thing, NounPhrase) or not is_kind(thing.noun):
        return clause
    return replace(clause, object=kind_of(thing.noun))


def _or_asked(rng: EvenRandom, clause: Clause) -> Statement | Question:
    """As a statement, or asked of somebody."""
    if rng.chance("wish.thing_asked"):
        return Question(replace(clause, subject=YOU))
    return Statement(clause)


def draw_plan(rng: EvenRandom) -> Statement | Question:
    """'Tomorrow we will visit Anna.', 'Will you help me?'"""
    clause = replace(draw_deed(rng, "wished"), tense="future", progressive=False)
    draw = rng.random()
    if draw < odds("plan.asked") and clause.subject not in (I, WE):
        return Question(clause)
    if draw < odds("plan.denied"):
        return Statement(negate(rng, clause))
    clause = with_adverb(rng, clause) if draw < odds("plan.with_adverb") else clause
    if draw < odds("plan.fronted") and clause.adverbs and clause.adverbs[0].may_be_fronted:
        return Statement(replace(clause, adverbs=()), fronted=clause.adverbs[0])
    return Statement(clause)


def draw_command(rng: EvenRandom) -> Command:
    """'Please open the door.', 'Don't sell the car.', 'Let's dance.'"""
    if rng.chance("command.together"):
        clause = draw_deed(rng, "liked", subject=WE, frames=_DONE_TOGETHER)
        return Command(replace(clause, progressive=False), together=True)
    clause = replace(draw_deed(rng, "told", subject=YOU), progressive=False)
    if rng.chance("command.denied"):
        clause = replace(negate(rng, clause), full_negation=False)
    return Command(clause, rng.pick(("first", "first", "last", "", "", "")))


def draw_whereabouts(rng: EvenRandom) -> Statement | Question:
    """'My brother is in the garden.', 'Is Anna in Berlin?', 'The key is on the table.'"""
    verb = rng.word(_what_is_somewhere())
    is_by_people = "person" in verb.subjects
    subject = draw_person(rng, "somewhere") if is_by_people else draw_subject(rng, verb)
    phrase = draw_position(rng, verb, subject)
    if is_by_people and rng.chance("whereabouts.city"):
        phrase = draw_city_phrase(rng, direction=False)
    tense = rng.pick(("present", "present", "past"))
    clause = Clause(subject, tense=tense, predicate=PlacePredicate(phrase))
    if rng.chance("whereabouts.asked") and subject not in (I, WE):
        return Question(clause)
    return Statement(negate(rng, clause) if rng.chance("whereabouts.denied") else clause)


def draw_existence(rng: EvenRandom) -> Existence:
    """'There is a park in the village.', 'Are there many churches here?'"""
    row = rng.word(lexicon.found())
    noun = rng.word(row.things)
    may_be_several = noun.has_plural and row.most > _FEW
    is_alive = not noun.classes.isdisjoint(_ALIVE)
    plural = is_alive or row.most > _MANY or (may_be_several and rng.chance("existence.plural"))
    is_asked = rng.chance("existence.asked")  # not 'Are there 8434 books in the library?'
    thing = draw_new(rng, noun, plural, share="existing")
    if may_be_several and not is_asked and rng.chance("existence.counted"):
        thing = NounPhrase(noun, "zero", plural=True, count=names.count(rng, row.most))
    place = _draw_place_of(rng, row)
    tense = rng.pick(("present", "present", "past"))
    is_counted = thing.count is not None or thing.determiner not in ("zero", "indefinite")
    if is_asked:
        return Existence(thing, place, tense, asked=True)
    return Existence(thing, place, tense, negated=not is_counted and rng.chance("existence.denied"))


def _draw_place_of(rng: EvenRandom, row: Found) -> PrepositionalPhrase | Adverb:
    noun = rng.word(row.places)
    if noun.english in _SETTLEMENTS and rng.chance("existence.here"):
        return lexicon.adverbs()["here"]
    if noun.english == "city" and rng.chance("existence.named_city"):
        return draw_city_phrase(rng, direction=False)
    entry = lexicon.preposition("in", "place")
    if row.most < _IN_ROOMS and rng.chance("existence.possessed"):
        return PrepositionalPhrase(entry, NounPhrase(noun, rng.pick(possessives_of(noun))))
    return PrepositionalPhrase(entry, NounPhrase(noun))


def draw_nobody(rng: EvenRandom) -> Statement | Question:
    """'Nobody called me.', 'Has everybody eaten?', 'I bought something.'"""
    tense = rng.pick(("present", "past", "past"))
    if rng.chance("nobody.something"):
        return _draw_something(rng, tense)
    if rng.chance("nobody.everybody"):
        clause = draw_deed(rng, "liked", tense, HE, _DONE_TOGETHER)
        who = ("everybody", "everyone")
    else:
        clause = draw_deed(rng, "told", tense, YOU)
        who = ("somebody", "someone", "nobody", "no one")
    clause = settled(replace(clause, subject=Somebody(rng.pick(who))))
    return Question(clause) if rng.chance("nobody.asked") else Statement(clause)


def _draw_something(rng: EvenRandom, tense: str) -> Statement:
    subject = draw_person(rng, "finding")
    if rng.chance("nobody.affirmed"):
        verb = lexicon.verb(rng.pick(("buy", "see", "hear", "find", "need", "forget", "eat")))
        tense = tense if verb.is_state else "past"
        thing = Somebody(rng.pick(("something", "nothing", "everything")))
        return Statement(Clause(subject, verb, tense, object=thing))
    thing = Somebody(rng.pick(("nothing", "nobody")))
    verbs = {
        "nothing": ("buy", "see", "hear", "find", "need", "eat", "forget"),
        "nobody": ("see", "hear", "visit", "meet", "know", "call", "invite"),
    }
    verb = lexicon.verb(rng.pick(verbs[thing.english]))
    tense = tense if verb.is_state else "past"
    return Statement(Clause(subject, verb, tense, negated=True, object=thing))


def draw_numbers(rng: EvenRandom) -> Statement | Question:
    """'We have 25 students.', 'How many brothers do you have?', 'Which book ...?'"""
    if rng.chance("numbers.which"):
        return _draw_which(rng)
    row = rng.word(lexicon.counted())
    noun = rng.word(row.things)
    subject = draw_person(rng, "talking")
    while is_several(subject) and "kin" in noun.classes:
        subject = draw_person(rng, "talking")
    tense = rng.pick(("present", "past")) if row.verb.is_state else "past"
    if rng.chance("numbers.asked") and subject not in (I, WE):
        asked = NounPhrase(noun, "how many", plural=True)
        return Question(Clause(subject, row.verb, tense, object=asked), "phrase", "object")
    count = names.count(rng, row.high, row.low)
    thing = NounPhrase(noun, "zero", plural=True, count=count)
    return Statement(settled(Clause(subject, row.verb, tense, object=thing)))


def _draw_which(rng: EvenRandom) -> Question:
    """'Which film did you see?'"""
    verb = lexicon.verb(rng.pick(_WHICH))
    noun = draw_noun(rng, verb.objects)
    while noun.is_person or not noun.has_plural:
        noun = draw_noun(rng, verb.objects)
    asked = NounPhrase(noun, "which")
    tense = "present" if verb.is_state else "past"
    clause = Clause(draw_asked_about(rng), verb, tense, object=asked)
    return Question(clause, "phrase", "object")


def draw_language(rng: EvenRandom) -> Statement | Question:
    """'She speaks German.', 'My son plays soccer.', 'Do you study physics?'"""
    frame = rng.pick(("language", "language", "sport"))
    verb = rng.word(verbs_with(frame))
    clause = Clause(draw_person(rng, "close"), verb, rng.pick(("present", "present", "past")))
    clause = replace(clause, object=_draw_bare_object(rng, verb, frame))
    if rng.chance("language.modal") and not verb.is_state:
        kinds = ("can", "want", "have to", "would like to", "like to")
        clause = replace(clause, modal=rng.pick(kinds), tense="present")
    elif clause.tense == "present" and _is_going_on(verb, rng.chance("language.going_on")):
        clause = replace(clause, progressive=True)
    if rng.chance("language.asked") and clause.subject not in (I, WE):
        return Question(clause)
    if rng.chance("language.denied"):
        clause = negate(rng, clause)
    elif rng.chance("language.with_adverb"):
        clause = with_adverb(rng, clause)
    return Statement(clause)


def _draw_bare_object(rng: EvenRandom, verb: Verb, frame: str) -> Nominal:
    if frame == "language":
        return Bare(*rng.pick(lexicon.languages().items()))
    return NounPhrase(draw_noun(rng, verb.objects), "generic")


def draw_opinion(rng: EvenRandom) -> Statement | Question:
    """'I don't know whether he is coming', 'Do you know where she lives?'"""
    kind = rng.pick(("whether", "where", "why"))
    know = lexicon.verb("know", "wissen")
    subject = draw_asked_about(rng)
    subordinate = Subordinate(kind, _draw_unknown(rng, kind, subject))
    if subject != YOU and rng.chance("opinion.asked"):
        return Question(Clause(YOU, know), subordinate=subordinate)
    return Statement(negate(rng, Clause(rng.pick((I, I, WE)), know)), subordinate=subordinate)


def _draw_unknown(rng: EvenRandom, kind: str, subject: Nominal) -> Clause:
    """What one does not know of somebody or something."""
    if kind == "where":
        return Clause(subject, lexicon.verb(rng.pick(("live", "work", "sleep"))))
    if kind == "whether" and rng.chance("opinion.copula"):
        return plainly(draw_copula(rng, draw_described_thing(rng), "present"))
    if kind == "why":
        clause = Clause(subject, lexicon.verb(rng.pick(_WHY)), rng.pick(("present", "past")))
        return replace(clause, progressive=clause.tense == "present")
    clause = draw_modal_clause(rng, subject)
    return replace(clause, modal=rng.pick(("can", "want")), tense="present")


def draw_aim(rng: EvenRandom) -> Statement:
    """'He tries to open the door.'"""
    verb = rng.word(verbs_with("aim"))
    subject = draw_person(rng, "aiming")
    tense = "present" if verb.is_state else rng.pick(("present", "past", "past"))
    main = Clause(subject, verb, tense)
    deed = draw_deed(rng, _AIMS[verb.english], subject=subject)
    while not _may_be_aim(verb, deed.verb):
        deed = draw_deed(rng, _AIMS[verb.english], subject=subject)
    deed = replace(deed, progressive=False)
    return Statement(main, subordinate=Subordinate("to", deed))


def draw_two_deeds(rng: EvenRandom) -> Compound:
    """'He sings and dances.', 'I washed the plates, and Anna dried the cups.'"""
    if rng.chance("two_deeds.state"):
        return _draw_state_and_deed(rng)
    tense = rng.pick(("past", "past", "present"))
    subject, other = _draw_two_subjects(rng)
    first, second = _draw_deeds_of_a_scene(rng, (subject, other))
    if rng.chance("two_deeds.shared"):
        clauses = (deed_of(one, subject, tense) for one in (first, second))
        return Compound(*_joined("and", *clauses), shares_subject=True)
    one, two = deed_of(first, subject, tense), deed_of(second, other, tense)
    return Compound(*_joined("and", one, two))


def _draw_two_subjects(rng: EvenRandom) -> tuple[Nominal, Nominal]:
    """Two people, neither of them 'you': 'du hast gelacht' and 'er lachte' do not mix."""
    first, second = draw_somebody(rng), draw_somebody(rng)
    is_told = YOU not in (first, second) and is_distinct(first, second)
    is_clear = _is_named_first(first, second) and _is_named_first(second, first)
    return (first, second) if is_told and is_clear else _draw_two_subjects(rng)


def _draw_state_and_deed(rng: EvenRandom) -> Compound:
    """'He was tired, so he went to bed', 'She was sick, but she worked'."""
    subject = draw_somebody(rng)
    again = natural_pronoun(subject)
    conjunction = rng.pick(("so", "and", "but"))
    kinds = "undone" if conjunction == "but" else "deeds"
    reason, deed = draw_consequence(rng, kinds, subject)
    is_shared = conjunction == "and"
    second = deed_of(deed, subject if is_shared else again, "past")
    degree = rng.pick(("positive", "very")) if reason.state.is_gradable else "positive"
    first = Clause(subject, tense="past", predicate=AdjectivalPredicate(reason.state, degree))
    return Compound(*_joined(conjunction, first, second), shares_subject=is_shared)


def _draw_deeds_of_a_scene(rng: EvenRandom, subjects: tuple[Nominal, ...]) -> tuple[Deed, Deed]:
    """Two deeds that go together, in their order, and not both about one thing."""
    scene = rng.pick(lexicon.scenes())
    place = rng.randrange(len(scene) - 1)
    later = min(len(scene) - 1, place + rng.randrange(1, _SOON))
    first, second = scene[place], scene[later]
    is_same = first.noun is not None and first.noun is second.noun
    is_clear = all(is_clear_of(deed, who) for deed in (first, second) for who in subjects)
    return _draw_deeds_of_a_scene(rng, subjects) if is_same or not is_clear else (first, second)


def draw_meanwhile(rng: EvenRandom) -> Statement:
    """'When I came in, the children were sleeping.', 'He shaves before he gets dressed.'"""
    conjunction = rng.pick(("when", "while", "before"))
    subject = draw_somebody(rng)
    if conjunction == "before":
        first, second = _draw_deeds_of_a_scene(rng, (subject,))
        tense = rng.pick(("past", "present"))
        main = deed_of(first, subject, tense)
        inner = deed_of(second, natural_pronoun(subject), tense)
        return Statement(main, subordinate=Subordinate(conjunction, inner))
    subject, other = _draw_two_subjects(rng)
    main = _draw_going_on(rng, other)
    if conjunction == "while":
        inner = _draw_going_on(rng, subject)
        while inner.verb is main.verb:
            inner = _draw_going_on(rng, subject)
    else:
        inner = Clause(subject, lexicon.verb(rng.pick(_INTERRUPTING)), "past")
    return Statement(main, fronted=Subordinate(conjunction, inner))


def _draw_going_on(rng: EvenRandom, subject: Nominal) -> Clause:
    """What lasts a while at home."""
    deeds = [deed for scene in lexicon.scenes() for deed in scene]
    deed = rng.pick(deed for deed in deeds if deed.verb.english in _LASTING)
    return replace(deed_of(deed, subject, "past"), progressive=True)


def draw_passive(rng: EvenRandom) -> Statement:
    """'The house was built by my father.'"""
    verb = rng.word(v for v in verbs_with("transitive") if _may_be_told_of_things(v))
    thing = draw_noun(rng, verb.objects)
    while thing.is_person:
        thing = draw_noun(rng, verb.objects)
    has_agent = rng.chance("passive.agent")
    agent = draw_known(rng, draw_noun(rng, PERSON), share="none") if has_agent else None
    passive = Clause(draw_known(rng, thing), verb, "past", passive=True, agent=agent)
    return Statement(with_adverb(rng, passive) if agent is None else passive)


def draw_pairs(rng: EvenRandom) -> Statement | Question:
    """'an apple and a pear', 'a fork or a spoon', 'my brother and I'."""
    name = rng.pick(_DONE_TO_PAIRS)
    kind = frozenset({rng.pick(_DONE_TO_PAIRS[name])})
    things = _mentioned(draw_noun(rng, kind)), _mentioned(draw_noun(rng, kind))
    while not _go_together(*things, kind):
        things = _mentioned(draw_noun(rng, kind)), _mentioned(draw_noun(rng, kind))
    verb = lexicon.verb(name)
    if rng.chance("pairs.asked"):
        tense = "present" if verb.is_state else "past"
        return Question(Clause(YOU, verb, tense, object=Coordination(*things, "or")))
    tense = rng.pick(("past", "past", "present"))
    subject = draw_person(rng, "familiar")
    if rng.chance("pairs.with_me"):
        relation = NounPhrase(rng.word(nouns_in(frozenset({"relation"}))), "my")
        subject = Coordination(relation, I)
    clause = Clause(subject, verb, tense, object=Coordination(*things))
    is_going_on = tense == "present" and verb.has_progressive
    return Statement(replace(clause, progressive=is_going_on))


def _is_named_first(one: Nominal, other: Nominal) -> bool:
    """Whether 'he' beside the other cannot be taken for the other; 'she' and 'they' are 'sie'."""
    is_open = isinstance(one, Pronoun) and one.person == 3
    return not is_open or other in (I, WE)


def _may_be_aim(verb: Verb, deed: Verb) -> bool:
    """Neither 'tried to try on' nor 'forgot to hold' nor 'began to go to bed'."""
    usual = _USUAL_AIMS.get(verb.english)
    return deed.english in usual if usual else not deed.english.startswith(verb.english)


def _is_going_on(verb: Verb, may_be: bool) -> bool:
    """'She is learning Romanian', but 'She is teaching' or 'teaches English'."""
    return verb.english == "learn" or (verb.has_progressive and may_be)


def _mentioned(noun: Noun) -> NounPhrase:
    """'a fork', 'tea', 'cherries'."""
    plural = "paired" in noun.classes
    return NounPhrase(noun, indefinite_determiner(noun, plural), (), plural)


def _go_together(first: NounPhrase, second: NounPhrase, kind: frozenset[str]) -> bool:
    """Not 'cherries and fruit', 'white wine and wine', nor 'a ladder and the scissors'."""
    is_alike = first.determiner == second.determiner
    is_special = {first.noun.english, second.noun.english}.isdisjoint({*kind, "clothes"})
    one, other = first.noun.english, second.noun.english
    is_special = is_special and not (one.endswith(f" {other}") or other.endswith(f" {one}"))
    return is_alike and is_special and is_distinct(first, second)


def _may_be_told_of_things(verb: Verb) -> bool:
    """'was built', by people."""
    return verb.english in _DONE_TO_THINGS and "person" in verb.subjects


def _joined(conjunction: str, first: Clause, second: Clause) -> tuple[Statement, str, Statement]:
    return Statement(first), conjunction, Statement(second)
