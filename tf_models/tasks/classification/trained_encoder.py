"""A trained encoder as the start of a classifier."""

from collections.abc import Mapping
from dataclasses import dataclass

from tf_models.data.text.tokenizer import SubwordTokenizer
from tf_models.errors import InputError
from tf_models.tasks.classification.settings import ClassifierSettings
from tf_models.transformer.model import Encoder

SIZES = ("num_layers", "d_model", "num_heads", "dff")


@dataclass(frozen=True)
class TrainedEncoder:
    """The encoder of a model that was trained for something else, and the tokenizer of what it
    reads.

    name: where it comes from.
    """

    name: str
    tokenizer: SubwordTokenizer
    encoder: Encoder

    @property
    def sizes(self) -> dict[str, int]:
        """Settings of a classifier that has this encoder."""
        config = self.encoder.get_config()
        return {**{size: config[size] for size in SIZES}, "pieces": self.tokenizer.pieces}

    def settings_for(
        self, settings: ClassifierSettings, given: Mapping[str, object]
    ) -> ClassifierSettings:
        """The settings with the sizes of this encoder.

        Args:
            settings: of a classifier.
            given: those that somebody asked for, by name.

        Raises:
            InputError: another size was asked for.
        """
        for name, size in self.sizes.items():
            if given.get(name, size) != size:
                raise InputError(
                    f"the encoder of {self.name} has {name}={size}; received {given[name]}: "
                    f"leave --{name.replace('_', '-')} out"
                )
        return settings.changed(**self.sizes)

    def copy_weights(self, encoder: Encoder) -> None:
        """Give the weights to another encoder of the same sizes."""
        pairs = zip(encoder.trainable_variables, self.encoder.trainable_variables, strict=True)
        for variable, trained in pairs:
            variable.assign(trained)
