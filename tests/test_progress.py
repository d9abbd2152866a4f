import io

import pytest

from tf_models import progress
from tf_models.progress import Progress


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shown(monkeypatch):
    """shown(stream): what a second and a half of work shows there; figures change on the way."""

    def show(stream, **options):
        now, trained = [1e9], []
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setattr("tqdm.std.time", lambda: now[0])
        options |= {"desc": "epoch 1", "total": 10, "file": stream}
        with Progress(figures=lambda: f"loss {10 - len(trained)}", **options) as bar:
            for step in range(10):
                now[0] += 0.15 * progress.LINE_SECONDS
                trained.append(step)
                bar.update(1)
        return stream.getvalue()

    return show


def test_a_file_has_a_whole_line_now_and_then(shown):
    assert shown(io.StringIO()).splitlines() == ["epoch 1: 7/10, 00:31 gone, 00:13 left, loss 3"]


def test_what_is_quick_leaves_nothing_in_a_file(shown, monkeypatch):
    monkeypatch.setattr(progress, "LINE_SECONDS", 2.0)
    monkeypatch.setattr("sys.stderr", stream := io.StringIO())
    assert list(Progress(range(3), desc="quick")) == [0, 1, 2]
    assert stream.getvalue() == ""


def test_a_screen_has_a_bar_that_goes(shown):
    text = shown(Screen())

    assert "epoch 1:  70%|" in text
    assert "loss 3]" in text
    assert "\n" not in text
    assert text.endswith("\r")


def test_nothing_is_shown_if_nobody_asks(shown):
    assert shown(Screen(), shown=False) == ""
