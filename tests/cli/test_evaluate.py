import gzip
import json
import re

import pytest

from tests.support.tiny_runs import command_of


@pytest.fixture
def files(tmp_path):
    (tmp_path / "test.en").write_text("The dog sees the fox.\nThe 😀.\nThe man.\n", "utf-8")
    with gzip.open(tmp_path / "test.de.gz", "wt", encoding="utf-8") as file:
        file.write("Der Hund sieht den Fuchs.\nDer 😀.\nDer Mann.\n")
    return ["--source", tmp_path / "test.en", "--reference", tmp_path / "test.de.gz"]


def test_scores_and_translations(run_dir, call, files, tmp_path):
    options = ["--run-dir", run_dir, *files, "--beam-size", 2, "--output", tmp_path / "out.de"]
    shown = call("evaluate", *options).out
    scores = json.loads(call("evaluate", *options, "--json").out)

    for part in ("BLEU", "tok:13a", "case:lc", "chrF", "exact match", "unknown", "1-5"):
        assert part in shown
    assert scores["sentences"] == scores["bleu_by_length"]["1-5"][1] == 3
    assert 0 <= scores["bleu"] <= 100
    assert 0 < scores["unknown_rate"] < 1
    assert len((tmp_path / "out.de").read_text("utf-8").splitlines()) == 3


def test_the_test_pairs_of_the_corpus_that_it_was_trained_on(run_dir, call, tiny_inputs):
    scores = json.loads(call("evaluate", "--run-dir", run_dir, "--json").out)
    named = call("evaluate", "--run-dir", run_dir, "--corpus", tiny_inputs / "deu.txt", "--json")

    assert scores["sentences"] == 2
    assert json.loads(named.out) == scores


def test_several_references(run_dir, call, tmp_path):
    path = tmp_path / "lesson.tsv"
    path.write_text(
        "The dog sees the fox.\tDer Hund sieht den Fuchs.\tDer Fuchs.\n\nThe man.\tMann\n"
    )
    result = call("evaluate", "--run-dir", run_dir, "--references", path, "--json")

    scores = json.loads(result.out)
    assert scores["sentences"] == 2
    assert scores["exact_match"] <= scores["exact_match_of_any"] <= 100


@pytest.mark.parametrize("run", ["vae_run", "hierarchical_run"])
def test_the_estimate_lies_above_the_bound(run, request, call):
    run_dir = request.getfixturevalue(run)
    result = call("evaluate", "--run-dir", run_dir, "--importance-samples", 50, "--json")
    found = json.loads(result.out)

    assert found["images"] == 30
    assert found["importance samples"] == 50
    assert found["log-likelihood (nats)"] > found["elbo (nats)"]
    assert found["elbo (nats)"] == pytest.approx(
        -found["reconstruction (nats)"] - found["kl (nats)"], rel=1e-5
    )
    assert ("active latents" in found) == (run == "vae_run")


def test_a_classifier(classifier_run, tiny_inputs, call):
    options = ["--run-dir", classifier_run, "--test", tiny_inputs / "test.tsv"]
    found = json.loads(call("evaluate", *options, "--json").out)
    report = call(*command_of("classifier", tiny_inputs), "--run-dir", classifier_run).out
    trained = re.search(r"classifier +([\d.]+)%", report)

    assert f"{100 * found['accuracy']:.1f}" == trained[1]
    assert "precision" in call("evaluate", *options).out


def test_a_classifier_of_images(image_classifier_run, npz, call):
    options = ["--run-dir", image_classifier_run]
    found = json.loads(call("evaluate", *options, "--json").out)
    assert found["images"] == 30
    again = call("evaluate", *options, "--dataset", npz, "--json").out
    assert json.loads(again) == found


def test_questions_of_a_file(questions_run, call, tmp_path):
    path = tmp_path / "asked.txt"
    path.write_text("1 Anna went to the park.\n2 Where is Anna?\tin the park\t1\n")
    result = call("evaluate", "--run-dir", questions_run, "--test", path, "--json")
    found = json.loads(result.out)
    assert found["questions"] == 1
    assert found["exact match"] == found["asked"]
