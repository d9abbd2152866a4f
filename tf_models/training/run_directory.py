"""A run directory: everything that resuming, translating and plotting need, in one folder."""

import contextlib
import csv
import io
import json
import math
import platform
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from tf_models.errors import InputError, error_message
from tf_models.files import (
    LOCK,
    UNFINISHED,
    FolderLock,
    check_is_file,
    check_name,
    check_utf8,
    read_json,
    remove_unfinished,
    write_text,
)
from tf_models.runtime import available_cores, processor_name
from tf_models.training.settings import ALL, Seed, Settings, check_type

VERSIONED_PACKAGES = ("tensorflow", "keras", "numpy", "bpemb", "sentencepiece")
FORMAT = 4  # of config.json; another number has other names or another nesting
EXPORTED = "exported"  # in config.json of a run that cannot be trained further
EPOCHS = "epochs"  # folder of the weights to average, among the checkpoints
ALWAYS_CHANGEABLE = ("versions.",)
ENTRIES = {  # of any config.json, where it has them, beside the settings of its kind of run
    "kind": str,
    "seed": Seed,
    "data": dict,
    "versions": dict,
    "changes": list[str],
    "decay_over_epochs": int | None,
    "decay_over_minutes": float,
    EXPORTED: bool,
}
TYPED = {"decay_over_epochs": "--epochs", "decay_over_minutes": "--minutes"}
MODEL_SECTIONS = ("architecture", "variant", "model")  # of config.json: what the weights are for


class RunDirectory:
    """Paths inside one run directory, its config.json, and its lock.

    Args:
        path: of the directory.
        writes: whether this process may write here; of several workers only the chief does.

    Raises:
        InputError: the path is no UTF-8.
    """

    def __init__(self, path: Path, writes: bool = True):
        check_utf8(path)
        self.path, self.writes = path, writes
        self.config_file = path / "config.json"  # model, data, training, seed, package versions
        self.tokenizers = path / "tokenizer"  # folder of the subword models
        self.words_file = path / "words.txt"  # of the training sentences
        self.images_file = path / "images.npz"  # what figures of a model of images show
        self.checkpoints = path / "checkpoints"  # folder
        self.history_file = path / "history.csv"  # one row an epoch
        self.logs = path / "logs"  # folder of TensorBoard's event files
        self.figures = path / "figures"  # folder of the figures drawn at the end of training
        self._lock = FolderLock(path)

    def prepare(
        self, config: dict, changeable: Collection[str] = (), lowerable: Collection[str] = ()
    ) -> None:
        """Make the directory for `config`, or check that it was trained for the same one.

        From then on no other process can: until the end of `locked`, or of this process.

        Args:
            config: see `run_config`.
            changeable: where in it the values stand that may change while a run goes on, because
                they do not bend the curve up to where it stands: "training.epochs".
            lowerable: likewise those that may be lowered, as "optimizer.learning_rate"; config.json
                notes it.

        Raises:
            InputError: it was made with other settings (the differences are named), it holds
                something else, its name cannot be used, it cannot be written, or another process
                trains there.
        """
        config = json.loads(json.dumps({"format": FORMAT, **config, "versions": provenance()}))
        if not self.writes:
            self._check_same(config)
            return
        self.check_place(config["kind"])
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make run directory {self.path}: {error.strerror}") from error
        self._lock.acquire()
        try:
            self._write_config(config, changeable, lowerable)
        except BaseException:
            self._lock.release()
            raise

    def _check_same(self, config: dict) -> None:
        """Check that the chief has prepared the same training."""
        if not self.config_file.is_file():
            raise InputError(
                f"the chief has made no run directory at {self.path}; all workers need the same "
                "--run-dir, on a file system that they share"
            )
        _continued(self.path, self.read_config(config["kind"]), config)

    def check_place(self, kind: str) -> None:
        """Raise an InputError, as `prepare` would, before anything is read for a training of this
        kind.
        """
        if set(str(self.path)) & set("[]*?"):  # TensorFlow would take them for patterns
            raise InputError(f"a run directory may not have [, ], * or ? in its path: {self.path}")
        if self.config_file.exists():
            if self.read_config(kind).get(EXPORTED):
                raise InputError(
                    f"{self.path} holds a trained model without the state of its training; "
                    "choose another --run-dir"
                )
            return
        check_name(self.path)
        left_by_a_kill = (LOCK, UNFINISHED)
        if self.path.exists() and not (
            self.path.is_dir()
            and all(one.name.startswith(left_by_a_kill) for one in self.path.iterdir())
        ):
            raise InputError(
                f"{self.path} exists and is no run directory; choose another --run-dir"
            )

    def _write_config(
        self, config: dict, changeable: Collection[str], lowerable: Collection[str]
    ) -> None:
        remove_unfinished(self.path)
        if self.has_checkpoints:
            made = self.read_config(config["kind"])
            config = _continued(self.path, made, config, changeable, lowerable)
        else:  # what a training left that saved nothing does not bind the next one
            folders = (self.tokenizers, self.checkpoints / EPOCHS, self.logs)
            files = (self.words_file, self.images_file, self.history_file)
            for path in (*folders, *files):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
        write_text(self.config_file, json.dumps(config, indent=2, ensure_ascii=False) + "\n")

    @property
    def has_checkpoints(self) -> bool:
        """Whether something was trained here."""
        folders = (self.checkpoints, self.checkpoints / "best")
        return any(any(folder.glob("*-*.index")) for folder in folders)

    @property
    def changes(self) -> list[str]:
        """In what a run that went on differs from an uninterrupted one: "versions.keras was …"."""
        return self._read_config().get("changes", [])

    def locked(self) -> contextlib.AbstractContextManager:
        """Keep other processes from training here within the block; an InputError if one does."""
        return self._lock if self.writes else contextlib.nullcontext()

    def read_model(self) -> dict:
        """What config.json says of the model that the checkpoints are of."""
        config = self._read_config()
        return {name: config[name] for name in ("kind", *MODEL_SECTIONS) if name in config}

    def read_config(self, kind: str, entries: Mapping[str, object] | None = None) -> dict:
        """config.json of a run of this `kind` ("translator"), whose entries but for the settings
        are of these types, by name (see `check_type`). Raises InputError: no run directory, a
        damaged config, or a run of another kind.
        """
        with self.reading(kind, entries) as config:
            return config

    @contextlib.contextmanager
    def reading(self, kind: str, entries: Mapping[str, object] | None = None) -> Iterator[dict]:
        """Read `read_config` within the block; what is missing or wrong in it is an InputError of a
        damaged file.
        """
        config = self._read_config()
        if config["kind"] != kind:
            raise InputError(f"{self.path} holds a run of kind {config['kind']}, not {kind}")
        try:
            check_type(ALL, config, entries or dict)
            yield config
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{self.config_file} is damaged: {error_message(error)}") from error

    def read_kind(self) -> str:
        """What the run is; an InputError if config.json is missing or damaged."""
        return self._read_config()["kind"]

    def _read_config(self) -> dict:
        if not self.config_file.is_file():
            raise InputError(
                f"no run directory at {self.path} (it has no config.json); train first"
            )
        try:
            config = read_json(self.config_file)
            check_type(ALL, config, dict)
            if config["format"] != FORMAT:
                raise InputError(
                    f"{self.config_file} has format {config['format']}, and this version reads "
                    f"format {FORMAT}; use the version that wrote it, or train again in another "
                    "--run-dir"
                )
            there = {n: one for n, one in ENTRIES.items() if n in config or n == "kind"}
            check_type(ALL, config, there)
        except InputError:  # which is a ValueError, too
            raise
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(f"{self.config_file} is damaged: {error_message(error)}") from error
        return config


def run_config(
    kind: str, settings: Settings, data: Mapping, seed: int, minutes: float = math.inf
) -> dict:
    """What config.json says of a run, format and package versions apart.

    Settings have the fields `schedule` and `epochs`, wherever they stand; `minutes` are those of a
    training that has a limit of time in place of epochs.
    """
    # A decay to zero bends the whole curve, so a run with one cannot be made longer.
    decay: dict[str, float | None] = {"decay_over_epochs": None}
    if settings.flat()["schedule"] == "cosine":
        timed = minutes < math.inf
        decay["decay_over_epochs"] = None if timed else settings.flat()["epochs"]
        decay |= {"decay_over_minutes": minutes} if timed else {}
    return {"kind": kind, **asdict(settings), **decay, "data": data, "seed": seed}


def provenance() -> dict[str, str | int]:
    """What decides about the last digits: packages, and what TensorFlow computes on."""
    return {
        "python": platform.python_version(),
        **{package: metadata.version(package) for package in VERSIONED_PACKAGES},
        "processor": processor_name(),
        "cores": available_cores(),
    }


def differences(made: Mapping, now: Mapping) -> Iterator[tuple[str, object, object]]:
    """Where two configs differ: name, value before, value now."""
    before, after = dict(_flatten(made)), dict(_flatten(now))
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield name, before.get(name), after.get(name)


def _flatten(config: Mapping, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _continued(
    path: Path,
    made: dict,
    now: dict,
    changeable: Collection[str] = (),
    lowerable: Collection[str] = (),
) -> dict:
    """The config of a run that goes on: the first versions stay, and what changed is noted."""
    noted, refused = [], []
    changes = made.pop("changes", [])
    for name, before, after in differences(made, now):
        line = f"{TYPED.get(name, name)} was {before!r} and is {after!r} now"
        if name.startswith(ALWAYS_CHANGEABLE) or (name in lowerable and _is_lower(before, after)):
            noted.append(line)
        elif name not in changeable:
            refused.append(line)
    if refused:
        raise InputError(
            f"{path} was made with other settings: {'; '.join(refused)}. "
            "Repeat the first command, or choose another --run-dir"
        )
    changes += [line for line in noted if line not in changes]
    return {**now, "versions": made.get("versions"), **({"changes": changes} if changes else {})}


def _is_lower(before: Any, after: Any) -> bool:
    """Whether a value was lowered; None is a schedule's own rate, and 0 no greatest norm."""
    numbers = isinstance(after, float) and isinstance(before, float | None)
    return numbers and after > 0 and (not before or after < before)


class History:
    """What training and validation came to, epoch by epoch.

    A checkpoint holds the same text as the file, so the file can be written again from it.

    Args:
        path: of history.csv.
        text: what a checkpoint holds; if left out, the file is read, and may be missing.

    Raises:
        InputError: the file is damaged.
    """

    def __init__(self, path: Path, text: str | None = None):
        self._path = path
        self.rows: list[dict[str, float]] = []
        if text:
            self.rows = _parse(io.StringIO(text))
        elif text is None and path.exists():
            self.rows = _read(path)

    @property
    def text(self) -> str:
        """The rows as history.csv has them; what only other rows have is not a number."""
        text = io.StringIO()
        writer = csv.DictWriter(text, self._names(), restval=math.nan, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def save(self) -> None:
        """Write history.csv."""
        write_text(self._path, self.text)

    def columns(self) -> dict[str, list[float]]:
        """The rows as columns, by name."""
        return {name: self._column(name) for name in self._names()}

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def _column(self, name: str) -> list[float]:
        return [row.get(name, math.nan) for row in self.rows]

    def since_best(self, name: str, highest: bool = False) -> int:
        """Rows since the lowest (or highest) value of column `name`, the first of equal ones; 0 if
        it is the last one's, or if no row has one."""
        values = [-value if highest else value for value in self._column(name)]
        ranks = [math.inf if math.isnan(value) else value for value in values]
        best = min(ranks)
        return 0 if best == math.inf else len(ranks) - 1 - ranks.index(best)


def _read(path: Path) -> list[dict[str, float]]:
    try:
        check_is_file(path)
        with path.open(encoding="utf-8", newline="") as file:
            return _parse(file)
    except (OSError, ValueError, OverflowError, TypeError, csv.Error) as error:
        raise InputError(
            f"{path} is damaged ({error}); remove it, and the training command writes it again"
        ) from error


def _parse(lines: Iterable[str]) -> list[dict[str, float]]:
    reader = csv.DictReader(lines)
    if "epoch" not in (reader.fieldnames or ()):
        raise ValueError("no column epoch")
    rows = [{key: float(value) for key, value in row.items()} for row in reader]
    if any(math.isinf(value) for row in rows for value in row.values()):
        raise ValueError("a number out of range")
    return [{**row, "epoch": int(row["epoch"])} for row in rows]
