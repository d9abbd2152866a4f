"""What the commands of research have in common."""

import importlib
import subprocess
import sys
from argparse import ArgumentParser

import pytest

from research.command import run, setting
from research.experiments.__main__ import RECIPES
from tf_models.errors import InputError

COMMANDS = (
    *("research.heads.__main__", "research.heads.names", "research.heads.resolver"),
    *("research.benchmarks.training", "research.benchmarks.decoding", "research.benchmarks.vae"),
)


def help_of(module, capsys, *words):
    with pytest.raises(SystemExit):
        importlib.import_module(module).make_parser().parse_args([*words, "--help"])
    return capsys.readouterr().out


def test_help_loads_no_large_library():
    """It is there within a second; TensorFlow alone takes six."""
    modules = ", ".join(("research.experiments.__main__", *COMMANDS))
    late = '{"tensorflow", "keras", "matplotlib", "torch"} & sys.modules.keys()'
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; sys.exit(str({late}))"],
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert done.stderr.strip() == "set()"


def test_usage_names_the_command(capsys):
    assert help_of("research.heads.__main__", capsys).startswith("usage: python -m research.heads ")
    for recipe in RECIPES:
        usage = f"usage: python -m research.experiments {recipe.name} "
        assert help_of("research.experiments.__main__", capsys, recipe.name).startswith(usage)


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
