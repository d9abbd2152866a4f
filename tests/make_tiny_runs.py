"""Make the tiny runs that tests read in place of trainings of their own.

    python -m tests.make_tiny_runs                  # all, in about a minute
    python -m tests.make_tiny_runs translator vae   # some

Run it when the format of runs changes, and commit tests/tiny_runs/.
"""

import argparse
import contextlib
import os
import shutil
import tempfile
import warnings
from pathlib import Path

from tests.support.commands import graphs, status_of
from tests.support.tiny_runs import COMMANDS, FOLDER, PLACE, command_of, write_inputs

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def make(name: str, place: Path) -> Path:
    """Train with the real script in a folder; return the run directory."""
    run_dir, inputs = place / "run", place / "inputs"
    inputs.mkdir()
    write_inputs(inputs)
    quick = graphs() if name == "questions" else contextlib.nullcontext()  # of many batches
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        contextlib.redirect_stdout(nowhere),
        quick,
    ):
        status = status_of(*command_of(name, inputs), "--run-dir", run_dir)
    assert status == 0, name
    return run_dir


def keep(run_dir: Path, kept: Path) -> None:
    """Copy what a command reads: no figures, no logs, no paths of this machine."""
    from tf_models.training.checkpoints import checkpoint_path

    latest = Path(checkpoint_path(run_dir / "checkpoints", "latest")).name
    patterns = ("config.json", "history.csv", "tokenizer/*", f"checkpoints/{latest}.*")
    shutil.rmtree(kept, ignore_errors=True)
    for path in (path for one in (*patterns, "checkpoints/*/*") for path in run_dir.glob(one)):
        copy = kept / path.relative_to(run_dir)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    config = kept / "config.json"
    config.write_text(config.read_text().replace(str(run_dir.with_name("inputs")), PLACE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COMMANDS))
    warnings.simplefilter("ignore")  # tests/support/eager.py
    if hasattr(os, "sched_setaffinity"):  # noise is drawn for each core's part of a batch
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in parser.parse_args().names or COMMANDS:
        with tempfile.TemporaryDirectory() as place:
            keep(make(name, Path(place)), FOLDER / name)
        print(f"tests/{FOLDER.name}/{name}", flush=True)


if __name__ == "__main__":
    main()
