"""Adam, Adamax and Muon, with one fused operation for each variable that Adam updates."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="tf_models")
class FusedAdam(keras.optimizers.Adam):
    """Keras' Adam (Kingma & Ba 2015, algorithm 1, in the form at the end of section 2).

    Keras writes an update as a dozen operations for each variable; TensorFlow has one.
    """

    def update_step(self, gradient, variable, learning_rate):
        index = self._get_variable_index(variable)
        step = tf.cast(self.iterations + 1, tf.float32)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=self._momentums[index].value.handle,
            v=self._velocities[index].value.handle,
            beta1_power=tf.pow(self.beta_1, step),
            beta2_power=tf.pow(self.beta_2, step),
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=tf.convert_to_tensor(gradient),
        )


@keras.saving.register_keras_serializable(package="tf_models")
class FusedAdamax(keras.optimizers.Adamax):
    """Keras' Adamax (Kingma & Ba 2015, algorithm 2), one operation for each variable."""

    def update_step(self, gradient, variable, learning_rate):
        index = self._get_variable_index(variable)
        step = tf.cast(self.iterations + 1, tf.float32)
        tf.raw_ops.ResourceApplyAdaMax(
            var=variable.handle,
            m=self._m[index].value.handle,
            v=self._u[index].value.handle,
            beta1_power=tf.pow(self.beta_1, step),
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=tf.convert_to_tensor(gradient),
        )


@keras.saving.register_keras_serializable(package="tf_models")
class FusedMuon(keras.optimizers.Muon):
    """Keras' Muon (Jordan et al. 2024) for matrices; Adam, fused, for embeddings and vectors.

    A step of Muon is the nearest orthogonal matrix to the mean of the gradients, so all directions
    of a kernel learn alike. A small model needs far fewer steps, each of them dearer.
    """

    def _adamw_update_step(self, gradient, variable, learning_rate, m, v):
        step = tf.cast(self.iterations + 1, tf.float32)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=m.value.handle,
            v=v.value.handle,
            beta1_power=tf.pow(self.adam_beta_1, step),
            beta2_power=tf.pow(self.adam_beta_2, step),
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.adam_beta_1,
            beta2=self.adam_beta_2,
            epsilon=self.epsilon,
            grad=tf.convert_to_tensor(gradient),
        )
