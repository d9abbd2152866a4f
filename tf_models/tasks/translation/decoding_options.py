"""How a run's translator decodes by default, and how that is chosen."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from tf_models.errors import InputError, Report
from tf_models.files import read_json, write_text
from tf_models.training.run_directory import RunDirectory

LENGTH_PENALTIES = (0.0, 0.3, 0.6, 0.9, 1.2)
EXTENDED_GRID = (1.5, 1.8, 2.1, 2.4, 2.7, 3.0)  # tried while BLEU still rises


@dataclass(frozen=True)
class DecodingOptions:
    """A checkpoint ("best", "average", "latest" or a name), a beam and its length penalty.

    The default penalty is alpha of Wu et al. (2016), as Vaswani et al. (2017) use it.
    """

    checkpoint: str = "best"
    beam_size: int = 1
    length_penalty: float = 0.6

    def __post_init__(self):
        types = (type(self.checkpoint), type(self.beam_size), type(self.length_penalty))
        if types not in ((str, int, float), (str, int, int)):
            raise TypeError(f"a value of another type in {asdict(self)}")

    @classmethod
    def of(cls, run: RunDirectory, beam_size: int = 1) -> "DecodingOptions":
        """What was chosen for this run; before that the defaults, with the beam of its settings.

        Raises:
            InputError: decoding.json is damaged.
        """
        if not run.decoding_file.exists():
            return cls(beam_size=beam_size)
        try:
            return cls(**read_json(run.decoding_file))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise InputError(
                f"{run.decoding_file} is damaged ({error}); remove it to go on without it"
            ) from error

    def save(self, run: RunDirectory) -> None:
        """Write decoding.json."""
        write_text(run.decoding_file, json.dumps(asdict(self), indent=2) + "\n")


class Trials(Protocol):
    """What the choice asks of the validation pairs."""

    def bleu(self, decoding: DecodingOptions) -> float:
        """BLEU of their translations."""

    def is_better(self, one: DecodingOptions, other: DecodingOptions) -> bool:
        """Whether one way is significantly better than the other; BLEU of both was measured."""


def choose_decoding(
    trials: Trials, checkpoints: Sequence[str], beam_size: int, report: Report = print
) -> DecodingOptions:
    """The checkpoint and the length penalty to decode with.

    What comes first is kept unless something else is significantly better on the validation pairs:
    the first checkpoint, and of each checkpoint the default penalty. The highest of many scores of
    the same pairs is partly luck.

    Args:
        checkpoints: to choose from, the preferred one first.
        beam_size: of all trials.
    """
    kept, *others = (_choose_penalty(trials, name, beam_size, report) for name in checkpoints)
    for other in others:
        kept = _significantly_better(trials, other, kept)
    report(f"chosen: checkpoint {kept.checkpoint}, length penalty {kept.length_penalty}")
    return kept


def _choose_penalty(
    trials: Trials, checkpoint: str, beam_size: int, report: Report
) -> DecodingOptions:
    """The length penalty nearest to the default than which the best is not significantly better.

    (The one-standard-error rule of Breiman et al. 1984 is of this kind.) After the grid, ever
    greater ones are tried while BLEU rises with them.
    """
    found: dict[DecodingOptions, float] = {}
    for alpha in (*LENGTH_PENALTIES, *EXTENDED_GRID):
        decoding = DecodingOptions(checkpoint, beam_size, alpha)
        found[decoding] = trials.bleu(decoding)
        report(
            f"validation BLEU {found[decoding]:.2f}: checkpoint {checkpoint}, "
            f"beam {beam_size}, length penalty {alpha}"
        )
        best = max(found, key=found.get)
        if alpha >= LENGTH_PENALTIES[-1] and best != decoding:
            break  # BLEU no longer rises
    default = DecodingOptions.length_penalty
    nearest_first = sorted(found, key=lambda one: abs(one.length_penalty - default))
    return next(one for one in nearest_first if _significantly_better(trials, best, one) == one)


def _significantly_better(
    trials: Trials, other: DecodingOptions, kept: DecodingOptions
) -> DecodingOptions:
    """`other` if it is significantly better, else what is kept."""
    return other if other != kept and trials.is_better(other, kept) else kept
