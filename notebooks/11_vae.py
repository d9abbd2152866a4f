# %% [markdown]
# # 11 The variational autoencoder
#
# Companion to all sections and equations of [Variational Autoencoders][article] by Sunil Yadav.
#
# [article]: https://data-science-blog.com/blog/2022/04/19/variational-autoencoders/
#
# You will see
# 1. that the three terms of the derivation add up to $\log p_\theta(x)$, in numbers;
# 2. what random codes become, in a plain autoencoder and in a VAE;
# 3. a VAE, a deep hierarchical VAE and an autoregressive model side by side.
#
# It takes about 50 seconds on two cores of a laptop-class processor. If a change of yours stops a
# cell at an `assert`, put `#` before it.
#
# Previous: [10 Lecture 7](10_lecture_7.ipynb)

# %%
import importlib.util
import subprocess
import sys
from pathlib import Path

REPOSITORY = "<repository>"
if importlib.util.find_spec("tf_models") is None:
    here = Path(globals().get("__file__", "notebook")).resolve()
    checkouts = [folder for folder in here.parents if (folder / "tf_models").is_dir()]
    package = next(map(str, checkouts), f"git+{REPOSITORY}")
    subprocess.run([sys.executable, "-m", "pip", "install", package], check=True)
    importlib.invalidate_caches()

from tf_models.command_line import quiet_tensorflow

with quiet_tensorflow():
    import keras
    import tensorflow as tf

keras.utils.set_random_seed(1)

# %% [markdown]
# ## Images and training
#
# All models here learn the same small images: 1,797 digits of 8 x 8 pixels. Each pixel is drawn as
# 0 or 1, with its shade as the probability. So a log-likelihood is a real one, in nats, summed over
# pixels.

# %%
import numpy as np

from tf_models.data.images.loading import load_images

images, random = load_images("digits"), np.random.default_rng(1)


def binarise(grey, times=1):
    drawn = random.random((times, *grey.shape)) < grey  # 1 as often as the shade says
    return drawn.astype("float32").reshape(-1, *images.shape)


grey = images.pixels(images.test)
train, test = binarise(images.pixels(images.train), 40), binarise(grey)
random.shuffle(train)

# %% [markdown] tags=["row-68"]
# The article names Adam, a fixed batch size and a fixed number of epochs. Here they are; on the
# command line they are `--learning-rate`, `--batch-size` and `--epochs` of `train_vae.py`, and
# `--latents` is the size of the latent space.

# %% tags=["row-68"]
from tf_models.training.optimizers import FusedAdam

batches = tf.data.Dataset.from_tensor_slices(train[:50_000].reshape(500, 100, *images.shape))
batches = batches.repeat()


def fit(model, loss=None, data=batches, rate=0.003, epochs=8):
    """Epochs of 50 steps, with 100 images a step."""
    model.compile(FusedAdam(rate), loss)
    return model.fit(data, epochs=epochs, steps_per_epoch=50, shuffle=False, verbose=0).history


# %% [markdown]
# ## Two kinds of density
#
# The article begins with autoregressive models. They multiply tractable conditionals:
# $p(x) = \prod_i p(x_i \mid x_1, \dots, x_{i-1})$. No integral is left, so the likelihood is exact.
# Let each conditional be a logistic regression on the pixels before it: half of the kernel is 0.
# With 9 pixels we can add up all 512 images.

# %%
from itertools import product


def log_likelihood(x, logits):
    """log p(x) of flat images of 0 and 1, the sum of the log-probabilities of their pixels."""
    return np.sum(x * logits - np.logaddexp(0, logits), axis=-1)


all_images = np.array(list(product([0, 1], repeat=9)))
kernel = np.triu(random.normal(size=(9, 9)), 1)  # a pixel sees those before it
total = np.exp(log_likelihood(all_images, all_images @ kernel)).sum()
print(f"sum of p(x) over {len(all_images)} images: {total:.4f}")
assert abs(total - 1) < 1e-3

# %% [markdown]
# Now the digits, 64 logistic regressions. A VAE has to come near this number with a bound. Sampling
# has its price: 64 passes, one for each pixel.

# %%
earlier = np.triu(np.ones((64, 64), "float32"), 1)
options = {"kernel_initializer": "zeros", "kernel_constraint": lambda kernel: kernel * earlier}
regressions = keras.Sequential([keras.Input((64,)), keras.layers.Dense(64, **options)])
flat = batches.map(lambda x: (tf.reshape(x, (-1, 64)),) * 2)
fit(regressions, keras.losses.BinaryCrossentropy(from_logits=True), flat, rate=0.01)


def exactly(x):
    """log p(x) of images by the regressions, in nats."""
    x = np.reshape(x, (-1, 64))
    return log_likelihood(x, np.array(regressions(x)))


exact = exactly(test).mean()
print(f"one regression a pixel: {exact:.1f} nats, exactly")

# %%
from scipy.special import expit

from tf_models.plotting.image_grid import plot_image_grid
from tf_models.plotting.notebook import show

pixelwise = np.zeros((1000, 64), "float32")
for i in range(64):
    pixelwise[:, i] = random.random(1000) < expit(regressions(pixelwise)[:, i])
pixelwise = pixelwise.reshape(-1, *images.shape)
figure = plot_image_grid(
    np.stack([test[:12], pixelwise[:12]]), row_names=("test images", "samples")
)
show(figure, "Test images, and samples of the regressions: some look like digits.")
assert -32 < exact < -20

# %% [markdown] tags=["row-63"]
# ## From autoencoder to VAE
#
# The encoder shrinks the image by convolution and max-pooling, and the decoder enlarges it again by
# up-sampling and convolution. The autoencoder minimises equation (2), $\|x - \hat x\|^2$.

# %% tags=["row-63"]
from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.networks import convolutional_decoder, convolutional_encoder

settings = {"filters": (8, 16), "activation": "elu"}
autoencoder = Autoencoder(
    convolutional_encoder(images.shape, 16, **settings),
    convolutional_decoder(images.shape, 16, **settings),
)
for layer in (*autoencoder.encoder.layers, *autoencoder.decoder.layers):
    print(f"{type(layer).__name__:15}{layer.output.shape[1:]}")
pairs = batches.map(lambda x: (x, x))
history = fit(autoencoder, ReconstructionLoss("mse"), pairs)

# %% [markdown] tags=["row-65"]
# The VAE has two heads in place of the code: the mean $\mu$ and the variance $\sigma^2$ of
# $q_\phi(z \mid x)$ (the network computes $\log \sigma^2$, which may have any sign). It samples
# $z = \mu + \sigma \varepsilon$ with $\varepsilon \sim \mathcal N(0, 1)$. Written like this, the
# gradient passes through the sample.

# %% tags=["row-65"]
from tf_models.autoencoders.networks import normal_encoder
from tf_models.autoencoders.variational import VAE

body = convolutional_encoder(images.shape, 200, code_activation="elu", **settings)
decoder = convolutional_decoder(images.shape, 16, output_activation="linear", **settings)
vae = VAE(normal_encoder(body, 16), decoder, kl_warmup_steps=200, seed=1)
history = fit(vae)
heads = vae.encoder([test[:1]])
mean, log_variance = (tf.repeat(head, 20_000, axis=0) for head in heads)
with tf.GradientTape() as tape:
    tape.watch(mean)
    z = vae.sampling(mean, log_variance)  # (20000, 16)
assert np.allclose(np.mean(z, axis=0), mean[0], atol=0.05)
assert np.allclose(np.std(z, axis=0), np.exp(log_variance[0] / 2), atol=0.05)
assert np.all(tape.gradient(z, mean) == 1)  # dz/dmu

# %% [markdown]
# Now decode random codes $z \sim \mathcal N(0, 1)$ with both, and with the autoencoder also codes
# that have the mean and the deviation of its own. The autoregressive model judges: it knows how
# probable each image is.

# %% tags=["row-63"]
codes = np.array(autoencoder.encoder(test))
noise = random.normal(size=(500, 16)).astype("float32")
made_of = {
    "VAE\nN(0, 1)": np.array(vae.likelihood.mean(vae.decoder(noise))),
    "autoencoder\nN(0, 1)": np.array(autoencoder.decoder(noise)),
    "autoencoder\nits own spread": np.array(
        autoencoder.decoder(codes.mean(axis=0) + codes.std(axis=0) * noise)
    ),
}
judged = [exactly(binarise(shown)).mean() for shown in made_of.values()]
rows = np.stack([shown[:12] for shown in made_of.values()])
names = [f"{name}\n{nats:.0f} nats" for name, nats in zip(made_of, judged, strict=True)]
figure = plot_image_grid(rows, row_names=names)
show(figure, "Random codes decoded: digits of the VAE, blots of the autoencoder.")
assert min(judged[0], judged[2]) > judged[1] + 5

# %% [markdown]
# The autoencoder makes blots: nobody told its codes where to lie. With the spread of its own codes
# it makes strokes again, and on images as small as these the judge hardly minds. The VAE needs no
# such repair, because its codes were taught to lie where the prior is.

# %% [markdown] tags=["row-66"]
# ## Three terms
#
# Equation (3) holds for every $q$, so for $q = q_\phi(z|x)$ ($D$ is the KL divergence):
#
# $$\log p_\theta(x) = \mathbf E_q[\log p_\theta(x|z)] - D(q, p_\theta(z)) + D(q, p_\theta(z|x))$$
#
# With two latents all of it can be computed: a grid of 301 x 301 points covers the plane, and an
# integral becomes a sum.

# %%
from tf_models.autoencoders.networks import dense_decoder, dense_encoder


def dense_vae(latents, kl_warmup_steps=200, **options):
    """One hidden layer of 200 units on either side."""
    options = {"kl_warmup_steps": kl_warmup_steps, "seed": 1, **options}
    body = dense_encoder(images.shape, 200, code_activation="relu")
    decoder = dense_decoder(images.shape, latents, [200], output_activation="linear")
    return VAE(normal_encoder(body, latents), decoder, **options)


vae_2 = dense_vae(2)
for name, values in fit(vae_2).items():
    print(f"{name:16}{values[-1]:6.1f} nats in the last epoch")

# %% tags=["row-66", "row-67"]
from scipy.special import logsumexp
from scipy.stats import norm

points = np.linspace(-4.5, 4.5, 301)
area = (points[1] - points[0]) ** 2
grid = np.stack(np.meshgrid(points, points, indexing="ij"), axis=-1).reshape(-1, 2)
logits = np.array(vae_2.decoder(grid.astype("float32")))
flat = logits.reshape(len(grid), 64).astype("float64")
x = test[:100].reshape(100, 64)
log_p_x_z = flat @ x.T - np.logaddexp(0, flat).sum(axis=1, keepdims=True)  # (grid, images)
log_p_z = norm.logpdf(grid).sum(axis=1, keepdims=True)
log_p_x = logsumexp(log_p_x_z + log_p_z, axis=0) + np.log(area)  # equation (1)
log_posterior = log_p_x_z + log_p_z - log_p_x  # Bayes
library = vae_2.likelihood.log_probability(tf.constant(test[:1]), logits)
assert np.allclose(log_p_x_z[:, 0], library, atol=0.01)

# %% [markdown]
# That was $p_\theta(z \mid x)$, which the article rightly calls intractable in general. Now
# $q_\phi$ on the same grid, and each term as a sum.

# %% tags=["row-66"]
mean, log_variance = (head.numpy() for head in vae_2.encoder([test[:100]]))  # (images, 2) each
deviation = np.exp(log_variance / 2)
of_axes = [norm.logpdf(points[:, None], mean[:, i], deviation[:, i]) for i in range(2)]
log_q = (of_axes[0][:, None] + of_axes[1]).reshape(-1, 100)  # (grid, images)
q = np.exp(log_q) * area
assert np.allclose(q.sum(axis=0), 1, atol=0.01)  # the grid is fine and wide enough
reconstruction = (q * log_p_x_z).sum(axis=0)
kl_prior = (q * (log_q - log_p_z)).sum(axis=0)
kl_posterior = (q * (log_q - log_posterior)).sum(axis=0)
terms = np.stack([reconstruction, kl_prior, kl_posterior, log_p_x], axis=1)
for first, second, third, whole in terms[:4]:
    print(f"{first:7.2f} - {second:.2f} + {third:.2f} = {whole:.2f}")
assert np.allclose(reconstruction - kl_prior + kl_posterior, log_p_x, rtol=0.01)

# %% [markdown]
# They must add up: the derivation is exact. Look at the last term: the true posterior in blue,
# $q_\phi$ as ellipses, for the two best and the two worst of the 100 images. $q_\phi$ cannot tilt,
# bend or split, and one network has to place it for every image. Where it fails, the term is large.

# %% tags=["row-66"]
from tf_models.plotting.points import plot_posteriors

order = np.argsort(kl_posterior)
chosen = np.concatenate([order[:2], order[-2:]])
labels = [f"a {images.test.labels[i]}: KL {kl_posterior[i]:.2f} nats" for i in chosen]
density = np.exp(log_posterior[:, chosen]).T.reshape(-1, 301, 301)
figure = plot_posteriors(density, points, mean[chosen], deviation[chosen], names=labels)
show(figure, "Two posteriors that fit the ellipses of q, and two that lie beside them or tilt.")
assert kl_posterior.min() >= 0
assert kl_posterior[order[-1]] > 3 * kl_posterior[order[0]]

# %% [markdown] tags=["row-66"]
# ## The lower bound
#
# Without the last term we have equation (4), the ELBO. ("p(x) prior" in the article means $p(z)$.)
# The article calls a KL divergence "always positive"; more exactly it is never negative, and it is
# zero when both distributions are the same. The divergence to the prior has a closed form,
# $\frac12 \sum (\mu^2 + \sigma^2 - 1 - \log \sigma^2)$. Below it stands beside the sum over the
# grid and a Monte Carlo estimate.

# %% tags=["row-66"]
from tf_models.autoencoders.distributions import kl_to_standard, log_density

closed = np.sum(kl_to_standard(mean, log_variance), axis=1)
drawn = np.array(vae_2.sampling(np.tile(mean, (5000, 1, 1)), log_variance))
log_ratio = log_density(drawn, mean, log_variance) - log_density(drawn, 0.0, 0.0)
monte_carlo = np.sum(log_ratio, axis=2).mean(axis=0)
for name, kl in {"closed": closed, "grid": kl_prior, "Monte Carlo": monte_carlo}.items():
    print(f"{name:12}{kl.mean():.2f}")
assert np.allclose(closed, kl_prior, atol=0.1)
assert np.allclose(closed, monte_carlo, atol=0.15)
assert float(kl_to_standard(0.0, 0.0)) == 0  # the same distribution
elbo, gap = np.mean(reconstruction - kl_prior), kl_posterior.mean()
print(f"log p(x) {log_p_x.mean():.2f}, ELBO {elbo:.2f}: a gap of {gap:.2f} nats")

# %% [markdown]
# **Exercise 1.** Predict: $q$ has the means 1 and 2, and both standard deviations are 1. What is
# its divergence to $\mathcal N(0, 1)$, in nats?


# %%
def check_1(prediction):
    """Compare with the library."""
    truth = float(np.sum(kl_to_standard(np.array([1.0, 2.0]), np.zeros(2))))
    assert abs(prediction - truth) < 1e-3, "only the means differ: take the formula with sigma = 1"


# check_1(…)  # your prediction

# %% [markdown] tags=["row-67"]
# ## When no grid is possible
#
# The article gives the dimensionality of the data as the reason. What counts is that of $z$: our
# grid did not mind 64 pixels, but with 16 latents nobody can fill it. An importance-weighted
# estimate can do without: $\log \frac1k \sum_i p_\theta(x, z_i) / q_\phi(z_i|x)$ with
# $z_i \sim q_\phi$. It rises from the ELBO ($k = 1$) to $\log p_\theta(x)$, on average.

# %% tags=["row-67"]
from tf_models.plotting.lines import plot_lines
from tf_models.tasks.autoencoding.evaluation import log_likelihoods

counts, tests = [1, 10, 100, 1000], np.split(test[:100], 10)
repeats = [20, 2, 1, 1]  # the fewer samples, the noisier
estimates = [
    log_likelihoods(vae_2, tests * times, k, chunk=100).mean()
    for k, times in zip(counts, repeats, strict=True)
]
lines = {"importance-weighted": (counts, estimates), "grid": (counts, [log_p_x.mean()] * 4)}
figure = plot_lines(lines, axis_names=("samples k", "nats"), marks=counts, scales=("log", "linear"))
show(figure, "The estimate climbs to the value of the grid.")
assert abs(estimates[0] - elbo) < 0.5
assert estimates[0] + 0.05 < min(estimates[1:])
assert abs(estimates[-1] - log_p_x.mean()) < 0.15

# %% [markdown]
# **Exercise 2.** Predict: with 301 points along each axis and 16 latents, how often would the
# decoder have to run? Give the power of ten.


# %%
def check_2(power):
    """Compare with the size of such a grid."""
    truth = 16 * np.log10(len(points))
    assert abs(power - truth) < 0.6, "301 points for one latent, 301 * 301 for two, and so on"


# check_2(…)  # your prediction

# %% [markdown] tags=["row-71"]
# ## Maps and traversals
#
# Two latents make a map: the decoder at the quantiles of the prior, so that each picture stands for
# the same share of it. Neighbours are alike.

# %% tags=["row-71"]
quantiles = norm.ppf((np.arange(12) + 0.5) / 12)
plane = np.stack(np.meshgrid(quantiles, quantiles), axis=-1).reshape(-1, 2)
decoded = vae_2.likelihood.mean(vae_2.decoder(plane.astype("float32")))
show(
    plot_image_grid(np.reshape(decoded, (12, 12, *images.shape))),
    "A plane of digits in which each kind has its region and melts into the next.",
    dots_per_inch=70,
)

# %% [markdown]
# With 16 latents one moves while the others stay: a traversal. Nothing in equation (4) asks for a
# latent that means one thing. (`plot_figures.py --figure traversal` does the same for a trained
# run.)

# %% tags=["row-71"]
from pathlib import Path

from tf_models.tasks.autoencoding.drawing import ImageRuns
from tf_models.tasks.autoencoding.figures import FIGURES
from tf_models.tasks.autoencoding.models import ImageModel
from tf_models.tasks.autoencoding.settings import VAE_MODELS

wrapped = ImageModel(vae, VAE_MODELS["vae"], config={}, path=Path("notebook"))
figure = FIGURES.draw("traversal", ImageRuns({"VAE": wrapped}, images), count=5)
show(figure, "Each row moves one latent, and the digit changes its shape or its kind.")

# %% [markdown] tags=["row-68"]
# ## How vital is the size
#
# The article calls the size of the latent space "vital" for reconstruction. Measured: test images
# in nats against the number of latents.

# %% tags=["row-68"]
sizes, trained, kl_of = [1, 2, 4, 16], {2: vae_2}, {}
for size in sizes:
    if size not in trained:
        trained[size] = dense_vae(size)
        kl_of[size] = fit(trained[size])["kl"]
parts = np.split(test[:350], 10)
nats = {size: log_likelihoods(trained[size], parts, 100).mean() for size in sizes}
lines = {"VAE": (sizes, list(nats.values())), "regressions, exact": (sizes, [exact] * len(sizes))}
figure = plot_lines(lines, axis_names=("latents", "nats"), marks=sizes, scales=("log", "linear"))
show(figure, "A few latents bring much, more of them bring little.")
assert nats[1] + 0.5 < nats[2]
assert nats[2] + 0.2 < nats[4]
assert abs(nats[16] - nats[4]) < nats[2] - nats[1]

# %% [markdown]
# Vital while there are few. Further ones cost almost nothing, since a VAE can leave a latent at its
# prior, where its KL is zero. *Add* a size, such as 8.

# %% [markdown] tags=["row-64"]
# ## Gaussian or Bernoulli
#
# The article turns the first term into the squared error. That holds if the variance is fixed:
# $-\log \mathcal N(x; \hat x, s^2) = \|x - \hat x\|^2 / 2 s^2 + \text{const}$, and then $s$ decides
# how much the KL term weighs. Here $s^2$ is learnt, and comes near the mean squared error.

# %% tags=["row-64"]
shades = tf.data.Dataset.from_tensor_slices(images.pixels(images.train)).shuffle(2000, seed=1)
gaussian = dense_vae(8, likelihood="gaussian")
history = fit(gaussian, data=shades.batch(100).repeat(), rate=0.01, epochs=12)
back = np.array(gaussian(grey))
s2 = float(np.exp(gaussian.likelihood.log_variance))
squared = np.sum((grey - back) ** 2, axis=(1, 2, 3))
by_hand = -squared / (2 * s2) - 32 * np.log(2 * np.pi * s2)
library = gaussian.likelihood.log_probability(tf.constant(grey), back)
assert np.allclose(by_hand, library, atol=0.01)
print(f"learnt variance {s2:.3f}, squared error of a pixel {squared.mean() / 64:.3f}")
assert abs(s2 / (squared.mean() / 64) - 1) < 0.35

# %% [markdown]
# A density of shades and a probability of bits are different numbers: compare nats only within one
# kind.

# %% [markdown] tags=["row-72"]
# ## Beta and warm-up
#
# Two options of the loss. $\beta$ weighs the KL term. Warm-up lets that weight rise from 0, so that
# the decoder learns to use $z$ before the KL term pushes back. All VAEs above have warmed up over
# 200 steps; here is one that has not. Change `beta` and `kl_warmup_steps`.

# %% tags=["row-72"]
from tf_models.tasks.autoencoding.evaluation import active_units

models = {"beta 4": dense_vae(16, beta=4.0), "no warm-up": dense_vae(16, kl_warmup_steps=0)}
kl = {"beta 1": kl_of[16], **{name: fit(model)["kl"] for name, model in models.items()}}
models["beta 1"] = trained[16]
active = {name: active_units(model.encoder([test])[0]).sum() for name, model in models.items()}
lines = {name: (range(1, len(values) + 1), values) for name, values in kl.items()}
figure = plot_lines(lines, axis_names=("epoch", "KL to the prior, nats"))
show(figure, "The KL begins high and falls; without warm-up it begins near 0 and stays behind.")
assert kl["beta 4"][-1] < 0.6 * kl["beta 1"][-1]
assert kl["no warm-up"][0] < 0.3 * kl["beta 1"][0]

# %% [markdown]
# **Exercise 3.** A latent is active if its mean differs between images (variance above 0.01).
# Predict: with $\beta = 4$, are "more", "fewer" or "as many" of the 16 active as with 1?


# %%
def check_3(prediction):
    """Compare with the two models above."""
    few, many = active["beta 4"], active["beta 1"]
    truth = "fewer" if few < many else "more" if few > many else "as many"
    assert prediction == truth, "what does a latent cost that says little?"


# check_3(…)  # your prediction

# %% [markdown] tags=["row-69"]
# ## A deep hierarchical VAE
#
# The article sets NVAE beside the vanilla VAE. Here is a small one after NVAE: groups of latents at
# two scales, $p(z) = \prod_l p(z_l | z_{<l})$.

# %% tags=["row-69"]
from tf_models.autoencoders.hierarchical.model import HierarchicalVAE

deep = HierarchicalVAE(images.shape, (1, 1), 16, 4, seed=1, kl_warmup_steps=100)
history = fit(deep, rate=0.01, epochs=4)
for name, model in {"one layer": vae, "hierarchical": deep}.items():
    estimate = log_likelihoods(model, tests, 50, chunk=50).mean()
    print(f"{name:14}{estimate:6.1f} nats, {model.count_params():,} parameters")

# %% [markdown] tags=["row-70"]
# The article closes with the "blurry outcome" of VAEs. The variance of the Laplacian measures
# sharpness; below it is a share of that of real images. First expected images $\mathbf E[x|z]$,
# which papers show, then images drawn from $p_\theta(x|z)$, bit by bit.

# %% tags=["row-69", "row-70"]
from tf_models.tasks.autoencoding.evaluation import sharpness

means = {"test images": grey, "VAE": vae.generate(1000), "hierarchical": deep.generate(1000)}
bits = {name: binarise(np.array(shown)) for name, shown in means.items()}
bits["autoregressive"] = pixelwise
shares, rows = {}, []
for kind, models in {"mean": means, "drawn": bits}.items():
    real = sharpness(models["test images"])
    for name, shown in models.items():
        shares[f"{name}, {kind}"] = sharpness(np.array(shown)) / real
        rows.append(shown[:12])
names = [f"{name}\nsharpness {share:.2f}" for name, share in shares.items()]
figure = plot_image_grid(np.stack(rows), row_names=names)
show(figure, "Samples of all models beside real digits; expected images are blurry.")

# %% tags=["row-70"]
assert max(shares["VAE, mean"], shares["hierarchical, mean"]) < 0.9
assert min(share for name, share in shares.items() if "drawn" in name) > 0.9

# %% [markdown] tags=["row-69", "row-70"]
# Expected images are blurry: they are means over all that $z$ leaves open. Drawn ones are not, but
# noise counts as sharp, too. Digits of 8 x 8 pixels and seconds of training are no fair contest for
# a deep model. With larger ones it wins in sharpness and in nats:
# [VAEs on MNIST](../docs/results.md#vaes-on-mnist), and
# [samples side by side](../docs/autoencoders.md#samples-side-by-side).

# %% [markdown]
# ## Answers

# %%
check_1(2.5)  # (1 + 4) / 2
check_2(40)  # 301 to the power of 16
check_3("fewer")  # a latent that says little is not worth four times its KL
