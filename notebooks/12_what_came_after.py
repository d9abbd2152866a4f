# %% [markdown]
# # 12 What came after
#
# Read with the ends of [The Illustrated
# Transformer](https://jalammar.github.io/illustrated-transformer/) ("Go Forth And Transform") and
# of [How to make a toy English-German
# translator](https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/):
# what to look at next.
#
# You will see
#
# 1. seven variants of the Transformer, each beside the formula that it changes, and what it saves;
# 2. an image read as a sentence of patches, and what a class token looks at;
# 3. all variants trained, each at its own best learning rate, in one table.
#
# **Before**: notebooks 03 and 04, or what heads, positions and layer normalisation are.
#
# **Time**: about 85 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [11 The variational autoencoder](11_vae.ipynb).

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import csv
import inspect
import time
from pathlib import Path

import numpy as np

import tf_models
from tf_models import Encoder, MultiHeadAttention, Transformer, positional_encoding
from tf_models.plotting.attention import plot_attention_side_by_side
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.notebook import show
from tf_models.plotting.points import plot_strips

# %% [markdown]
# ## A variant is an argument
#
# Each variant is an argument of `Transformer`; other attentions stand in
# `tf_models/transformer/variants.py`, each beside its paper. The command line knows them by name:
# `python scripts/train_translator.py --network rotary`.

# %%
SIZES = {"num_layers": 4, "d_model": 128, "num_heads": 8, "dff": 512}
FURTHER = {"input_vocab_size": 1000, "target_vocab_size": 1000, "pe_input": 64, "pe_target": 64}

from tf_models.translation.settings import VARIANTS

parameters = {}
for name, arguments in {"original": {}, **VARIANTS}.items():
    network = Transformer(**SIZES, **FURTHER, **arguments)
    network.build()
    parameters[name] = network.count_params()
    print(f"{name:18} {parameters[name]:>9,} parameters  {arguments or ''}")
assert parameters["multi-query"] < parameters["grouped-query"] < parameters["original"]
assert parameters["rotary"] == parameters["gelu"] == parameters["original"]
assert parameters["multi-query"] < 0.92 * parameters["original"]
assert max(parameters.values()) < 1.01 * parameters["original"]

# %% [markdown]
# Only shared keys and values make the network smaller, by a tenth. No other variant adds even one
# parameter in a hundred: what they change is what the numbers do.

# %% [markdown]
# ## Relative positions
#
# The original adds positions to the embeddings, once:
# $e_{ij} = \frac{(x_i W^Q)(x_j W^K)^T}{\sqrt{d_z}}$ with $x = $ embedding $+$ position.
#
# Shaw, Uszkoreit and Vaswani (2018) leave the embeddings alone. What counts is how far key $j$ is
# from query $i$: each distance $j - i$, up to $k = 16$ words, has a learned vector (equation 4):
#
# $$e_{ij} = \frac{x_i W^Q (x_j W^K + a^K_{j-i})^T}{\sqrt{d_z}}$$
#
# The library's code (values get vectors of distances, too, $a^V$):

# %% tags=["row-95"]
from tf_models.transformer.variants import MAX_DISTANCE, RelativeAttention

print(inspect.getsource(RelativeAttention.dot_product_attention))

# %% [markdown] tags=["row-95"]
# The weights by hand, against it:

# %% tags=["row-95"]
relative = RelativeAttention(d_model=8, num_heads=1)
x = tf.random.normal((1, 6, 8))
_, weights = relative(x, x, x)
q, k = relative.wq(x)[0].numpy(), relative.wk(x)[0].numpy()
distance = np.arange(6)[np.newaxis] - np.arange(6)[:, np.newaxis]  # j - i
a_k = relative.key_table.numpy()[distance + MAX_DISTANCE]  # (6, 6, 8)
e = (q @ k.T + np.einsum("id,ijd->ij", q, a_k)) / np.sqrt(8)
print(distance, np.round(tf.nn.softmax(e).numpy(), 2), sep="\n")
np.testing.assert_allclose(tf.nn.softmax(e), weights[0, 0], atol=1e-5)

# %% [markdown]
# Both are the same. No position is read anywhere: the first matrix, of distances, is all that the
# attention knows of the order of words.
#
# ## Rotary positions
#
# Su et al. (2021) add nothing at all. They take the numbers of a query in pairs, as points in a
# plane, and turn each point: at word $m$ by the angle $m \theta_i$, with the wavelengths of the
# original, $\theta_i = 10000^{-2(i-1)/d}$ (equation 15). Keys are turned likewise, and a product of
# two turned vectors knows only the difference of their angles (equation 16):
#
# $$(R_m q)^T (R_n k) = q^T R_{n-m} k$$
#
# In the plane of complex numbers a turn is a product with $e^{i m \theta}$.

# %% tags=["row-95"]
from tf_models.transformer.variants import RotaryAttention, rotate

print(inspect.getsource(RotaryAttention.dot_product_attention))
print(inspect.getsource(rotate))

# %% tags=["row-95"]
places = np.arange(20)
turned = rotate(tf.ones((20, 4)), tf.range(20)).numpy()  # the pairs (1, 1) and (1, 1)
by_hand = (1 + 1j) * np.exp(1j * np.outer(places, [1, 0.01]))
np.testing.assert_allclose(turned[:, 0::2], by_hand.real, atol=1e-5)
np.testing.assert_allclose(turned[:, 1::2], by_hand.imag, atol=1e-5)
t = np.linspace(0, 2 * np.pi, 200)
lines = {
    "all angles": (np.sqrt(2) * np.cos(t), np.sqrt(2) * np.sin(t)),
    "first pair, words 0 to 6": tuple(turned[:7, :2].T),
    "second pair, words 0, 6, 12 and 18": tuple(turned[::6, 2:].T),
}
names = ("first number of a pair", "second number")
figure = plot_lines(lines, axis_names=names, title="rotary positions", equal=True)
show(figure, "One vector at words 0, 1, 2 …: its first pair runs around, its second hardly moves.")
angles = [np.ptp(np.unwrap(np.arctan2(*turned[:7, i : i + 2].T[::-1]))) for i in (0, 2)]
print("from word 0 to word 6 the pairs turn by", *(f"{angle:.2f}" for angle in angles), "rad")

# %% tags=["row-95"]
query, key = np.random.default_rng(1).normal(size=(2, 1, 8)).astype(np.float32)
at = [rotate(tf.repeat(one, 6, axis=0), tf.range(6)).numpy() for one in (query, key)]
products = at[0] @ at[1].T
print(np.round(products, 2))
for distance in range(-5, 6):  # the same numbers along each diagonal
    assert np.ptp(np.diagonal(products, distance)) < 1e-4

# %% [markdown]
# Along each diagonal stands one number, as equation 16 says: one query and one key, at six places
# each, have a product that depends on their distance alone.
#
# Six times the same word: what can attention tell apart? The weights of three untrained heads.
# **Change** the seed: the patterns change, and what is said below does not.

# %% tags=["row-95"]
keras.utils.set_random_seed(3)
word = 2 * tf.repeat(tf.random.normal((1, 1, 16)), 6, axis=1)
with_places = word + positional_encoding(6, 16)
kinds = {"original": MultiHeadAttention, "relative": RelativeAttention, "rotary": RotaryAttention}
maps = {}
for name, kind in kinds.items():
    read = with_places if name == "original" else word
    maps[name] = kind(d_model=16, num_heads=1)(read, read, read)[1][0, 0].numpy()
labels = [f"word {place}" for place in range(6)]
figure = plot_attention_side_by_side(maps, labels, labels, title="the same word, six times")
show(figure, "Rows are queries. With sines and cosines all rows are alike; the others differ.")

# %% tags=["row-95"]
own = {name: np.diagonal(one) for name, one in maps.items()}  # a word's weight on itself
shares = {name: one / own[name][:, np.newaxis] for name, one in maps.items()}
print("          a word's weight on itself             the next word's weight, divided by it")
for name, one in shares.items():
    print(f"{name:9}", *(f"{x:.2f}" for x in own[name]), "      ",
          *(f"{x:.2f}" for x in np.diagonal(one, 1)))  # fmt: skip
spread = {name: np.ptp(np.log(np.diagonal(one, 1))) for name, one in shares.items()}
assert max(spread["relative"], spread["rotary"]) < 1e-4 < spread["original"]
assert np.ptp(own["rotary"]) > 0.2
columns = {name: np.ptp(one, axis=0).max() for name, one in maps.items()}
assert columns["original"] < 0.5 * columns["rotary"]

# %% [markdown]
# In the relative and the rotary head *scores* repeat along the diagonals, and the *weights* do not:
# softmax divides each row by its own sum, and the first word has other distances around it than the
# last one. Divided by the word's weight on itself, that sum is gone, and the numbers on the right
# repeat. In the original head they do not repeat either way: there the place itself counts, and
# here one place attracts all six words alike.
#
# ## Learned positions
#
# A vector for each place, learned like an embedding (Gehring et al. 2017; BERT and GPT have it).
# Vaswani et al. found it as good as sines and cosines (table 3, row E). But there is nothing behind
# the last place that was trained, and untrained positions carry no notion of distance:

# %%
learned = Transformer(**SIZES, **FURTHER, position_encoding="learned")
learned.build()
tables = {"sines and cosines": positional_encoding(64, 128)}
tables["learned, untrained"] = tf.convert_to_tensor(learned.encoder.pos_encoding)
similarity = {}
for name, table in tables.items():
    unit = tf.math.l2_normalize(table[0], axis=-1)  # (64, 128)
    similarity[name] = (np.arange(64), tf.matmul(unit, unit, transpose_b=True)[20].numpy())
    print(name, np.round(similarity[name][1][18:23], 2))
axis_names = ("place", "cosine with place 20")
figure = plot_lines(similarity, axis_names=axis_names, title="who is near whom?")
show(figure, "Sines and cosines know neighbours from the start; a learned table has to find them.")
sines, untrained = (of_place[1] for of_place in similarity.values())
assert sines[[19, 21]].min() > 0.9 > 0.5 > np.abs(untrained[[19, 21]]).max()

# %% [markdown]
# The sines and cosines of neighbours have a cosine of 0.97. In the untrained table place 21 is no
# nearer to place 20 than any other one: that neighbours are near is learned from text.
#
# ## Fewer heads of keys and values
#
# When a decoder writes word by word, it keeps keys and values of all words before. For long texts
# reading that cache takes most of the time. Shazeer (2019) keeps *one* head of keys and values for
# all heads of queries (multi-query attention), Ainslie et al. (2023) one for each *group* of them
# (grouped-query attention). The original has as many as heads.

# %% tags=["row-95"]
from tf_models.transformer.variants import GroupedQueryAttention

x = tf.random.normal((1, 100, 512))  # 100 words in the paper's width
cached = {}
for heads in (8, 2, 1):
    grouped = heads < 8
    block = GroupedQueryAttention(512, 8, heads) if grouped else MultiHeadAttention(512, 8)
    block.build()
    keys, values = block.keys_and_values(x, x)  # (1, heads, 100, 64) each
    cached[heads] = int(tf.size(keys) + tf.size(values))
    print(f"{heads} of 8 heads: keys {keys.shape}, {cached[heads]:,} numbers in a layer")
assert cached == {8: 102_400, 2: 25_600, 1: 12_800}

# %% tags=["row-95"]
words = np.array([0, 1000, 2000, 4000])
megabytes = {n: 6 * count / 100 * words * 4 / 1e6 for n, count in cached.items()}
lines = {f"heads: {heads}": (words, sizes) for heads, sizes in megabytes.items()}
names = ("words written", "cache of 6 layers, MB")
figure = plot_lines(lines, axis_names=names, title="keys and values in 32 bits")
show(figure, "The cache grows with each word; with one head it takes an eighth of the room.")
print({heads: f"{sizes[-1]:.1f} MB" for heads, sizes in megabytes.items()})
assert megabytes[8][-1] == 8 * megabytes[1][-1]

# %% [markdown]
# One head of keys and values in place of eight makes the cache eight times smaller, at any length.
# Whether the loss gets worse by it is measured in the last section: it does.
#
# ## Normalisation before the sublayer
#
# The original normalises after each sublayer, $\mathrm{LayerNorm}(x + \mathrm{Sublayer}(x))$;
# Xiong et al. (2020) before it, $x + \mathrm{Sublayer}(\mathrm{LayerNorm}(x))$, and once at the
# end. In an untrained original the gradients of the last layers are too large for a high learning
# rate at once, so it needs the warm-up. With the normalisation before, they are smaller by about
# the square root of the number of layers (theorem 1). Twelve layers of each:


# %% tags=["row-95"]
def gradient_sizes(normalize_first, layers=12):
    keras.utils.set_random_seed(1)
    sizes = {"d_model": 64, "num_heads": 4, "dff": 256, "rate": 0.0}
    options = {"maximum_position_encoding": 20, "normalize_first": normalize_first}
    encoder = Encoder(layers, **sizes, vocab_size=50, **options)
    ids = tf.random.uniform((16, 20), 1, 50, tf.int32)
    direction = tf.random.normal((16, 20, 64))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.reduce_sum(encoder(ids)[0] * direction, axis=-1))
    kernels = [layer.ffn.layers[1].kernel.value for layer in encoder.enc_layers]
    return [float(tf.norm(gradient)) for gradient in tape.gradient(loss, kernels)]


# %% tags=["row-95"]
found = {"after (original)": gradient_sizes(False), "before": gradient_sizes(True)}
lines = {name: (range(1, 13), sizes) for name, sizes in found.items()}
names = ("layer", "norm of the gradient")
figure = plot_lines(lines, axis_names=names, title="normalisation before or after the sublayer")
show(figure, "Untrained: the original's last layers have as large gradients as its first ones.")
ratio = found["after (original)"][-1] / found["before"][-1]
print(f"last layer: {ratio:.1f} times as large after as before; the square root of 12 is 3.5")
assert 2 < ratio < 5
assert found["before"][-1] < 0.5 * found["before"][0]
assert min(found["after (original)"]) > 0.5 * max(found["after (original)"])

# %% [markdown]
# With the normalisation before, gradients fall to a third on the way to the last layer, as the
# theorem says; the original's stay about as large in all layers. The factor here is near the
# theorem's, which is one for wide networks.
#
# ## GELU in place of max
#
# Between the two layers of the feed-forward network the original has $\max(0, x)$. BERT and GPT
# have $x \Phi(x)$, with the share $\Phi(x)$ of a normal distribution that is below $x$ (Hendrycks
# and Gimpel 2016). It is smooth, and it lets a little through below 0.

# %%
x = np.linspace(-4, 4, 81, dtype=np.float32)
curves = {"max(0, x)": np.maximum(0, x), "x Φ(x)": keras.activations.gelu(x).numpy()}
lines = {name: (x, y) for name, y in curves.items()}
figure = plot_lines(lines, axis_names=("x", "activation"), title="GELU")
show(figure, "GELU follows max(0, x), without the corner, and dips below zero on the left.")
phi = 0.5 * (1 + tf.math.erf(x / np.sqrt(2))).numpy()
print("lowest:", curves["x Φ(x)"].min().round(2), "at x =", x[curves["x Φ(x)"].argmin()].round(1))
np.testing.assert_allclose(curves["x Φ(x)"], x * phi, atol=1e-5)
assert -0.18 < curves["x Φ(x)"].min() < -0.16

# %% [markdown]
# GELU never falls below -0.17, and for large $x$ it is $x$. Units that are slightly negative still
# have a gradient; $\max(0, x)$ has none there.
#
# ## Adafactor
#
# Not a network but an optimizer, for models that hardly fit into memory. Adam keeps two numbers for
# each weight: a mean gradient $m$ and a mean square $v$. Shazeer and Stern (2018) drop $m$, and of
# the squares $V$ they keep only the means of rows $R$ and columns $C$ (algorithm 4):
#
# $$\hat{V} = \frac{R\,C^T}{\mathrm{mean}(R)}$$

# %% tags=["row-95"]
rows, columns = 512, 2048
print(f"Adam keeps {2 * rows * columns:,} numbers of a {rows} x {columns} kernel, "
      f"Adafactor {rows + columns:,}")  # fmt: skip
layer = keras.layers.Dense(12)
features = tf.random.normal((64, 8)) * tf.range(1.0, 9.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((layer(features) - tf.range(12.0)) ** 2)
squares = tape.gradient(loss, layer.kernel.value).numpy() ** 2  # (8, 12)
R, C = squares.mean(axis=1, keepdims=True), squares.mean(axis=0, keepdims=True)
estimate = R * C / R.mean()
np.testing.assert_allclose(estimate.mean(axis=1), R[:, 0], rtol=1e-4)

# %% tags=["row-95"]
order = np.argsort(squares.ravel())
both = {"gradients": squares.ravel()[order], "from rows and columns": estimate.ravel()[order]}
lines = {name: (np.arange(96), np.sqrt(values)) for name, values in both.items()}
names = ("weights, by their gradients", "size of the gradient")
figure = plot_lines(lines, axis_names=names, title="20 numbers in place of 96")
show(figure, "Adafactor's estimate scatters around each gradient's size, and keeps the scale.")
logs = [np.log(values + 1e-9) for values in both.values()]
agreement = np.corrcoef(*logs)[0, 1]
print(f"correlation of the logarithms: {agreement:.2f}")
assert agreement > 0.4

# %% [markdown]
# Twenty numbers cannot say all that 96 say, and the estimate scatters. It still orders the weights
# much as their gradients do: enough to give each weight a step of about its own size.
#
# ## A pair before your eyes
#
# A language of 30 words: in English a verb stands second, in the German clause at the end. The
# original and two variants learn it with `compile` and `fit`, in the same number of steps.
# **Change** a name to `"pre-norm"`, or to any other in `VARIANTS`.

# %%
random = np.random.default_rng(1)
START, END, COUNT = 31, 32, 4000
nouns, verbs = random.integers(1, 21, (COUNT, 4)), random.integers(21, 31, (COUNT, 2))
one, two, three, four = nouns.T
first, second = verbs.T
inp = np.stack([one, first, two, three, second, four], axis=1)  # dog sees cat, fox hears hare
start, end = np.full(COUNT, START), np.full(COUNT, END)
tar = np.stack([start, one, two, first, three, four, second, end], axis=1)
print(inp[0], "->", tar[0])


# %%
def train(name, rate=0.003, epochs=3, change=None):
    keras.utils.set_random_seed(1)
    vocabularies = {"input_vocab_size": 33, "target_vocab_size": 33}
    options = {"pe_input": 6, "pe_target": 8, "rate": 0.0, **VARIANTS.get(name, {})}
    network = Transformer(1, 64, 4, 128, **vocabularies, **options)
    network.build()
    if change:
        change(network)
    network.compile(keras.optimizers.Adam(rate))
    begin = time.perf_counter()
    options = {"batch_size": 64, "epochs": epochs, "verbose": 0}
    found = network.fit(inp, tar, **options).history
    seconds = time.perf_counter() - begin
    losses = " ".join(f"{loss:.4f}" for loss in found["loss"])
    changed = ", keys only" if change else ""
    print(f"{name}{changed}, rate {rate}: loss of each epoch {losses}, {seconds:.0f} s")
    return found["loss"]


# %%
losses = {name: train(name) for name in ("original", "relative", "rotary")}

# %% [markdown]
# Rotary is by far the slowest, which is a surprise: in the last section it beats the original. What
# is the reason? Relative attention, which is quick, differs from it in one thing that could matter
# here: it adds vectors of distances to the *values*, too. We take these away. And we give rotary
# another learning rate.


# %%
def leave_values_alone(network):
    """Take the vectors of distances out of the values of relative attention."""
    for block in (network.encoder.enc_layers[0].mha, network.decoder.dec_layers[0].mha1):
        block.value_table.assign(keras.ops.zeros_like(block.value_table))
        block.value_table.trainable = False


losses["relative, keys only"] = train("relative", change=leave_values_alone)
losses["rotary, twice the rate"] = train("rotary", rate=0.006)

# %%
lines = {name: (range(1, len(loss) + 1), loss) for name, loss in losses.items()}
names = ("epoch", "loss, nats a word")
epochs = {"marks": (1, 2, 3), "scales": ("linear", "log")}
figure = plot_lines(lines, axis_names=names, title="the same steps", **epochs)
show(figure, "All learn the order; those whose values know no places come later.")
second = {name: loss[1] for name, loss in losses.items()}
assert all(loss[-1] < 0.3 * loss[0] for loss in losses.values())
assert max(second["original"], second["relative"]) < 0.2 * second["rotary"]
assert second["relative, keys only"] > 5 * second["relative"]
assert losses["rotary, twice the rate"][-1] < 0.5 * losses["rotary"][-1]

# %% [markdown]
# Without them relative attention is about as slow as rotary in its second epoch. This language is
# about *places*: the third German word is always the second English one. The original's embeddings
# say the place, and relative attention adds to the values where they stand. Rotary attention turns
# queries and keys and leaves the values alone: what it hands on is a mixture of words, in which
# places have to be expressed by weights first. And the rate counts: 0.003 suits the original, at
# twice that rate rotary is several times better after three epochs. So a comparison at one rate, on
# one task, says as much about the rate and the task as about the network.

# %% [markdown]
# ## An image as a sentence of patches
#
# The translator article announces the Vision Transformer (Dosovitskiy et al. 2021, "An Image is
# Worth 16x16 Words"). An image is cut into patches, and they are read like the words of a sentence;
# a linear layer stands where the table of embeddings was. In front of them stands a *class token*,
# a learned vector. What the last layer makes of it becomes the class (equations 1 to 4). The layers
# are those from above: normalised before, with GELU, and with learned positions.
#
# **See** a digit as a sentence of 16 words of 4 numbers each. **Change** the 2 to 4.

# %% tags=["row-105"]
from tf_models import VisionTransformer, load_images
from tf_models.plotting.images import plot_image_attention, plot_image_grid
from tf_models.transformer.vision import patches

digits, patch = load_images("digits"), 2
pixels, tests, labels = digits.pixels(digits.train), digits.pixels(digits.test), digits.test.labels
words = patches(tests[:1], patch).numpy()  # (1, 16, 4)
print(np.round(words[0, :4], 2))
side = 8 // patch
figure = plot_image_grid(words.reshape(side, side, patch, patch, 1), title=f"a {labels[0]}, cut")
show(figure, "The patches of a digit. The Transformer reads them row by row.")
assert words.size == tests[0].size

# %% tags=["row-105"]
sizes = {"num_layers": 2, "d_model": 64, "num_heads": 4, "dff": 128, "rate": 0.0}
vit = VisionTransformer(digits.shape, patch=2, **sizes, num_classes=10)
vit.compile(keras.optimizers.Adam(0.002))
vit.fit(pixels, digits.train.labels, batch_size=64, epochs=40, verbose=0)
accuracy = vit.evaluate(tests, labels, verbose=0, return_dict=True)["accuracy"]
print(f"{100 * accuracy:.1f} % of {len(tests)} test digits are right")
assert accuracy > 0.9

# %% [markdown]
# What does the class token look at? Its row of the attention weights has a number for each patch.
# Laid over the image, they are a heat map. **Change** `encoder_layer2` to `encoder_layer1` in both
# cells.

# %% tags=["row-105"]
shown = np.unique(labels, return_index=True)[1][:6]  # the first 0, 1, …
logits, weights = vit(tests[shown])
of_class_token = weights["encoder_layer2"][:, :, 0, 1:].numpy()  # (6, heads, 16)
maps = of_class_token.reshape(6, 4, 4, 4)
predicted = np.argmax(logits, axis=-1)
names = [f"a {n}\ntaken for {p}" for n, p in zip(labels[shown], predicted, strict=True)]
heads = [f"head {head}" for head in range(1, 5)]
figure = plot_image_attention(tests[shown], maps, names, heads, title="what the class token sees")
show(figure, "Attention of the class token in the last layer: the stronger the colour, the more.")

# %% [markdown] tags=["row-105"]
# Do the heads look at the digit, and at different places? Two numbers over all test images say it:
# the attention on patches with ink, beside the share of such patches, and how alike the maps of two
# heads are (1: the same places).

# %% tags=["row-105"]
_, weights = vit(tests)
of_class_token = weights["encoder_layer2"][:, :, 0, 1:].numpy()  # (images, heads, 16)
ink = patches(tests, patch).numpy().mean(axis=-1) > 0.25  # (images, 16)
print(f"patches with ink: {ink.mean():.0%}")
on_ink = [(one * ink).sum() / one.sum() for one in of_class_token.swapaxes(0, 1)]
for head, share in enumerate(on_ink, start=1):
    print(f"head {head}: {share:.0%} of its attention to patches is on ink")
of_two = np.mean([np.corrcoef(of_image) for of_image in of_class_token], axis=0)
of_two = of_two[np.triu_indices(4, k=1)]
print("correlation of two heads' maps:", np.round(of_two, 2))
assert np.abs(on_ink - ink.mean()).max() < 0.25
assert -0.1 < of_two.min() < of_two.max() < 0.7

# %% [markdown] tags=["row-105"]
# The heads hardly look at the digit: patches with ink get little more attention than they would by
# chance, and one head may even prefer the empty ones. Yet nearly all digits are read right. Two
# things explain it. An empty patch says something, too: the hole of a 0 is what an 8 lacks. And
# before the last layer each patch has read all others, so its vector is no longer about its own
# pixels. The heads look at different places, but not always: in the picture three of them share one
# empty patch beside the 1. A map over an image shows where a vector was *taken from*, not what the
# class *depends on*.

# %% [markdown] tags=["row-105"]
# Nothing but the learned positions says where a patch lies. Without them a digit whose upper and
# lower half are exchanged is the same sentence, in another order.

# %% tags=["row-105"]
exchanged = np.roll(tests, 4, axis=1)
change = [np.abs(vit(tests)[0] - vit(exchanged)[0]).mean()]
vit.pos_encoding.assign(tf.zeros_like(vit.pos_encoding))
change.append(np.abs(vit(tests)[0] - vit(exchanged)[0]).mean())
print(f"change of the logits: {change[0]:.2f} with positions, {change[1]:.7f} without")
assert change[1] < 1e-4 < change[0]

# %% [markdown]
# With positions the logits change a lot, without them not at all.
# `python scripts/train_image_classifier.py` trains a deeper one, also on MNIST or on images of your
# own; [docs/classification.md](../docs/classification.md#images) says how well it does.

# %% [markdown]
# ## All of them at their best rate
#
# What is each variant worth? `python -m research.experiments variants` trains them on the same
# 3,000 short sentence pairs for the same ten epochs, 2 + 2 layers of width 64. A rate that suits
# the original need not suit another network, so each has its own: seed 0 doubles or halves it as
# long as the validation loss falls, and then two more seeds take the best. The original is trained
# with Muon (Jordan et al. 2024), not with the article's Adam; the last two rows change only the
# optimizer, and "adam" is the article's own. One row trains the original for twice as long: are ten
# epochs enough? The table stands in the repository, `research/experiments/variants.csv`; its first
# line is its command.

# %% tags=["row-95"]
checkouts = Path(".."), Path(tf_models.__file__).parents[1]
tables = [folder / "research/experiments/variants.csv" for folder in checkouts]
table = next((path for path in tables if path.exists()), None)
if table:
    command, *lines = table.read_text("utf-8").splitlines()
    print(command.removeprefix("# "))
else:
    lines = []
    print("No table here: open this notebook in a checkout of tf-models, in its own folder.")
rows = list(csv.DictReader(lines))
losses, rates = {}, {}
for row in rows:
    losses.setdefault(row["network"], []).append(float(row["validation loss"]))
    rates[row["network"]] = float(row["rate"])
print(f"{'':26}seeds   rate   loss: mean   lowest  highest   fall in the last epoch")
for name, values in losses.items():
    fall = np.mean([float(row["fall in the last epoch"]) for row in rows if row["network"] == name])
    print(f"{name:26}{len(values):5}{rates[name]:7.3g}{np.mean(values):13.3f}"
          f"{min(values):9.3f}{max(values):9.3f}{fall:13.4f}")  # fmt: skip


# %% tags=["row-95"]
def compare(losses):
    """Say which networks no seed of the original reaches, and which reach none of it."""
    original = losses["original"]
    better = {name for name, values in losses.items() if max(values) < min(original)}
    worse = {name for name, values in losses.items() if min(values) > max(original)}
    print("every seed better than every seed of the original:", *sorted(better))
    print("every seed worse:", *sorted(worse))
    print("neither:", *sorted(losses.keys() - better - worse - {"original"}), sep="\n    ")
    assert better == {"relative", "rotary"}
    assert worse == {"learned-positions", "multi-query", "pre-norm", "adam", "adafactor"}
    gap = {name: np.mean(values) - np.mean(original) for name, values in losses.items()}
    largest = max(abs(gap[name]) for name in VARIANTS)
    twice = abs(gap["original, 2 x the epochs"])
    print(f"Adam in place of Muon {gap['adam']:+.2f}, the largest step of a network {largest:.2f}, "
          f"twice the epochs {twice:.3f}; seeds lie {np.ptp(original):.3f} apart")  # fmt: skip
    assert gap["adam"] > 2 * largest
    assert twice < np.ptp(original) < largest


if losses:
    figure = plot_strips(losses, axis_name="validation loss", title="what came after")
    show(figure, "A dot is a seed, a bar their mean; the line is the mean of the original.")
    compare(losses)

# %% [markdown] tags=["row-95"]
# For a small model and little text, the lists say this:
#
# - Positions as distances (relative, rotary) are better than the original's. Both took twice its
#   rate, which the pair above could not know.
# - Sharing keys and values among all heads (multi-query) costs most of all networks; two heads of
#   them (grouped-query) cost too little to see. Learned positions and pre-norm are worse here. What
#   these are for shows elsewhere: fast decoding of long texts (grouped-query), very deep stacks
#   (pre-norm), little memory (Adafactor).
# - The surprise is the row "adam". It is the article's optimizer at its best rate, and 0.43 worse
#   than the "original", which is trained with Muon. No network changes the loss by even half of
#   that: in ten short epochs, what is learned depends more on the optimizer than on the network.
# - Ten epochs are enough: twice as many change less than another seed does.

# %% [markdown]
# ## Summary
#
# - A variant changes one formula: scores (relative, rotary), heads of keys and values (multi-query,
#   grouped-query), the place of the normalisation, the activation, or only the optimizer.
# - Relative and rotary scores depend on distances; softmax weights do so only within a row.
# - One head of keys and values needs an eighth of the cache, and has a higher loss.
# - Normalised before the sublayer, an untrained deep stack has small gradients in its last layers.
# - An image is a sentence of patches. A class token hardly looks at the ink, and yet nearly all
#   digits are read right: a map says where it looked, not what counts.
# - Comparing two networks at one learning rate, on one task, compares the rate and the task, too:
#   rotary is slow where places count, and better than the original on sentences at its own rate.
#
# **Two sentences to remember**: Give each network its own learning rate and several seeds before
# you call it better. In this table distances as positions helped, shared keys and values hurt, and
# the optimizer mattered more than either.

# %% [markdown]
# ## Exercises
#
# **1.** A decoder of 32 layers has 32 heads of 128 numbers. How many numbers does it cache of each
# word with 8 heads of keys and values?


# %%
def check_1(answer):
    block = GroupedQueryAttention(32 * 128, 32, num_kv_heads=8)
    keys, values = block.keys_and_values(*[tf.zeros((1, 1, 32 * 128))] * 2)
    assert answer == 32 * int(tf.size(keys) + tf.size(values)), "keys and values, in each layer"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# check_1(32 * 2 * 8 * 128)
# ```
#
# </details>
#
# **2.** Write `turn(x, m)`, which turns the pair of numbers x at word m by m radians. Your code
# replaces the `...`.


# %%
def turn(x, m): ...


def check_2(function):
    for m in range(5):
        pair = np.array([0.6, -2.0], np.float32)
        expected = rotate(tf.constant(pair[np.newaxis]), tf.constant([m]))[0]
        np.testing.assert_allclose(function(pair, m), expected, atol=1e-5, err_msg=f"word {m}")


# check_2(turn)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def turn(x, m):
#     cos, sin = np.cos(m), np.sin(m)
#     return np.array([x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos])
#
#
# check_2(turn)
# ```
#
# </details>
#
# **3.** How many parameters does multi-query attention save in one `MultiHeadAttention(512, 8)`?


# %%
def check_3(answer):
    counts = []
    for block in (MultiHeadAttention(512, 8), GroupedQueryAttention(512, 8, num_kv_heads=1)):
        block.build()
        counts.append(block.count_params())
    assert answer == counts[0] - counts[1], "projections of keys and of values have biases, too"


# check_3(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# Keys and values each come from a kernel 512 x 64 in place of 512 x 512.
#
# ```python
# check_3(2 * (512 * (512 - 64) + (512 - 64)))
# ```
#
# </details>
#
# **4.** Write `apart(a, b)`, which takes the losses of two networks, a seed each, and says whether
# no seed of the one lies among those of the other.


# %%
def apart(a, b): ...


def check_4(function):
    """Against three cases."""
    assert function([1.0, 1.2], [1.3, 1.5]), "all of b are larger"
    assert function([1.3, 1.5], [1.0, 1.2]), "all of b are smaller"
    assert not function([1.0, 1.4], [1.3, 1.5]), "1.4 lies among those of b"


# check_4(apart)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def apart(a, b):
#     return max(a) < min(b) or max(b) < min(a)
#
#
# check_4(apart)
# ```
#
# </details>
