"""Adam, Adamax and Muon, with one fused operation for each variable that Adam updates."""

import keras
import tensorflow as tf

_GATES = {"gru_cell": 3, "lstm_cell": 4}  # by Keras' names of the cells


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
    of a kernel learn alike. A small model needs far fewer steps, each of them dearer. The gates of
    a recurrent cell, which lie side by side in its kernels, are a matrix each.
    """

    def build(self, var_list):
        super().build(var_list)
        self._gates = [_gates(variable) for variable in var_list]

    def _should_use_adamw(self, variable):
        # Keras' GRU has two biases, one over the other.
        return variable.name == "bias" or super()._should_use_adamw(variable)

    def _muon_update_step(self, gradient, variable, lr, m):
        m.assign_add(gradient + (self.momentum - 1) * m)
        ahead = gradient + self.momentum * m if self.nesterov else m
        gates = tf.split(ahead, self._gates[self._get_variable_index(variable)], axis=1)
        nearest = [self.zeropower_via_newtonschulz5(gate, self.ns_steps) for gate in gates]
        steps = [self.lr_adjust(lr * each) for each in nearest]
        variable.assign_sub(tf.concat(steps, axis=1))

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


def _gates(variable: keras.Variable) -> int:
    """Matrices side by side in a kernel: the gates of a recurrent cell, else one."""
    layer = variable.path.split("/")[-2:][0]
    return _GATES.get(layer, 1)
