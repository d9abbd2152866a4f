"""Run directory: all that resuming, inference and plotting need."""

import csv
import io
import json
import math
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from filelock import FileLock

from tf_models.errors import InputError, StrPath
from tf_models.files import write_text

VERSIONED_PACKAGES = ("tensorflow", "keras", "numpy", "bpemb", "sentencepiece")
FORMAT = 5  # of config.json; runs of 1.0 have 4


def summary(subject: object, what: str, model: Any, run_dir: Path | None) -> str:
    """A line about a trained model: class, `what` it is, size, run directory."""
    place = "of no run"
    if run_dir:
        package = Path(__file__).parents[1]
        inside = run_dir.is_relative_to(package)
        place = f"from {run_dir.relative_to(package.parent) if inside else run_dir}"
    return f"{type(subject).__name__}({what}, {model.count_params():,} parameters, {place})"


class RunDirectory:
    """Paths inside the run directory `path`, and its config.json."""

    def __init__(self, path: StrPath):
        self.path = path = Path(path)
        self.config_file = path / "config.json"  # model, data, training, seed, package versions
        self.tokenizers = path / "tokenizer"  # folder of the subword models
        self.words_file = path / "words.txt"  # words of the training sentences
        self.images_file = path / "images.npz"  # images for figures
        self.checkpoints = path / "checkpoints"  # folder
        self.history_file = path / "history.csv"  # one row an epoch
        self.logs = path / "logs"  # folder of TensorBoard's event files
        self.figures = path / "figures"  # folder of the figures drawn at the end of training
        self.lock_file = path / ".lock"  # held by the process that trains here

    @property
    def has_checkpoints(self) -> bool:
        """True if a training has saved a checkpoint here."""
        return (self.checkpoints / "checkpoint").exists()

    def prepare(
        self,
        run_kind: str,
        settings: Any,
        data: Mapping,
        seed: int,
        minutes: float = math.inf,
        **further: object,
    ) -> None:
        """Write config.json, or check that it was written for the same training.

        A run may resume with more epochs or minutes, unless a cosine decays over them.

        Args:
            run_kind: "translator" or another kind, which may have `further` entries.
            settings, seed, minutes: those of the training.
            data: description of the training data.

        Raises:
            InputError: the directory holds another training or something else.
            filelock.Timeout: another process trains here.
        """
        config = {
            "format": FORMAT,
            "kind": run_kind,
            **settings.model_dump(),
            "minutes": None if minutes == math.inf else minutes,
            "data": data,
            "seed": seed,
            **further,
            "versions": {name: metadata.version(name) for name in VERSIONED_PACKAGES},
        }
        self.config_text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
        names = {item.name for item in self.path.glob("[!.]*")}  # another machine may be writing
        if names and self.config_file.name not in names:
            raise InputError(f"{self.path} exists and is no run directory; choose another")
        self.path.mkdir(parents=True, exist_ok=True)
        with FileLock(self.lock_file, timeout=5):  # other workers write config.json in less
            if self.has_checkpoints:
                self._check_same(json.loads(self.config_text))
            write_text(self.config_file, self.config_text)

    def _check_same(self, config: dict) -> None:
        before, now = _flatten(self.read_config(config["kind"])), _flatten(config)
        free = ["versions."]  # names of settings or sections, each with a point
        if now.get("optimizer.schedule") != "cosine":
            free += ["training.epochs.", "minutes."]
        if before.get("data.fingerprint") == now.get("data.fingerprint"):
            # The same data, wherever they lie.
            free += ["data.corpus.", "data.selection.", "data.images.", "data.source."]
        changed = [
            f"{name} was {before.get(name)!r} and is {now.get(name)!r} now"
            for name in before | now
            if before.get(name) != now.get(name) and not f"{name}.".startswith(tuple(free))
        ]
        if changed:
            raise InputError(
                f"{self.path} was made with other settings: {'; '.join(changed)}. "
                "Repeat the first command, or choose another --run-dir"
            )

    def read_config(self, run_kind: str | None = None) -> dict:
        """Read config.json; an InputError if missing, damaged or of another kind."""
        if not self.config_file.is_file():
            raise InputError(f"no run directory at {self.path}: no config.json; train first")
        try:
            config = json.loads(self.config_file.read_text(encoding="utf-8"))
            version = config["format"]
            found_kind = config["kind"]
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{self.config_file} is damaged: {error!r}") from error
        if version != FORMAT:
            raise InputError(f"{self.path} is a run of another version; train again")
        if run_kind not in (None, found_kind):
            raise InputError(f"{self.path} holds a run of kind {found_kind}, not {run_kind}")
        return config


def _flatten(config: Mapping, prefix: str = "") -> dict[str, object]:
    values: dict[str, object] = {}
    for name, value in config.items():
        if isinstance(value, Mapping):
            values |= _flatten(value, f"{prefix}{name}.")
        else:
            values[prefix + name] = value
    return values


class History:
    """Figures of training and validation: a row an epoch, by name."""

    def __init__(self, rows: list[dict[str, float]]):
        self.rows = rows

    @classmethod
    def parse(cls, text: str) -> "History":
        """Rows from the text of history.csv."""
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]
        return cls([{**row, "epoch": int(row["epoch"])} for row in rows])

    @classmethod
    def read(cls, path: Path) -> "History":
        """Rows of history.csv; an InputError if it is damaged."""
        try:
            return cls.parse(path.read_text(encoding="utf-8"))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} is damaged: {error!r}") from error

    @property
    def text(self) -> str:
        """Text of history.csv."""
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns(), restval=math.nan, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def columns(self) -> dict[str, list[float]]:
        """Rows as columns, by name."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return {name: [row.get(name, math.nan) for row in self.rows] for name in names}

    def epochs_since_best(self, monitor: str) -> int:
        """Epochs since a column's best: lowest of a loss, highest of a score.

        Few validation examples give many epochs the same score: the lowest loss is best of these.
        """
        sign = 1 if monitor.endswith("loss") else -1

        def rank(row: dict[str, float]) -> list[float]:
            values = sign * row.get(monitor, math.nan), row.get("val_loss", math.nan)
            return [math.inf if math.isnan(value) else value for value in values]

        ranks = [rank(row) for row in self.rows]
        return len(ranks) - 1 - ranks.index(min(ranks)) if ranks else 0
