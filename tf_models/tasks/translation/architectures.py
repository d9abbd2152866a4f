"""Which models can translate: the registry.

To add an architecture: write its settings (a subclass of `ModelSettings`) and a class that does
what `TranslationModel` says (see `protocol.py`), then `register` both under a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tf_models.errors import InputError
from tf_models.tasks.translation.settings import (
    ModelSettings,
    RecurrentSettings,
    TransformerSettings,
    TranslatorSettings,
)
from tf_models.transformer.variants import NETWORKS, ORIGINAL

if TYPE_CHECKING:  # a script's --help need not wait for TensorFlow
    from tf_models.data.text.tokenizer import TokenizerPair
    from tf_models.tasks.translation.protocol import TranslationModel


@dataclass(frozen=True)
class Architecture:
    """One way to build a `TranslationModel`.

    settings: its defaults.
    build: (settings, tokenizers, Keras dtype policy) -> the untrained model.
    presets: settings for the presets of `tf_models.tasks.translation.presets`, by their names,
        where they differ from the defaults.
    overrides: settings of a preset outside the model's, by preset and name, where this
        architecture trains better with others.
    set_vectors: (model, tokenizers, vectors of source and target pieces (pieces, width) each) puts
        pretrained vectors in place of the random embeddings; None if it cannot.
    """

    settings: ModelSettings
    build: Callable[[ModelSettings, TokenizerPair, str], TranslationModel]
    presets: Mapping[str, ModelSettings] = field(default_factory=dict)
    overrides: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    set_vectors: Callable[[TranslationModel, TokenizerPair, Sequence], None] | None = None

    def settings_for(self, preset: str) -> ModelSettings:
        """The model's settings in a preset."""
        return self.presets.get(preset, self.settings)

    def read_settings(self, config: dict[str, Any]) -> TranslatorSettings:
        """All settings of a run of this architecture in config.json (see
        `Settings.from_config`).
        """
        kinds = TranslatorSettings(architecture=config["architecture"], model=self.settings)
        return kinds.from_config(config)


ARCHITECTURES: dict[str, Architecture] = {}


def register(name: str, architecture: Architecture) -> None:
    """Make an architecture known under a new name, for `--model` and config.json."""
    if name in ARCHITECTURES:
        raise ValueError(f"there is an architecture {name} already")
    ARCHITECTURES[name] = architecture


def architecture(name: str) -> Architecture:
    """The architecture of that name: of the registry, or the Transformer with the network that is
    called so (see `network_class`), which is imported when it is built. An InputError if there is
    none.
    """
    if name in ARCHITECTURES:
        return ARCHITECTURES[name]
    if name in NETWORKS or ":" in name:
        return replace(ARCHITECTURES["transformer"], build=partial(_build_transformer, name))
    raise InputError(
        f"--network must be one of {', '.join((*ARCHITECTURES, *NETWORKS))}, or module:Class; "
        f"received {name!r}"
    )


def check_network(name: str) -> None:
    """Import the network that is called so, if one is; an InputError if it cannot be used."""
    if name not in ARCHITECTURES:
        from tf_models.tasks.translation.transformer_model import network_class

        network_class(name)


def _build_transformer(
    network: str, settings: Any, tokenizers: TokenizerPair, dtype: str
) -> TranslationModel:
    from tf_models.tasks.translation.transformer_model import build_transformer

    return build_transformer(settings, tokenizers, dtype, network)


def _set_transformer_vectors(model: Any, tokenizers: TokenizerPair, vectors: Sequence) -> None:
    from tf_models.tasks.translation.transformer_model import set_vectors

    set_vectors(model, tokenizers, vectors)


register(
    "transformer",
    Architecture(
        TransformerSettings(),
        partial(_build_transformer, ORIGINAL),
        presets={
            # The grammar makes no mistakes that a model could learn by heart, so no dropout.
            "toy": TransformerSettings(
                num_layers=2,
                num_heads=4,
                dff=256,
                dropout=0.0,
                tie_embeddings=True,
                branch_scale=0.5,
                mimetic_initialisation=True,
            ),
            "best": TransformerSettings(
                num_heads=4, dff=256, dropout=0.3, tie_embeddings=True, branch_scale=0.5
            ),
        },
        set_vectors=_set_transformer_vectors,
    ),
)


def _build_recurrent(attends: bool) -> Callable[..., TranslationModel]:
    def build(settings: Any, tokenizers: TokenizerPair, dtype: str) -> TranslationModel:
        from tf_models.tasks.translation.recurrent_model import build_recurrent

        return build_recurrent(settings, tokenizers, dtype, attends=attends)

    return build


_RECURRENT_PRESETS = {
    "toy": RecurrentSettings(d_model=128, units=192, dropout=0.0, tie_embeddings=True),
    "best": RecurrentSettings(d_model=128, dropout=0.3, tie_embeddings=True),
}
_RECURRENT_OVERRIDES = {
    "toy": {"weight_decay": 0.0},
    "best": {"weight_decay": 0.0, "epochs": 28, "average_last_n": 5},
}
for _name, _attends in (("rnn-attention", True), ("rnn", False)):
    register(
        _name,
        Architecture(
            RecurrentSettings(),
            _build_recurrent(_attends),
            _RECURRENT_PRESETS,
            _RECURRENT_OVERRIDES,
        ),
    )
