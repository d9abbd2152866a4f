import pytest

from tf_models.data.stories import embedded_questions, questions_of_files
from tf_models.errors import InputError


def story(name, questions=2):
    lines = [f"1 {name} slept."]
    for i in range(questions):
        lines += [f"{2 * i + 2} {name} woke.", f"{2 * i + 3} Who woke?\t{name}\t{2 * i + 2}"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path):
    names = [f"Name{i}" for i in range(20)]
    (tmp_path / "qa1_train.txt").write_text("".join(map(story, names[:15])))
    (tmp_path / "qa2_train.txt").write_text("".join(map(story, names[15:])))
    (tmp_path / "qa1_test.txt").write_text(story("Test", 3))
    return tmp_path


def test_whole_stories_validate(files):
    paths = files / "qa1_train.txt", files / "qa2_train.txt"
    found = questions_of_files(paths, [files / "qa1_test.txt"])

    assert (len(found.train), len(found.validation), len(found.test)) == (36, 4, 3)
    trained, validated = ({q.answer for q in side} for side in (found.train, found.validation))
    assert not trained & validated
    assert found.name == "qa1_train, qa2_train"
    assert {q.kind for q in found.train} == {"qa1_train", "qa2_train"}
    assert questions_of_files(paths, [files / "qa1_test.txt"]) == found
    assert questions_of_files(paths, [files / "qa1_test.txt"], seed=1).train != found.train


def test_one_story_is_too_few(files):
    with pytest.raises(InputError, match="qa1_test.txt has one story only"):
        questions_of_files([files / "qa1_test.txt"], [files / "qa1_test.txt"])


def test_embedded_questions_and_their_fingerprint():
    one, same, other = (embedded_questions(count) for count in (130, 130, 131))
    assert (len(one.train), len(one.validation), len(one.test)) == (130, 1000, 2000)
    assert one.fingerprint() == same.fingerprint() != other.fingerprint()
    assert one.describe().startswith("stories: 130 training, 1,000 validation and 2,000 test")
