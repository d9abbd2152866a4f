"""Figures of autoencoders that need no run; `figures` names them."""

import numpy as np
from matplotlib.figure import Figure

from tf_models.autoencoding.interpolation import METHODS, interpolate
from tf_models.autoencoding.settings import preset
from tf_models.plotting.architecture import Arrow, Box, plot_architecture
from tf_models.plotting.lines import plot_lines

PIXELS = 28 * 28


def draw_autoencoder_and_vae() -> Figure:
    """The default autoencoder and the default VAE, for images of MNIST."""
    plain, vae = preset("dense").model, preset("vae").model
    boxes: dict = {}
    arrows: list = []
    codes = {"plain": f"code z\n{plain.code_size}", "vae": f"z = μ + σ ε\n{vae.latents}"}
    for row, name, model in ((3, "plain", plain), (1, "vae", vae)):
        widths, back = (" → ".join(map(str, units)) for units in (model.units, model.units[::-1]))
        boxes |= {
            f"{name} x": Box(f"image x\n{PIXELS}", (0, row)),
            f"{name} encoder": Box(f"encoder\n{widths}", (1, row), "encoder"),
            f"{name} z": Box(codes[name], (3, row), "code"),
            f"{name} decoder": Box(f"decoder\n{back}", (4, row), "decoder"),
            f"{name} y": Box(f"image x̂\n{PIXELS}", (5, row)),
        }
        ends = ("x", "encoder"), ("z", "decoder"), ("decoder", "y")
        arrows += [Arrow(f"{name} {start}", f"{name} {end}") for start, end in ends]
    boxes["mean"] = Box(f"mean μ\n{vae.latents}", (2, 1.6), "code")
    boxes["deviation"] = Box(f"deviation σ\n{vae.latents}", (2, 0.4), "code")
    boxes["noise"] = Box(f"noise ε\n{vae.latents}", (3, 0))
    for head in ("mean", "deviation"):
        arrows += [Arrow("vae encoder", head), Arrow(head, "vae z")]
    arrows += [Arrow("plain encoder", "plain z"), Arrow("noise", "vae z")]
    return plot_architecture(
        boxes,
        arrows,
        title="an autoencoder, and a variational autoencoder below",
        caption="How many numbers each layer has, for images of MNIST. An autoencoder has a code. "
        "A VAE has mean and deviation of a distribution of codes, and draws one.",
    )


def draw_interpolation_weights() -> Figure:
    """Weight of the last of two vectors in each kind of interpolation, on the way to it."""
    where = np.linspace(0, 1, 101)
    ends = np.zeros(1), np.ones(1)
    return plot_lines(
        {how: (where, interpolate(*ends, len(where), how)[:, 0]) for how in METHODS},
        axis_names=("way from the first to the last", "weight of the last"),
        title="four kinds of interpolation between two vectors",
    )
