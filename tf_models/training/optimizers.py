"""Adam, Adamax, Muon and Adafactor, with one fused operation for each variable that Adam updates.

They are not Keras' own for two reasons. Keras clips the gradients of each replica by themselves,
so more devices would clip less. And Keras computes an update in another order, with other last
bits: a run that has begun would not go on as it began. Speed is no reason: a step of the preset
toy takes 105 ms of CPU time, and 109 ms with Keras' Muon.

Private hooks of Keras are overridden here and in no other module; setup.cfg binds Keras to one
minor version because of them.
"""

import math
from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from tf_models.training.settings import OptimizerSettings

# Matrices side by side in the kernels of a recurrent cell, by Keras' name of it.
_GATES = {"gru_cell": 3, "lstm_cell": 4}


class ClippedTogether(keras.optimizers.Optimizer):
    """Clips the sum of all replicas' gradients: the gradient of the batch."""

    def _clip_gradients(self, grads: list[tf.Tensor]) -> list[tf.Tensor]:
        return grads  # of this replica alone; they are clipped once they are summed

    def _all_reduce_sum_gradients(self, grads_and_vars: Any) -> list[tuple[tf.Tensor, tf.Variable]]:
        summed = super()._all_reduce_sum_gradients(grads_and_vars)
        gradients, variables = zip(*summed, strict=True)
        return list(zip(super()._clip_gradients(gradients), variables, strict=True))


def _adam_bias_correction(beta_1: float, beta_2: float, step: tf.Tensor) -> tf.Tensor:
    return tf.sqrt(1 - tf.pow(beta_2, step)) / (1 - tf.pow(beta_1, step))


def _apply_adam(
    variable: tf.Variable,
    moments: Sequence[tf.Variable],
    gradient: tf.Tensor,
    corrected_rate: tf.Tensor,
    betas: Sequence[float],
    epsilon: float,
) -> None:
    """Update a variable and its moments; the rate has the bias correction in it."""
    m, v = moments
    tf.raw_ops.ResourceApplyAdam(
        var=variable.handle,
        m=m.value.handle,
        v=v.value.handle,
        beta1_power=0.0,  # of a bias that is corrected
        beta2_power=0.0,
        lr=corrected_rate,
        beta1=betas[0],
        beta2=betas[1],
        epsilon=epsilon,
        grad=tf.convert_to_tensor(gradient),
    )


class CorrectedOnce(keras.optimizers.Optimizer):
    """Corrects the bias of the moments in the learning rate, once a step for all variables.

    So do Kingma & Ba (2015, end of section 2). Keras does it for each variable. A subclass says
    in `_bias_correction` what the rate is multiplied by in a step, 1 being the first.
    """

    def _backend_update_step(
        self,
        grads: Sequence[tf.Tensor],
        trainable_variables: Sequence[tf.Variable],
        learning_rate: tf.Tensor,
    ) -> None:
        step = tf.cast(self.iterations + 1, tf.float32)
        corrected = tf.cast(learning_rate, tf.float32) * self._bias_correction(step)
        super()._backend_update_step(grads, trainable_variables, corrected)


@keras.saving.register_keras_serializable(package="tf_models")
class FusedAdam(CorrectedOnce, ClippedTogether, keras.optimizers.Adam):
    """Keras' Adam (Kingma & Ba 2015, algorithm 1, in the form at the end of section 2).

    Keras writes an update as a dozen operations for each variable; TensorFlow has one.
    """

    def _bias_correction(self, step: tf.Tensor) -> tf.Tensor:
        return _adam_bias_correction(self.beta_1, self.beta_2, step)

    def update_step(
        self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        index = self._get_variable_index(variable)
        moments = self._momentums[index], self._velocities[index]
        betas = self.beta_1, self.beta_2
        _apply_adam(variable, moments, gradient, learning_rate, betas, self.epsilon)


@keras.saving.register_keras_serializable(package="tf_models")
class FusedAdamax(CorrectedOnce, ClippedTogether, keras.optimizers.Adamax):
    """Keras' Adamax (Kingma & Ba 2015, algorithm 2), one operation for each variable."""

    def _bias_correction(self, step: tf.Tensor) -> tf.Tensor:
        return 1 / (1 - tf.pow(self.beta_1, step))

    def update_step(
        self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        index = self._get_variable_index(variable)
        tf.raw_ops.ResourceApplyAdaMax(
            var=variable.handle,
            m=self._m[index].value.handle,
            v=self._u[index].value.handle,
            beta1_power=0.0,  # of a bias that is corrected
            lr=learning_rate,
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=tf.convert_to_tensor(gradient),
        )


@keras.saving.register_keras_serializable(package="tf_models")
class FusedMuon(ClippedTogether, keras.optimizers.Muon):
    """Keras' Muon (Jordan et al. 2024) for matrices; Adam, fused, for embeddings and vectors.

    A step of Muon is the nearest orthogonal matrix to the mean of the gradients, so all directions
    of a kernel learn alike. A small model needs far fewer steps, each of them dearer. The gates of
    a recurrent cell, which lie side by side in its kernels, are a matrix each.
    """

    def build(self, var_list: Sequence[tf.Variable]) -> None:
        super().build(var_list)
        layers = [variable.path.split("/")[-2:][0] for variable in var_list]
        self._gates = [_GATES.get(layer, 1) for layer in layers]

    def _should_use_adamw(self, variable: tf.Variable) -> bool:
        # Keras' GRU has two biases, one over the other.
        return variable.name == "bias" or super()._should_use_adamw(variable)

    def _backend_update_step(
        self,
        grads: Sequence[tf.Tensor],
        trainable_variables: Sequence[tf.Variable],
        learning_rate: tf.Tensor,
    ) -> None:
        of_muon = tf.cast(learning_rate, tf.float32)
        step = tf.cast(self.iterations + 1, tf.float32)
        correction = _adam_bias_correction(self.adam_beta_1, self.adam_beta_2, step)
        of_adam = of_muon * self.adam_lr_ratio * correction
        super()._backend_update_step(grads, trainable_variables, (of_muon, of_adam))

    def update_step(
        self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: tf.Tensor
    ) -> None:
        of_muon, of_adam = learning_rate
        index = self._get_variable_index(variable)
        m, v = self.momentums[index], self.adam_velocities[index]
        if v is None:
            self._muon_update_step(gradient, variable, of_muon, m)
        else:
            betas = self.adam_beta_1, self.adam_beta_2
            _apply_adam(variable, (m, v), gradient, of_adam, betas, self.epsilon)

    def _apply_weight_decay(self, variables: Sequence[tf.Variable]) -> None:
        # Keras asks the schedule again for each variable, and goes through the weights three times.
        rate = tf.cast(self.learning_rate, tf.float32)
        for variable in filter(self._use_weight_decay, variables):
            by_adam = self._should_use_adamw(variable)
            decay = self.adam_weight_decay if by_adam else self.weight_decay
            if decay is not None:
                variable.assign((1 - rate * decay) * variable)

    def _muon_update_step(
        self, gradient: tf.Tensor, variable: tf.Variable, lr: tf.Tensor, m: tf.Variable
    ) -> None:
        m.assign_add(gradient + (self.momentum - 1) * m)
        ahead = gradient + self.momentum * m if self.nesterov else m
        gates = tf.split(ahead, self._gates[self._get_variable_index(variable)], axis=1)
        nearest = [self.zeropower_via_newtonschulz5(gate, self.ns_steps) for gate in gates]
        steps = [self.lr_adjust(lr * each) for each in nearest]
        variable.assign_sub(tf.concat(steps, axis=1))


@keras.saving.register_keras_serializable(package="tf_models")
class ClippedAdafactor(ClippedTogether, keras.optimizers.Adafactor):
    """Keras' Adafactor (Shazeer & Stern 2018, algorithm 4).

    Of a matrix it keeps mean squares of rows and columns only, and a step is in proportion to the
    size of the weights, so its rates are larger: the paper has 0.01 at most.
    """


@keras.saving.register_keras_serializable(package="tf_models")
class LossScaling(keras.optimizers.LossScaleOptimizer):
    """Keras' loss scaling for float16 (Micikevicius et al. 2018, section 3.2), on all replicas.

    A step with a gradient that is not finite is left out, and the scale halved. Keras asks the
    first replica alone, and the others may differ.
    """

    def check_finite(self, grads: Sequence[tf.Tensor]) -> tf.Tensor:
        finite = [tf.reduce_all(tf.math.is_finite(one)) for one in grads if one is not None]
        bad = tf.cast(~tf.reduce_all(finite), tf.float32)
        context = tf.distribute.get_replica_context()
        return tf.equal(context.all_reduce(tf.distribute.ReduceOp.SUM, bad), 0)


def make_adam(
    settings: OptimizerSettings,
    steps: int,
    fraction: tf.Variable | None = None,
    adam: type = FusedAdam,
    **options: Any,
) -> keras.optimizers.Optimizer:
    """Adam, or another such class with its options, with the learning rate, its schedule over all
    the steps of a training, or over its time (see `TimedCosine`), and the clipping of these
    settings.
    """
    rate = ConstantRate(settings.learning_rate)
    if fraction is not None:
        rate = TimedCosine(settings.learning_rate, fraction)
    elif settings.schedule == "cosine":  # to zero at the last step
        rate = keras.optimizers.schedules.CosineDecay(settings.learning_rate, steps)
    return adam(rate, global_clipnorm=settings.clip_norm or None, **options)


@keras.saving.register_keras_serializable(package="tf_models")
class ConstantRate(keras.optimizers.schedules.LearningRateSchedule):
    """The same learning rate at every step.

    As a plain number it would be a variable of the optimizer, which a checkpoint brings back: a run
    could not go on with a lower one.
    """

    def __init__(self, rate: float):
        self.rate = rate

    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        """The rate, a scalar."""
        return tf.constant(self.rate, tf.float32)

    def get_config(self) -> dict:
        """The rate."""
        return {"rate": self.rate}


@keras.saving.register_keras_serializable(package="tf_models")
class TimedCosine(keras.optimizers.schedules.LearningRateSchedule):
    """A cosine down to zero over the time of a training, after a linear warm-up.

    rate = peak · min(1, max(step / warmup_steps, 4 · fraction)) · (1 + cos(π · fraction)) / 2, so
    that the warm-up takes a quarter of the time at most.

    Args:
        peak: the rate from which it goes down.
        fraction: how much of the time is over, 0 to 1; a variable, which the training loop moves.
        warmup_steps: 0 for none.
    """

    def __init__(self, peak: float, fraction: tf.Variable | float, warmup_steps: int = 0):
        self.peak, self.fraction, self.warmup_steps = peak, fraction, warmup_steps

    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        """The rate, a scalar."""
        fraction = tf.cast(self.fraction, tf.float32)
        rate = self.peak * (1 + tf.cos(math.pi * fraction)) / 2
        if not self.warmup_steps:
            return rate
        warm = tf.cast(step, tf.float32) / self.warmup_steps
        return rate * tf.minimum(1.0, tf.maximum(warm, 4 * fraction))

    def get_config(self) -> dict:
        """Its numbers, as they are now."""
        fraction = float(tf.convert_to_tensor(self.fraction))
        return {"peak": self.peak, "fraction": fraction, "warmup_steps": self.warmup_steps}
