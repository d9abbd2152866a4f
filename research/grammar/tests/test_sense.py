"""What random sentences do not say, and the tables that keep them from it."""

from __future__ import annotations

import re
from itertools import product

import pytest

from research.grammar import lexicon
from research.grammar.clauses import settled
from research.grammar.descriptions import draw_admiration, draw_comparison
from research.grammar.even_random import EvenRandom
from research.grammar.everyday import draw_existence, draw_numbers
from research.grammar.linearise import write
from research.grammar.nominals import draw_known, draw_possessive, is_new, own_possessive
from research.grammar.sampling import CONSTRUCTIONS
from research.grammar.selection import nouns_in, predicates_of
from research.grammar.statements import draw_framed, draw_modal
from research.grammar.syntax import (
    HE,
    SHE,
    THEY,
    WE,
    YOU,
    Bare,
    Clause,
    Coordination,
    Count,
    I,
    NounPhrase,
    Somebody,
    Statement,
)
from research.grammar.tests.trees import (
    ANNA,
    NOT,
    PAST,
    PERFECT,
    a,
    ask,
    be,
    city,
    do,
    in_role,
    sub,
    the,
    verb,
    when,
)

NOUNS = lexicon.nouns()
POLISH = Bare("Polish", "Polnisch")


@pytest.fixture(scope="module")
def drawn():
    """(construction, English, German) of what the samplers make."""
    rng, found = EvenRandom(8), []
    names = [name for name in CONSTRUCTIONS if name != "conventional"]
    for name, _ in product(names, range(300)):
        written = write(CONSTRUCTIONS[name](rng))
        found.append((name, written.english, written.german))
    return found


@pytest.mark.parametrize(
    "absurd",
    [
        # Of one's partner one says whose.
        r"\b(the|a|which|this|every|many|some|\d+) (\w+ )?(husband|wife|boyfriend|girlfriend)s?\b",
        r"\b(My|my|your|his|her|our|their) (noses|heads|hearts|backs|mothers|husbands|wives)\b",
        pytest.param(
            r"\b(our|their) (\w+ )?(nose|head|heart|face|stomach)\b",
            marks=pytest.mark.xfail(
                strict=True,
                reason="words by themselves take any possessive: `possessives_of` has to know what "
                "`draw_possessive` knows, and the embedded files have to be written again",
            ),
        ),
        # 'not every', 'a dog does not', 'some don't'.
        r"\bevery .*(n't|\bnot)\b|(n't|\bnot)\b.* every [a-z]+(?!day)\b",
        r"^(A|An|Some|Many) .*(n't| not)\b",
        r"(n't|\bnot) (\w+ )?(some|many|a few) ",
        # What one does oneself is not asked.
        r"^(Do|Did|Am|Are|Was|Were|Have|Had) (I|we) (?!have to|allowed)",
        r"^(Where|When|Why|How|What|Who|Which \w+|How many \w+) (do|did|am|are|have) (I|we)\b",
        # A genitive of people is "the teacher's".
        r"\b(house|car|book|dog|bike|guitar|plan|idea) of (the|my|your|his|her|our)\b",
        # 'they read' is past or present.
        r"^(I|You|We|They) (read|put|cut|set) ",
        # Orders and questions are about something known.
        r"^(Please )?(close|open|lock|thank|cross|leave|turn o\w+|put on|take off) an? ",
        r"\bWho (has|did) an? ",
        r"^(I|He|She|You)\b.* together\b",
        r"\bask\w* about\b|\bcount\w* (my|your|the|a) coin\b|\bmay\b",
        r"\b(is|was|are|were)(n't| not)? a bit too\b|(n't|not) too\b",
        r"\bby (bus|car|train|plane) to\b",
        # 'most expensive cars' are the most expensive ones.
        r"^most (expensive|beautiful|interesting|modern|important|famous) ",
        r"^Should (I|we)\b",
        r"\b(usually|often|sometimes|always|never|rarely) \w+ (into|out of|across|through|onto) ",
        r"^There (is|are|was|were) .*\b(fish|lion|cow|chair)(es|s)? here\b",
        r"\bany (soccer|tennis|golf|chess|German|Polish|Christmas)\b",
        # How many thousands there are is not asked; one animal 'is' somewhere.
        r"^(Are|Were) there \d\d",
        r"^(There (is|was)|(Is|Was) there) an? (\w+ )?(dog|fish|bear|bee|lion|horse|duck)\b",
        # 'lay' is neither denied nor asked, and what one sets is no schedule.
        r"\b(did|does|do)(n't| not)? .*\blie (in|behind|on)\b",
        r"\bWhen (is|are) .* (winning|losing|giving up|breaking down|happening)\b",
        r"\bCould (I|you|he|she|we|they)\b|\bwhether .* could\b",
        r"^(She|He|They) .*, and (she|he|they)\b",
        r", but .*(n't| not)\b",
        r"\b(mom|dad|baker|doctor|grandma)s? .* (at school|in class)\b",
        r"\blearns (German|French|Romanian|English|Polish)\.$",
        r"\b(forgot|forgets?) to (keep|hold|ask)\b|\b(began|begins?) to (go|get)\b",
        r"\bread (?!any\b)\w+ (stories|letters|poems)\b",
        r"\b[a-z]+ (wine|juice) (and|or) \1\b",
        r"\b(is|are|am)(n't| not)? lying down\b|\bforgiving\b",
        # One speaks of life as such, and looks at people alone: at a picture is 'sieh dir an'.
        r"\bthe (life|health|love|nature|sleep|death) (is|was|isn't|wasn't)\b",
        r"\blook\w* at (the|my|your|this|an?) (\w+ )?(picture|photo|painting)s?\b",
        # 'The lake is frozen' is zugefroren: nobody has frozen.
        r"\b(have|has|had|'ve|'s)( just| already)?(n't| not)? frozen\b|\b(froze|freeze)\b",
    ],
)
def test_nothing_absurd_is_said(drawn, absurd):
    assert [english for _, english, _ in drawn if re.search(absurd, english)] == []


@pytest.mark.parametrize(
    "unheard",
    [
        r"\b(sprach|spricht|sprichst|lernt|lernen|unterrichtet) [A-Z]\w+isch nicht\b",
        r"\b(Einige|Ein|Eine) .* (nicht|kein\w*)\b",
        r"\bjede[rsnm]? .* nicht\b|\bnicht jede",
        r"\beine? (schreckliche|schlimme)?n? ?(Kopf|Bauch|Zahn)schmerzen",
        r"\b(zwei|drei|vier|zwölf) [A-Z]\w+s? (des|der) ",
        r"\bJeder\b|\bjeder (war|hat|ist)\b",
        r"\bvon dem\b",
        r"\b(begann|begannen|beginnt|beginne|beginnen), zu \w+\.?$",
    ],
)
def test_nothing_unheard_of_is_said(drawn, unheard):
    strange = [
        german
        for construction, _, german in drawn
        if construction not in ("term", "predicate") and re.search(unheard, german)
    ]
    assert strange == []


def test_numbers_stay_in_their_limits():
    rng = EvenRandom(1)
    for _ in range(2_000):
        tree = draw_numbers(rng)
        thing = tree.clause.object
        if thing.count is None:
            continue
        rows = [row for row in lexicon.counted() if row.verb is tree.clause.verb]
        limits = [(row.low, row.high) for row in rows if thing.noun in row.things]
        assert any(low <= thing.count.number <= high for low, high in limits)


def test_one_is_admired_for_what_is_good_and_by_ones_sex():
    """As the README's 'He admired her as a great director' is."""
    rng = EvenRandom(4)
    for _ in range(300):
        written = write(draw_admiration(rng))
        assert re.search(
            r" admire[sd]? .* as an? (great|talented|brilliant|excellent) ", written.english
        )
        if " her as " in written.english:
            assert re.search(r" als \w+e \w+in\b", written.german)
        if " him as " in written.english:
            assert re.search(r" als \w+en \w+\b", written.german)


def test_relatives_are_not_shared():
    rng = EvenRandom(2)
    for _ in range(2_000):
        clause = draw_numbers(rng).clause
        if "kin" in clause.object.noun.classes:
            assert clause.subject not in (WE, THEY)


def test_tables_name_classes_and_words_that_exist():
    for entry in lexicon.verbs():
        for name in entry.subjects | entry.objects:
            assert nouns_in(frozenset({name})), (entry.english, name)
    for entry in lexicon.adjectives().values():
        for name in entry.classes:
            assert nouns_in(frozenset({name})), (entry.english, name)
    verbs = {entry.english for entry in lexicon.verbs()}
    for entry in lexicon.adverbs().values():
        assert entry.verbs <= verbs, entry.english


def test_deeds_fit_their_verbs():
    """'watch=the film' is sehen, not beobachten."""
    reasons = [deed for row in lexicon.reasons() for deed in row.deeds + row.undone]
    for deed in [*reasons, *(deed for scene in lexicon.scenes() for deed in scene)]:
        rows = [v for v in lexicon.verbs() if v.english == deed.verb.english]
        rows = [v for v in rows if v.german_infinitive == deed.verb.german_infinitive]
        if deed.noun is None:
            assert any(v.frames & {"intransitive", "reflexive", "motion"} for v in rows), deed
        else:
            assert any(deed.noun.belongs_to(v.objects) for v in rows), deed


@pytest.mark.parametrize(
    ("holder", "expected"),
    [
        (I, "my"),
        (THEY, "their"),
        (ANNA, "her"),
        (the("brother", kind="her"), "his"),
        (the("girl"), "her"),
        (the("child"), None),
        (the("person"), None),
        (the("dog", plural=True), None),
        (the("teacher", plural=True), "their"),
        (Coordination(the("brother", kind="my"), I), "our"),
    ],
)
def test_what_is_ones_own(holder, expected):
    assert own_possessive(holder) == expected


@pytest.mark.parametrize(
    ("holder", "noun", "allowed"),
    [
        (ANNA, "car", {"her", "my", "your"}),
        (the("child"), "car", {"my", "your"}),
        (None, "passport", {"my", "your", "his", "her"}),
        (the("pilot"), "head", {"his", "my", "your"}),
    ],
)
def test_nobody_asks_whose_it_is(holder, noun, allowed):
    rng = EvenRandom(0)
    assert {draw_possessive(rng, NOUNS[noun], holder) for _ in range(200)} == allowed


def test_several_people_have_several_things():
    rng = EvenRandom(0)
    for _ in range(200):
        phrase = draw_known(rng, NOUNS["passport"], THEY)
        assert phrase.determiner != "their" or phrase.plural


@pytest.mark.parametrize(
    ("clause", "tense", "progressive"),
    [
        (do(WE, "put", the("book"), **PAST), "perfect", False),
        (do(THEY, "read", the("book")), "present", True),
        (do(SHE, "put", the("book"), **PAST), "past", False),
        (do(SHE, "put", the("book")), "present", False),
        (do(THEY, "read", the("book"), tense="past", negated=True), "past", False),
        (do(the("foot", plural=True), "hurt", **PAST), "present", True),
    ],
)
def test_english_shows_the_tense(clause, tense, progressive):
    clause = settled(clause)
    assert (clause.tense, clause.progressive) == (tense, progressive)


def test_who_somebody_is_stands_before_the_noun_only():
    """'the tall German tourist', but not 'the tourist is German'."""
    tourist = NOUNS["tourist"]
    assert {"German", "used"}.isdisjoint(one.english for one in predicates_of(tourist))


LEARN, TRY = verb("learn", "lernen"), verb("try", "versuchen")
KILOMETERS = NounPhrase(NOUNS["kilometer"], "zero", plural=True, count=Count(12))


@pytest.mark.parametrize(
    ("tree", "english", "german"),
    [
        (Clause(HE, verb("speak"), object=POLISH, negated=True),
         "He doesn't speak Polish.", "Er spricht kein Polnisch."),
        (when(Clause(SHE, LEARN, object=the("table tennis", kind="generic")), "there"),
         "She learns table tennis there.", "Sie lernt dort Tischtennis."),
        (when(do(THEY, "paint", a("mountain"), **PERFECT), "at home"),
         "They have painted a mountain at home.", "Sie haben zu Hause einen Berg gemalt."),
        (when(do(HE, "read", the("book")), "outside"),
         "He reads the book outside.", "Er liest das Buch draußen."),
        (do(SHE, "like", the("dog", kind="generic", plural=True), **NOT),
         "She doesn't like dogs.", "Sie mag keine Hunde."),
        (do(SHE, "hate", the("spider", kind="generic", plural=True), **NOT),
         "She doesn't hate spiders.", "Sie hasst Spinnen nicht."),
        (do(SHE, "love", the("coffee", kind="generic"), **NOT),
         "She doesn't love coffee.", "Sie liebt keinen Kaffee."),
        (do(SHE, "like", NounPhrase(NOUNS["geography"], "zero"), **NOT),
         "She doesn't like geography.", "Sie mag Geografie nicht."),
        (Clause(THEY, verb("remember"), "past", prepositional_object=the("word")),
         "They remembered the word.", "Sie erinnerten sich an das Wort."),
        (do(HE, verb("tell", "sagen"), the("truth"), the("director"), modal="like to"),
         "He likes to tell the director the truth.", "Er sagt dem Regisseur gern die Wahrheit."),
        (do(HE, "visit", the("aunt", kind="his"), modal="like to"),
         "He likes to visit his aunt.", "Er besucht seine Tante gern."),
        (when(do(HE, "give", the("ball"), the("child"), **PAST), "yesterday"),
         "He gave the child the ball yesterday.", "Er gab dem Kind gestern den Ball."),
        (ask(do(the("child"), "get dressed", **PAST)),
         "Did the child get dressed?", "Hat sich das Kind angezogen?"),
        (do(Somebody("everybody"), "laugh", **PAST), "Everybody laughed.", "Alle lachten."),
        (do(I, "help", Somebody("everybody")), "I help everybody.", "Ich helfe allen."),
        (Clause(the("cake"), verb("bake"), "past", passive=True, agent=the("cook")),
         "The cake was baked by the cook.", "Der Kuchen wurde vom Koch gebacken."),
        (when(do(SHE, "travel", None, None, in_role("to", "direction", city("Hamburg")), **PAST),
              "by train"),
         "She traveled to Hamburg by train.", "Sie reiste mit dem Zug nach Hamburg."),
        (be(NounPhrase(NOUNS["book"], owner=the("waitress")), "thick"),
         "The waitress's book is thick.", "Das Buch der Kellnerin ist dick."),
        (be(NounPhrase(NOUNS["book"], owner=the("teacher", plural=True)), "thick"),
         "The teachers' book is thick.", "Das Buch der Lehrer ist dick."),
        (sub(do(SHE, "begin", **PAST), "to", do(SHE, "cry")),
         "She began to cry.", "Sie begann zu weinen."),
        (sub(do(SHE, TRY, **PAST), "to", do(SHE, "open", the("door"))),
         "She tried to open the door.", "Sie versuchte, die Tür zu öffnen."),
        (ask(do(YOU, "run", NounPhrase(NOUNS["kilometer"], "how many", plural=True), **PAST),
             "phrase", "object"),
         "How many kilometers did you run?", "Wie viele Kilometer bist du gelaufen?"),
        (do(HE, "run", KILOMETERS, **PAST),
         "He ran 12 kilometers.", "Er lief 12 Kilometer."),
    ],
)  # fmt: skip
def test_word_order_and_forms(tree, english, german):
    written = write(Statement(tree) if isinstance(tree, Clause) else tree)
    assert (written.english, written.german) == (english, german)


@pytest.fixture(scope="module")
def told():
    """The clauses of statements with one verb."""
    rng = EvenRandom(13)
    frames = ("transitive", "intransitive", "reflexive", "ditransitive", "prepositional")
    return [draw_framed(rng, frame).clause for frame, _ in product(frames, range(600))]


def test_what_happens_once_is_not_told_in_the_simple_present(told):
    plain = [one for one in told if one.tense == "present" and not one.progressive]
    assert len(plain) > 50
    assert not [one.verb.english for one in plain if one.verb.kind == "event"]
    assert not [
        one.verb.english for one in plain if one.verb.has_progressive and is_new(one.object)
    ]


def test_many_do_not_share_one_thing(told):
    crowds = [one for one in told if getattr(one.subject, "determiner", "") in ("many", "some")]
    assert len(crowds) > 20
    assert not [one.verb.english for one in crowds if "one" in one.verb.uses]


def test_what_is_not_there_is_not_described(told):
    denied = [one.object for one in told if one.negated and is_new(one.object)]
    assert denied
    assert not [one for one in denied if one.adjectives]


def test_there_are_not_several_stoves_in_a_kitchen():
    rng = EvenRandom(17)
    things = [draw_existence(rng).thing for _ in range(900)]
    stoves = [one for one in things if one.noun.english in ("stove", "oven", "shower", "microwave")]
    assert len(stoves) > 10
    assert not [one for one in stoves if one.plural]
    assert not [one for one in things if one.noun.is_person]


def test_only_things_of_some_kinds_are_alike():
    """Not 'My safe is as heavy as the net'."""
    rng = EvenRandom(23)
    drawn = [draw_comparison(rng).clause for _ in range(600)]
    alike = [one for one in drawn if one.predicate.degree == "equal"]
    assert len(alike) > 30
    kinds = frozenset({"animal", "kin", "vehicle", "fruit"})
    named = [one.subject for one in alike if isinstance(one.subject, NounPhrase)]
    assert all(one.noun.classes & kinds for one in named)


def test_could_is_only_denied():
    """'He could swim' is also 'er könnte'."""
    rng = EvenRandom(29)
    told = [draw_modal(rng).clause for _ in range(900)]
    could = [one for one in told if (one.modal, one.tense) == ("can", "past")]
    assert len(could) > 10
    assert all(one.negated for one in could)
