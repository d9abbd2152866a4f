import dataclasses
import gzip
import json
import re

import pytest

from tests.support.eager import eagerly
from tests.support.tiny_runs import command_of
from tf_models.autoencoding import evaluate as autoencoding
from tf_models.classification import evaluate as classification
from tf_models.questions import evaluate as questions
from tf_models.translation import evaluate as translation


def figures_of(task, run_dir, **options):
    """What the command of a task's run prints, as numbers."""
    with eagerly():
        return task.evaluate_run(run_dir, **options)


def as_json(values):
    return json.loads(json.dumps(values, default=dataclasses.asdict))


@pytest.mark.parametrize(
    ("task", "run"),
    [
        (translation, "run_dir"),
        (autoencoding, "autoencoder_run"),
        (classification, "image_classifier_run"),
    ],
)
def test_the_numbers_as_json(task, run, request, call, tmp_path):
    run_dir = request.getfixturevalue(run)
    found = call("evaluate", "--run-dir", run_dir, "--json", tmp_path / "scores.json")
    streamed = call("evaluate", "--run-dir", run_dir, "--json", "-")
    scores = json.loads((tmp_path / "scores.json").read_text("utf-8"))

    assert scores == json.loads(streamed.out) == as_json(figures_of(task, run_dir))
    assert found.out.strip() == streamed.err.strip() != ""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "test.en").write_text("The dog sees the fox.\nThe 😀.\nThe man.\n" * 10, "utf-8")
    with gzip.open(tmp_path / "test.de.gz", "wt", encoding="utf-8") as file:
        file.write("Der Hund sieht den Fuchs.\nDer 😀.\nDer Mann.\n" * 10)
    return {"source": tmp_path / "test.en", "reference": tmp_path / "test.de.gz"}


def test_scores_of_files(run_dir, call, files):
    options = [word for name, path in files.items() for word in (f"--{name}", path)]
    shown = call("evaluate", "--run-dir", run_dir, *options, "--beam-size", 2).out
    scores = figures_of(translation, run_dir, beam_size=2, **files)["files"]

    for part in ("BLEU", "tok:13a", "case:lc", "chrF", "exact match", "unknown", "1-5"):
        assert part in shown
    assert scores.sentences == scores.bleu_by_length["1-5"][1] == 30
    assert 0 <= scores.bleu <= 100
    assert 0 < scores.unknown_rate < 1


def test_the_test_pairs_of_the_corpus_that_it_was_trained_on(run_dir, tiny_inputs):
    (scores,) = figures_of(translation, run_dir).values()
    (named,) = figures_of(translation, run_dir, corpus=[str(tiny_inputs / "deu.txt")]).values()

    assert scores.sentences == 2
    assert named == scores


def test_several_references(run_dir, tmp_path):
    path = tmp_path / "lesson.tsv"
    path.write_text(
        "The dog sees the fox.\tDer Hund sieht den Fuchs.\tDer Fuchs.\n\nThe man.\tMann\n"
    )
    scores = figures_of(translation, run_dir, references=path)["files"]

    assert scores.sentences == 2
    assert scores.exact_match <= scores.exact_match_of_any <= 100


@pytest.mark.parametrize("run", ["vae_run", "hierarchical_run"])
def test_the_estimate_lies_above_the_bound(run, request):
    run_dir = request.getfixturevalue(run)
    found = figures_of(autoencoding, run_dir, importance_samples=50)

    assert found["images"] == 30
    assert found["importance samples"] == 50
    assert found["log-likelihood (nats)"] > found["elbo (nats)"]
    assert found["elbo (nats)"] == pytest.approx(
        -found["reconstruction (nats)"] - found["kl (nats)"], rel=1e-5
    )
    assert ("active latents" in found) == (run == "vae_run")


def test_a_classifier(classifier_run, tiny_inputs, call):
    options = ["--run-dir", classifier_run, "--test", tiny_inputs / "test.tsv"]
    found = figures_of(classification, classifier_run, test=[tiny_inputs / "test.tsv"])
    report = call(*command_of("classifier", tiny_inputs), "--run-dir", classifier_run).out
    trained = re.search(r"classifier +([\d.]+)%", report)

    assert f"{100 * found['accuracy']:.1f}" == trained[1]
    assert "precision" in call("evaluate", *options).out


def test_a_classifier_of_images(image_classifier_run, npz):
    found = figures_of(classification, image_classifier_run)
    assert found["images"] == 30
    assert figures_of(classification, image_classifier_run, dataset=str(npz)) == found


def test_questions_of_a_file(questions_run, tmp_path):
    path = tmp_path / "asked.txt"
    path.write_text("1 Anna went to the park.\n2 Where is Anna?\tin the park\t1\n")
    found = figures_of(questions, questions_run, test=[path])
    assert found["questions"] == 1
    assert found["exact match"] == found["asked"]
