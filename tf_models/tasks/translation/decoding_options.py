"""How a run's translator decodes by default."""

import json
from dataclasses import asdict, dataclass

from tf_models.errors import InputError
from tf_models.files import write_text
from tf_models.training.run_directory import RunDirectory


@dataclass(frozen=True)
class DecodingOptions:
    """A checkpoint ("best", "average", "latest" or a name), a beam and its length penalty.

    The default penalty is alpha of Wu et al. (2016), as Vaswani et al. (2017) use it.
    """

    checkpoint: str = "best"
    beam_size: int = 1
    length_penalty: float = 0.6

    def __post_init__(self) -> None:
        types = (type(self.checkpoint), type(self.beam_size), type(self.length_penalty))
        if types not in ((str, int, float), (str, int, int)):
            raise TypeError(f"a value of another type in {asdict(self)}")

    @classmethod
    def of(cls, run: RunDirectory, beam_size: int = 1) -> "DecodingOptions":
        """What was chosen for this run, or else the defaults, with the beam of its settings; an
        InputError if decoding.json is damaged.
        """
        if not run.decoding_file.exists():
            return cls(beam_size=beam_size)
        try:
            return cls(**json.loads(run.decoding_file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise InputError(
                f"{run.decoding_file} is damaged ({error}); remove it to go on without it"
            ) from error

    def save(self, run: RunDirectory) -> None:
        """Write decoding.json."""
        write_text(run.decoding_file, json.dumps(asdict(self), indent=2) + "\n")
