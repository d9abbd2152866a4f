"""A run directory: everything that resuming, translating and plotting need, in one folder."""

import contextlib
import fcntl
import json
import os
import platform
import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from tf_models.errors import InputError, error_message
from tf_models.files import write_text
from tf_models.training.settings import Settings

VERSIONED_PACKAGES = ("tensorflow", "keras", "numpy", "bpemb", "sentencepiece")
FORMAT = 2  # of config.json; another number has other names or another nesting
EXPORTED = "exported"  # in config.json of a run that cannot be trained further
ALWAYS_CHANGEABLE = ("versions.",)
READY_MADE_RUN = Path(__file__).parents[1] / "tasks" / "translation" / "ready_made_run"
"""The translator that comes with the package: a run directory without what only training needs.

docs/corpus.md says how it was made.
"""


@dataclass(frozen=True)
class RunDirectory:
    """Paths inside one run directory, and its config.json."""

    path: Path

    @property
    def config_file(self) -> Path:
        """Model, data, training, seed and package versions."""
        return self.path / "config.json"

    @property
    def tokenizers(self) -> Path:
        """Folder of the subword models."""
        return self.path / "tokenizer"

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoints."""
        return self.path / "checkpoints"

    @property
    def history_file(self) -> Path:
        """One row an epoch."""
        return self.path / "history.csv"

    @property
    def decoding_file(self) -> Path:
        """How to decode: what was chosen on the validation pairs, if anything was."""
        return self.path / "decoding.json"

    @property
    def logs(self) -> Path:
        """Folder of TensorBoard's event files."""
        return self.path / "logs"

    @property
    def figures(self) -> Path:
        """Folder of the figures drawn at the end of training."""
        return self.path / "figures"

    def prepare(self, config: dict, changeable: Collection[str] = ()) -> None:
        """Make the directory for `config`, or check that it was trained for the same one.

        Args:
            config: see `run_config`.
            changeable: where in it the values stand that may change while a run goes on, because
                they do not bend the curve up to where it stands: "training.epochs".

        Raises:
            InputError: it was made with other settings (the differences are named), it holds
                something else, its name cannot be used, it cannot be written, or another process
                trains there.
        """
        if set(str(self.path)) & set("[]*?"):  # TensorFlow would take them for patterns
            raise InputError(f"a run directory may not have [, ], * or ? in its path: {self.path}")
        config = {"format": FORMAT, **config, "versions": package_versions()}
        config = json.loads(json.dumps(config))
        if self.config_file.exists():
            made = self.read_config(config["kind"])
            if made.get(EXPORTED):
                raise InputError(
                    f"{self.path} holds a trained model without the state of its training; "
                    "choose another --run-dir"
                )
            if self.has_checkpoints:
                _refuse_differences(self.path, made, config, changeable)
        elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise InputError(
                f"{self.path} exists and is no run directory; choose another --run-dir"
            )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make run directory {self.path}: {error.strerror}") from error
        with self.locked():
            if not self.has_checkpoints:  # a first attempt that failed does not bind the next one
                shutil.rmtree(self.tokenizers, ignore_errors=True)
            write_text(self.config_file, json.dumps(config, indent=2, ensure_ascii=False) + "\n")

    @property
    def has_checkpoints(self) -> bool:
        """Whether something was trained here."""
        return any(self.checkpoints.glob("ckpt-*.index"))

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other process from training here within the block.

        Raises:
            InputError: another one does.
        """
        folder = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError as error:
            raise InputError(f"another training is running in {self.path}") from error
        finally:
            os.close(folder)

    def read_config(self, kind: str) -> dict:
        """config.json of a run of this `kind` ("translator").

        Raises:
            InputError: no run directory, a damaged config, or a run of another kind.
        """
        config = self._read_config()
        if config["kind"] != kind:
            raise InputError(f"{self.path} holds a run of kind {config['kind']}, not {kind}")
        return config

    def read_kind(self) -> str:
        """What config.json says that the run is.

        Raises:
            InputError: no run directory, or a damaged config.
        """
        return self._read_config()["kind"]

    def _read_config(self) -> dict:
        if not self.config_file.is_file():
            raise InputError(
                f"no run directory at {self.path} (it has no config.json); train first"
            )
        try:
            config = json.loads(self.config_file.read_text(encoding="utf-8"))
            config["kind"]  # noqa: B018 - damaged without it
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self.config_file} is damaged: {error_message(error)}") from error
        if config.get("format") != FORMAT:
            raise InputError(
                f"{self.config_file} has format {config.get('format')}, and this version reads "
                f"format {FORMAT}; train again in another --run-dir"
            )
        return config


def run_config(kind: str, settings: Settings, data: Mapping, seed: int) -> dict:
    """What config.json says of a run, format and package versions apart.

    Args:
        kind: of the run: "translator".
        settings: with the fields `schedule` and `epochs`, wherever they stand.
        data: what it is trained on.
        seed: of everything.
    """
    values = settings.flat()
    return {
        "kind": kind,
        **settings.as_config(),
        # A decay to zero bends the whole curve, so a run with one cannot be made longer.
        "decay_over_epochs": values["epochs"] if values["schedule"] == "cosine" else None,
        "data": data,
        "seed": seed,
    }


def check_folder_of_runs(folder: Path) -> None:
    """Refuse a run directory as the folder of other runs.

    Raises:
        InputError: it is one.
    """
    if RunDirectory(folder).config_file.exists():
        raise InputError(f"{folder} holds a run itself; name another folder for the runs")


def package_versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide about numbers."""
    return {
        "python": platform.python_version(),
        **{package: metadata.version(package) for package in VERSIONED_PACKAGES},
    }


def _flatten(config: Mapping, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _refuse_differences(
    path: Path, made: Mapping, now: Mapping, changeable: Collection[str]
) -> None:
    before, after = dict(_flatten(made)), dict(_flatten(now))
    different = [
        f"{name} was {before.get(name)!r} and is {after.get(name)!r} now"
        for name in {**before, **after}
        if before.get(name) != after.get(name)
        and name not in changeable
        and not name.startswith(ALWAYS_CHANGEABLE)
    ]
    if different:
        raise InputError(
            f"{path} was made with other settings: {'; '.join(different)}. "
            "Repeat the first command, or choose another --run-dir"
        )
