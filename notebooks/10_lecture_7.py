# %% [markdown]
# # 10 Lecture 7
#
# Read beside it: the autoencoder slides of "ML: Lecture 7: Autoencoders, transformers, and
# attention" by Panagiotis Papapetrou (here: the lecture). It recommends the book Deep Learning,
# whose chapter on [autoencoders](https://www.deeplearningbook.org/contents/autoencoders.html)
# goes further. The slides on question answering and attention are in notebook 07.
#
# You will see
#
# 1. a linear autoencoder find what principal component analysis finds;
# 2. a zero fade into a seven, and one sentence into another;
# 3. what noise, layers and missing labels change.
#
# It takes about 55 seconds on two cores of a laptop-class processor. If a change of yours stops a
# cell at an `assert`, put `#` before it.
#
# [09 Autoencoder – Einführung](09_autoencoder_einfuehrung.ipynb) · [11 The variational
# autoencoder](11_vae.ipynb)

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

# %%
import tempfile
from itertools import product
from pathlib import Path

import numpy as np

from tf_models.autoencoders.autoencoder import Autoencoder, ReconstructionLoss
from tf_models.autoencoders.networks import dense_decoder, dense_encoder
from tf_models.data.images.batches import corrupt
from tf_models.data.images.corruption import Corruption
from tf_models.data.images.loading import load_images
from tf_models.data.text.tokenizer import train_tokenizer

# %%
from tf_models.plotting.image_grid import plot_image_grid
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.notebook import show
from tf_models.recurrent.sequence_autoencoder import SequenceAutoencoder
from tf_models.tasks.autoencoding.anomalies import reconstruction_errors
from tf_models.tasks.autoencoding.classification import compare
from tf_models.tasks.autoencoding.evaluation import exact_by_length
from tf_models.tasks.autoencoding.interpolation import METHODS, interpolate, interpolate_four
from tf_models.tasks.autoencoding.pca import fit_pca, principal_angles
from tf_models.tasks.autoencoding.sentences import SentenceCoder
from tf_models.tasks.autoencoding.train import set_layers
from tf_models.training.optimizers import FusedAdam, FusedMuon

# %% [markdown]
# The images are 1,797 handwritten digits of 8 x 8 pixels, which come with the package. One function
# trains all their autoencoders here.

# %%
images = load_images("digits")
train, test = images.pixels(images.train), images.pixels(images.test)  # (n, 8, 8, 1), 0 to 1
SHAPE, many = images.shape, np.tile(train, (10, 1, 1, 1))  # all ten times: short epochs cost time


def fit(model, inputs=many, targets=many, *, loss="mse", epochs=6, rate=5e-3):
    loss = ReconstructionLoss(loss) if isinstance(loss, str) else loss
    rate = keras.optimizers.schedules.CosineDecay(rate, epochs * len(inputs) // 128)
    model.compile(FusedAdam(rate), loss, steps_per_execution=10)
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
keras.utils.set_random_seed(1)
linear = Autoencoder(dense_encoder(SHAPE, 4), dense_decoder(SHAPE, 4, output_activation="linear"))
fit(linear, rate=0.03, epochs=20)
flat, flat_test = train.reshape(-1, 64), test.reshape(-1, 64)
components = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)[2][:4]  # (4, 64)
filters = linear.decoder.get_weights()[0]  # W', (4, 64)
pca = fit_pca(flat, 4)
by_pca = pca.inverse_transform(pca.transform(flat_test))
pca_error = float(np.sum((flat_test - by_pca) ** 2, axis=-1).mean())
angle = principal_angles(filters, pca.components_).max()
print(f"error {error(linear):.3f}, of PCA {pca_error:.3f}; largest angle {angle:.1f} degrees")
assert abs(error(linear) / pca_error - 1) < 0.02
assert angle < 5

# %% [markdown] tags=["row-73"]
# The space is the same, its basis is not. PCA's components are orthogonal and sorted. The learnt
# filters are any mixture of them: the loss cannot tell one basis from another. Project the
# components onto the learnt space, and they stay what they are.
#
# *Change* the seed: other filters, the same third row.

# %% tags=["row-73"]
basis = np.linalg.qr(filters.T)[0]  # (64, 4), orthonormal
rows = np.stack([components, filters, components @ basis @ basis.T])
rows = 0.5 + 0.5 * rows / np.abs(rows).max(axis=-1, keepdims=True)  # grey is 0
figure = plot_image_grid(
    rows.reshape(3, 4, *SHAPE),
    row_names=["principal components", "learnt filters", "components in the learnt space"],
)
show(figure, "Components and learnt filters differ; components projected onto the filters do not.")

# %% [markdown] tags=["row-73"]
# **Exercise 1.** Are the four learnt filters orthogonal to each other: "yes" or "no"?


# %% tags=["row-73"]
def check_1(prediction):
    unit = filters / np.linalg.norm(filters, axis=-1, keepdims=True)
    cosines = np.abs(unit @ unit.T - np.eye(4))
    truth = "yes" if cosines.max() < 0.05 else "no"
    assert prediction == truth, "What in the loss would make them so?"


# check_1(…)  # your prediction

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
# Without it nothing ever speaks for a dark pixel. *See* both for a pixel of 0.3.

# %% tags=["row-74"]
x_hat, x = np.linspace(0.01, 0.99, 99), 0.3
lecture, complete = -x * np.log(x_hat), -x * np.log(x_hat) - (1 - x) * np.log(1 - x_hat)
figure = plot_lines(
    {"the lecture's formula": (x_hat, lecture), "with the second term": (x_hat, complete)},
    axis_names=("reconstruction of a pixel of 0.3", "loss"),
)
show(figure, "The lecture's loss falls up to 1; the complete one has its minimum at 0.3.")
assert x_hat[lecture.argmin()] == x_hat.max()
assert abs(x_hat[complete.argmin()] - x) < 0.02

# %% [markdown] tags=["row-74"]
# Trained with each: the lecture's formula answers full ink for every image. Only pixels that are
# empty in all images stay grey, since nothing speaks for them or against them.


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
    plot_image_grid(rows[:, :10], row_names=names),
    "Digits; full squares from the lecture's formula; digits again from the complete one.",
)
print(f"mean pixel: {rows[0].mean():.2f} -> {rows[1].mean():.2f} and {rows[2].mean():.2f}")
assert rows[1].mean() > 0.95
assert abs(rows[2].mean() - rows[0].mean()) < 0.03

# %% [markdown] tags=["row-74"]
# **Exercise 2.** What is the lowest value that the lecture's formula can take?


# %% tags=["row-74"]
def check_2(prediction):
    of_a_pixel = -np.outer(np.unique(test), np.log(np.linspace(0.01, 1, 100)))
    assert abs(prediction - of_a_pixel.min()) < 0.01, "Which reconstruction would it like best?"


# check_2(…)  # your prediction

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


zeroing = Corruption(masking_noise=0.3)
zeroed = corrupt(tf.constant(many), zeroing, tf.constant([1, 0])).numpy()
under, over = fit(relu_autoencoder(8)), fit(relu_autoencoder(256))
denoiser = fit(relu_autoencoder(256), zeroed, many)

# %% tags=["row-75"]
shuffled = np.random.default_rng(1).permuted(test, axis=0)
models = {"8": under, "256": over, "256, denoising": denoiser}
print("code              digits  shuffled pixels")
found = {}
for name, model in models.items():
    found[name] = error(model), error(model, shuffled, shuffled)
    print(f"{name:<17} {found[name][0]:>6.2f}  {found[name][1]:>15.2f}")
assert found["256"][0] < 0.3 * found["8"][0]
assert found["256"][1] < 0.3 * found["8"][1]
assert found["256, denoising"][1] > 2 * found["256"][1]

# %% [markdown] tags=["row-75"]
# *See:* The overcomplete autoencoder without noise has the smallest errors, by far also on what are
# no digits: much of what it does is copying. Trained to undo noise, the same network knows digits
# again, and makes something like them out of shuffled pixels. *Change* the code size of `over`.

# %% tags=["row-75"]
rows = [shuffled, *(model(shuffled).numpy() for model in models.values())]
figure = plot_image_grid(np.stack(rows)[:, :10], row_names=["shuffled pixels", *models])
show(figure, "Shuffled pixels: only the overcomplete autoencoder without noise returns them.")

# %% [markdown] tags=["row-76"]
# ## Encoder and decoder apart
#
# Trained together, used apart: the sender needs the encoder, the receiver the decoder. This model
# is convolutional, and its codes have the lecture's length of 128.

# %% tags=["row-76"]
from tf_models.autoencoders.networks import convolutional_decoder, convolutional_encoder

keras.utils.set_random_seed(1)
model = Autoencoder(convolutional_encoder(SHAPE, 128), convolutional_decoder(SHAPE, 128))
fit(model, epochs=5)
with tempfile.TemporaryDirectory() as folder:
    files = Path(folder) / "encoder.keras", Path(folder) / "decoder.keras"
    model.encoder.save(files[0])
    model.decoder.save(files[1])
    encoder, decoder = map(keras.saving.load_model, files)
codes = encoder(test)  # at the sender
np.testing.assert_allclose(decoder(codes), model(test), atol=1e-6)  # at the receiver
print(codes.shape, f"error {error(model):.2f}")

# %% [markdown] tags=["row-77", "row-78"]
# ## Image fading
#
# The lecture takes a zero and a seven, puts 10 interpolations between their codes, and decodes
# each. Linear interpolation is
#
# $$y = \frac{y_0(x_1 - x) + y_1(x - x_0)}{x_1 - x_0}$$
#
# "Cubic" starts and ends gently. Bilinear and bicubic are how pictures are resized; between two
# vectors they stay longer at the ends. The commands `train_autoencoder.py --model convolutional`
# and `plot_figures.py --figure interpolation` draw such a figure, too.

# %% tags=["row-77", "row-78"]
of_class = [test[images.test.labels == number] for number in range(10)]
zero, seven = of_class[0][0], of_class[7][0]
y0, y1 = encoder(np.stack([zero, seven])).numpy()  # (128,) each
by_formula = [y0 * (1 - x) + y1 * x for x in np.linspace(0, 1, 10)]
np.testing.assert_allclose(interpolate(y0, y1, 10, "linear"), by_formula, atol=1e-5)
rows = {f"{how}, codes": decoder(interpolate(y0, y1, 10, how)).numpy() for how in METHODS}
rows |= {f"{how}, pixels": interpolate(zero, seven, 10, how) for how in METHODS}
figure = plot_image_grid(np.stack(list(rows.values())), row_names=list(rows))
show(figure, "Eight rows from a zero to a seven: four kinds of interpolation, codes and pixels.")

# %% [markdown] tags=["row-78"]
# Bilinear and bicubic come into their own between four images, at the corners of a square: first
# along two sides, then across.

# %% tags=["row-78"]
corners = np.stack([of_class[number][1] for number in (0, 7, 1, 4)])
four_codes = encoder(corners).numpy().reshape(2, 2, 128)
square = interpolate_four(four_codes, 6, "bilinear").reshape(36, 128)
left = decoder(square).numpy().reshape(6, 6, *SHAPE)
right = interpolate_four(corners.reshape(2, 2, *SHAPE), 6, "bilinear")
gap = np.full((6, 1, *SHAPE), np.nan)
figure = plot_image_grid(
    np.concatenate([left, gap, right], axis=1), title="bilinear, of codes (left) and pixels (right)"
)
show(figure, "Two squares of digits, with 0, 7, 1 and 4 in their corners.")
bicubic = interpolate_four(four_codes, 6, "bicubic").reshape(36, 128)
difference = np.abs(bicubic - square).max() / np.abs(square).max()
print(f"bicubic and bilinear codes differ by up to {difference:.0%} of the largest number")

# %% [markdown] tags=["row-77"]
# Is the way through codes better? One measure: the distance from the middle of each way to the
# nearest training image, over many zeros and sevens. *See:* the way through codes stays a
# little nearer to what digits look like.

# %% tags=["row-77"]
zeros, sevens = of_class[0][:30], of_class[7][:30]
middles = {
    "codes": decoder((encoder(zeros) + encoder(sevens)) / 2).numpy(),
    "pixels": (zeros + sevens) / 2,
}
to_nearest = {
    name: np.mean([reconstruction_errors(train, middle).min() for middle in found])
    for name, found in middles.items()
}
print({name: round(float(distance), 1) for name, distance in to_nearest.items()})
assert to_nearest["codes"] < to_nearest["pixels"]

# %% [markdown]
# ## 512 bits
#
# On its Transformer slides the lecture calls a word's embedding a vector of "512 bits". It has 512
# numbers. As floats that is 32 times as many bits, and 512 bits hold only 16 of them.

# %%
embedding = np.zeros(512, np.float32)
print(f"{8 * embedding.nbytes:,} bits; 512 bits are {512 // 32} floats")
assert 8 * embedding.nbytes == 32 * 512

# %% [markdown] tags=["row-79"]
# ## Denoising
#
# A denoising autoencoder minimises $L(x, g(f(\tilde{x})))$: it sees $\tilde{x}$, a corrupted copy,
# and is asked for $x$. The lecture names two kinds of noise: zeroing each input with probability
# $\nu$, and adding Gaussian noise.

# %% tags=["row-79"]
gaussian = Corruption(gaussian_noise_std=0.3)
blurred = corrupt(tf.constant(many), gaussian, tf.constant([1, 1])).numpy()
of_gaussian = fit(relu_autoencoder(256), blurred, many)


def noisy(noise):
    return corrupt(tf.constant(test), noise, tf.constant([2, 0])).numpy()


restored = [denoiser(noisy(zeroing)), of_gaussian(noisy(gaussian))]
rows = [test, noisy(zeroing), restored[0], noisy(gaussian), restored[1]]
names = ["clean", "zeroed", "restored", "Gaussian noise", "restored"]
figure = plot_image_grid(np.stack(rows)[:, :10], row_names=names, title="noise 0.3")
show(figure, "Clean digits, two kinds of noise, and what two denoising autoencoders restore.")

# %% [markdown] tags=["row-79"]
# The lecture calls the result robust. How robust, at which noise? Beside it the overcomplete
# autoencoder from above, which never saw noise.

# %% tags=["row-79"]
levels = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
kinds = {"zeroing": ("masking_noise", denoiser), "Gaussian": ("gaussian_noise_std", of_gaussian)}
curves = {}
for kind, (setting, restorer) in kinds.items():
    inputs = [noisy(Corruption(**{setting: level})) for level in levels]
    curves[f"denoising, {kind}"] = levels, [error(restorer, each) for each in inputs]
    curves[f"plain, {kind}"] = levels, [error(over, each) for each in inputs]
names = "probability or standard deviation of the noise", "squared error"
show(
    plot_lines(curves, axis_names=names),
    "Errors rise with noise, far more slowly for the denoising autoencoders; at 0 plain wins.",
)

# %% tags=["row-79"]
for kind in kinds:
    restoring, plain = (curves[f"{who}, {kind}"][1] for who in ("denoising", "plain"))
    assert restoring[0] > plain[0]
    assert restoring[3] < 0.6 * plain[3]

# %% [markdown] tags=["row-79"]
# **Exercise 3.** The denoising autoencoder was trained with $\nu = 0.3$. Now $\nu$ is 0.6. Which of
# the two has the smaller error, "denoising" or "plain"?


# %% tags=["row-79"]
def check_3(prediction):
    at_most = {who: curves[f"{who}, zeroing"][1][-1] for who in ("denoising", "plain")}
    assert prediction == min(at_most, key=at_most.get), "Look at the right end of the figure."


# check_3(…)  # your prediction

# %% [markdown] tags=["row-80"]
# ## Stacked autoencoders
#
# The lecture: train each layer as an autoencoder of the codes below it, then put a classifier on
# top, an SVM or a fully connected (FC) layer. Its weights are "smartly selected" instead of random.
#
# Here are three sigmoid layers of 256, 128 and 64 units, each a denoising autoencoder.

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
def deep_encoder():
    sigmoid = {"activation": "sigmoid", "code_activation": "sigmoid"}
    return dense_encoder(SHAPE, 64, (256, 128), **sigmoid)


stacked = Autoencoder(deep_encoder(), dense_decoder(SHAPE, 64, (256, 128), activation="sigmoid"))
set_layers(stacked, layers)
np.testing.assert_allclose(stacked.encoder(train), codes, atol=1e-5)
accuracies = compare(stacked.encoder, deep_encoder, images, counts=[100])
for name, shares in accuracies.items():
    print(f"{name:<30}", *(f"{share:.0%}" for share in shares.mean(axis=1)))

# %% [markdown] tags=["row-80"]
# *See:* With 100 labels the network that starts from the trained layers classifies better than the
# one that starts from random weights. The SVM hardly changes: with 8 x 8 of them, pixels are
# good features already. *Change* `counts`: with all 1,259 labels, less is left to gain.

# %% tags=["row-80"]
mean = {name: shares.mean() for name, shares in accuracies.items()}
assert mean["network from trained weights"] > mean["network from random weights"]
assert abs(mean["SVM on codes"] - mean["SVM on pixels"]) < 0.06

# %% [markdown] tags=["row-81"]
# ## Sentences through one vector
#
# An LSTM reads, and its final hidden state $h_n$ is the code: an LSTM that writes starts from it.
# (An LSTM has a cell state $c_n$, too; both are handed over.) The encoder may be a bi-LSTM, one in
# each direction; then $h_n$ is both final states side by side. Here both kinds have codes of the
# same length, a small language, and as many steps of training. We look twice: halfway and at the
# end.

# %% tags=["row-81"]
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
with tempfile.TemporaryDirectory() as folder:
    tokenizer = train_tokenizer(sentences, "en", 120, Path(folder) / "small.model")
rows = [tokenizer.encode(one) for one in sentences] * 4  # all four times in an epoch
ids = tf.ragged.constant(rows, dtype=tf.int32).to_tensor()
# For so small a model TensorFlow's optimisation of a graph takes longer than it saves.
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})


# %% tags=["row-81"]
def sentence_coder(bidirectional):
    keras.utils.set_random_seed(1)
    units = 32 if bidirectional else 64
    model = SequenceAutoencoder(tokenizer.vocabulary_size, 32, units, bidirectional)
    rate = keras.optimizers.schedules.CosineDecay(0.03, 2 * len(ids) // 64)  # two epochs
    # Muon (Jordan et al. 2024): a small model needs far fewer steps than with Adam.
    muon = FusedMuon(rate, adam_beta_2=0.98, weight_decay=0.0, adam_weight_decay=0.0)
    model.compile(muon)
    return SentenceCoder(model, tokenizer, max_length=24)


def exact_after_an_epoch(coder):
    coder.model.fit(ids, ids, batch_size=64, verbose=0)
    written, _ = coder.reconstruct(held_out)
    return np.array([one == other for one, other in zip(held_out, written, strict=True)])


# %% tags=["row-81"]
coders, found_at = {"LSTM": sentence_coder(False), "bi-LSTM": sentence_coder(True)}, {}
for name, coder in coders.items():
    halfway, exact = exact_after_an_epoch(coder), exact_after_an_epoch(coder)
    h, c = coder.model.encode(ids[:1])
    print(f"{name}: h {h.shape}, c {c.shape}")
    by_length = exact_by_length(held_out, exact).items()
    shares = ", ".join(f"{words} words {share:.0%}" for words, (share, _) in by_length)
    print(f"exact: halfway {halfway.mean():.0%}, at the end {exact.mean():.0%} ({shares})")
    found_at[name] = halfway.mean(), exact.mean()

# %% tags=["row-81"]
for halfway, at_the_end in found_at.values():
    assert at_the_end > max(0.8, halfway)

# %% [markdown] tags=["row-81"]
# *See:* halfway one of them may be ahead; at the end nearly all sentences come back from both.
# A gap between LSTM and bi-LSTM depends on the optimiser and on the training time. On the package's
# corpus, after longer training, [51.8 % and 55.6 %](../docs/autoencoders.md#sentences) of unseen
# sentences came back exactly. *Change* `muon` to `FusedAdam(rate)`: as many steps are far too few.

# %% [markdown] tags=["row-81"]
# ## Sentence fading
#
# What works for images works for codes of sentences. *See:* nearly every step is a sentence of the
# language, though nobody told the decoder its grammar. Images fade, words jump: there is no word
# halfway between "cat" and "doctor". *Change* the two sentences.

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
# ## Answers
#
# 1. No: any basis of the subspace has the same loss, and training stops at the one it meets.
# 2. Zero, with $\hat{x} = 1$ everywhere: $\log 1 = 0$.
# 3. Denoising: more noise than in training hurts it, too, but less.

# %%
check_1("no")
check_2(0)
check_3("denoising")
