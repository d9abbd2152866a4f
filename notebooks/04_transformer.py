# %% [markdown]
# # 04 The Transformer, class by class
#
# Read with "2 The whole architecture", "3 The encoder" and "4 The decoder" in [How to make a
# toy English-German
# translator](https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/)
# (here: the translator article); in [The Illustrated
# Transformer](https://jalammar.github.io/illustrated-transformer/) all that is not about
# attention; and "Layer normalization" in lecture 7.
#
# You will see
#
# 1. which class holds which, and how many parameters each has;
# 2. the shape of a sentence on its way through twelve layers;
# 3. how a vector becomes a word.
#
# **Before**: notebooks 02 and 03, or what attention and a mask are.
#
# **Time**: about 20 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [03 Positions and masks](03_positions_and_masks.ipynb).
# Next: [05 The translator](05_translator.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import inspect
import re
import textwrap

import numpy as np
from matplotlib.figure import Figure

from tf_models import (
    Decoder,
    DecoderLayer,
    Encoder,
    EncoderLayer,
    MultiHeadAttention,
    Transformer,
    create_look_ahead_mask,
    point_wise_feed_forward_network,
)
from tf_models.plotting.notebook import show


def print_code(*functions):
    """The code of functions; of their docstrings the first line."""
    for function in functions:
        code = textwrap.dedent(inspect.getsource(function))
        print(re.sub(r'(""".*)\n(?s:.*?)"""', r'\1"""', code))


# %% [markdown]
# ## Classes inside classes
#
# An `EncoderLayer` is a part of `Encoder`, a `DecoderLayer` of `Decoder`, and both stacks are
# parts of `Transformer`. We build the paper's base model, with the article's vocabularies of
# 10,002 ids. Its weights are random.

# %% tags=["row-5"]
paper = Transformer(
    num_layers=6,
    d_model=512,
    num_heads=8,
    dff=2048,
    input_vocab_size=10002,
    target_vocab_size=10002,
    pe_input=41,
    pe_target=42,
)
paper.build()


# %% tags=["row-5"]
def print_tree(layer: keras.layers.Layer, name: str, indent: str = "") -> None:
    """A layer and the layers in it that have parameters; of a stack only the first one."""
    print(f"{indent}{name}: {type(layer).__name__}, {layer.count_params():,} parameters")
    if isinstance(layer, MultiHeadAttention):
        return
    inner = {name: part for name, part in vars(layer).items() if isinstance(part, keras.Layer)}
    for inner_name in sorted(inner, key=lambda name: name.startswith(("ffn", "layernorm"))):
        if inner[inner_name].weights and inner_name[0] != "_":
            print_tree(inner[inner_name], inner_name, indent + "    ")
    if hasattr(layer, "stack"):
        print_tree(layer.stack[0], f"{len(layer.stack)} times", indent + "    ")


print_tree(paper, "transformer")

# %% [markdown] tags=["row-5"]
# ## A layer of each stack
#
# What do the parts of a layer do with a sentence of 9 tokens and its translation of 10?

# %% tags=["row-5"]
from tf_models.plotting.diagram import plot_transformer_layers

show(
    plot_transformer_layers(inp_len=9, tar_len=10, d_model=512, dff=2048, num_heads=8),
    "Left an encoder layer of two sublayers, right a decoder layer of three; one arrow across.",
)

# %% [markdown] tags=["row-5"]
# The part that both share, `MultiHeadAttention`, is this code of the package: project, split into
# heads, attend ([notebook 02](02_attention_by_hand.ipynb#One-head-as-a-diagram-and-as-code) shows
# the function that is called), put the heads side by side, and project again. `rows_of` makes one
# matrix of all sentences, (batch · length, width), for faster products. A call is two methods,
# because decoding keeps the keys and values of the tokens that it has read.

# %% tags=["row-5"]
print_code(
    MultiHeadAttention.call,
    MultiHeadAttention.keys_and_values,
    MultiHeadAttention.split_heads,
    MultiHeadAttention.attend,
)

# %% [markdown]
# ## A stack of six
#
# The Illustrated Transformer finds nothing magical in the number six. Depth is an option here:
# `num_layers` in Python, `--num-layers` in the command. Each further layer costs the same. (That
# article counts encoders from 0, this project from 1.) **Change** the depths: add 8. Trained
# equally long, [six layers translate no better than two or four, and one head about as well as
# eight](../docs/heads.md#other-claims).


# %% tags=["row-40", "row-108"]
def article_model(num_layers: int = 4, vocabulary: int = 10002, longest: int = 42) -> Transformer:
    """The settings of the translator article."""
    sizes = (num_layers, 128, 8, 512, vocabulary, vocabulary, longest, longest)
    model = Transformer(*sizes)
    model.build()
    return model


counts = {depth: article_model(depth).count_params() for depth in (1, 2, 4, 6)}
for depth, count in counts.items():
    print(f"{depth} + {depth} layers: {count:,} parameters")
assert counts[4] - counts[2] == counts[6] - counts[4] == 2 * (counts[2] - counts[1])
assert len(paper.encoder.enc_layers) == len(paper.decoder.dec_layers) == 6

# %% [markdown]
# ## The feed-forward network
#
# $$\mathrm{FFN}(x) = \max(0, xW_1 + b_1)W_2 + b_2$$
#
# From 512 numbers to 2048 and back. $W_1$ has $512 \cdot 2048$ numbers and $b_1$ has 2048; $W_2$
# has $2048 \cdot 512$ and $b_2$ has 512. **Change** `dff` to 1024: both numbers halve, up to $b_2$.

# %% tags=["row-7"]
ffn = point_wise_feed_forward_network(d_model=512, dff=2048)
ffn.build((None, None, 512))
print([f"{layer.count_params():,}" for layer in ffn.layers])

x = tf.random.normal((1, 9, 512))
w_1, b_1, w_2, b_2 = (weight.numpy() for weight in ffn.weights)
by_hand = np.maximum(0, x.numpy() @ w_1 + b_1) @ w_2 + b_2
np.testing.assert_allclose(ffn(x), by_hand, atol=1e-4)
assert [layer.count_params() for layer in ffn.layers] == [1_050_624, 1_049_088]

# %% [markdown]
# ## One network for all positions
#
# In one layer all positions share this network: one word at a time gives what all words at once
# give. Every layer has a network of its own, though: the first matrix of each of the five others
# differs from that of layer 1.

# %% tags=["row-8"]
one_by_one = tf.concat([ffn(x[:, i : i + 1]) for i in range(9)], axis=1)
print("one word at a time differs by", f"{np.abs(one_by_one - ffn(x)).max():.5f}")
np.testing.assert_allclose(one_by_one, ffn(x), atol=1e-4)

kernels = [layer.ffn.layers[0].kernel.numpy() for layer in paper.encoder.enc_layers]
differences = [np.abs(kernels[0] - kernel).max() for kernel in kernels[1:]]
print("same shape:", {kernel.shape for kernel in kernels})
print("largest difference of W_1 to that of layer 1:", np.round(differences, 3))
assert min(differences) > 0.01

# %% [markdown]
# ## Parameters and the length of a sentence
#
# No weight belongs to a position, so the number of parameters does not depend on the length of the
# sentences. What grows is the work: a map of attention has $n^2$ weights. (Where positions are
# learnt, as in BERT, their table grows as well.)

# %% tags=["row-9"]
short, long = article_model(2, longest=42), article_model(2, longest=900)
assert short.count_params() == long.count_params() == counts[2]
for length in (5, 40, 160):
    ids = tf.random.uniform((1, length), 2, 10000, tf.int32)
    _, weights = long(ids, ids, training=False)
    cells = sum(weight.numpy().size for weight in weights.values())
    print(f"{length:3} tokens: {long.count_params():,} parameters, {cells:9,} attention weights")
    assert cells == 2 * 3 * 8 * length**2  # layers, kinds of attention, heads

# %% [markdown]
# ## A sentence keeps its shape
#
# We follow 9 source tokens upwards. Only the bottom layer reads embeddings, times $\sqrt{512}$,
# plus positions. Every other layer reads what the layer below wrote. From bottom to top the
# sentence is a matrix of 9 x 512.

# %% tags=["row-10", "row-41"]
inp = tf.random.uniform((1, 9), 2, 10000, tf.int32)
tar = tf.random.uniform((1, 10), 2, 10000, tf.int32)

encoder = paper.encoder
x = encoder.embedding(inp) * 512**0.5 + encoder.pos_encoding[:, :9]
outputs = [x]
print(f"{inp.shape} ids -> {x.shape} embeddings and positions")
for number, layer in enumerate(encoder.enc_layers, start=1):
    x, weights = layer(x, training=False)
    outputs.append(x)
    print(f"encoder layer {number}: {x.shape}, attention {weights.shape}")
assert {output.shape for output in outputs} == {(1, 9, 512)}
np.testing.assert_allclose(x, encoder(inp, training=False)[0], atol=1e-4)

# %% [markdown] tags=["row-10"]
# The same loop is the code of the class:

# %% tags=["row-10"]
print_code(Encoder.call)

# %% [markdown] tags=["row-10"]
# And this is one `EncoderLayer`, the left half of the diagram. (`_before` and `_after` normalise:
# here only `_after` does; with `normalize_first` it is
# [`_before`](12_what_came_after.ipynb#Normalisation-before-the-sublayer).)

# %% tags=["row-10"]
print_code(EncoderLayer.call)

# %% [markdown] tags=["row-10"]
# Line by line with our sentence: inside a layer only the feed-forward network widens, for a moment.

# %% tags=["row-10"]
layer = encoder.enc_layers[0]
attended, weights = layer.mha(outputs[0], outputs[0], outputs[0])
out1 = layer.layernorm1(outputs[0] + attended)
hidden = layer.ffn.layers[0](out1)
out2 = layer.layernorm2(out1 + layer.ffn.layers[1](hidden))
for name, value in {"mha": attended, "out1": out1, "hidden": hidden, "out2": out2}.items():
    print(f"{name:6} {value.shape}")
np.testing.assert_allclose(out2, outputs[1], atol=1e-4)

# %% [markdown]
# ## The last output of the encoder feeds every decoder layer
#
# It becomes keys and values in `mha2` of each of the six, through the projections of that layer. A
# picture that one easily draws by mistake joins encoder layer 1 to decoder layer 1, and so on.
# That is another model: below, its logits differ by 0.85. (The same figure: `python
# scripts/plot_figures.py --figure architecture --output architecture.png`.)

# %% tags=["row-6", "row-98"]
from tf_models.translation.figures_by_hand import draw_architecture

figure = draw_architecture()
show(
    figure, "Two stacks of four layers; four arrows lead from the top of the left one to the right."
)


# %% tags=["row-6"]
def decode(memories: list[tf.Tensor]) -> tf.Tensor:
    """Logits, where decoder layer i reads memories[i]."""
    future = create_look_ahead_mask(10)
    y = paper.decoder.embedding(tar) * 512**0.5 + paper.decoder.pos_encoding[:, :10]
    for layer, memory in zip(paper.decoder.dec_layers, memories, strict=True):
        y, _, _ = layer(y, memory, look_ahead_mask=future)
    return paper.final_layer(y)


# %% tags=["row-6"]
last = outputs[-1]
logits, _ = paper(inp, tar, training=False)
y = paper.decoder.embed(tar)
for i, layer in enumerate(paper.decoder.dec_layers, start=1):
    y, _, weights = layer(y, last, look_ahead_mask=create_look_ahead_mask(10))
    print(f"decoder layer {i}: {y.shape}, it has read {last.shape}, its map is {weights.shape}")
for name, memories in {"the last output": [last] * 6, "layer i to layer i": outputs[1:]}.items():
    print(f"{name}: logits differ by {np.abs(decode(memories) - logits).max():.4f}")
np.testing.assert_allclose(decode([last] * 6), logits, atol=1e-3)
assert 0.8 < np.abs(decode(outputs[1:]) - logits).max() < 0.9  # layer 1 to layer 1, 2 to 2 …

# %% [markdown]
# The code says the same: `Decoder.call` hands one `enc_output` to every layer. A `DecoderLayer` is
# the right half of the diagram. Its self-attention is in `call`; the two other sublayers stand in a
# method that decoding uses, too.

# %% tags=["row-6"]
print_code(Decoder.call, DecoderLayer.call, DecoderLayer._after_self_attention)

# %% [markdown]
# ## Residual connection and layer normalisation
#
# Around each sub-layer: add what came in, then bring the vector to mean 0 and variance 1.
#
# $$y = x + \mathrm{Sublayer}(x)$$
#
# $$\mathrm{LayerNorm}(y) = \gamma\,\frac{y-\mu}{\sqrt{\sigma^2+\epsilon}} + \beta$$
#
# $\mu$ and $\sigma^2$ are mean and variance of this one vector; $\gamma$ and $\beta$ are learnt,
# and start at 1 and 0. **Change** a number of `x`: all eight results change.

# %% tags=["row-48"]
from tf_models.layers import LayerNormalization

x = np.array([1.0, -0.5, 2.0, 0.0, -1.0, 0.5, 3.0, -2.0], np.float32)
sublayer = np.array([0.5, 0.5, -1.0, 1.0, 0.0, -0.5, 1.0, 0.5], np.float32)
y = x + sublayer
by_hand = (y - y.mean()) / np.sqrt(y.var() + 1e-6)

layer_norm = LayerNormalization(epsilon=1e-6)
print("by hand:  ", by_hand.round(2))
print("the layer:", layer_norm(y[np.newaxis])[0].numpy().round(2))
np.testing.assert_allclose(layer_norm(y[np.newaxis])[0], by_hand, atol=1e-5)
assert abs(by_hand.mean()) < 1e-5
assert abs(by_hand.var() - 1) < 1e-4

# %% tags=["row-48"]
from tf_models.plotting.heat_map import SIGNED_COLOR_MAP, HeatMap, draw_heat_map, with_decimals

rows = {"x": x, "Sublayer(x)": sublayer, "y = x + Sublayer(x)": y, "LayerNorm(y)": by_hand}
labels = [f"{name}, mean {row.mean():.2f}, var. {row.var():.2f}" for name, row in rows.items()]
values = np.stack(list(rows.values()))
figure = Figure(figsize=(7.5, 2.1), layout="constrained")
style = {"color_map": SIGNED_COLOR_MAP, "texts": with_decimals(values)}
vectors = HeatMap(values, labels, list("12345678"), limits=(-4, 4), **style)
draw_heat_map(figure.subplots(), vectors, rotation=0)
show(figure, "One vector: x, what the sub-layer adds, the sum, and the sum normalised.")

# %% [markdown]
# What is the residual connection good for? Attention averages the words. Without a residual
# connection all words of this untrained stack become the same vector. With it they come closer,
# too, but can be told apart. We measure how different the nine words are: 1 - cosine similarity,
# the mean of all pairs.


# %% tags=["row-48"]
def difference(x: tf.Tensor) -> float:
    """Mean of 1 - cosine over all pairs of words, for x (1, words, d_model)."""
    unit = tf.math.l2_normalize(x[0], axis=-1)
    cosines = tf.matmul(unit, unit, transpose_b=True).numpy()
    return 1 - float(cosines[~np.eye(len(cosines), dtype=bool)].mean())


x = outputs[0]
print(f"embeddings {difference(x):.2f}; then with residual connections, and without:")
for number, layer in enumerate(encoder.enc_layers, start=1):
    x = layer.layernorm1(layer.mha(x, x, x)[0])  # without "x +"
    x = layer.layernorm2(layer.ffn(x))
    print(f"after layer {number}: {difference(outputs[number]):.2f} and {difference(x):.6f}")
assert difference(outputs[0]) > difference(outputs[-1]) > 0.01
assert difference(x) < 1e-6

# %% [markdown]
# Without residual connections the nine words are one vector after two layers. With them some
# difference is left after six.

# %% [markdown]
# ## Which axis layer normalisation goes along
#
# One line of the lecture says that each feature (column) gets the same mean and standard
# deviation, the next that it goes across the features. The second holds: with a word in each row,
# it is the row that is normalised. (If the lecturer's columns are words, both lines agree.)
# Columns of one feature are what *batch* normalisation evens out. **Change** the last row of `x`:
# in the second panel the other rows stay as they are, in the third they do not.

# %% tags=["row-87"]
from tf_models.plotting.number_grid import plot_normalization

words = ["the", "old", "dog", "sleeps"]
random = np.random.default_rng(0)
x = random.normal(size=(4, 4)) * [[0.5], [1], [2], [3]] + [[2, 0, -1, 1]]
figure = plot_normalization(x, words, ["x1", "x2", "x3", "x4"])
show(
    figure,
    "Word vectors: as they are, with normalised rows (layer), with normalised columns (batch).",
)

normalised = LayerNormalization(epsilon=1e-6)(x.astype(np.float32)).numpy()
np.testing.assert_allclose(normalised.mean(axis=1), 0, atol=1e-5)  # rows
assert np.abs(normalised.mean(axis=0)).max() > 0.1  # columns

# %% [markdown]
# ## Two encoders and two decoders
#
# The Illustrated Transformer draws such a stack.

# %% tags=["row-49"]
show(
    draw_architecture(num_layers=2),
    "Two stacks of two; the upper encoder layer feeds both decoders.",
)

# %% [markdown] tags=["row-49"]
# Here it is with $d_{model} = 128$ and eight heads, untrained, on its way through a sentence of the
# package's translator. Its shapes, layer by layer:

# %% tags=["row-49"]
from tf_models import ready_made

translator = ready_made()
source = translator.source.encode("The old dog sleeps.")
target = translator.target.encode("Der alte Hund schläft.")[:-1]  # from <start> on
source_tokens = translator.tokenizers.source.tokens(source)
target_tokens = translator.tokenizers.target.tokens(target)
print(f"{len(source)} source tokens {source_tokens}")
print(f"{len(target)} target tokens {target_tokens}")

two = article_model(2)
x = two.encoder.embed(tf.constant([source]))
for number, layer in enumerate(two.encoder.enc_layers, start=1):
    x, weights = layer(x)
    print(f"encoder layer {number}: {x.shape}, self-attention {weights.shape}")
y = two.decoder.embed(tf.constant([target]))
future = create_look_ahead_mask(len(target))
for number, layer in enumerate(two.decoder.dec_layers, start=1):
    y, block1, block2 = layer(y, x, look_ahead_mask=future)
    print(f"decoder layer {number}: {y.shape}, self {block1.shape}, cross {block2.shape}")
of_two = two.final_layer(y)
print(f"final layer: {of_two.shape}")
np.testing.assert_allclose(of_two, two(tf.constant([source]), tf.constant([target]))[0], atol=1e-4)
assert (len(two.encoder.enc_layers), len(two.decoder.dec_layers)) == (2, 2)

# %% [markdown]
# The translator article has four of each, and so has the translator of the package. From here on we
# look at that one, since it is trained.

# %%
network = translator.model.network
logits, _ = network(tf.constant([source]), tf.constant([target]), training=False)
print(len(network.encoder.enc_layers), "+", len(network.decoder.dec_layers), "layers")
assert len(network.encoder.enc_layers) == len(network.decoder.dec_layers) == 4

# %% [markdown]
# ## From a vector to a word
#
# The whole model, last of all: both stacks, and a linear layer behind the decoder.

# %% tags=["row-52"]
print_code(Transformer.call, Transformer.decoder_states)

# %% [markdown]
# The decoder leaves a vector for each position. A linear layer makes one logit of it for each id:
# 10,002 in the article's model, and here. The softmax makes probabilities of them, and argmax
# picks the largest. The logits at the position of a word predict the word after it: the model has
# read "Der alte".

# %% tags=["row-52"]
states, _ = network.decoder_states(tf.constant([source]), tf.constant([target]))
place = target_tokens.index("▁alte")
kernel, bias = network.final_layer.kernel_and_bias()
scores = tf.linalg.matvec(kernel, states[0, place], transpose_a=True) + bias
probabilities = tf.nn.softmax(scores).numpy()
best = int(probabilities.argmax())
print(f"{states[0, place].shape} vector -> {scores.shape} logits -> probabilities -> id {best}")
for number in np.argsort(-probabilities)[:4]:
    (token,) = translator.tokenizers.target.tokens([int(number)])
    print(f"{token:10}{probabilities[number]:.4f}")
np.testing.assert_allclose(scores, logits[0, place], atol=1e-3)
assert translator.tokenizers.target.tokens([best]) == ["▁Hund"]
assert probabilities[best] > 0.9

# %% [markdown] tags=["row-103"]
# The Chinese translator remarks that this is the routine of a CNN. It is: a classifier of images
# ends in `Dense(classes, activation="softmax")` on a vector of features, and here the features are
# the decoder's vector and the classes are the words. Such a head with the same weights gives the
# same probabilities:

# %% tags=["row-103"]
head = keras.layers.Dense(len(bias), activation="softmax")  # as a CNN's last layer
head.build((None, 128))
head.set_weights([kernel, bias])
of_head = head(states[:, place])[0].numpy()
print(
    f"a CNN's head: id {of_head.argmax()} with {of_head.max():.3f}; here {probabilities.max():.3f}"
)
np.testing.assert_allclose(of_head, probabilities, atol=1e-5)

# %% [markdown]
# How are the probabilities distributed before and after training? The Illustrated Transformer says
# that a softmax gives a little to every word.

# %% tags=["row-52"]
from tf_models.plotting.lines import plot_lines

untrained = tf.nn.softmax(paper(inp, tar, training=False)[0][0, place]).numpy()
curves = {"untrained, 10,002 ids": untrained, "trained, 10,002 ids": probabilities}
lines = {name: (range(1, len(p) + 1), np.sort(p)[::-1]) for name, p in curves.items()}
names = ("rank of the id", "its probability")
figure = plot_lines(lines, axis_names=names, scales=("log", "log"))
show(figure, "Probabilities from the largest to the smallest: untrained flat, trained steep.")
print(f"largest: untrained {untrained.max():.4f}, trained {probabilities.max():.4f}")
print(f"smallest: untrained {untrained.min():.1e}, trained {probabilities.min():.1e}")
assert (len(untrained), len(probabilities)) == (10002, 10002)
assert 2 < untrained.max() * len(untrained) < 4
assert probabilities.min() > 0

# %% [markdown]
# Untrained, the likeliest id has 0.0003, about three times its share of 1 / 10,002; trained, it has
# 0.95, and every other id still has more than 0.

# %% [markdown] tags=["row-58"]
# ## What came after
#
# The Illustrated Transformer ends with a list of follow-up works. What each of them changes:
#
# - attention and positions: [relative positions](https://arxiv.org/abs/1803.02155); later [rotary
#   positions, RoPE](https://arxiv.org/abs/2104.09864), and [multi-query
#   attention](https://arxiv.org/abs/1911.02150), one pair of keys and values for all heads
# - layers: [depthwise separable convolutions](https://arxiv.org/abs/1706.03059); [one model for
#   text, speech and images](https://arxiv.org/abs/1706.05137)
# - training: [training tips](https://arxiv.org/abs/1804.00247);
#   [Adafactor](https://arxiv.org/abs/1804.04235), which needs less memory than Adam
# - decoding: [discrete autoencoders](https://arxiv.org/abs/1801.09797); [discrete latent
#   variables](https://arxiv.org/abs/1803.03382), for several words at once
# - other data: [Wikipedia from long texts](https://arxiv.org/abs/1801.10198);
#   [images](https://arxiv.org/abs/1802.05751)

# %% [markdown] tags=["row-104"]
# ## Where the articles point
#
# - The Illustrated Transformer, "Go Forth And Transform": [Attention Is All You
#   Need](https://arxiv.org/abs/1706.03762); [Google's
#   post](https://research.google/blog/transformer-a-novel-neural-network-architecture-for-language-understanding/);
#   Tensor2Tensor, its
#   [announcement](https://research.google/blog/accelerating-deep-learning-research-with-the-tensor2tensor-library/),
#   [repository](https://github.com/tensorflow/tensor2tensor) and
#   [notebook](https://colab.research.google.com/github/tensorflow/tensor2tensor/blob/master/tensor2tensor/notebooks/hello_t2t.ipynb);
#   [Łukasz Kaiser's talk](https://www.youtube.com/watch?v=rBCqOTEfxvg); [The Annotated
#   Transformer](https://nlp.seas.harvard.edu/annotated-transformer/); [The Narrated
#   Transformer](https://www.youtube.com/watch?v=-QH8fRhqFHM); [the book](https://llm-book.com),
#   whose chapter 3 is the article anew; the code of the positions,
#   [`get_timing_signal_1d()`](https://github.com/tensorflow/tensor2tensor/blob/master/tensor2tensor/layers/common_attention.py);
#   posts on [cross-entropy](https://colah.github.io/posts/2015-09-Visual-Information/) and
#   [Kullback-Leibler
#   divergence](https://www.countbayesie.com/blog/2017/5/9/kullback-leibler-divergence-explained)
# - the translator article and Multi-head attention: the TensorFlow tutorials [Neural machine
#   translation with a Transformer](https://www.tensorflow.org/text/tutorials/transformer) and [with
#   attention](https://www.tensorflow.org/text/tutorials/nmt_with_attention); Stanford's CS224N of
#   winter 2019, [lecture 14](https://www.youtube.com/watch?v=5vcj8kSwBCY), "Transformers and
#   Self-Attention", and [lecture 8](https://www.youtube.com/watch?v=XXtpJxZBa2c), "Translation,
#   Seq2Seq, Attention"
# - lecture 7: [Deep Learning, chapter
#   20](https://www.deeplearningbook.org/contents/generative_models.html), generative models;
#   autoencoders are [chapter 14](https://www.deeplearningbook.org/contents/autoencoders.html);
#   [Bahdanau et al.](https://arxiv.org/abs/1409.0473)
# - Variational Autoencoders: [Kingma and Welling](https://arxiv.org/abs/1312.6114) and
#   [NVAE](https://arxiv.org/abs/2007.03898). Its "Further readings" link two articles more, on the
#   basics of probability and on a more advanced loss function, without naming them: follow its own
#   links.

# %% [markdown]
# ## Summary
#
# - An encoder layer is self-attention and a feed-forward network, each with a residual connection
#   and a normalisation; a decoder layer has cross-attention between them.
# - All layers have the same shapes in and out, so depth is a number. The feed-forward network is
#   shared by all positions of a layer, and no weight belongs to a length.
# - Every decoder layer reads the last output of the encoder.
# - The end is a classifier with one class for each token of the vocabulary.
#
# **Two sentences to remember**: A sentence goes through the stack as a matrix of one shape, and
# each sublayer adds something to it. Words meet in attention alone; everything else treats each
# word by itself.

# %% [markdown]
# ## Exercises
#
# **1.** How many parameters has one `EncoderLayer` with $d_{model} = 512$ and $d_{ff} = 2048$? The
# network has 2,099,712. Add four projections of 512 to 512, each with a bias, and two layer
# normalisations.


# %%
def check_1(answer):
    """Against the layer."""
    layer = EncoderLayer(d_model=512, num_heads=8, dff=2048)
    layer.build()
    assert answer == layer.count_params(), "a normalisation has parameters, too"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The four projections have $4 \cdot 512 \cdot 513$ parameters: as many as $W_1$ and $b_1$, which
# have $2048 \cdot 513$. A normalisation has 512 gains and 512 biases.
#
# ```python
# check_1(4 * (512 * 512 + 512) + 2_099_712 + 2 * 2 * 512)
# ```
#
# </details>
#
# **2.** How many parameters more has it with 16 heads in place of 8?


# %%
def check_2(answer):
    """Against two layers."""
    few, many = (EncoderLayer(d_model=512, num_heads=heads, dff=2048) for heads in (8, 16))
    few.build()
    many.build()
    assert answer == many.count_params() - few.count_params(), "how large is one of 16 heads?"


# check_2(1)

# %% [markdown]
# <details><summary>Answer</summary>
#
# None: `split_heads` only cuts the same 512 numbers in another way.
#
# ```python
# check_2(0)
# ```
#
# </details>
#
# **3.** The article's model has $d_{model} = 128$ and two vocabularies of 10,002. How many
# parameters more has it with two of 30,000?


# %%
def check_3(answer):
    """Against the model."""
    more = article_model(2, vocabulary=30000).count_params() - counts[2]
    assert answer == more, "in which three places has an id parameters of its own?"


# check_3(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# Each further id costs 128 in each embedding and 128 + 1 in the last layer. In a small model most
# parameters are vocabulary.
#
# ```python
# check_3((30000 - 10002) * (128 + 128 + 128 + 1))
# assert counts[4] / 2 < 10002 * (128 + 128 + 128 + 1)  # most parameters are vocabulary
# ```
#
# </details>
#
# **4.** Write `add_and_norm`, which adds what a sub-layer returns and normalises each word's
# vector.


# %%
def add_and_norm(x, of_sublayer):
    return x + of_sublayer  # your code: so far nothing is normalised


def check_4(function):
    """Against the library, for nine words of 512 numbers."""
    x, of_sublayer = np.random.default_rng(4).normal(2, 3, size=(2, 9, 512)).astype(np.float32)
    expected = LayerNormalization(epsilon=1e-6)(x + of_sublayer)
    np.testing.assert_allclose(function(x, of_sublayer), expected, atol=1e-4)


# check_4(add_and_norm)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def add_and_norm(x, of_sublayer):
#     y = x + of_sublayer
#     mean, variance = y.mean(axis=-1, keepdims=True), y.var(axis=-1, keepdims=True)
#     return (y - mean) / np.sqrt(variance + 1e-6)
#
#
# check_4(add_and_norm)
# ```
#
# </details>
#
# **5.** Wire encoder and decoder. `outputs` are what the embeddings and the six encoder layers of
# the paper's model wrote. Write `memories`, which returns the list of what each of the six decoder
# layers reads.


# %%
def memories(outputs):
    return outputs[1:]  # your code: so far decoder layer i reads encoder layer i


def check_5(function):
    """Against the whole model."""
    expected, _ = paper(inp, tar, training=False)
    np.testing.assert_allclose(decode(function(outputs)), expected, atol=1e-3)


# check_5(memories)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def memories(outputs):
#     return [outputs[-1]] * 6
#
#
# check_5(memories)
# ```
#
# </details>
