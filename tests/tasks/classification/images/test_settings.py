import pytest

from tf_models.errors import InputError
from tf_models.tasks.classification.images.settings import suited


@pytest.mark.parametrize(
    ("side", "patch"), [((8, 8), 2), ((28, 28), 4), ((32, 32), 4), ((48, 64), 8), ((9, 15), 3)]
)
def test_a_patch_that_cuts_an_image_into_a_few_dozen(side, patch):
    assert suited((), (*side, 1), 60_000) == {"patch": patch}


def test_few_images_are_seen_more_often():
    assert suited({"patch"}, (7, 7, 1), 9_999) == {"epochs": 100}
    assert suited({"patch", "epochs"}, (7, 7, 1), 9_999) == {}


def test_a_size_without_such_a_patch():
    with pytest.raises(InputError, match="images of 29 x 29 pixels cannot be cut into equal"):
        suited((), (29, 29, 1), 60_000)
