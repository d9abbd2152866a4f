# %% [markdown]
# # 11 The variational autoencoder
#
# Read with all sections and equations of [Variational Autoencoders][article] by Sunil Yadav.
#
# [article]: https://data-science-blog.com/blog/2022/04/19/variational-autoencoders/
#
# You will see
#
# 1. digits that nobody wrote, and what random codes become in a plain autoencoder and in a VAE,
# 2. that the three terms of the article's derivation add up to $\log p_\theta(x)$, in numbers,
# 3. a VAE whose latents say nothing, one that draws the digit you ask for, and a deep one.
#
# **Before**: what an autoencoder is (notebook 09 in German, or 10), and what the mean and the
# standard deviation of a normal distribution are.
#
# **Time**: about 70 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [10 Lecture 7](10_lecture_7.ipynb).
# Next: [12 What came after](12_what_came_after.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %% [markdown]
# ## Digits that nobody wrote
#
# What is it for? The article wants synthetic data: images that are like those of a set, but new.
# A VAE that was trained on MNIST comes with the package. It needs no image to make one: it draws
# 50 numbers at random (the temperature is a factor on their deviation), and decodes them.

# %%
import numpy as np

from tf_models import ImageModel
from tf_models.plotting.images import plot_image_grid
from tf_models.plotting.notebook import show

one_layer = ImageModel.ready_made("vae")
mnist = one_layer.origin.load_kept()  # 500 training and 500 test images of it
made = one_layer.generate(24, temperature=0.7, seed=1).reshape(2, 12, 28, 28, 1)
show(plot_image_grid(made, title="New digits"), "Images that a VAE made, of 28 x 28 pixels.")
apart = [np.sum((mnist.pixels(mnist.train) - image) ** 2, axis=(1, 2, 3)) for image in made[0]]
print(f"squared distance to the nearest of 500 training images: {np.min(apart):.0f} or more")
assert np.min(apart) > 2  # 0 would be a copy

# %% [markdown]
# Most of them can be read, none is among the 500 images that we can compare with, and some are
# strokes that are no digit.

# %% [markdown]
# To make such images, a model has to know which images are digits and which are not: it has to give
# digits a high probability, and all else a low one. So a probability of images is what we train,
# and what we measure.

# %% [markdown] tags=["row-68"]
# ## Images and training
#
# The models that are trained here learn 1,797 smaller digits, of 8 x 8 pixels: so each takes
# seconds. Each pixel is drawn as 0 or 1, with its shade as the probability.
#
# A model gives an image $x$ a probability $p(x)$. That is a tiny number, so we take its logarithm.
# The unit of the natural logarithm is the nat: -20 nats are $e^{-20}$, one in 500 million. More is
# better. A coin for each pixel gives every image $64 \log \frac12$. A better guess is how often
# each pixel is black.

# %% tags=["row-68"]
from tf_models import load_images

images, random = load_images("digits"), np.random.default_rng(1)


def binarise(grey, times=1):
    drawn = random.random((times, *grey.shape)) < grey  # 1 as often as the shade says
    return drawn.astype("float32").reshape(-1, *images.shape)


grey, labels = images.pixels(images.test), images.test.labels

# %% tags=["row-68"]
train, test = binarise(images.pixels(images.train), 40), binarise(grey)
train_labels = np.tile(images.train.labels, 40)
black = np.clip(train.mean(axis=0), 0.001, 0.999)  # how often each pixel is 1
alone = np.sum(test * np.log(black) + (1 - test) * np.log(1 - black), axis=(1, 2, 3)).mean()
print(f"coins {64 * np.log(0.5):.1f} nats, each pixel alone {alone:.1f} nats")

# %% [markdown] tags=["row-68"]
# The article names Adam, a fixed batch size and a fixed number of epochs. Here they are; on the
# command line they are `--learning-rate`, `--batch-size` and `--epochs` of `train_vae.py`, and
# `--latents` is the size of the latent space.

# %% tags=["row-68"]
order = random.permutation(len(train))[:50_000]
batches = tf.data.Dataset.from_tensor_slices((train[order], train_labels[order]))
batches = batches.batch(100).repeat()
only_images = batches.map(lambda x, label: x)


def fit(model, data=only_images, loss=None, rate=0.003, epochs=8):
    """Epochs of 50 steps, with 100 images a step."""
    model.compile(keras.optimizers.Adam(rate), loss)
    return model.fit(data, epochs=epochs, steps_per_epoch=50, shuffle=False, verbose=0).history


# %% [markdown] tags=["row-63", "row-98"]
# ## From autoencoder to VAE
#
# An autoencoder makes a code $z$ of an image. A VAE makes a mean $\mu$ and a standard deviation
# $\sigma$, and draws the code.

# %% tags=["row-98"]
from tf_models.autoencoding.figures import draw_autoencoder_and_vae

show(
    draw_autoencoder_and_vae(),
    "The VAE below differs in the middle: its code is drawn around a mean. These are the sizes of "
    "the command line's default models, for MNIST.",
)

# %% [markdown] tags=["row-63"]
# The encoder shrinks the image by convolution and max-pooling, and the decoder enlarges it again by
# up-sampling and convolution. The autoencoder minimises equation (2), $\|x - \hat x\|^2$.

# %% tags=["row-63"]
from tf_models import Autoencoder, ReconstructionLoss, convolutional_decoder, convolutional_encoder

settings = {"filters": (8, 16), "activation": "elu"}
autoencoder = Autoencoder(
    convolutional_encoder(images.shape, 16, **settings),
    convolutional_decoder(images.shape, 16, **settings),
)
for layer in (*autoencoder.encoder.layers, *autoencoder.decoder.layers):
    print(f"{type(layer).__name__:15}{layer.output.shape[1:]}")
history = fit(autoencoder, batches.map(lambda x, label: (x, x)), ReconstructionLoss("mse"))

# %% [markdown] tags=["row-65"]
# ## A code that is drawn
#
# The VAE's encoder ends in two heads: the mean, and $\log \sigma^2$, which may have any sign. Its
# code is $z = \mu + \sigma \varepsilon$ with $\varepsilon \sim \mathcal N(0, 1)$. Written like this
# (reparameterisation), chance stands apart, and a gradient reaches $\mu$ and $\sigma$ through $z$.

# %% tags=["row-65"]
import inspect

from tf_models import VAE, normal_encoder
from tf_models.plotting.diagram import plot_vae

figure = plot_vae(pixels="8 × 8", hidden="convolutions", latents=16)
show(figure, "The VAE that is trained here, and the two terms of its loss.")

# %% tags=["row-65"]
body = convolutional_encoder(images.shape, 200, code_activation="elu", **settings)
decoder = convolutional_decoder(images.shape, 16, output_activation="linear", **settings)
vae = VAE(normal_encoder(body, 16), decoder, kl_warmup_steps=200, seed=1)
history = fit(vae)
mean, log_variance = (tf.repeat(head, 20_000, axis=0) for head in vae.encoder([test[:1]]))
with tf.GradientTape() as tape:
    tape.watch(mean)
    z = vae.sampling(mean, log_variance)  # (20000, 16): so many codes of one image
gradient = tape.gradient(z, mean)

# %% tags=["row-65"]
deviation = np.exp(log_variance[0] / 2)
for i in range(3):
    print(
        f"latent {i + 1}: mean {mean[0, i]:5.2f}, of the samples {np.mean(z[:, i]):5.2f};", end=" "
    )
    print(f"deviation {deviation[i]:.2f}, of the samples {np.std(z[:, i]):.2f};", end=" ")
    print(f"dz/dμ {gradient[0, i]:.0f}")
assert np.allclose(np.mean(z, axis=0), mean[0], atol=0.05)
assert np.allclose(np.std(z, axis=0), deviation, atol=0.05)
assert np.all(gradient == 1)
assert deviation.max() < 1.05  # the prior's is 1

# %% tags=["row-65"]
from scipy.stats import norm

from tf_models.plotting.lines import plot_lines

i = int(np.argmin(deviation))  # the latent that says most about this image

# %% tags=["row-65"]
heights, edges = np.histogram(z[:, i], bins=60, density=True)
line = np.linspace(-4, 4, 400)
curves = {
    "histogram of 20,000 samples": (np.repeat(edges, 2)[1:-1], np.repeat(heights, 2)),
    "N(μ, σ²)": (line, norm.pdf(line, mean[0, i], deviation[i])),
    "prior N(0, 1)": (line, norm.pdf(line)),
}
title = f"Latent {i + 1} of one image"
figure = plot_lines(curves, axis_names=(f"z {i + 1}", "density"), title=title)
show(figure, "The samples follow the encoder's normal distribution, narrower than the prior.")
assert deviation[i] < 0.7

# %% [markdown] tags=["row-65"]
# The samples have the mean and the deviation that the encoder names, and the gradient passes
# through them to $\mu$ as if nothing had been drawn (it is 1). The curve is narrower than the
# prior: so much does this latent say about the image.

# %% [markdown] tags=["row-63"]
# ## Random codes
#
# Now decode random codes $z \sim \mathcal N(0, 1)$ with both. As a measure, how far is each new
# image from the nearest test image?


# %% tags=["row-63"]
def to_nearest(made):
    squares = [np.sum((grey - image) ** 2, axis=(1, 2, 3)).min() for image in made]
    return float(np.mean(squares))


noise = random.normal(size=(200, 16)).astype("float32")
made_of = {
    "VAE": vae.likelihood.mean(vae.decoder(noise)).numpy(),
    "autoencoder": autoencoder.decoder(noise).numpy(),
}

# %% tags=["row-63"]
distances = {name: to_nearest(made) for name, made in made_of.items()}
distances["training images"] = to_nearest(images.pixels(images.train[:200]))
print(", ".join(f"{name} {distance:.1f}" for name, distance in distances.items()))
assert distances["VAE"] < 0.5 * distances["autoencoder"]

# %% tags=["row-63"]
rows = np.stack([made[:12] for made in made_of.values()])
figure = plot_image_grid(rows, row_names=list(made_of), title="Random codes, decoded")
show(figure, "The VAE's images are nearer to digits: nobody told the other's codes where to lie.")

# %% [markdown] tags=["row-63"]
# The VAE's new images lie nearly as near to the test images as the training images do, the
# autoencoder's several times as far away.

# %% [markdown] tags=["row-66"]
# ## Three terms
#
# The VAE's density is $p_\theta(x) = \int p_\theta(x|z) p(z) dz$, equation (1). Equation (3) splits
# its logarithm into three terms. It holds for every distribution $q$ of $z$, so also for the
# encoder's, $q_\phi(z|x)$. $D$ is the KL divergence:
#
# $$\log p_\theta(x) = \mathbf E_q[\log p_\theta(x|z)] - D(q, p(z)) + D(q, p_\theta(z|x))$$
#
# With a single latent all of it can be computed. A grid of 901 points covers the line, and an
# integral is a sum over it.

# %% tags=["row-66"]
from tf_models import dense_decoder, dense_encoder


def dense_vae(latents, kl_warmup_steps=200, **options):
    """One hidden layer of 200 units on either side."""
    options = {"kl_warmup_steps": kl_warmup_steps, "seed": 1, **options}
    body = dense_encoder(images.shape, 200, code_activation="relu")
    decoder = dense_decoder(images.shape, latents, [200], output_activation="linear")
    return VAE(normal_encoder(body, latents), decoder, **options)


vae_1 = dense_vae(1)
for name, values in fit(vae_1).items():
    print(f"{name:16}{values[-1]:6.1f} nats in the last epoch")

# %% [markdown] tags=["row-66", "row-67"]
# First the left side, for 100 test images. At each point of the grid: how probable is the image,
# and how probable is the point?

# %% tags=["row-66", "row-67"]
from scipy.special import logsumexp

grid = np.linspace(-4.5, 4.5, 901)[:, np.newaxis]  # z: (901, 1)
step = grid[1, 0] - grid[0, 0]
logits = vae_1.decoder(grid.astype("float32")).numpy().reshape(901, 64).astype("float64")
x = test[:100].reshape(100, 64)
log_p_x_z = logits @ x.T - np.logaddexp(0, logits).sum(axis=1, keepdims=True)  # (901, 100)
log_p_z = norm.logpdf(grid)  # (901, 1)
log_p_x = logsumexp(log_p_x_z + log_p_z, axis=0) + np.log(step)  # equation (1): (100,)
log_posterior = log_p_x_z + log_p_z - log_p_x  # Bayes: p(z|x)
print(f"log p(x), mean of 100 images: {log_p_x.mean():.2f} nats")

# %% [markdown] tags=["row-66"]
# That was $p_\theta(z \mid x)$, too, which the article rightly calls intractable in general. Now
# the right side: $q_\phi$ on the same grid, and each term as a sum.

# %% tags=["row-66"]
mean, log_variance = (head.numpy() for head in vae_1.encoder([test[:100]]))  # (100, 1) each
deviation = np.exp(log_variance / 2)
log_q = norm.logpdf(grid, mean[:, 0], deviation[:, 0])  # (901, 100)
q = np.exp(log_q) * step
reconstruction = (q * log_p_x_z).sum(axis=0)
kl_prior = (q * (log_q - log_p_z)).sum(axis=0)
kl_posterior = (q * (log_q - log_posterior)).sum(axis=0)
terms = np.stack([reconstruction, kl_prior, kl_posterior, log_p_x], axis=1)
for first, second, third, whole in terms[:4]:
    print(f"{first:7.2f} - {second:.2f} + {third:.2f} = {whole:.2f}")
assert np.allclose(q.sum(axis=0), 1, atol=0.01)  # the grid is fine and wide enough
assert np.allclose(reconstruction - kl_prior + kl_posterior, log_p_x, rtol=0.01)

# %% [markdown] tags=["row-66"]
# They must add up: the derivation is exact. The last term says how well $q_\phi$ fits the true
# posterior. Where it fits badly, is a normal distribution too simple, or did the encoder choose the
# wrong one? Search for the best one, for each image alone.

# %% tags=["row-66"]
from scipy.optimize import minimize


def divergence(parameters, image):
    """D(q, p(z|x)) of the normal distribution with this mean and log-deviation, on the grid."""
    log_normal = norm.logpdf(grid[:, 0], parameters[0], np.exp(parameters[1]))
    log_normal -= logsumexp(log_normal) + np.log(step)  # what lies beside the grid is cut off
    return np.sum(np.exp(log_normal) * step * (log_normal - log_posterior[:, image]))


def best_normal(image):
    starts = [(mean[image, 0], np.log(deviation[image, 0])), (-1.0, -1.0), (1.0, -1.0)]
    found = [minimize(divergence, start, image, method="Nelder-Mead") for start in starts]
    return min(found, key=lambda one: one.fun)


bests = [best_normal(image) for image in range(100)]
lowest = np.array([one.fun for one in bests])
print(
    f"mean divergence: the encoder's {kl_posterior.mean():.3f}, the best {lowest.mean():.3f} nats"
)
assert np.all((lowest > -0.001) & (lowest < kl_posterior + 0.01))
assert lowest.mean() < 0.5 * kl_posterior.mean()

# %% tags=["row-66"]
for image in (kl_posterior.argmin(), kl_posterior.argmax()):
    chosen, log_deviation = bests[image].x
    curves = {
        "true posterior p(z|x)": (grid[:, 0], np.exp(log_posterior[:, image])),
        "encoder's q(z|x)": (grid[:, 0], np.exp(log_q[:, image])),
        "best normal": (grid[:, 0], norm.pdf(grid[:, 0], chosen, np.exp(log_deviation))),
    }
    both = f"{kl_posterior[image]:.2f} nats, of the best normal {lowest[image]:.2f}"
    title = f"A {labels[image]}: divergence {both}"
    figure = plot_lines(curves, axis_names=("z", "density"), title=title)
    show(figure, "The true posterior, the encoder's normal distribution and the best one.")
worst = kl_posterior.argmax()
assert lowest[worst] < 0.5 * kl_posterior[worst]

# %% [markdown] tags=["row-66"]
# The encoder chose the wrong one: the best normal distributions fit several times better than its
# own. One network serves all images and cannot search for each; what it loses by that is the
# amortisation gap (Cremer et al. 2018). The rest is the error of the normal family, and small.

# %% [markdown] tags=["row-66"]
# ## The lower bound
#
# Without the last term we have equation (4), the ELBO. ("p(x) prior" in the article means $p(z)$.)
# The article calls a KL divergence "always positive"; more exactly it is never negative, and zero
# when both distributions are the same. The divergence to the prior has a closed form,
# $\frac12 \sum (\mu^2 + \sigma^2 - 1 - \log \sigma^2)$. This is what the library minimises (with
# more than one importance sample it takes a tighter bound):

# %% tags=["row-66"]
print(inspect.getsource(VAE.terms))

# %% [markdown] tags=["row-66"]
# Three ways to the divergence: Monte Carlo is the mean of $\log q - \log p$ at samples.

# %% tags=["row-66"]
from tf_models.autoencoders.distributions import kl_to_standard, log_density

closed = np.sum(kl_to_standard(mean, log_variance), axis=1)
drawn = np.array(vae_1.sampling(np.tile(mean, (5000, 1, 1)), log_variance))
log_ratio = log_density(drawn, mean, log_variance) - log_density(drawn, 0.0, 0.0)
monte_carlo = np.sum(log_ratio, axis=2).mean(axis=0)
for name, kl in {"closed": closed, "grid": kl_prior, "Monte Carlo": monte_carlo}.items():
    print(f"{name:12}{kl.mean():.2f}")
elbo, gap = np.mean(reconstruction - kl_prior), kl_posterior.mean()
print(f"log p(x) {log_p_x.mean():.2f}, ELBO {elbo:.2f}: a gap of {gap:.2f} nats")
assert np.allclose(closed, kl_prior, atol=0.1)
assert np.allclose(closed, monte_carlo, atol=0.15)
assert float(kl_to_standard(0.0, 0.0)) == 0  # the same distribution
assert np.isclose(log_p_x.mean() - elbo, gap, atol=0.01)

# %% [markdown] tags=["row-66"]
# All three agree. The ELBO lies below $\log p(x)$ by exactly the divergence to the true posterior:
# the bound is as good as the encoder.

# %% [markdown] tags=["row-67"]
# ## When no grid is possible
#
# The article gives the dimensionality of the data as the reason. What counts is that of $z$: our
# grid did not mind 64 pixels, but with 16 latents nobody can fill it. Importance sampling can do
# without: $\log \frac1k \sum_i p_\theta(x, z_i) / q_\phi(z_i|x)$ with $z_i \sim q_\phi$. On average
# it rises from the ELBO ($k = 1$) to $\log p_\theta(x)$.

# %% tags=["row-67"]
from tf_models.autoencoding.evaluate import log_likelihoods

counts, tests = [1, 10, 100, 1000], np.split(test[:100], 10)
repeats = [20, 2, 1, 1]  # the fewer samples, the noisier
estimates = [
    log_likelihoods(vae_1, tests * times, k, chunk=100).mean()
    for k, times in zip(counts, repeats, strict=True)
]
lines = {"importance sampling": (counts, estimates), "grid": (counts, [log_p_x.mean()] * 4)}
axes = {"axis_names": ("samples k", "nats"), "scales": ("log", "linear")}
figure = plot_lines(lines, marks=counts, title="log p(x), estimated", **axes)
show(figure, "The estimate climbs to the value that the grid gave.")
assert abs(estimates[0] - elbo) < 0.5
assert estimates[0] + 0.02 < min(estimates[1:])
assert abs(estimates[-1] - log_p_x.mean()) < 0.15

# %% [markdown] tags=["row-67"]
# Ten samples close most of the gap, and a hundred all of it: the grid is not needed. The nats below
# are all estimated in this way.

# %% [markdown] tags=["row-71"]
# ## Maps and traversals
#
# Two latents make a map. The decoder is asked at the quantiles of the prior, so that each picture
# stands for the same share of it.

# %% tags=["row-71"]
vae_2 = dense_vae(2)
kl_of = {2: fit(vae_2)["kl"]}
quantiles = norm.ppf((np.arange(12) + 0.5) / 12)
plane = np.stack(np.meshgrid(quantiles, quantiles), axis=-1).reshape(-1, 2)
decoded = vae_2.likelihood.mean(vae_2.decoder(plane.astype("float32")))
figure = plot_image_grid(np.reshape(decoded, (12, 12, *images.shape)), title="A map of two latents")
show(figure, "What the decoder makes of 12 x 12 places of the plane.", dots_per_inch=70)

# %% [markdown] tags=["row-71"]
# What is where? The five nearest test images vote on each picture.

# %% tags=["row-71"]
from sklearn.neighbors import KNeighborsClassifier

judge = KNeighborsClassifier(5).fit(grey.reshape(-1, 64), labels)
regions = judge.predict(np.reshape(decoded, (-1, 64))).reshape(12, 12)
for row in regions:
    print(*row)
alike = np.mean(regions[:, 1:] == regions[:, :-1])
print(f"{len(np.unique(regions))} kinds of digits; neighbours are of one kind in {alike:.0%}")
assert alike > 0.6
assert len(np.unique(regions)) >= 9

# %% [markdown] tags=["row-71"]
# Each kind of digit has a region of its own, and neighbours of the plane mostly show the same one.
#
# With 16 latents one moves while the others stay: a traversal. Nothing in equation (4) asks for a
# latent that means one thing.

# %% tags=["row-71"]
codes = vae.encoder([test])[0].numpy()  # the means: (n, 16)
moved = np.argsort(codes.var(axis=0))[::-1][:5]  # the five latents that vary most
places = np.linspace(-2, 2, 9)
z = np.tile(codes[0], (5, 9, 1))  # (latents moved, places, 16)
for row, latent in enumerate(moved):
    z[row, :, latent] = places
decoded = vae.likelihood.mean(vae.decoder(z.reshape(-1, 16)))
figure = plot_image_grid(
    np.reshape(decoded, (5, 9, *images.shape)),
    row_names=[f"z {latent + 1}" for latent in moved],
    column_names=[f"{place:g}" for place in places],
    title="Traversals",
)
show(figure, "Each row moves one latent.")
kinds = judge.predict(np.reshape(decoded, (-1, 64))).reshape(5, 9)
for latent, row in zip(moved, kinds, strict=True):
    print(f"z {latent + 1:<3} is read as", *row)
changing = [len(set(row)) for row in kinds]
assert sum(count > 1 for count in changing) >= 3

# %% [markdown] tags=["row-71"]
# Most rows pass through several digits: here a latent is not "slant" or "thickness" alone, but
# whatever helped to reconstruct.

# %% [markdown] tags=["row-68"]
# ## How vital is the size
#
# The article calls the size of the latent space "vital" for reconstruction. Measured: test images
# in nats against the number of latents. **Change** `sizes`, such as adding 8.

# %% tags=["row-68"]
sizes, trained = [1, 2, 4, 16], {1: vae_1, 2: vae_2}
for size in sizes:
    if size not in trained:
        trained[size] = dense_vae(size)
        fit(trained[size])
parts = np.split(test[:350], 10)
nats = {size: log_likelihoods(trained[size], parts, 100).mean() for size in sizes}
lines = {"VAE": (sizes, list(nats.values())), "each pixel alone": (sizes, [alone] * len(sizes))}
axes = {"axis_names": ("latents", "nats"), "scales": ("log", "linear")}
figure = plot_lines(lines, marks=sizes, title="How many latents", **axes)
show(figure, "The first latents bring most; those beyond four add less than the second one did.")
assert nats[1] + 0.5 < nats[2]
assert nats[2] + 0.2 < nats[4]
assert -0.1 < nats[16] - nats[4] < nats[2] - nats[1]

# %% [markdown] tags=["row-68"]
# The size is vital up to about four, for these small digits; twelve further latents add less than
# the second one did. They do no harm either: what is not needed stays near the prior.

# %% [markdown] tags=["row-64"]
# ## Gaussian or Bernoulli
#
# The article turns the first term into the squared error. That holds if the variance $s^2$ is
# fixed: $-\log \mathcal N(x; \hat x, s^2) = \|x - \hat x\|^2 / 2 s^2 + \text{const}$. Then $s$
# decides how much the KL term weighs. Here $s^2$ is learnt, and comes near the mean squared error.
#
# The decoder ends in a linear layer for both. A Bernoulli likelihood takes its numbers for logits,
# and only pixels from 0 to 1; a Gaussian one takes them for means of pixels of any size. A sigmoid
# there would be taken for logits, too, and so be applied twice.

# %% tags=["row-64"]
shades = tf.data.Dataset.from_tensor_slices(images.pixels(images.train)).shuffle(2000, seed=1)
gaussian = dense_vae(8, likelihood="gaussian")
history = fit(gaussian, shades.batch(100).repeat(), rate=0.01, epochs=12)
back = np.array(gaussian(grey))
s2 = float(np.exp(gaussian.likelihood.log_variance))
squared = np.sum((grey - back) ** 2, axis=(1, 2, 3))
by_hand = -squared / (2 * s2) - 32 * np.log(2 * np.pi * s2)
library = gaussian.likelihood.log_probability(tf.constant(grey), back)
print(f"log-density of the first image {by_hand[0]:.2f}, by the library {library[0]:.2f} nats")
print(f"learnt variance {s2:.3f}, squared error of a pixel {squared.mean() / 64:.3f}")
assert np.allclose(by_hand, library, atol=0.01)
assert abs(s2 / (squared.mean() / 64) - 1) < 0.25

# %% [markdown] tags=["row-64"]
# By hand and by the library the density is the same, and the learnt variance is the mean squared
# error of a pixel. A density of shades and a probability of bits are different numbers: compare
# nats only within one kind.

# %% [markdown] tags=["row-72"]
# ## Beta and warm-up
#
# Two options of the loss. $\beta$ is a factor on the KL term. Warm-up lets that factor rise from 0,
# so that the decoder learns to use $z$ before the KL term pushes back. All VAEs above have warmed
# up over 200 steps. Here are four VAEs of 50 latents.

# %% tags=["row-72"]
models = {
    "beta 1": dense_vae(50),
    "beta 1, no warm-up": dense_vae(50, kl_warmup_steps=0),
    "beta 2": dense_vae(50, beta=2.0),
    "beta 4": dense_vae(50, beta=4.0),
}
kl = {name: fit(model)["kl"] for name, model in models.items()}
lines = {name: (range(1, len(values) + 1), values) for name, values in kl.items()}
axes = {"axis_names": ("epoch", "KL to the prior, nats")}
figure = plot_lines(lines, title="What the latents say about an image", **axes)
show(figure, "With beta 4 the KL term ends near 0; without warm-up it begins low and stays behind.")
assert kl["beta 4"][-1] < 0.2
assert kl["beta 1, no warm-up"][0] < 0.3 * kl["beta 1"][0]
assert kl["beta 1, no warm-up"][-1] < kl["beta 1"][-1]

# %% [markdown] tags=["row-72"]
# The larger $\beta$ is, the less the latents say. Warm-up works: without it they say less to the
# end, though the loss is the same.

# %% [markdown] tags=["row-93"]
# ## Posterior collapse
#
# Why does the curve of $\beta = 4$ fall to 0? A latent that says something about the image differs
# from the prior, and each nat of that costs $\beta$. If it saves less than that in the first term,
# training gives it up: $\mu = 0$ and $\sigma = 1$ for every image. If all are given up, $z$ says
# nothing about $x$, and the decoder learns to ignore it. That is posterior collapse. You see it in
# three places: the KL term is near 0, no latent is active (its mean hardly differs between images:
# a variance below 0.01), and all samples look alike.

# %% tags=["row-93"]
from tf_models.autoencoding.evaluate import active_units

active, quality, rows = {}, {}, []
for name, model in models.items():
    active[name] = int(active_units(model.encoder([test])[0]).sum())
    quality[name] = log_likelihoods(model, parts, 20).mean()
    print(f"{name:19} {active[name]:2} of 50 active, KL {kl[name][-1]:5.2f}, ", end="")
    print(f"{quality[name]:.1f} nats")
    rows.append(model.generate(12))
names = [f"{name}\n{count} of 50 active" for name, count in active.items()]
figure = plot_image_grid(np.stack(rows), row_names=names, title="Samples, and active latents")
show(figure, "With no active latent, every sample is nearly the same grey mean of all digits.")
off = np.abs(np.stack(rows) - black).max(axis=(1, 2, 3, 4))  # from the mean of all images
for name, far in zip(models, off, strict=True):
    print(f"{name:19} furthest pixel of a sample from that mean: {far:.2f}")
assert active["beta 4"] == 0 < active["beta 2"] < active["beta 1"]
assert off[3] < 0.3 < off[2]
assert abs(quality["beta 4"] - alone) < 0.5
assert quality["beta 1, no warm-up"] < quality["beta 1"] - 0.2
assert active["beta 1, no warm-up"] > 40

# %% [markdown] tags=["row-93"]
# With $\beta = 4$ all latents collapsed: no latent is active, the samples are one grey cloud, and
# the nats are nearly those of each pixel alone, at the top. With $\beta = 2$ a part of them did.
# The VAE without warm-up is the subtle case: nearly all of its latents are active, and yet it is
# half a nat worse. `train_vae.py --beta 4` trains one on the command line, and counts its active
# latents.

# %% [markdown] tags=["row-99"]
# ## Samples of a chosen class
#
# The article promises "synthetic data with different attributes". A conditional VAE shows encoder
# and decoder the class, too. Then $z$ needs to say only what the class leaves open, such as slant
# and thickness.

# %% tags=["row-99"]
from tf_models import ConditionalVAE
from tf_models.autoencoders.networks import with_classes

body = dense_encoder((8, 8, 2), 200, code_activation="relu")  # the class is a second channel
conditional = ConditionalVAE(
    normal_encoder(with_classes(body, 10), 8),
    dense_decoder(images.shape, 8 + 10, [200], output_activation="linear"),
    kl_warmup_steps=200,
    seed=1,
)
history = fit(conditional, batches)
z = np.repeat(random.normal(size=(6, 8)), 10, axis=0).astype("float32")  # each for ten classes
asked = np.tile(np.arange(10), 6)
made = np.array(conditional.decode(z, asked))

hits = judge.score(made.reshape(-1, 64), asked)
print(f"{hits:.0%} are judged to be the digit asked for, by the five nearest test images")
assert hits > 0.8

# %% [markdown] tags=["row-99"]
# The same on MNIST, by a conditional VAE that comes with the package:
# `train_vae.py --model conditional --dataset mnist` with
# [these options](../docs/autoencoders.md#ready-made).

# %% tags=["row-99"]
told = ImageModel.ready_made("conditional")
z = np.repeat(random.normal(size=(100, 50)), 10, axis=0).astype("float32")  # each for ten classes
asked = np.tile(np.arange(10), 100)
made = np.array(told.model.decode(z, asked))
figure = plot_image_grid(
    made[:60].reshape(6, 10, 28, 28, 1),
    row_names=[f"z number {i + 1}" for i in range(6)],
    column_names=[str(digit) for digit in range(10)],
    title="Digits by request",
)
show(figure, "Each column is a digit that was asked for; a row shares one z.")

# %% [markdown] tags=["row-99"]
# Does it draw what is asked for, and is $z$ the style? A support vector machine, which learns the
# 500 training images that the package has, reads them; and the ink of a digit should go with the
# ink of the others of its row.

# %% tags=["row-99"]
from sklearn.svm import SVC

reader = SVC(C=10.0).fit(mnist.pixels(mnist.train).reshape(500, -1), mnist.train.labels)
on_tests = reader.score(mnist.pixels(mnist.test).reshape(500, -1), mnist.test.labels)
hits = reader.score(made.reshape(1000, -1), asked)
print(f"read right: {on_tests:.0%} of MNIST's test images, {hits:.0%} of the digits asked for")
ink = made.mean(axis=(1, 2, 3)).reshape(100, 10)  # of each z and class
together = np.corrcoef(ink.T)[np.triu_indices(10, 1)]
print(f"correlation of the ink of two digits with one z: {together.mean():.2f} on average")
assert hits > 0.7
assert together.mean() > 0.3

# %% [markdown] tags=["row-99"]
# It draws what is asked for about as often as the reader can read real digits, and a thick digit
# has thick ones beside it in its row: $z$ is the style.

# %% [markdown] tags=["row-69", "row-70"]
# ## A deep hierarchical VAE
#
# The article sets NVAE beside the vanilla VAE. A small one after NVAE comes with the package, too:
# groups of latents at two scales, each given those before, $p(z) = \prod_l p(z_l | z_{<l})$. Three
# groups lie at 4 x 4 positions, the others at 7 x 7. The picture has two of each.

# %% tags=["row-69", "row-70"]
from tf_models.plotting.diagram import plot_hierarchical_vae

sizes_of_groups = ("4 × 4 positions",) * 2 + ("7 × 7 positions",) * 2
figure = plot_hierarchical_vae(image="28 × 28", latents=sizes_of_groups)
show(
    figure, "Features of the image go up on the left; groups of latents are added on the way down."
)

# %% tags=["row-69", "row-70"]
deep = ImageModel.ready_made("hierarchical")
pixels = mnist.pixels(mnist.test)
drawn = (random.random(pixels.shape) < pixels).astype("float32")
deep.model.compile()
groups = deep.model.evaluate(drawn, batch_size=100, verbose=0, return_dict=True)
for number in range(1, 9):
    print(f"group {number}: {groups[f'kl_{number}']:5.2f} nats")
said = np.array([groups[f"kl_{number}"] for number in range(1, 9)])
print("collapsed groups:", *(np.flatnonzero(said < 0.05) + 1))
assert list(np.flatnonzero(said < 0.05) + 1) == [4]
assert said[0] == said.max()

# %% [markdown] tags=["row-69", "row-70"]
# The first group says most: what it is about is decided at the coarse scale. The fourth says
# nothing. It has collapsed, as the latents did above, though $\beta$ is 1 here: its posterior is
# its prior for every image. The loss does not care which group says a thing, and the groups 5 to 8
# lie at the same 7 x 7 positions and can say later what it does not. So a collapsed group is
# wasted: it has parameters and says nothing. The model is the better one all the same, as follows.
#
# Both on the same 100 test images of MNIST, in nats:

# %% tags=["row-69", "row-70"]
on_mnist = {}
for name, trained in {"one layer": one_layer.model, "hierarchical": deep.model}.items():
    on_mnist[name] = log_likelihoods(trained, np.split(drawn[:100], 5), 50).mean()
    print(f"{name:14}{on_mnist[name]:6.1f} nats, {trained.count_params():,} parameters")
assert on_mnist["one layer"] + 2 < on_mnist["hierarchical"]

# %% [markdown] tags=["row-69", "row-70"]
# The article closes with the "blurry outcome" of VAEs. What a decoder computes is a mean: how
# probable each pixel is to be black. The less $z$ says, the greyer that mean. To measure sharpness
# we take the variance of the Laplacian, a filter that answers at edges, as a share of that of real
# images. The fourth and the seventh row are samples: each pixel is black with the probability in
# the row above.

# %% tags=["row-69", "row-70"]
from tf_models.autoencoding.figures import sharpness

means = {"one layer": one_layer.generate(500, seed=2), "hierarchical": deep.generate(500, seed=2)}
rows, names = [pixels[:12]], ["test images"]
shares = {name: sharpness(mean) / sharpness(pixels) for name, mean in means.items()}
for name, mean in means.items():
    rows += [mean[:12], mean[12:24], random.random((12, 28, 28, 1)) < mean[12:24]]
    names += [f"{name}, means", f"{name}, means", "pixels drawn from these"]
    print(f"sharpness of {name}: {shares[name]:.2f} of that of test images")
figure = plot_image_grid(np.stack(rows), row_names=names, title="Blurry against sharp")
show(figure, "Test images; then means and samples of either model: one layer has greyer means.")
grey_share = {name: np.mean((mean > 0.1) & (mean < 0.9)) for name, mean in means.items()}
for name, share in grey_share.items():
    print(f"{name}: {share:.1%} of the pixels between 0.1 and 0.9")
assert shares["one layer"] + 0.05 < shares["hierarchical"]
assert grey_share["hierarchical"] < grey_share["one layer"]
assert shares["hierarchical"] < 0.95

# %% [markdown] tags=["row-69", "row-70"]
# So "blurry" is true of the means of one layer, less of those of eight groups, and neither is as
# sharp as real digits. Samples of the pixels are never grey, and look frayed instead.
# Sharp is not the same as real. NVAE itself is far larger;
# [longer trainings](../docs/results.md#vaes-on-mnist) of the two models here reach more nats, too.

# %% [markdown] tags=["row-110"]
# ## Pixel by pixel
#
# The article comes from autoregressive models. They need no $z$: they multiply conditionals,
# $p(x) = \prod_i p(x_i \mid x_1, \dots, x_{i-1})$. No integral is left, so the likelihood is exact.
# Let each conditional be a logistic regression on the pixels before it. Sampling has its price: 64
# passes, one for each pixel.

# %% tags=["row-110"]
earlier = np.triu(np.ones((64, 64), "float32"), 1)  # a pixel sees those before it
options = {"kernel_initializer": "zeros", "kernel_constraint": lambda kernel: kernel * earlier}
regressions = keras.Sequential([keras.Input((64,)), keras.layers.Dense(64, **options)])
flat = only_images.map(lambda x: (tf.reshape(x, (-1, 64)),) * 2)
fit(regressions, flat, keras.losses.BinaryCrossentropy(from_logits=True), rate=0.01)
x = test.reshape(-1, 64)
logits = np.array(regressions(x))
exact = np.sum(x * logits - np.logaddexp(0, logits), axis=1).mean()
print(f"pixel by pixel {exact:.1f} nats exactly; VAE with 16 latents {nats[16]:.1f} nats or more")
assert alone + 2 < exact
assert abs(exact - nats[16]) < 1.5

# %% [markdown] tags=["row-110"]
# 64 plain regressions are nearly as good as the VAE, and their number is exact, where the VAE's is
# a bound. What they do not have is a $z$ to look at.

# %%
from scipy.special import expit

pixelwise = np.zeros((12, 64), "float32")
for i in range(64):
    pixelwise[:, i] = random.random(12) < expit(np.array(regressions(pixelwise))[:, i])
rows = np.stack([test[:12], pixelwise.reshape(12, *images.shape)])
figure = plot_image_grid(rows, row_names=("test images", "samples"), title="Drawn pixel by pixel")
show(figure, "Test images, and samples that were drawn one pixel after the other.")

# %% [markdown]
# The samples have strokes, but fewer of them are digits: each pixel knows its neighbours, and
# nobody planned the whole.

# %% [markdown]
# ## Summary
#
# - A VAE learns a probability of images: a code from the prior, decoded, is a new image.
# - Its loss is the reconstruction plus the divergence of the encoder's normal distribution from the
#   prior. It is a bound, below $\log p(x)$ by the divergence from the true posterior.
# - That gap comes mostly from one encoder for all images, less from the normal shape.
# - Latents that save less than they cost collapse: no information, grey samples. A warm-up of the
#   KL term helps against it.
# - A class beside $z$ lets one ask for a digit; $z$ is then the style.
# - Groups of latents at two scales reach more nats and sharper images than one layer.
#
# **Two sentences to remember**: What training maximises is a bound, and the encoder decides how
# tight it is. Each nat that a latent says must save a nat of reconstruction, or it is given up.

# %% [markdown]
# ## Exercises
#
# **1.** With 301 points along each axis and 16 latents, how often would the decoder have to run?
# Give the power of ten.


# %%
def check_1(answer):
    points = np.linspace(-4.5, 4.5, 301)
    assert abs(answer - 16 * np.log10(len(points))) < 0.6, "two latents need 301 * 301 points"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# $301^{16}$ is about $10^{40}$.
#
# ```python
# check_1(40)
# ```
#
# </details>
#
# **2.** Now $\beta$ is 0. Are samples of $\mathcal N(0, 1)$ "nearer" to the nearest test image than
# those of $\beta = 1$, or "farther"?


# %%
def check_2(answer):
    free = dense_vae(50, beta=0.0)
    fit(free)
    with_0, with_1 = (to_nearest(model.generate(200)) for model in (free, models["beta 1"]))
    truth = "nearer" if with_0 < with_1 else "farther"
    assert answer == truth, "what does the KL term ask of the codes?"
    print(f"squared distance {with_0:.1f}, with beta 1 {with_1:.1f}")


# check_2("")

# %% [markdown]
# <details><summary>Answer</summary>
#
# Farther: nothing asks the codes to lie where the prior is. It is an autoencoder with noise.
#
# ```python
# check_2("farther")
# ```
#
# </details>
#
# **3.** Write `kl_by_you(mean, deviation)`: the divergence of a normal distribution to
# $\mathcal N(0, 1)$, summed over latents, from arrays (images, latents). Your code replaces the
# `...`.


# %%
def kl_by_you(mean, deviation): ...


def check_3(function):
    means, deviations = random.normal(size=(5, 3)), random.uniform(0.1, 2, (5, 3))
    truth = np.sum(kl_to_standard(means, 2 * np.log(deviations)), axis=1)
    found = np.asarray(function(means, deviations))
    assert found.shape == (5,), "one number for each image"
    assert np.allclose(found, truth), "the closed form stands above; the variance is a square"
    print("right:", *found.round(2))


# check_3(kl_by_you)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def kl_by_you(mean, deviation):
#     variance = deviation**2
#     return 0.5 * np.sum(mean**2 + variance - 1 - np.log(variance), axis=1)
#
#
# check_3(kl_by_you)
# ```
#
# </details>
