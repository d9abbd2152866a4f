"""The answers, found again by reading the facts word by word."""

import re
from collections import Counter

import pytest

from research.stories.world import KINDS, NUMBERS, PLACES, generated_questions


@pytest.fixture(scope="module")
def questions():
    return generated_questions({"train": 4000})["train"]


def place_in(text):
    return next(place for place in PLACES if re.search(rf"\b{place}\b", text))


def read(facts):
    """Visits by person; holder by thing; where things were left."""
    visits, holders, left = {}, {}, {}
    for fact in facts:
        who, verb, *_ = fact.rstrip(".").split()
        thing = re.search(r"\bthe (\w+)", fact)
        if verb in ("went", "walked", "ran", "hurried"):
            visits.setdefault(who, []).append(place_in(fact))
        elif verb in ("took", "picked", "grabbed"):
            holders[thing[1]] = who
        elif verb == "gave":
            holders[thing[1]] = fact.rstrip(".").split()[-1]
        else:
            left[thing[1]] = visits[who][-1]
            del holders[thing[1]]
    return visits, holders, left


def answer(question):
    visits, holders, left = read(question.facts)
    words = question.question.rstrip("?").split()
    if question.kind == "where is":
        name = words[-1]
        if name in visits:
            return PLACES[visits[name][-1]][0]
        return PLACES[visits[holders[name]][-1] if name in holders else left[name]][0]
    if question.kind == "who has":
        return holders.get(words[-1], "nobody")
    if question.kind == "yes or no":
        return "yes" if visits[words[1]][-1] == place_in(question.question) else "no"
    if question.kind == "how many":
        return NUMBERS[Counter(holders.values())[words[-2]]]
    places = visits[words[2]]
    there = places.index(place_in(question.question))
    if "before" in words:
        return PLACES[places[there - 1]][0]
    return PLACES[places[there + 1]][1]


def test_every_answer_follows_from_the_facts(questions):
    for question in questions:
        assert answer(question) == question.answer, question


def test_the_support_is_enough(questions):
    """Nothing but these facts, and the answer is the same."""
    for question in questions:
        if question.kind in ("where is", "who has", "before and after"):
            facts = tuple(question.facts[i] for i in question.support)
            if question.kind == "who has" and question.answer == "nobody":
                assert len(facts) == 1
                continue
            told = " ".join(facts)
            assert question.answer.split()[-1] in told, question
        else:
            assert all(i < len(question.facts) for i in question.support)


def test_kinds_take_turns_and_yes_is_as_frequent_as_no(questions):
    kinds = Counter(question.kind for question in questions)
    assert kinds.keys() == KINDS.keys()
    assert max(kinds.values()) < 1.2 * min(kinds.values())
    answers = Counter(q.answer for q in questions if q.kind == "yes or no")
    assert 0.8 < answers["yes"] / answers["no"] < 1.25


def test_no_story_is_in_two_splits(questions):
    others = generated_questions({"validation": 500, "test": 500})
    texts = [
        {(question.facts, question.question) for question in part}
        for part in (questions, *others.values())
    ]
    assert [len(part) for part in texts] == [4000, 500, 500]
    assert texts[0].isdisjoint(texts[1] | texts[2])
    assert texts[1].isdisjoint(texts[2])


def test_a_seed_gives_the_same_stories_and_another_one_others():
    one, same, other = (generated_questions({"test": 50}, seed) for seed in (1, 1, 2))
    assert one == same != other
    assert generated_questions({"validation": 10, "test": 50}, seed=1)["test"] == one["test"]
