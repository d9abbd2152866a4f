import pytest

from benchmarks import decoding_systems
from benchmarks.comparison import DECODING
from benchmarks.decoding_comparison import compare_decoding
from benchmarks.decoding_systems import sample
from benchmarks.report import report
from tf_models.errors import InputError


def test_what_is_said_of_a_model_made_for_this(brief_run):
    _, told = brief_run

    assert told.startswith("the toy preset, trained for 1 epochs of 92 pairs in ")


def test_a_sample_is_even():
    sentences = ["a" * length for length in (9, 1, 8, 2, 7, 3, 6, 4, 5)]

    assert [len(s) for s in sample(sentences, 3)] == [2, 5, 8]
    assert sample(sentences[:2], 5) == ["a", "a" * 9]


def test_everyone_translates_the_same(
    brief_run, corpus, plan, tmp_path, in_this_process, monkeypatch
):
    pytest.importorskip("ctranslate2", reason="CTranslate2 is an optional rival")
    monkeypatch.setattr(decoding_systems, "BATCH_SIZES", (2,))
    monkeypatch.setattr(decoding_systems, "SENTENCES_OF_THE_TUTORIAL", 1)
    results = compare_decoding(brief_run[0], corpus.test, list(DECODING), tmp_path, plan)
    rivals = results["rivals"]

    assert list(rivals) == list(DECODING)
    assert results["sentences"] == len(corpus.test)
    assert results["equal_greedy_translations"] == len(corpus.test)
    assert rivals["tutorial"]["beam_seconds"] is None
    assert "extrapolated from 1 sentences" in rivals["tutorial"]["note"]
    assert (
        "beam: inter_threads 1, intra_threads 1, max_batch_size 2" in rivals["ctranslate2"]["note"]
    )
    ours, theirs = rivals["tf-models"], rivals["ctranslate2"]
    assert ours["times_as_fast_as"]["ctranslate2"]["greedy"] == (
        theirs["greedy_seconds"]["median"] / ours["greedy_seconds"]["median"]
    )
    results |= {"corpus": "tiny", "model": "a tiny model"}
    text = report({"machine": {"processor": "X", "cores": 2, "system": "L", "versions": {},
                   "date": "today"}, "threads": 1, "rounds": 2, "decoding": results})  # fmt: skip
    for part in (*DECODING, "with a tiny model", "write the same for 4 of 4", "beam 5 s"):
        assert part in text


def test_nothing_that_can_be_translated(brief_run, corpus, plan, tmp_path, in_this_process):
    pairs = [corpus.test[0]._replace(source="😀")]
    with pytest.raises(InputError, match="can translate none of 1 test sentences"):
        compare_decoding(brief_run[0], pairs, ["tf-models"], tmp_path, plan)
