"""Translators and autoencoders of well-known articles, on Keras 3.

`from tf_models import Transformer, VAE, ready_made`: the names of `__all__` are imported from
their modules when they are asked for; `import tf_models` alone imports neither Keras nor
TensorFlow. It sets two environment variables: KERAS_BACKEND, and oneDNN's cache where it is unset.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same names for mypy and editors
    from tf_models.autoencoders.autoencoder import (
        Autoencoder as Autoencoder,
        ReconstructionLoss as ReconstructionLoss,
    )
    from tf_models.autoencoders.distributions import Sampling as Sampling
    from tf_models.autoencoders.hierarchical import HierarchicalVAE as HierarchicalVAE
    from tf_models.autoencoders.networks import (
        convolutional_decoder as convolutional_decoder,
        convolutional_encoder as convolutional_encoder,
        dense_decoder as dense_decoder,
        dense_encoder as dense_encoder,
        normal_encoder as normal_encoder,
    )
    from tf_models.autoencoders.variational import VAE as VAE, ConditionalVAE as ConditionalVAE
    from tf_models.autoencoding.model import ImageModel as ImageModel
    from tf_models.autoencoding.sentences import (
        SentenceCoder as SentenceCoder,
        train_sentence_autoencoder as train_sentence_autoencoder,
    )
    from tf_models.autoencoding.train import train_image_model as train_image_model
    from tf_models.classification.model import (
        ImageClassifier as ImageClassifier,
        TextClassifier as TextClassifier,
    )
    from tf_models.classification.train import (
        train_image_classifier as train_image_classifier,
        train_text_classifier as train_text_classifier,
    )
    from tf_models.data.batches import encode_pairs as encode_pairs
    from tf_models.data.corpora import load_corpus as load_corpus
    from tf_models.data.images import load_images as load_images
    from tf_models.errors import InputError as InputError
    from tf_models.losses import (
        accuracy_function as accuracy_function,
        loss_function as loss_function,
    )
    from tf_models.questions.answer import Answerer as Answerer
    from tf_models.questions.train import train_question_answering as train_question_answering
    from tf_models.recurrent.attention import BahdanauAttention as BahdanauAttention
    from tf_models.recurrent.question_answering import (
        LSTMAnsweringModel as LSTMAnsweringModel,
        QuestionAnsweringModel as QuestionAnsweringModel,
    )
    from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder as SequenceAutoencoder
    from tf_models.recurrent.translator import RecurrentTranslator as RecurrentTranslator
    from tf_models.search import BeamSearch as BeamSearch
    from tf_models.transformer.attention import (
        MultiHeadAttention as MultiHeadAttention,
        scaled_dot_product_attention as scaled_dot_product_attention,
    )
    from tf_models.transformer.classifier import TransformerClassifier as TransformerClassifier
    from tf_models.transformer.layers import (
        DecoderLayer as DecoderLayer,
        EncoderLayer as EncoderLayer,
        point_wise_feed_forward_network as point_wise_feed_forward_network,
    )
    from tf_models.transformer.masks import (
        create_look_ahead_mask as create_look_ahead_mask,
        create_masks as create_masks,
        create_padding_mask as create_padding_mask,
    )
    from tf_models.transformer.model import (
        Decoder as Decoder,
        Encoder as Encoder,
        Transformer as Transformer,
    )
    from tf_models.transformer.positions import (
        get_angles as get_angles,
        positional_encoding as positional_encoding,
    )
    from tf_models.transformer.schedule import CustomSchedule as CustomSchedule
    from tf_models.transformer.vision import VisionTransformer as VisionTransformer
    from tf_models.translation.figures import draw_maps as draw_maps
    from tf_models.translation.page.page import show_heads as show_heads
    from tf_models.translation.train import train_translator as train_translator
    from tf_models.translation.translate import Translator as Translator, ready_made as ready_made

__version__ = "2.0.0"

os.environ["KERAS_BACKEND"] = "tensorflow"  # read by Keras when it is imported (see `backend`)
# For each shape of matrices oneDNN compiles a product, and it keeps a thousand of them. An epoch of
# bucketed batches has many times as many shapes, and the next epoch the same ones again.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100000")  # some kilobytes each

MODULES = {  # name -> module
    "Autoencoder": "autoencoders.autoencoder",
    "ReconstructionLoss": "autoencoders.autoencoder",
    "Sampling": "autoencoders.distributions",
    "HierarchicalVAE": "autoencoders.hierarchical",
    "convolutional_decoder": "autoencoders.networks",
    "convolutional_encoder": "autoencoders.networks",
    "dense_decoder": "autoencoders.networks",
    "dense_encoder": "autoencoders.networks",
    "normal_encoder": "autoencoders.networks",
    "ConditionalVAE": "autoencoders.variational",
    "VAE": "autoencoders.variational",
    "ImageModel": "autoencoding.model",
    "SentenceCoder": "autoencoding.sentences",
    "train_sentence_autoencoder": "autoencoding.sentences",
    "train_image_model": "autoencoding.train",
    "ImageClassifier": "classification.model",
    "TextClassifier": "classification.model",
    "train_image_classifier": "classification.train",
    "train_text_classifier": "classification.train",
    "encode_pairs": "data.batches",
    "load_corpus": "data.corpora",
    "load_images": "data.images",
    "InputError": "errors",
    "accuracy_function": "losses",
    "loss_function": "losses",
    "Answerer": "questions.answer",
    "train_question_answering": "questions.train",
    "BahdanauAttention": "recurrent.attention",
    "LSTMAnsweringModel": "recurrent.question_answering",
    "QuestionAnsweringModel": "recurrent.question_answering",
    "SequenceAutoencoder": "recurrent.sequence_autoencoder",
    "RecurrentTranslator": "recurrent.translator",
    "BeamSearch": "search",
    "MultiHeadAttention": "transformer.attention",
    "scaled_dot_product_attention": "transformer.attention",
    "TransformerClassifier": "transformer.classifier",
    "DecoderLayer": "transformer.layers",
    "EncoderLayer": "transformer.layers",
    "point_wise_feed_forward_network": "transformer.layers",
    "create_look_ahead_mask": "transformer.masks",
    "create_masks": "transformer.masks",
    "create_padding_mask": "transformer.masks",
    "Decoder": "transformer.model",
    "Encoder": "transformer.model",
    "Transformer": "transformer.model",
    "get_angles": "transformer.positions",
    "positional_encoding": "transformer.positions",
    "CustomSchedule": "transformer.schedule",
    "VisionTransformer": "transformer.vision",
    "draw_maps": "translation.figures",
    "show_heads": "translation.page.page",
    "train_translator": "translation.train",
    "Translator": "translation.translate",
    "ready_made": "translation.translate",
}
__all__ = list(MODULES)


if not TYPE_CHECKING:  # or mypy would take any name for one of the package

    def __getattr__(name: str) -> object:
        """A name of `MODULES`, from its module."""
        if name not in MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import_module(f"{__name__}.backend")  # first, or TensorFlow starts with messages
        return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *MODULES})
