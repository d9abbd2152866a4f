"""Labels that trees give, and the splits of labelled sentences."""

from collections import Counter
from functools import cache

import pytest

from research.grammar import lexicon
from research.grammar.labels import label_sets, sentence_type, voice
from research.grammar.splits import make_splits
from research.grammar.syntax import (
    HE,
    YOU,
    AdjectivalPredicate,
    Clause,
    Command,
    Existence,
    I,
    NounPhrase,
    Question,
    RelativeClause,
    Somebody,
    Statement,
    Subordinate,
    Term,
)
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE, LABELS

SIZES = {"train": 120, "validation": 20, "test": 40}


@cache
def splits_of(name):
    return make_splits(SIZES, selection=label_sets()[name].selection)


@pytest.fixture(params=LABELS)
def label_set(request):
    return label_sets()[request.param], splits_of(request.param)


def test_the_files_have_their_labels():
    assert {name: one.labels for name, one in label_sets().items()} == LABELS


def test_labels_are_equally_frequent_in_each_split(label_set):
    chosen, splits = label_set
    for split, size in SIZES.items():
        counts = Counter(chosen.label_of(pair.tree, pair.reference) for pair in splits[split])
        assert counts == dict.fromkeys(chosen.labels, size // len(chosen.labels))


def test_no_sentence_stands_in_two_splits(label_set):
    _, splits = label_set
    train, validation, test = ({pair.source for pair in part} for part in splits.values())
    assert (len(validation), len(test)) == (20, 40)  # training may say one again
    assert not train & validation
    assert not (train | validation) & test


def test_what_it_stands_for_is_tested_on_what_was_held_out():
    splits = splits_of("reference")
    assert Counter(pair.kind for pair in splits["test"]) == {BY_PLACE: 20, BY_MEANING: 20}

    by_place, by_meaning = (
        [
            [p.reference for p in part if p.kind == kind]
            for part in (splits["train"], splits["test"])
        ]
        for kind in (BY_PLACE, BY_MEANING)
    )
    trained, tested = ({one.noun_pair for one in part} for part in by_place)
    assert not trained & tested
    trained, tested = ({(one.adjective, one.meant_noun) for one in part} for part in by_meaning)
    assert not trained & tested


def test_the_noun_that_is_meant_stands_where_the_label_says():
    chosen = label_sets()["reference"]
    for pair in splits_of("reference")["train"]:
        source, nouns = pair.source.lower(), map(str.lower, pair.reference.noun_pair)
        places = [source.index(noun) for noun in nouns]
        label = chosen.label_of(pair.tree, pair.reference)
        assert places == sorted(places)
        assert pair.reference.meant_noun == pair.reference.noun_pair[chosen.labels.index(label)]


SLEEP = lexicon.verb("sleep")
SLEEPS = Clause(HE, SLEEP)
TIRED = Clause(HE, predicate=AdjectivalPredicate(lexicon.adjectives()["tired"]))
DOG = NounPhrase(lexicon.nouns()["dog"])


@pytest.mark.parametrize(
    ("tree", "label"),
    [
        (Statement(SLEEPS), "statement"),
        (Existence(DOG), "statement"),
        (Statement(Clause(HE, SLEEP, negated=True)), "negation"),
        (Statement(Clause(Somebody("nobody"), SLEEP)), "negation"),
        (Statement(Clause(I, lexicon.verb("see"), object=NounPhrase(DOG.noun, "no"))), "negation"),
        (Statement(SLEEPS, subordinate=Subordinate("because", TIRED)), "subordinate clause"),
        (
            Statement(Clause(HE, SLEEP, negated=True), fronted=Subordinate("if", TIRED)),
            "subordinate clause",
        ),
        (
            Statement(
                Clause(NounPhrase(DOG.noun, relative=RelativeClause(SLEEPS, "subject")), SLEEP)
            ),
            "subordinate clause",
        ),
        (Question(SLEEPS), "question"),
        (Question(Clause(HE, SLEEP, negated=True), "why"), "question"),
        (Existence(DOG, asked=True), "question"),
        (Command(Clause(YOU, SLEEP, negated=True)), "command"),
        (Term(DOG), None),
    ],
)
def test_types(tree, label):
    assert sentence_type(tree, None) == label


def test_voices():
    passive = Clause(DOG, lexicon.verb("see"), "past", passive=True)
    assert voice(Statement(passive), None) == "passive"
    assert voice(Statement(TIRED), None) == "active"
    assert voice(Question(passive), None) is None
