"""The embedded file is what the world writes."""

import lzma

from research.stories.world import generated_questions
from research.stories.write import SIZES, text_of
from tf_models.data.stories.question_sets import EMBEDDED_FILE, embedded_questions


def test_the_embedded_file_is_written_again_byte_for_byte():
    assert lzma.decompress(EMBEDDED_FILE.read_bytes()).decode() == text_of(SIZES)


def test_it_is_read_as_it_was_made():
    made, read = generated_questions({"train": 100, "test": 2000}), embedded_questions(100)
    assert read.train == made["train"]
    assert read.test == made["test"]


def test_the_command(spawn, tmp_path):
    file = tmp_path / "some.tsv"
    result = spawn("research.stories.write", "--train", 10, "--seed", 1, "--output", file)
    assert result.status == 0
    assert len(file.read_text().splitlines()) == 1 + 10 + 1000 + 2000


def test_no_questions(spawn, tmp_path):
    result = spawn("research.stories.write", "--train", 0, "--output", tmp_path / "none.tsv")
    assert result.status != 0
    assert "--train must be at least 1; received 0" in result.err
