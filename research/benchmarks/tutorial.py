"""How TensorFlow's tutorial "Transformer model for language understanding" trains and translates.

The code is as published, on this project's layers. It stays as it is when this project's training
and decoding change: they are measured against it.
"""

from collections.abc import Callable

import keras
import tensorflow as tf

from tf_models.losses import accuracy_function, loss_function
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer
from tf_models.transformer.schedule import CustomSchedule

MAX_LENGTH = 40  # tokens of a translation


def make_train_step(
    transformer: Transformer, d_model: int
) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    """The tutorial's train step: logits at every position, padding masked in the loss.

    Like the tutorial's, it keeps running means of loss and accuracy.

    Args:
        transformer: built.
        d_model: its width, for the learning rate.

    Returns:
        train_step(inp, tar) -> loss in nats (a scalar); inp and tar are ids, (batch, len) int32,
        from start to end token, padded.
    """
    optimizer = keras.optimizers.Adam(
        CustomSchedule(d_model), beta_1=0.9, beta_2=0.98, epsilon=1e-9
    )
    optimizer.build(transformer.trainable_variables)
    train_loss, train_accuracy = keras.metrics.Mean(), keras.metrics.Mean()
    ids = tf.TensorSpec((None, None), tf.int32)

    @tf.function(input_signature=[ids, ids])
    def train_step(inp: tf.Tensor, tar: tf.Tensor) -> tf.Tensor:
        tar_inp, tar_real = tar[:, :-1], tar[:, 1:]
        enc_padding_mask, combined_mask, dec_padding_mask = create_masks(inp, tar_inp)
        with tf.GradientTape() as tape:
            predictions, _ = transformer(
                inp,
                tar_inp,
                training=True,
                enc_padding_mask=enc_padding_mask,
                look_ahead_mask=combined_mask,
                dec_padding_mask=dec_padding_mask,
            )  # (batch, tar_len, target_vocab_size)
            loss = loss_function(tar_real, predictions)
        gradients = tape.gradient(loss, transformer.trainable_variables)
        optimizer.apply_gradients(zip(gradients, transformer.trainable_variables, strict=True))
        train_loss.update_state(loss)
        train_accuracy.update_state(accuracy_function(tar_real, predictions))
        return loss

    return train_step


def evaluate(
    transformer: Transformer,
    source: list[int],
    start_id: int,
    end_id: int,
    max_length: int = MAX_LENGTH,
) -> list[int]:
    """Translate greedily: for each token the whole model runs again, eagerly and without cache.

    Args:
        transformer: trained.
        source: ids from start to end token.
        start_id, end_id: of the target language.
        max_length: tokens of the translation at most.

    Returns:
        ids without start and end token.
    """
    encoder_input = tf.constant([source])  # (1, inp_len)
    output = tf.constant([[start_id]])  # (1, 1)
    for _ in range(max_length):
        enc_padding_mask, combined_mask, dec_padding_mask = create_masks(encoder_input, output)
        predictions, _ = transformer(
            encoder_input,
            output,
            training=False,
            enc_padding_mask=enc_padding_mask,
            look_ahead_mask=combined_mask,
            dec_padding_mask=dec_padding_mask,
        )
        predicted_id = tf.argmax(predictions[:, -1:], axis=-1, output_type=tf.int32)  # (1, 1)
        if predicted_id == end_id:
            break
        output = tf.concat([output, predicted_id], axis=-1)
    return [int(i) for i in output[0, 1:]]
