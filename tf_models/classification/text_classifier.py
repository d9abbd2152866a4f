"""A trained classifier: texts to probabilities of their classes, and to attention."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from tf_models.classification.settings import ClassifierSettings
from tf_models.data.batches import padded_batches
from tf_models.data.tokenizers import SentenceEncoder, SubwordTokenizer
from tf_models.training.checkpoints import BEST, load_weights
from tf_models.training.run_directory import RunDirectory
from tf_models.transformer.analysis import encoder_states
from tf_models.transformer.analysis import value_norms as norms_of
from tf_models.transformer.classifier import TransformerClassifier
from tf_models.transformer.model import Encoder

KIND = "classifier"
INFERENCE_BATCH_SIZE = 128  # texts at a time
SIZES = ("num_layers", "d_model", "num_heads", "dff")


@dataclass(frozen=True)
class TextClassifier:
    """A trained classifier of texts.

    model: built, its weights loaded.
    encoder: of its texts; it cuts those that are too long.
    classes: in the order of the model's outputs.
    plain: whether it reads lower case without the mark at the end.

    Example:
        >>> classifier = TextClassifier.load("runs/reference-classifier")
        >>> texts = ["The dog sees the fox.", "The fox sees the dog."]
        >>> classifier.probabilities(texts).shape == (2, len(classifier.classes))
        True
    """

    model: TransformerClassifier
    encoder: SentenceEncoder
    classes: tuple[str, ...]
    plain: bool = False

    @classmethod
    def load(cls, run_dir: str | Path, checkpoint: str | None = None) -> "TextClassifier":
        """Load a run's checkpoint: "best" (the default), "latest" or a name. Raises InputError: no
        run of a classifier, no such checkpoint, or a damaged file.
        """
        run = RunDirectory(Path(run_dir))
        with run.reading(KIND) as config:
            settings = ClassifierSettings.from_config(config)
            classes = tuple(config["data"]["classes"])
        tokenizer = load_tokenizer(run)
        model = build_classifier(settings, tokenizer, len(classes))
        load_weights(model, run.checkpoints, checkpoint or BEST)
        encoder = SentenceEncoder(tokenizer, settings.model.max_length, cuts=True)
        return cls(model, encoder, classes, settings.text.plain)

    def encode(self, text: str) -> list[int]:
        """Ids of a text, from start to end token, as many as the model reads. Raises InputError: it
        is empty, or nothing of it is known.
        """
        return self.encoder.encode(plain_text(text, self.plain))

    def can_read(self, text: str) -> bool:
        """Whether `encode` accepts the text."""
        return self.encoder.can_encode(plain_text(text, self.plain))

    def _ids(self, text: str) -> list[int]:
        return self.encoder.ids(plain_text(text, self.plain))

    def is_cut(self, text: str) -> bool:
        """Whether the model reads only the beginning of the text."""
        return len(self._ids(text)) > self.encoder.max_length

    def probabilities(self, texts: Sequence[str], *, progress: bool = False) -> np.ndarray:
        """Probabilities of each class for each text, (texts, classes)."""
        ids = [self.encoder.cut(self._ids(text)) for text in texts]
        classify = tf.function(
            lambda batch: tf.nn.softmax(self.model(batch)[0]),
            input_signature=[tf.TensorSpec((None, None), tf.int32)],
        )
        probabilities = np.empty((len(ids), len(self.classes)), np.float32)
        bar = "classifying" if progress else None
        for places, batch in padded_batches(ids, INFERENCE_BATCH_SIZE, bar):
            probabilities[places] = classify(batch)
        return probabilities

    def classify(self, texts: Sequence[str], *, progress: bool = False) -> list[str]:
        """The most probable class of each text."""
        return [self.classes[i] for i in self.probabilities(texts, progress=progress).argmax(-1)]

    def attention(self, text: str, *, value_norms: bool = False) -> tuple[list[str], np.ndarray]:
        """Tokens of a text, start and end too, and the encoder's weights (layers, heads, len, len);
        with `value_norms`, each times the norm of the value that it carries.
        """
        ids, encoder = self.encode(text), self.model.encoder
        _, weights = encoder(tf.constant([ids]))
        weights = np.concatenate(list(weights.values()))  # (layers, heads, len, len)
        if value_norms:
            *read, _ = encoder_states(encoder, tf.constant([ids]))
            pairs = zip(encoder.enc_layers, read, strict=True)
            norms = np.concatenate([norms_of(layer.mha, x) for layer, x in pairs])
            weights = weights * norms[:, :, np.newaxis]
        return self.encoder.tokenizer.tokens(ids), weights


def build_classifier(
    settings: ClassifierSettings, tokenizer: SubwordTokenizer, num_classes: int
) -> TransformerClassifier:
    """The untrained model of these settings, built."""
    sizes = settings.model
    model = TransformerClassifier(
        sizes.num_layers,
        sizes.d_model,
        sizes.num_heads,
        sizes.dff,
        tokenizer.vocabulary_size,
        sizes.max_length,
        num_classes,
        rate=sizes.dropout,
        pooling=sizes.pooling,
    )
    model.build()
    return model


def tokenizer_file(run: RunDirectory) -> Path:
    """Path of the subword model of a classifier's run."""
    return run.tokenizers / "text.model"


def load_tokenizer(run: RunDirectory) -> SubwordTokenizer:
    """The tokenizer of a run; an InputError if it or config.json is missing or damaged."""
    config = run.read_config(KIND)
    language, lowercase = config["language"], config["lowercase"]
    return SubwordTokenizer(tokenizer_file(run), language, lowercase)


def plain_text(text: str, plain: bool = True) -> str:
    """In lower case and without marks at the end, if it is to be `plain`."""
    return (text.lower().rstrip(" .?!") or text) if plain else text


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

    def copy_weights(self, encoder: Encoder) -> None:
        """Give the weights to another encoder of the same sizes."""
        pairs = zip(encoder.trainable_variables, self.encoder.trainable_variables, strict=True)
        for variable, trained in pairs:
            variable.assign(trained)
