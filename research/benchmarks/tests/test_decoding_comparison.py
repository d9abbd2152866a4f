import numpy as np
import pytest

from research.benchmarks import decoding_systems
from research.benchmarks.decoding_comparison import compare_decoding
from research.benchmarks.decoding_systems import sample
from research.benchmarks.systems import DECODING_SYSTEMS
from tf_models.errors import InputError
from tf_models.tasks.translation.export.ctranslate2 import export_ctranslate2
from tf_models.tasks.translation.translator import Translator


def test_the_brief_training_is_described(brief_run):
    _, told = brief_run

    assert told.startswith("the toy preset, trained for 1 epochs of 136 pairs in ")


def test_a_sample_is_even():
    sentences = ["a" * length for length in (9, 1, 8, 2, 7, 3, 6, 4, 5)]

    assert [len(s) for s in sample(sentences, 3)] == [2, 5, 8]
    assert sample(sentences[:2], 5) == ["a", "a" * 9]


def test_all_systems_translate_the_same(
    brief_run, corpus, plan, tmp_path, in_this_process, report_of, monkeypatch
):
    pytest.importorskip("ctranslate2", reason="CTranslate2 is optional")
    monkeypatch.setattr(decoding_systems, "BATCH_SIZES", (2,))
    monkeypatch.setattr(decoding_systems, "TUTORIAL_SENTENCES", 1)
    results = compare_decoding(brief_run[0], corpus.test, list(DECODING_SYSTEMS), tmp_path, plan)
    systems = results["systems"]

    assert list(systems) == list(DECODING_SYSTEMS)
    assert results["sentences"] == len(corpus.test)
    assert results["equal_greedy_translations"] == {"ctranslate2": len(corpus.test)}
    assert systems["tutorial"]["beam_seconds"] is None
    assert "extrapolated from 1 sentences" in systems["tutorial"]["note"]
    assert (
        "beam: inter_threads 1, intra_threads 1, max_batch_size 2" in systems["ctranslate2"]["note"]
    )
    ours, theirs = systems["tf-models"], systems["ctranslate2"]
    assert ours["times_as_fast_as"]["ctranslate2"]["greedy"] == (
        theirs["greedy_seconds"]["median"] / ours["greedy_seconds"]["median"]
    )
    results |= {"corpus": "tiny", "model": "a tiny model"}
    text = report_of("decoding", results)
    for part in (*DECODING_SYSTEMS, "with a tiny model", "write the same for 4 of 4", "beam 5 s"):
        assert part in text


def test_ctranslate2_may_write_nothing_as_this_project_may(brief_run, corpus, tmp_path):
    pytest.importorskip("ctranslate2", reason="CTranslate2 is an optional system")
    translator = Translator.load(brief_run[0])
    bias = translator.model.network.final_layer.bias
    end_id = translator.tokenizers.target.end_id
    bias.assign(100 * np.eye(bias.shape[0], dtype=np.float32)[end_id])
    export_ctranslate2(translator, tmp_path)
    sentences = [pair.source for pair in corpus.test]
    ours = [best.text for best, *_ in translator.translate(sentences, beam_size=1)]
    theirs = decoding_systems.CTranslate2(tmp_path, sentences, threads=1)

    assert theirs.translations() == ours == [""] * len(sentences)


def test_no_sentence_can_be_translated(brief_run, corpus, plan, tmp_path, in_this_process):
    pairs = [corpus.test[0]._replace(source="😀")]
    with pytest.raises(InputError, match="can translate none of 1 test sentences"):
        compare_decoding(brief_run[0], pairs, ["tf-models"], tmp_path, plan)
