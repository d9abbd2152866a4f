import pytest

ASK = ["--question", "Where is Anna?"]
FACTS = ["--fact", "Anna went to the kitchen.", "--fact", "Ben ran to school."]


@pytest.fixture
def run_dir(questions_run):
    return questions_run


def test_an_answer_and_the_facts_that_were_read_most(run_dir, call, tmp_path):
    figure = tmp_path / "new" / "read.png"
    result = call("answer", "--run-dir", run_dir, *FACTS, *ASK, "--output", figure)

    assert (result.status, result.err) == (0, "")
    answer, _, steps, *facts, _, path = result.out.splitlines()
    assert f"(hop 1, hop 2, {', '.join(answer.split()) or '<end>'})" in steps
    assert all(line.split(maxsplit=1)[1] in FACTS for line in facts)
    weights = [float(line.split()[0]) for line in facts]
    assert weights == sorted(weights, reverse=True)
    assert path == str(figure)
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_a_story_in_a_file_and_one_more_fact(run_dir, call, tmp_path):
    (tmp_path / "story.txt").write_text("Anna went to the kitchen.\n\nBen ran to school.\n")
    story = ["--story", tmp_path / "story.txt"]
    of_file = call("answer", "--run-dir", run_dir, *story, *ASK)
    assert of_file.out == call("answer", "--run-dir", run_dir, *FACTS, *ASK).out
    more = ["--fact", "Hans went to the garden."]
    both = call("answer", "--run-dir", run_dir, *story, *more, *ASK)
    assert both.out == call("answer", "--run-dir", run_dir, *FACTS, *more, *ASK).out


def test_unknown_words_are_named(run_dir, call):
    result = call("answer", "--run-dir", run_dir, *FACTS, "--question", "Where is Berta now?")
    assert result.status == 1
    assert result.complaint == "words that no training story has: berta now"
    assert result.out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (ASK, "there are no facts; a question is about a story"),
        ([*FACTS, "--question", "Wo?"], "knows no word of the question 'Wo?'"),
        ([*FACTS, *ASK, "--output", "read.jpeg"], "saved as .png, .pdf or .svg; received '.jpeg'"),
        (["--fact", "Anna slept. " * 30, *ASK], "a sentence has 60 words, and the model reads 40"),
        (["--fact", "Ben slept."] * 101 + ASK, "the story has 101 facts, and the model reads 100"),
        (FACTS, "the following arguments are required: --question"),
        ([*FACTS, *ASK, "--checkpoint", "ckpt-7"], "no ckpt-7 checkpoint"),
    ],
)
def test_what_cannot_be_answered(options, complaint, run_dir, call):
    result = call("answer", "--run-dir", run_dir, *options)
    assert result.status == 2
    assert complaint in result.complaint


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"\n \n", "story.txt has no fact; expected one on each line"),
        (b"Anna slept.\nWho slept?\tAnna\t1\n", "fact 2 of"),
        (b"\x89PNG\r\n\0", "is not UTF-8; convert the text to UTF-8"),
    ],
)
def test_bad_story_files(text, complaint, run_dir, call, tmp_path):
    (tmp_path / "story.txt").write_bytes(text)
    result = call("answer", "--run-dir", run_dir, "--story", tmp_path / "story.txt", *ASK)
    assert complaint in result.complaint
    missing = call("answer", "--run-dir", run_dir, "--story", tmp_path / "none.txt", *ASK)
    assert "cannot read" in missing.complaint


def test_runs_of_another_task_and_no_runs(autoencoder_run, call, tmp_path):
    other = call("answer", "--run-dir", autoencoder_run, *FACTS, *ASK)
    assert "holds a run of kind autoencoder, not question answering" in other.complaint
    none = call("answer", "--run-dir", tmp_path, *FACTS, *ASK)
    assert "no run directory at" in none.complaint
