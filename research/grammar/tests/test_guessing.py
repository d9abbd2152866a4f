import pytest

from research.grammar.guessing import FACTS, guessed, main, make_parser
from tf_models.data.embedded.annotated_pairs import BY_PLACE, FIRST_NOUN, SECOND_NOUN, AnnotatedPair

EMPTY = AnnotatedPair(*[""] * len(AnnotatedPair._fields))


def about(adjective, subject, other, genders, reference):
    return EMPTY._replace(
        kind=BY_PLACE,
        verb="cross",
        adjective=adjective,
        first_noun=subject,
        second_noun=other,
        genders=genders,
        reference=reference,
    )


def test_a_table_knows_what_it_has_seen():
    train = [
        about("tired", "dog", "street", "m f", FIRST_NOUN),
        about("tired", "cat", "river", "f m", FIRST_NOUN),
        about("tired", "cat", "lake", "f m", FIRST_NOUN),
        about("wide", "dog", "street", "m f", SECOND_NOUN),
    ]
    test = [
        about("tired", "dog", "bridge", "m f", FIRST_NOUN),
        about("tired", "cat", "stream", "f m", FIRST_NOUN),
        EMPTY,
    ]
    found = guessed(train, test)

    assert list(found) == [BY_PLACE]
    found = found[BY_PLACE]
    assert list(found) == list(FACTS)
    assert found["nothing"] == 50  # f
    assert found["adjective"] == 50
    assert found["adjective, genders"] == 100
    assert found["adjective, both nouns"] == 50  # never seen: f


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_of_a_sentence_can_be_looked_up(name):
    train = [about("tired", "dog", "street", "m f", FIRST_NOUN)]
    assert guessed(train, train)[BY_PLACE][name] == 100


def test_the_embedded_corpus_cannot_be_guessed_by_meaning(capsys):
    main(make_parser().parse_args([]))
    by_place, by_meaning = capsys.readouterr().out.split("percent right")[1:]

    def best(part):
        return max(float(line.split()[-1]) for line in part.splitlines()[1 : len(FACTS) + 1])

    assert best(by_place) == 100
    assert best(by_meaning) == pytest.approx(37.5, abs=0.5)  # as docs/results.md says
