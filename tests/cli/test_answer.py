import pytest

ASK = ["--question", "Where is Anna?"]
FACTS = ["--fact", "Anna went to the kitchen.", "Ben ran to school."]


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
    more = "Hans went to the garden."
    both = call("answer", "--run-dir", run_dir, *story, "--fact", more, *ASK)
    assert both.out == call("answer", "--run-dir", run_dir, *FACTS, more, *ASK).out


def test_unknown_words_are_named(run_dir, call):
    result = call("answer", "--run-dir", run_dir, *FACTS, "--question", "Where is Berta now?")
    assert result.status == 1
    assert result.complaint == "words that no training story has: berta now"
    assert result.out
