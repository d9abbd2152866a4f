import numpy as np
import pytest
from PIL import Image

from tf_models.errors import InputError
from tf_models.plotting.attention import plot_attention_side_by_side
from tf_models.plotting.film import save_film


@pytest.fixture
def frames(attention):
    weights = {"epoch 1": attention(3, 3), "epoch 2": np.eye(3), "epoch 3": attention(3, 3)}
    return [plot_attention_side_by_side({name: one}, "abc", "def") for name, one in weights.items()]


def test_each_figure_is_a_frame_and_the_last_one_stays(frames, tmp_path):
    path = save_film(frames, tmp_path / "new" / "film.gif", seconds=0.1)
    with Image.open(path) as film:
        assert film.n_frames == 3
        durations = []
        for number in range(3):
            film.seek(number)
            durations.append(film.info["duration"])
    assert durations == [100, 100, 300]


def test_what_is_no_film_is_refused(frames, tmp_path):
    with pytest.raises(InputError, match=r"saved as .gif; received '.png'"):
        save_film(frames, tmp_path / "film.png")
    with pytest.raises(ValueError, match="one figure or more"):
        save_film([], tmp_path / "film.gif")
    assert list(tmp_path.iterdir()) == []
