"""Names of the package and their modules: for editors and mypy, and for `__init__.py`."""

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
from tf_models.losses import accuracy_function as accuracy_function, loss_function as loss_function
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

__version__: str
__all__: list[str]
