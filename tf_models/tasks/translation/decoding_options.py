"""How a run's translator decodes by default, and how that is chosen."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from tf_models.errors import InputError
from tf_models.files import write_text
from tf_models.training.run_directory import RunDirectory

# Larger ones would fit the length of the validation references, not the quality of translations.
LENGTH_PENALTIES = (0.0, 0.3, 0.6, 0.9, 1.2)


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
            return cls(**json.loads(run.decoding_file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise InputError(
                f"{run.decoding_file} is damaged ({error}); remove it to go on without it"
            ) from error

    def save(self, run: RunDirectory) -> None:
        """Write decoding.json."""
        write_text(run.decoding_file, json.dumps(asdict(self), indent=2) + "\n")


def choose_decoding(
    bleu: Callable[[DecodingOptions], float],
    checkpoints: list[str],
    beam_size: int,
    report: Callable[[str], None] = print,
) -> DecodingOptions:
    """The checkpoint and the length penalty with the highest validation BLEU.

    Args:
        bleu: of the validation pairs.
        checkpoints: to choose from.
        beam_size: of all trials.
        report: what to do with a line for the reader.
    """

    def measured(decoding: DecodingOptions) -> float:
        score = bleu(decoding)
        report(
            f"validation BLEU {score:.2f}: checkpoint {decoding.checkpoint}, "
            f"beam {beam_size}, length penalty {decoding.length_penalty}"
        )
        return score

    # All together: an average is surer of itself and wants another penalty than a single epoch.
    trials = (
        DecodingOptions(name, beam_size, alpha)
        for name in checkpoints
        for alpha in LENGTH_PENALTIES
    )
    return max(trials, key=measured)
