# %% [markdown]
# # 10 Lecture 7
#
# Read with the autoencoder slides of "ML: Lecture 7: Autoencoders, transformers, and attention" by
# Panagiotis Papapetrou (here: the lecture). It asks to read chapter 20 of the book Deep Learning,
# on deep generative models (notebook 11). Autoencoders are its
# [chapter 14](https://www.deeplearningbook.org/contents/autoencoders.html).
#
# You will see
#
# 1. a linear autoencoder find what principal component analysis finds,
# 2. a zero fade into a seven, and one sentence into another,
# 3. what noise, layers and missing labels change, and a heartbeat that is late.
#
# **Before**: what an autoencoder is (notebook 09 in German; in short, an encoder makes a code of an
# image, and a decoder makes the image again), and what a matrix product is.
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
# Previous: [09 Autoencoder – Einführung](09_autoencoder_einfuehrung.ipynb).
# Next: [11 The variational autoencoder](11_vae.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %% [markdown]
# The images are 1,797 handwritten digits of 8 x 8 pixels, which come with the package. One function
# trains all their autoencoders here: Adam, at a rate that falls to 0 along a cosine. The error is
# always $\lVert x - \hat{x} \rVert^2$, summed over the pixels of a test image.

# %%
import numpy as np

from tf_models import Autoencoder, ReconstructionLoss, dense_decoder, dense_encoder, load_images
from tf_models.autoencoding.model import reconstruction_errors

images = load_images("digits")
train, test = images.pixels(images.train), images.pixels(images.test)  # (n, 8, 8, 1), 0 to 1
SHAPE, many = images.shape, np.tile(train, (10, 1, 1, 1))  # all ten times: short epochs cost time


# %%
def fit(model, inputs=many, targets=many, *, loss="mse", epochs=6, rate=5e-3):
    loss = ReconstructionLoss(loss) if isinstance(loss, str) else loss
    rate = keras.optimizers.schedules.CosineDecay(rate, epochs * len(inputs) // 128)
    model.compile(keras.optimizers.Adam(rate), loss, steps_per_execution=10)
    model.fit(inputs, targets, batch_size=128, epochs=epochs, verbose=0)
    return model


def error(model, inputs=test, targets=test):
    return float(reconstruction_errors(targets, model(inputs).numpy()).mean())


# %% [markdown] tags=["row-73"]
# ## PCA and a linear autoencoder
#
# The lecture: without activation functions, an autoencoder reaches what PCA reaches. So
#
# $$\hat{x} = W'(Wx + b) + b'$$
#
# should have PCA's error, and its decoder should span the subspace of as many principal components.
# Here are four. The components come from the singular value decomposition (SVD) of the centred
# images.

# %% tags=["row-73"]
from sklearn.decomposition import PCA

from tf_models.autoencoding.evaluate import principal_angles

keras.utils.set_random_seed(1)
linear = Autoencoder(dense_encoder(SHAPE, 4), dense_decoder(SHAPE, 4, output_activation="linear"))
fit(linear, rate=0.03, epochs=20)
flat, flat_test = train.reshape(-1, 64), test.reshape(-1, 64)

# %% tags=["row-73"]
components = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)[2][:4]  # (4, 64)
filters = linear.decoder.get_weights()[0]  # W', (4, 64)
pca = PCA(4, svd_solver="full").fit(flat)
by_pca = pca.inverse_transform(pca.transform(flat_test))
pca_error = float(np.sum((flat_test - by_pca) ** 2, axis=-1).mean())
angle = principal_angles(filters, pca.components_).max()
print(f"error {error(linear):.3f}, of PCA {pca_error:.3f}; largest angle {angle:.1f} degrees")
assert abs(error(linear) / pca_error - 1) < 0.02
assert angle < 5

# %% [markdown] tags=["row-73"]
# The space is the same, its basis is not. PCA's components are orthogonal and sorted. The learnt
# filters are any mixture of them: the loss cannot tell one basis from another. Project the
# components onto the learnt space, and they stay what they are. **Change** the seed: which of the
# three rows changes?

# %% tags=["row-73"]
from tf_models.plotting.images import plot_image_grid
from tf_models.plotting.notebook import show

basis = np.linalg.qr(filters.T)[0]  # (64, 4), orthonormal
projected = components @ basis @ basis.T
print("length of each component, projected:", *np.linalg.norm(projected, axis=1).round(4))
rows = np.stack([components, filters, projected])
rows = 0.5 + 0.5 * rows / np.abs(rows).max(axis=-1, keepdims=True)  # grey is 0
figure = plot_image_grid(
    rows.reshape(3, 4, *SHAPE),
    row_names=["principal components", "learnt filters", "components in the learnt space"],
    title="Two bases of one space",
)
show(figure, "The first and the third row are alike: both bases span the same space.")
assert np.linalg.norm(projected, axis=1).min() > 0.99  # they have length 1 themselves

# %% [markdown] tags=["row-73"]
# All four components keep their length of 1, so they lie in the learnt space: the lecture is right.
# The learnt filters themselves look like none of them.

# %% [markdown] tags=["row-74"]
# ## Sigmoid units and cross-entropy
#
# $$z = s(Wx + b), \qquad \hat{x} = s(W'z + b'), \qquad s(a) = \frac{1}{1 + e^{-a}}$$
#
# For pixels that are probabilities the lecture offers cross-entropy,
# $-\frac{1}{n}\sum_i x_i \log \hat{x}_i$. That is the formula for classes, where probabilities sum
# to 1. Pixels are one yes-or-no question each, so a term is missing:
#
# $$-\frac{1}{n}\sum_i \left[x_i \log \hat{x}_i + (1 - x_i) \log(1 - \hat{x}_i)\right]$$
#
# Without it nothing ever speaks for an empty pixel. Here are both for a pixel of 0.3.

# %% tags=["row-74"]
from tf_models.plotting.lines import plot_lines

x_hat, x = np.linspace(0.01, 0.99, 99), 0.3
lecture, complete = -x * np.log(x_hat), -x * np.log(x_hat) - (1 - x) * np.log(1 - x_hat)
figure = plot_lines(
    {"the lecture's formula": (x_hat, lecture), "with the second term": (x_hat, complete)},
    axis_names=("reconstruction of a pixel of 0.3", "loss"),
    title="Two losses",
)
show(figure, "The lecture's loss is lowest at 1, the complete one at 0.3.")
assert x_hat[lecture.argmin()] == x_hat.max()
assert abs(x_hat[complete.argmin()] - x) < 0.02

# %% [markdown] tags=["row-74"]
# Trained with each. Pixels that are empty in all training images are a case of their own: in the
# lecture's formula nothing speaks for them or against them.


# %% tags=["row-74"]
def lectures_loss(x, x_hat):
    return -tf.reduce_mean(x * tf.math.log(x_hat + 1e-7), axis=(1, 2, 3))


def sigmoid_autoencoder(code_size=32):
    keras.utils.set_random_seed(1)
    return Autoencoder(
        dense_encoder(SHAPE, code_size, code_activation="sigmoid"),
        dense_decoder(SHAPE, code_size, output_activation="sigmoid"),
    )


by_lecture = fit(sigmoid_autoencoder(), loss=lectures_loss, rate=0.02, epochs=3)
by_bernoulli = fit(sigmoid_autoencoder(), loss="bernoulli", rate=0.02, epochs=3)

# %% tags=["row-74"]
rows = np.stack([test, by_lecture(test).numpy(), by_bernoulli(test).numpy()])
names = ["image", "the lecture's formula", "with the second term"]
show(
    plot_image_grid(rows[:, :10], row_names=names, title="Reconstructions after either loss"),
    "The lecture's formula fills the square, but for the pixels that are always empty; with the "
    "second term digits come back.",
)
empty = train.max(axis=0) == 0  # (8, 8, 1)
print(f"mean pixel: {rows[0].mean():.2f} -> {rows[1].mean():.2f} and {rows[2].mean():.2f}")
print(f"lecture's formula: {rows[1][:, empty].mean():.2f} where all training images are empty,")
print(f"{rows[1][:, ~empty].min():.2f} or more elsewhere")
print(f"squared error {error(by_lecture):.1f} and {error(by_bernoulli):.1f}")
assert rows[1][:, ~empty].min() > 0.9 > rows[1][:, empty].mean()
assert error(by_bernoulli) < 0.1 * error(by_lecture)

# %% [markdown] tags=["row-74"]
# The lecture's formula, taken for pixels, teaches the network to fill nearly the whole square: its
# squared error is more than thirty times as large. Only pixels that are empty in all training
# images stay in between, as nothing pulls at them. With the second term the mean pixel is that of
# the images again.

# %% [markdown] tags=["row-75"]
# ## Undercomplete and overcomplete
#
# A code of 8 numbers is undercomplete, one of 256 is overcomplete: more numbers than the 64 pixels.
# The lecture warns that the second has no guarantee of a meaningful structure. It may just copy.
#
# A test: shuffle each pixel among the images. Each pixel alone stays as bright as before, but no
# digit is left. An autoencoder that copies returns these, too.


# %% tags=["row-75"]
def relu_autoencoder(code_size):
    keras.utils.set_random_seed(1)
    return Autoencoder(
        dense_encoder(SHAPE, code_size, code_activation="relu"), dense_decoder(SHAPE, code_size)
    )


# %% tags=["row-75"]
from tf_models.data.image_batches import corrupt
from tf_models.data.images import Corruption

zeroing = Corruption(masking_noise=0.3)  # three of ten pixels
zeroed = corrupt(tf.constant(many), zeroing, tf.constant([1, 0])).numpy()
under, over = fit(relu_autoencoder(8)), fit(relu_autoencoder(256))
denoiser = fit(relu_autoencoder(256), zeroed, many)


# %% tags=["row-75"]
def to_digit(pictures):
    """Mean squared distance to the nearest training image."""
    return np.mean([reconstruction_errors(train, picture).min() for picture in pictures])


shuffled = np.random.default_rng(1).permuted(test, axis=0)
models = {"8": under, "256": over, "256, denoising": denoiser}
print("                  squared error of         from shuffled pixels")
print("code              digits  shuffled pixels  to the nearest digit")
found = {}
for name, model in models.items():
    found[name] = error(model), error(model, shuffled, shuffled), to_digit(model(shuffled).numpy())
    print(f"{name:<17} {found[name][0]:>6.2f}  {found[name][1]:>15.2f}  {found[name][2]:>20.2f}")
print(f"shuffled pixels themselves {to_digit(shuffled):>38.2f}")
assert found["256"][0] < 0.3 * found["8"][0]
assert found["256"][1] < 0.3 * found["8"][1]
assert found["256, denoising"][1] > 2 * found["256"][1]
assert found["256, denoising"][2] < 0.8 * found["256"][2]

# %% [markdown] tags=["row-75"]
# The overcomplete autoencoder without noise (256) has the smallest errors, by far also on what are
# no digits. Much of what it does is copying: the lecture's warning is justified. Trained to undo
# noise, the same network copies less: what it makes of shuffled pixels is nearer to digits, as near
# as through a code of 8. **Change** the code size of `over`.

# %% tags=["row-75"]
rows = [shuffled, *(model(shuffled).numpy() for model in models.values())]
names = ["shuffled pixels", *(f"code of {name}" for name in models)]
figure = plot_image_grid(
    np.stack(rows)[:, :10], row_names=names, title="No digits, and what returns"
)
show(figure, "The overcomplete autoencoder without noise (third row) returns what it was given.")

# %% [markdown] tags=["row-76"]
# ## Encoder and decoder apart
#
# Trained together, used apart: the sender needs the encoder, the receiver the decoder. This model
# comes with the package. It is convolutional, it was trained on MNIST's images of 28 x 28 pixels
# with [this command](../docs/autoencoders.md#ready-made), and its codes have the lecture's length
# of 128. For 784 pixels that is a bottleneck.

# %% tags=["row-76"]
import tempfile
from pathlib import Path

from tf_models import ImageModel

ready = ImageModel.ready_made("autoencoder")
mnist = ready.origin.load_kept()  # 500 training and 500 test images of it
digits, digit_labels = mnist.pixels(mnist.test), mnist.test.labels
with tempfile.TemporaryDirectory() as folder:
    files = Path(folder) / "encoder.keras", Path(folder) / "decoder.keras"
    ready.model.encoder.save(files[0])
    ready.model.decoder.save(files[1])
    encoder, decoder = map(keras.saving.load_model, files)
codes = encoder(digits)  # at the sender
received = decoder(codes).numpy()  # at the receiver
np.testing.assert_allclose(received, ready.model(digits), atol=1e-5)
print("codes", codes.shape, "sent; images received as if encoder and decoder were one model")
per_image = reconstruction_errors(digits, received).mean()
print(f"squared error {per_image:.1f} an image, {per_image / 784:.4f} a pixel")
assert per_image < 5

# %% [markdown] tags=["row-76"]
# What arrives is the same to five decimals, whether encoder and decoder are one model or two files.
# 128 numbers bring back 784 with a small error.

# %% [markdown] tags=["row-77", "row-78"]
# ## Image fading
#
# The lecture takes a zero and a seven, puts 10 interpolations between their codes, and decodes
# each. Linear interpolation is
#
# $$y = \frac{y_0(x_1 - x) + y_1(x - x_0)}{x_1 - x_0}$$
#
# where $x$ runs from $x_0$ to $x_1$. The other methods only take another share of $y_1$ at each of
# the ten places:

# %% tags=["row-78"]
from tf_models.autoencoding.interpolation import METHODS, interpolate

places = np.arange(1, 11)
shares = {how: interpolate(np.zeros(1), np.ones(1), 10, how)[:, 0] for how in METHODS}
figure = plot_lines(
    {how: (places, share) for how, share in shares.items()},
    axis_names=("one of ten images", "share of the second code"),
    marks=list(places),
    title="Four ways from 0 to 1",
)
show(
    figure,
    "Linear is straight and cubic gentle at its ends; bilinear rests there, bicubic overshoots.",
)

# %% tags=["row-78"]
line = np.clip((2 * places - 1) / 10 - 0.5, 0, 1)
print("bilinear:", *line.round(1))
np.testing.assert_allclose(shares["bilinear"], line, atol=1e-6)
np.testing.assert_allclose(shares["linear"], (places - 1) / 9, atol=1e-6)
assert shares["cubic"][1] < shares["linear"][1] / 2
assert shares["bicubic"].min() < 0 < 1 < shares["bicubic"].max()

# %% [markdown] tags=["row-77", "row-78"]
# Bilinear interpolation is made for images, which have two directions: linear down the rows, then
# linear across the columns. Between two vectors there is one direction only, so it *is* linear. It
# rests at the ends because of how images are resized. We resize a column of 2 large pixels, the two
# codes, to 10 small ones. A pixel's value belongs to its centre, and the centres of the first three
# and the last three small pixels lie outside those of the two large ones: there nothing is between,
# and they repeat the nearer code.
#
# Now a zero and a seven of MNIST's test images:

# %% tags=["row-77", "row-78"]
of_class = [digits[digit_labels == number] for number in range(10)]
zero, seven = of_class[0][0], of_class[7][0]
y0, y1 = encoder(np.stack([zero, seven])).numpy()  # (128,) each
by_formula = [y0 * (1 - x) + y1 * x for x in np.linspace(0, 1, 10)]
np.testing.assert_allclose(interpolate(y0, y1, 10, "linear"), by_formula, atol=1e-5)
rows = {f"{how}, codes": decoder(interpolate(y0, y1, 10, how)).numpy() for how in METHODS}
rows |= {f"{how}, pixels": interpolate(zero, seven, 10, how) for how in METHODS}
figure = plot_image_grid(np.stack(list(rows.values())), row_names=list(rows), title="Image fading")
show(figure, "Four ways through codes, then four through pixels.")

# %% [markdown] tags=["row-77", "row-78"]
# Through pixels one image gets paler while the other appears; through codes the strokes bend, and
# what stands between looks more like a digit. Which of the four methods is taken matters much less:
# they only pass the same images at another pace.

# %% [markdown] tags=["row-78"]
# Bilinear and bicubic are meant for two directions, as between four images at the corners of a
# square: linear (or cubic) down both sides, then so across.


# %% tags=["row-78"]
def between_four(corners, steps, method):
    """(2, 2, …), top and bottom, left and right -> (steps, steps, …)."""
    sides = interpolate(corners[0], corners[1], steps, method)  # (steps, 2, …)
    return interpolate(sides[:, 0], sides[:, 1], steps, method).swapaxes(0, 1)


corners = np.stack([of_class[number][1] for number in (0, 7, 1, 4)])
four_codes = encoder(corners).numpy().reshape(2, 2, 128)
square = between_four(four_codes, 6, "linear")
np.testing.assert_allclose(square[::5, ::5], four_codes, atol=1e-5)
left = decoder(square.reshape(36, 128)).numpy().reshape(6, 6, 28, 28, 1)
right = between_four(corners.reshape(2, 2, 28, 28, 1), 6, "linear")
gap = np.full((6, 1, 28, 28, 1), np.nan)
figure = plot_image_grid(
    np.concatenate([left, gap, right], axis=1), title="Bilinear, of codes (left) and pixels (right)"
)
show(figure, "A square has 0 and 7 in its upper corners, 1 and 4 in its lower ones.")
bicubic = between_four(four_codes, 6, "cubic")
difference = np.abs(bicubic - square).max() / np.abs(square).max()
print(f"bicubic and bilinear codes differ by up to {difference:.0%} of the largest number")
assert 0.02 < difference < 0.4

# %% [markdown] tags=["row-78"]
# Left, what lies between four digits is mostly one blurred digit; right, two or four of them can be
# seen through each other. Bicubic codes differ from bilinear ones by a fifth at most.

# %% [markdown] tags=["row-77"]
# Is the way through codes better? One measure: pixels of a digit are black or white, so how many
# are grey in the middle of each way, over many zeros and sevens?

# %% tags=["row-77"]
zeros, sevens = of_class[0][:30], of_class[7][:30]
middles = {
    "codes": decoder((encoder(zeros) + encoder(sevens)) / 2).numpy(),
    "pixels": (zeros + sevens) / 2,
    "test images": digits,
}
grey = {name: np.mean((some > 0.2) & (some < 0.8)) for name, some in middles.items()}
print("grey pixels:", ", ".join(f"{name} {share:.1%}" for name, share in grey.items()))
assert grey["test images"] < grey["codes"] < 0.8 * grey["pixels"]

# %% [markdown] tags=["row-77"]
# Yes: halfway through codes there are about half as many grey pixels as halfway through pixels,
# but still more than in real digits. The way through codes is no way through digits only; notebook
# 11 has models that are trained to have such a way.

# %% [markdown] tags=["row-79", "row-98"]
# ## Denoising
#
# A denoising autoencoder minimises $L(x, g(f(\tilde{x})))$: it sees $\tilde{x}$, a corrupted copy,
# and is asked for $x$. The lecture names two kinds of noise: zeroing inputs with probability $\nu$,
# and adding Gaussian noise.

# %% tags=["row-98"]
from tf_models.plotting.architecture import Arrow, Box, plot_architecture

boxes = {
    "clean": Box("image x", (0, 1)),
    "noisy": Box("noisy x̃", (0, 0)),
    "encoder": Box("encoder f", (1, 0), "encoder"),
    "code": Box("code f(x̃)", (2, 0), "code"),
    "decoder": Box("decoder g", (3, 0), "decoder"),
    "back": Box("restored x̂", (4, 0)),
    "loss": Box("loss L(x, x̂)", (4, 1)),
}

# %% tags=["row-98"]
ways = ("noisy", "encoder", "code", "decoder", "back")
arrows = [Arrow(ways[i], ways[i + 1]) for i in range(4)] + [Arrow("clean", "noisy", "noise")]
arrows += [Arrow("clean", "loss", dashed=True), Arrow("back", "loss", dashed=True)]
show(
    plot_architecture(boxes, arrows, title="A denoising autoencoder in training"),
    "The encoder sees the noisy image only; the loss compares with the clean one.",
)

# %% tags=["row-79"]
gaussian = Corruption(gaussian_noise_std=0.3)
blurred = corrupt(tf.constant(many), gaussian, tf.constant([1, 1])).numpy()
of_gaussian = fit(relu_autoencoder(256), blurred, many)


def noisy(noise):
    return corrupt(tf.constant(test), noise, tf.constant([2, 0])).numpy()


restored = [denoiser(noisy(zeroing)), of_gaussian(noisy(gaussian))]
rows = [test, noisy(zeroing), restored[0], noisy(gaussian), restored[1]]
names = ["clean", "zeroed", "restored", "Gaussian noise", "restored"]
figure = plot_image_grid(np.stack(rows)[:, :10], row_names=names, title="Denoising, noise 0.3")
show(figure, "In the third and the fifth row, what the autoencoder makes of the row above.")

# %% [markdown] tags=["row-79"]
# Do digits come back? By their error; and by the five nearest training images, which vote on what
# each image shows.

# %% tags=["row-79"]
from sklearn.neighbors import KNeighborsClassifier

labels, test_labels = images.train.labels, images.test.labels
voters = KNeighborsClassifier(5).fit(train.reshape(len(train), -1), labels)
errors, readable = [], []
for name, row in zip(names, rows, strict=True):
    errors.append(reconstruction_errors(test, np.array(row)).mean())
    read = voters.score(np.reshape(row, (len(test), -1)), test_labels)
    print(f"{name:<15} squared error {errors[-1]:4.2f}, read as what they are: {read:.1%}")
    readable.append(read)
assert errors[2] < 0.5 * errors[1]
assert errors[4] < 0.5 * errors[3]
assert readable[1] < 0.92 < readable[3], "zeroing hides digits, Gaussian noise hardly"
assert abs(readable[4] - readable[3]) < 0.03
assert readable[2] < 0.95

# %% [markdown] tags=["row-79"]
# By its error each noise is mostly undone. By the votes, not: zeroing costs a tenth of the digits
# or more, and restoring brings back few of them; Gaussian noise costs few, and restoring brings
# back none. So a denoiser cleans up an image, but a stroke that is gone is guessed, and a nearest
# neighbour could read the noisy image as well.

# %% [markdown] tags=["row-79"]
# The lecture calls the result robust. How robust, at which noise? The overcomplete autoencoder from
# above, which never saw noise, is drawn with them.

# %% tags=["row-79"]
levels = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
kinds = {"zeroing": ("masking_noise", denoiser), "Gaussian": ("gaussian_noise_std", of_gaussian)}
curves = {}
for kind, (setting, restorer) in kinds.items():
    inputs = [noisy(Corruption(**{setting: level})) for level in levels]
    curves[f"denoising, {kind}"] = levels, [error(restorer, each) for each in inputs]
    curves[f"plain, {kind}"] = levels, [error(over, each) for each in inputs]

# %% tags=["row-79"]
names = "probability or standard deviation of the noise", "squared error"
show(
    plot_lines(curves, axis_names=names, title="Robust against noise"),
    "Errors rise with noise, more slowly for the denoising autoencoders; without noise the plain "
    "one wins.",
)
for kind in kinds:
    restoring, plain = (np.array(curves[f"{who}, {kind}"][1]) for who in ("denoising", "plain"))
    assert restoring[0] > plain[0]
    assert np.all(restoring[3:] < plain[3:])
    assert restoring[-1] - restoring[0] < 0.7 * (plain[-1] - plain[0])

# %% [markdown] tags=["row-79"]
# Robust, with limits: without noise the denoisers are worse than the plain autoencoder, from a
# noise of 0.3 on they are better, and their errors grow with noise, too.

# %% [markdown] tags=["row-101"]
# ## A heartbeat that is late
#
# The lecture's next topic is time series. An autoencoder learns windows of a regular signal; a
# window that comes back badly is an anomaly. Here a heart beats every 25 samples, with some noise.
# A window has 50 samples and its code 6 numbers. In the test one beat comes 8 samples late.

# %% tags=["row-101"]
random = np.random.default_rng(1)


def heartbeats(starts, length):
    time = np.arange(length)[:, np.newaxis] - starts  # (length, beats)
    beats = np.exp(-((time / 2) ** 2)) + 0.3 * np.exp(-(((time - 8) / 3) ** 2))
    return (beats.sum(axis=1) + 0.05 * random.normal(size=length)).astype(np.float32)


def windows(signal):
    return np.lib.stride_tricks.sliding_window_view(signal, 50)  # (length - 49, 50)


# %% tags=["row-101"]
regular, late = np.arange(0, 2000, 25), np.arange(0, 500, 25)
late[12:] += 8  # the beat at 300 comes at 308, and all after it
healthy, tested = heartbeats(regular, 2000), heartbeats(late, 500)

# %% tags=["row-101"]
keras.utils.set_random_seed(1)
of_windows = Autoencoder(
    dense_encoder((50,), 6, (32,)), dense_decoder((50,), 6, (32,), output_activation="linear")
)
fit(of_windows, windows(healthy), windows(healthy), epochs=40)
back = of_windows(windows(tested)).numpy()
errors = np.sum((windows(tested) - back) ** 2, axis=1)  # of the window from here on
middle = np.arange(len(errors)) + 25

# %% tags=["row-101"]
lines = {"signal": (np.arange(500), tested), "error of the window around it": (middle, errors)}
figure = plot_lines(lines, axis_names=("sample", "signal, and squared error"), title="A late beat")
show(figure, "The error rises where the beat is late, and is small again behind it.")
normal = np.abs(middle - 304) > 40  # windows without that beat
print(f"error {errors[normal].max():.2f} at most elsewhere, {errors.max():.2f} at sample", end=" ")
print(middle[errors.argmax()])
assert errors.max() > 10 * errors[normal].max()
assert abs(middle[errors.argmax()] - 304) < 30

# %% [markdown] tags=["row-101"]
# The late beat stands out by more than ten times the largest error elsewhere. The windows behind it
# are normal again, though all their beats come 8 samples later than planned: the model knows the
# distance of beats, not the time.

# %% [markdown] tags=["row-80", "row-88"]
# ## Stacked autoencoders
#
# The lecture: train each layer as an autoencoder of the codes below it, then put a classifier on
# top, an SVM or a fully connected (FC) layer. Its weights are "smartly selected" instead of random.
#
# Here are three sigmoid layers, each a denoising autoencoder.

# %% tags=["row-80"]
noise, codes, layers = Corruption(masking_noise=0.2), train, []
for number, width in enumerate((256, 128, 64)):
    keras.utils.set_random_seed(number)
    shape = codes.shape[1:]
    layer = Autoencoder(
        dense_encoder(shape, width, code_activation="sigmoid"), dense_decoder(shape, width)
    )
    below = np.repeat(codes, 10, axis=0)  # ten times, corrupted anew each time
    corrupted = corrupt(tf.constant(below), noise, tf.constant([number, 0])).numpy()
    fit(layer, corrupted, below, loss="bernoulli", epochs=5)
    print(f"layer {number + 1}: {shape} -> {width}")
    codes = layer.encoder(codes).numpy()
    layers.append(layer)


# %% tags=["row-80"]
from tf_models.autoencoding.train import set_layers


def deep_encoder():
    sigmoid = {"activation": "sigmoid", "code_activation": "sigmoid"}
    return dense_encoder(SHAPE, 64, (256, 128), **sigmoid)


stacked = Autoencoder(deep_encoder(), dense_decoder(SHAPE, 64, (256, 128), activation="sigmoid"))
set_layers(stacked, layers)
print("as before:", np.abs(stacked.encoder(train) - codes).max() < 1e-5)

# %% tags=["row-80"]
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

count = 100


def svm_accuracy(known, features):
    machine = make_pipeline(StandardScaler(), SVC(C=10.0))
    return machine.fit(features(train[known]), labels[known]).score(features(test), test_labels)


def network_accuracy(known, weights=None):
    encoder = deep_encoder()
    if weights is not None:
        encoder.set_weights(weights)
    model = keras.Sequential([encoder, keras.layers.Dense(10, activation="softmax")])
    often = np.tile(known, 4000 // len(known))
    loss = keras.losses.SparseCategoricalCrossentropy()
    fit(model, train[often], labels[often], loss=loss, epochs=20, rate=1e-3)
    return np.mean(model(test).numpy().argmax(axis=-1) == test_labels)


# %% tags=["row-80"]
shares = {}
for seed in range(3):
    keras.utils.set_random_seed(seed)
    known, _ = train_test_split(
        np.arange(len(train)), train_size=count, stratify=labels, random_state=seed
    )
    for name, share in {
        "SVM on pixels": svm_accuracy(known, lambda x: x.reshape(len(x), -1)),
        "SVM on codes": svm_accuracy(known, lambda x: stacked.encoder(x).numpy()),
        "network from random weights": network_accuracy(known),
        "network from trained weights": network_accuracy(known, stacked.encoder.get_weights()),
    }.items():
        shares.setdefault(name, []).append(share)
mean = {name: np.mean(some) for name, some in shares.items()}
for name, some in shares.items():
    print(f"{name:<30} {mean[name]:.1%} ± {np.std(some, ddof=1):.1%}")
gain = np.subtract(shares["network from trained weights"], shares["network from random weights"])
print("trained minus random weights, each choice of labels:", *(f"{x:+.1%}" for x in gain))
assert gain.mean() > 0.02
assert abs(mean["SVM on codes"] - mean["SVM on pixels"]) < 0.06

# %% [markdown] tags=["row-80"]
# With 100 labels, chosen three times, the network that starts from the trained layers classifies
# better on average than the one that starts from random weights, by several points. The SVM gains
# little from the codes, about as much as another choice of labels changes: the pixels of 8 x 8 are
# good features already. So "smartly selected" weights help the network that has to
# learn its features, and not the machine that needs none. **Change** `count` to 1,000: how much is
# left to gain? An encoder that was trained on one task and serves another is transfer; notebook 08
# does it with [the translator's](08_classifier.ipynb#Three-starts).

# %% [markdown] tags=["row-81"]
# ## Sentences through one vector
#
# An LSTM reads, and its final hidden state $h_n$ is the code: an LSTM that writes starts from it.
# (An LSTM has a cell state $c_n$, too; both are handed over.) The encoder may be a bi-LSTM, one in
# each direction; then $h_n$ is both final states side by side. Both get codes of one length and as
# many steps of training. We look halfway and at the end.

# %% tags=["row-81"]
from itertools import product

nouns, verbs = ["cat", "dog", "king", "child", "doctor", "bird"], ["sees", "likes", "finds"]
adjectives, ends = ["", "old ", "small "], ["", " today", " again"]
language = [
    f"the {adjective}{noun} {verb} the {other}{end}"
    for adjective, noun, verb, other, end in product(adjectives, nouns, verbs, nouns, ends)
]
order = np.random.default_rng(1).permutation(len(language))
held_out, sentences = ([language[i] for i in some] for some in (order[:100], order[100:]))
print(f"{len(language):,} sentences, such as: {sentences[0]}; {sentences[1]}")

# %% tags=["row-81"]
from tf_models.data.subword_models import train_tokenizer

with tempfile.TemporaryDirectory() as folder:
    tokenizer = train_tokenizer(sentences, "en", 120, Path(folder) / "small.model")
rows = [tokenizer.encode(one) for one in sentences] * 4  # all four times in an epoch
ids = tf.ragged.constant(rows, dtype=tf.int32).to_tensor()
print("as ids:", *rows[0])

# %% [markdown] tags=["row-81"]
# The optimizer is Keras' Muon (Jordan et al. 2024).

# %% tags=["row-81"]
from tf_models import SentenceCoder, SequenceAutoencoder


# %% tags=["row-81"]
def sentence_coder(bidirectional):
    keras.utils.set_random_seed(1)
    units = 32 if bidirectional else 64
    model = SequenceAutoencoder(tokenizer.vocabulary_size, 32, units, bidirectional)
    rate = keras.optimizers.schedules.CosineDecay(0.03, 2 * len(ids) // 64)  # two epochs
    decay = {"weight_decay": 0.0, "adam_weight_decay": 0.0}
    model.compile(keras.optimizers.Muon(rate, adam_lr_ratio=1.0, adam_beta_2=0.98, **decay))
    return SentenceCoder(model, tokenizer, max_length=24)


def exact_after_an_epoch(coder):
    coder.model.fit(ids, ids, batch_size=64, verbose=0)
    written = coder.write(coder.encode(held_out))
    return np.array([one == other for one, other in zip(held_out, written, strict=True)])


# %% tags=["row-81"]
words = np.array([len(one.split()) for one in held_out])
coders, early = {"LSTM": sentence_coder(False), "bi-LSTM": sentence_coder(True)}, {}
for name, coder in coders.items():
    halfway, exact = exact_after_an_epoch(coder), exact_after_an_epoch(coder)
    h, c = coder.model.encode(ids[:1])
    print(f"{name}: h {h.shape}, c {c.shape}")
    shares = ", ".join(f"{n} words {exact[words == n].mean():.0%}" for n in np.unique(words))
    print(f"exact: halfway {halfway.mean():.0%}, at the end {exact.mean():.0%} ({shares})")
    assert exact.mean() >= max(0.9, halfway.mean())
    early[name] = halfway.mean()
assert early["bi-LSTM"] < early["LSTM"]

# %% [markdown] tags=["row-81"]
# At the end nine of ten sentences or more come back from both, also the longest ones. Halfway the
# bi-LSTM, with half as many units in each direction, is behind. The package's
# corpus is [harder](../docs/autoencoders.md#sentences). **Change** `Muon(…)` to `Adam(rate)`: do as
# many steps do?
#
# The lecture lets this model answer questions, too: $h_n$ of a question starts a decoder that
# writes the answer. That is in [notebook 07](07_before_the_transformer.ipynb).

# %% [markdown] tags=["row-81"]
# ## Sentence fading
#
# What works for images works for codes of sentences. **Change** the two sentences.

# %% tags=["row-81"]
first, last = "the old cat sees the dog", "the doctor likes the child today"
ends = coders["bi-LSTM"].encode([first, last])
fading = coders["bi-LSTM"].write(interpolate(*ends, 10))
print(*fading, sep="\n")
grammatical = np.mean([sentence in language for sentence in fading])
print(f"{grammatical:.0%} are sentences of the language")
assert grammatical >= 0.8
assert len(set(fading)) >= 3

# %% [markdown]
# At least eight of ten steps are sentences of the language, though nobody told the decoder its
# grammar. Images fade, words jump: there is no word halfway between "cat" and "doctor".
#
# ## 512 bits
#
# A code's size is counted in numbers. On its Transformer slides the lecture calls a word's
# embedding a vector of "512 bits". It has 512 numbers: as floats that is 32 times as many bits, and
# 512 bits hold only 16 of them.

# %%
embedding = np.zeros(512, np.float32)
print(f"{8 * embedding.nbytes:,} bits; 512 bits are {512 // 32} floats")
assert 8 * embedding.nbytes == 32 * 512

# %% [markdown]
# ## Summary
#
# - A linear autoencoder finds PCA's subspace, with another basis.
# - Cross-entropy of pixels needs both terms; the lecture's one term fills the square.
# - A code larger than the input can copy: it returns even shuffled pixels. Trained to undo noise,
#   it copies less.
# - Halfway between two codes lies a sharper image than halfway between two images.
# - Denoising lowers the error more than it helps a reader: what noise hid is guessed.
# - Layers trained one by one are a better start than random weights when labels are few.
# - An LSTM's last state holds a short sentence; a heartbeat that is late comes back badly.
#
# **Two sentences to remember**: An autoencoder learns what its data have in common, and its error
# tells what is unlike them. What it cannot copy, it has to understand.

# %% [markdown]
# ## Exercises
#
# **1.** Are the four learnt filters of the linear autoencoder orthogonal to each other: "yes" or
# "no"?


# %%
def check_1(answer):
    unit = filters / np.linalg.norm(filters, axis=-1, keepdims=True)
    cosines = np.abs(unit @ unit.T - np.eye(4))
    truth = "yes" if cosines.max() < 0.05 else "no"
    assert answer == truth, "What in the loss would make them so?"


# check_1("")

# %% [markdown]
# <details><summary>Answer</summary>
#
# No: any basis of the subspace has the same loss, and training stops at the one it meets.
#
# ```python
# check_1("no")
# ```
#
# </details>
#
# **2.** What is the lowest value that the lecture's cross-entropy can take?


# %%
def check_2(answer):
    of_a_pixel = -np.outer(np.unique(test), np.log(np.linspace(0.01, 1, 100)))
    assert abs(answer - of_a_pixel.min()) < 0.01, "Which reconstruction would it like best?"


# check_2(1)

# %% [markdown]
# <details><summary>Answer</summary>
#
# Zero, with $\hat{x} = 1$ everywhere: $\log 1 = 0$.
#
# ```python
# check_2(0)
# ```
#
# </details>
#
# **3.** The denoising autoencoder was trained with $\nu = 0.3$. Now $\nu$ is 0.6. Which of the two
# has the smaller error, "denoising" or "plain"?


# %%
def check_3(answer):
    at_most = {who: curves[f"{who}, zeroing"][1][-1] for who in ("denoising", "plain")}
    assert answer == min(at_most, key=at_most.get), "Look at the right end of the figure."


# check_3("")

# %% [markdown]
# <details><summary>Answer</summary>
#
# Denoising: more noise than in training hurts it, too, but less.
#
# ```python
# check_3("denoising")
# ```
#
# </details>
#
# **4.** Write `zero_out(pictures, probability)`: the lecture's first kind of noise. Each pixel is 0
# with this probability, and else as it was. Your code replaces the three dots.


# %%
def zero_out(pictures, probability): ...


def check_4(function):
    noisy = function(np.ones((100, 8, 8, 1)), 0.3)
    assert set(np.unique(noisy)) == {0.0, 1.0}, "a pixel is 0, or as it was"
    assert abs(np.mean(noisy == 0) - 0.3) < 0.03, f"the share of zeros is {np.mean(noisy == 0):.2f}"
    assert np.std(noisy.mean(axis=(1, 2))) > 0.01, "each image has zeros of its own"
    noisy = function(test, 0.3).astype("float32")
    before = reconstruction_errors(test, noisy).mean()
    print(f"error {before:.2f}, restored {error(denoiser, noisy, test):.2f}")


# check_4(zero_out)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def zero_out(pictures, probability):
#     kept = random.random(pictures.shape) >= probability
#     return pictures * kept
#
#
# check_4(zero_out)
# ```
#
# </details>
