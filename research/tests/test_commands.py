"""What the commands of research have in common."""

from argparse import ArgumentParser

import pytest

from research.command import run, setting
from tf_models.errors import InputError


def test_settings_are_values_of_python():
    texts = ["epochs=2", "peak=0.002", "padded=False", "max_lengths=(16,16)", "optimizer=adam"]
    assert dict(map(setting, texts)) == {
        "epochs": 2,
        "peak": 0.002,
        "padded": False,
        "max_lengths": (16, 16),
        "optimizer": "adam",
    }


def test_an_error_ends_a_command_in_one_line(capsys):
    def fail(arguments):
        raise InputError("no such corpus")

    with pytest.raises(SystemExit) as end:
        run(ArgumentParser(), fail, [])
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith("error: no such corpus\n")
