"""Guessing 'it' from a table."""

import pytest

from tf_models.data.grammar.lookup import FACTS, baselines
from tf_models.data.grammar.pronoun_families import BY_PLACE, Reference


def about(adjective, subject, other, meant):
    return Reference(BY_PLACE, "cross", adjective, subject, other, meant)


def test_a_table_knows_what_it_has_seen():
    train = [
        about("tired", "dog", "street", "subject"),  # m
        about("tired", "cat", "river", "subject"),  # f
        about("tired", "cat", "lake", "subject"),
        about("wide", "dog", "street", "other"),  # f
    ]
    test = [about("tired", "dog", "bridge", "subject"), about("tired", "cat", "stream", "subject")]
    found = baselines(train, test)

    assert list(found) == list(FACTS)
    assert found["nothing"] == 50  # f
    assert found["adjective"] == 50
    assert found["adjective, genders"] == 100  # (m, f) and (f, m)
    assert found["adjective, both nouns"] == 50  # never seen: f


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_of_a_sentence_can_be_looked_up(name):
    train = [about("tired", "dog", "street", "subject")]
    assert baselines(train, train)[name] == 100
