from types import SimpleNamespace

import numpy as np
import pytest

from research.heads import report
from research.heads.ablation import KINDS
from research.heads.measurement import COLUMNS, check_has_heads, measure_heads
from tf_models.errors import InputError


@pytest.fixture(scope="module")
def measured(translator, sentences):
    return measure_heads(translator, sentences)


def test_a_row_for_each_head_and_what_stands_beside_it(measured):
    heads = [(row["kind"], row["layer"], row["head"]) for row in measured.rows[1:]]
    assert heads == [(kind, 1, number) for kind in KINDS for number in (1, 2)]
    assert measured.rows[0]["bleu_ablated"] is not None
    assert measured.rows[0]["entropy"] is None


def test_every_head_has_every_number_that_there_is(measured):
    for row in measured.rows[1:]:
        assert tuple(row) == COLUMNS
        missing = {name for name, value in row.items() if value is None}
        of_kind = {
            "encoder": {"alignment_error_rate", "noun_of_adjective"},
            "decoder": {"alignment_error_rate", "noun_of_adjective", "subject_of_verb"},
            "cross": {"itself", "previous", "noun_of_adjective", "subject_of_verb"},
        }[row["kind"]]
        assert missing == of_kind


def test_the_model_is_what_it_was(measured, translator, sentences):
    before = [weight.numpy() for weight in translator.model.network.weights]
    again = measure_heads(translator, sentences)
    for weight, value in zip(translator.model.network.weights, before, strict=True):
        np.testing.assert_array_equal(weight.numpy(), value)
    assert again.as_csv() == measured.as_csv()


def test_tables_name_every_row(measured):
    text = "\n".join(report.tables(measured))
    for name, tables in (("encoder 1.2", 2), ("cross 1.1", 2), ("nothing ablated", 1)):
        assert text.count(name) == tables


def test_without_pronouns_nothing_is_measured_of_them(translator, sentences):
    found = measure_heads(translator, sentences[1:2])
    assert found.rows[1]["bleu_ablated"] is not None
    assert found.rows[1]["pronouns_ablated"] is None


def test_a_model_without_heads():
    with pytest.raises(InputError, match="--run-dir needs the article"):
        check_has_heads(SimpleNamespace(model=SimpleNamespace(network=None)))
