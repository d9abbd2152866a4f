"""Choices by name, apart from the models, so that a script's --help need not wait for Keras."""

LIKELIHOODS = ("bernoulli", "gaussian")
RECONSTRUCTION_LOSSES = ("mse", "bernoulli")
ACTIVATIONS = (
    *("linear", "relu", "leaky_relu", "elu", "selu", "gelu", "silu"),
    *("sigmoid", "tanh", "softplus"),
)
