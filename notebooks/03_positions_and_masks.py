# %% [markdown]
# # 03 Positions and masks
#
# Read with "5 Masking tokens in practice" and the first lines of "6 Decoding process" in
# [How to make a toy English-German
# translator](https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/)
# (here: the translator article), and "Representing The Order of The Sequence Using Positional
# Encoding" in [The Illustrated Transformer](https://jalammar.github.io/illustrated-transformer/).
#
# You will see
#
# 1. the three masks of a translator, before and after the softmax;
# 2. that `1` blocks a token here, and shows it in Keras;
# 3. how sines and cosines tell the model where a word stands.
#
# **Before**: notebook 02, or what queries, keys and weights are.
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
# Previous: [02 Attention by hand](02_attention_by_hand.ipynb).
# Next: [04 The Transformer, class by class](04_transformer.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import numpy as np
from matplotlib.figure import Figure

from tf_models import (
    MultiHeadAttention,
    create_look_ahead_mask,
    create_masks,
    positional_encoding,
    scaled_dot_product_attention,
)
from tf_models.data.annotated import HOPKINS, HOPKINS_IN_GERMAN
from tf_models.ids import PADDING_ID
from tf_models.plotting.attention import plot_attention_maps
from tf_models.plotting.masks import LabeledMask, plot_masked_softmax, plot_masks
from tf_models.plotting.notebook import show

# %% [markdown]
# ## A batch is padded
#
# All sentences of a batch have the same number of ids. Shorter ones are filled up with zeros: in
# the translator article to 41 ids in English and 42 in German. Here 12 and 13 are enough to see
# what happens.
#
# As in the article, one word is one token, and the start token is left out.

# %%
ENGLISH, GERMAN = HOPKINS.split(), HOPKINS_IN_GERMAN.split()  # 9 and 10 words


def padded(words: list[str], length: int) -> tuple[list[str], tf.Tensor]:
    """Labels, and ids: 1, 2 … for the words, 0 for padding."""
    padding = length - len(words)
    ids = [*range(1, len(words) + 1), *[PADDING_ID] * padding]
    return [*words, *["<pad>"] * padding], tf.constant([ids])


source, inp = padded(ENGLISH, 12)
target, tar = padded(GERMAN, 13)
print(inp.numpy(), tar.numpy(), sep="\n")

# %% [markdown]
# ## Three masks
#
# A mask $M$ has a 1 where a key must not be looked at. It is added to the scores:
#
# $$\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}} - 10^9 M\right)$$
#
# `create_masks` makes all three.

# %% tags=["row-12", "row-13", "row-14"]
enc_padding_mask, combined_mask, dec_padding_mask = create_masks(inp, tar)
masks = [
    LabeledMask("encoder padding mask", enc_padding_mask.numpy(), source, source),
    LabeledMask("look-ahead and padding mask", combined_mask.numpy(), target, target),
    LabeledMask("decoder padding mask", dec_padding_mask.numpy(), target, source),
]
for name, mask, queries, keys in masks:
    print(f"{name}: {mask.shape} for a map of {len(queries)} x {len(keys)}")
show(plot_masks(masks), "Three masks. Dark columns are padding, the dark triangle is the future.")

# %% [markdown]
# ## The encoder padding mask
#
# What a mask does is the same for any scores, so random queries and keys will do. Without the mask
# every word gives a part of its attention to padding. **Change** the seed: other scores, the same
# empty columns.

# %%
random = np.random.default_rng(1)


def queries_and_keys(len_q: int, len_k: int, d_k: int = 64) -> tuple[np.ndarray, np.ndarray]:
    q, k = random.normal(size=(len_q, d_k)), random.normal(size=(len_k, d_k))
    return q.astype(np.float32), k.astype(np.float32)


def masked_figure(len_q: int, len_k: int, mask: tf.Tensor, *labels: list[str]) -> Figure:
    q, k = queries_and_keys(len_q, len_k)
    scores = q @ k.T / np.sqrt(k.shape[-1])
    return plot_masked_softmax(scores, mask.numpy(), *labels)


# %% tags=["row-12"]
figure = masked_figure(12, 12, enc_padding_mask, source, source)
show(figure, "Scores and softmax, without and with the encoder padding mask: three columns vanish.")

# %% [markdown]
# With the mask the weights of the three columns of padding are 0, and each row still sums to 1.

# %% [markdown]
# By hand, against the library's function:

# %% tags=["row-12"]
q, k = queries_and_keys(12, 12)
scores = q @ k.T / 8 - 1e9 * enc_padding_mask.numpy()[0, 0]
powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
by_hand = powers / powers.sum(axis=-1, keepdims=True)

_, weights = scaled_dot_product_attention(q, k, k, enc_padding_mask[0, 0])
print("by hand:    ", by_hand[0].round(2))
print("the library:", weights[0].numpy().round(2), "with 0 for the padding")
np.testing.assert_allclose(weights, by_hand, atol=1e-6)
assert np.all(by_hand[:, 9:] == 0)  # the padding
np.testing.assert_allclose(by_hand.sum(axis=-1), 1, atol=1e-5)

# %% [markdown]
# ## Look-ahead and padding combined
#
# In the decoder a word may look at itself and at earlier words. The combined mask is the larger of
# the two masks, cell by cell. The article's example: "als" sees six tokens. **Change** the word.

# %% tags=["row-13"]
row = target.index("als")
seen = [word for word, blocked in zip(target, combined_mask[0, 0, row], strict=True) if not blocked]
print(len(seen), seen)
figure = masked_figure(13, 13, combined_mask, target, target)
show(figure, "Scores and softmax with the combined mask: only the lower triangle is left.")
assert seen == ["Anthony", "Hopkins", "hat", "Michael", "Bay", "als"]

# %% [markdown]
# Each row has one token more than the row above, and "als" gives weights to six. A real decoder
# reads `<start>` before the first word. There the row of "als" sees seven tokens.
#
# ## The decoder padding mask
#
# Here the queries are German and the keys English: a map of 42 x 41. Only columns beyond the
# English sentence are blocked: 9 columns are left, in all 42 rows.

# %% tags=["row-14"]
long_source, long_inp = padded(ENGLISH, 41)
long_target, long_tar = padded(GERMAN, 42)
_, _, long_mask = create_masks(long_inp, long_tar)
q, k = queries_and_keys(42, 41)
_, weights = scaled_dot_product_attention(q, k, k, long_mask[0, 0])
figure = plot_attention_maps(
    weights[np.newaxis], long_target, long_source, names=["softmax with the decoder padding mask"]
)
show(figure, "A map of 42 x 41 with the decoder padding mask: 9 columns are left.")
assert weights.shape == (42, 41)
assert np.all(np.any(weights.numpy() > 0, axis=0) == (np.arange(41) < 9))

# %% [markdown]
# In training the decoder reads a target without its last token and predicts it without its first.
# So from batches of (64, 41) and (64, 42) this map is 41 x 41.
#
# ## Rows past the end do no harm
#
# The article notes that rows of padding are still computed, and guesses that this is no problem.
# It is right, for two reasons. No real token looks at those rows, since as keys they are masked.
# And nobody reads their output: the loss leaves padding out, and decoding stops at `<end>`.
#
# We give the translator that comes with the package a pair as it is, and padded to 41 and 42.

# %% tags=["row-15"]
from tf_models import ready_made

translator = ready_made()
network = translator.model.network
short_inp = tf.constant([translator.source.encode(HOPKINS)])
short_tar = tf.constant([translator.target.encode(HOPKINS_IN_GERMAN)[:-1]])  # without <end>
real = short_tar.shape[1]
wide_inp = tf.pad(short_inp, [[0, 0], [0, 41 - short_inp.shape[1]]])
wide_tar = tf.pad(short_tar, [[0, 0], [0, 42 - real]])
logits, _ = network(short_inp, short_tar, training=False)
wide_logits, _ = network(wide_inp, wide_tar, training=False)
difference = np.abs(wide_logits[:, :real] - logits).max()
print(f"{logits.shape} and {wide_logits.shape}; the first {real} rows differ by {difference:.0e}")
np.testing.assert_allclose(wide_logits[:, :real], logits, atol=1e-3)

# %% [markdown]
# And without padding masks:

# %% tags=["row-15"]
see_all = tf.zeros((1, 1, 1, 41))
wrong, _ = network(wide_inp, wide_tar, enc_padding_mask=see_all, dec_padding_mask=see_all)
difference = np.abs(wrong[:, :real] - logits).max()
spread = np.std(logits)
print(f"the first {real} rows differ by up to {difference:.2f}; the standard deviation of all")
print(f"logits is {spread:.2f}")
assert difference > 5 * spread

# %% [markdown]
# With the masks padding changes nothing; without them it changes a logit by more than five standard
# deviations.

# %% [markdown]
# ## The decoder looks back only
#
# So its self-attention maps are lower triangles. Rows and columns are tokens that the decoder has
# read, `<start>` first: at each row it writes the next one.

# %% tags=["row-21"]
from tf_models.translation.attention import attention_maps

CAR = "I would like to buy a new car tomorrow."
weights, rows, columns = attention_maps(translator, CAR, kind="decoder", words=True)
assert np.triu(weights, k=1).max() == 0
title = "decoder self-attention, last layer: rows and columns are read"
figure = plot_attention_maps(weights[-1], rows, columns, title=title)
show(figure, "Eight heads of the decoder's self-attention: nothing above the diagonal.")

# %% [markdown]
# ## Why cross-attention needs no look-ahead mask
#
# A look-ahead mask hides what is not written yet. The keys of cross-attention are the source
# sentence, and that is known from the start. Hiding its end would even do damage: German says
# "morgen" early, English "tomorrow" last. We let the model write a given German sentence. Here a
# row is the word that it helps to *write*, not one that was read as in the figure above. **Change**
# both sentences.

# %%
weights, rows, columns = attention_maps(
    translator, CAR, "Ich möchte morgen ein neues Auto kaufen.", kind="cross", words=True
)
figure = plot_attention_maps(
    weights[-1],
    rows,
    columns,
    title="cross-attention, last layer: rows are written, columns are read",
)
show(figure, "Cross-attention: eight maps, with a row for each German word that is written.")
last_layer = weights[-1].mean(axis=0)  # mean of the heads, (rows, columns)
for word, looks in zip(rows, last_layer, strict=True):
    print(f"to write {word:10} the mean head gives {looks.max():.2f} to {columns[looks.argmax()]}")
morgen = last_layer[rows.index("morgen")]
assert morgen[columns.index("tomorrow")] > 0.8  # a look-ahead mask would hide it
assert rows.index("morgen") < columns.index("tomorrow") - 3

# %% [markdown]
# The third German word gives more than 0.8 of its attention to the last English one. A look-ahead
# mask would block that cell, and many more.

# %% [markdown]
# And nothing leaks: other target words at the end leave the logits before them as they were.

# %%
changed = tf.concat([short_tar[:, :-3], [[5, 6, 7]]], axis=1)
after, _ = network(short_inp, changed, training=False)
difference = np.abs(after - logits).max(axis=-1)[0]
print("largest difference at each position:", difference.round(2))
np.testing.assert_allclose(after[:, :-3], logits[:, :-3], atol=1e-4)
assert np.abs(after[:, -3:] - logits[:, -3:]).max() > 0.1

# %% [markdown]
# ## One means blocked here and attend in Keras
#
# | | 1 | 0 |
# |---|---|---|
# | the tutorial, and here | blocked | may be seen |
# | `keras.layers.MultiHeadAttention(…)(…, attention_mask=…)` | may be seen | blocked |
#
# So one mask is `1 - ` the other. With the same weights both layers then agree. The wrong way
# round there is no error message, only wrong results.

# %%
look_ahead = create_look_ahead_mask(5)
print("here:", look_ahead.numpy().astype(int), sep="\n")
print("Keras:", (1 - look_ahead).numpy().astype(int), sep="\n")

# %%
ours, theirs = MultiHeadAttention(64, 4), keras.layers.MultiHeadAttention(4, key_dim=16)
x = tf.random.normal((1, 5, 64))
ours.build()
theirs.build(x.shape, x.shape)
weights = [w.numpy() for layer in (ours.wq, ours.wk, ours.wv, ours.dense) for w in layer.weights]
shapes = [w.shape for w in theirs.weights]  # Keras keeps heads and depth apart
theirs.set_weights([w.reshape(shape) for w, shape in zip(weights, shapes, strict=True)])

expected, _ = ours(x, x, x, mask=look_ahead)
for name, mask in {"1 - mask": 1 - look_ahead, "mask": look_ahead}.items():
    difference = np.abs(theirs(x, x, attention_mask=mask) - expected).max()
    print(f"Keras with {name}: differs by {difference:.4f}")
np.testing.assert_allclose(theirs(x, x, attention_mask=1 - look_ahead), expected, atol=1e-5)
assert np.abs(theirs(x, x, attention_mask=look_ahead) - expected).max() > 0.01

# %% [markdown]
# ## Minus infinity and minus a billion
#
# The Illustrated Transformer masks with $-\infty$, the tutorial with $-10^9$. In float32 both give
# exactly the same weights, because $e^{-10^9}$ rounds to 0. They differ where *all* keys are
# blocked, as for a sentence of padding only: then $-\infty$ gives "not a number".

# %% tags=["row-51"]
scores = tf.constant(random.normal(size=(5, 5)), tf.float32)
billion = tf.nn.softmax(scores - 1e9 * look_ahead)
infinity = tf.nn.softmax(tf.where(look_ahead == 1, -np.inf, scores))
np.testing.assert_array_equal(billion, infinity)
print(billion.numpy().round(2))

nothing_seen = tf.nn.softmax(tf.fill((5,), -np.inf))
print("all keys blocked, with -inf:", nothing_seen.numpy())
assert np.isnan(nothing_seen).all()

# %% [markdown]
# ## Without positions there is no order
#
# Attention compares vectors, wherever they stand. If the input tokens are shuffled, the outputs
# are the same vectors, shuffled. So "dog bites man" would be "man bites dog".

# %%
order = np.array([3, 0, 4, 1, 2])
plain, _ = ours(x, x, x)
shuffled = tf.gather(x, order, axis=1)
output, _ = ours(shuffled, shuffled, shuffled)
print("without positions: differs by", np.abs(output - plain.numpy()[:, order]).max().round(4))
np.testing.assert_allclose(output, plain.numpy()[:, order], atol=1e-5)

positions = positional_encoding(5, 64)
plain, _ = ours(x + positions, x + positions, x + positions)
output, _ = ours(shuffled + positions, shuffled + positions, shuffled + positions)
print("with positions: differs by", np.abs(output - plain.numpy()[:, order]).max().round(4))
assert np.abs(output - plain.numpy()[:, order]).max() > 0.01  # with positions, order matters

# %% [markdown]
# ## Sines and cosines
#
# $$PE_{(pos,2i)} = \sin(pos/10000^{2i/d_{model}})$$
#
# $$PE_{(pos,2i+1)} = \cos(pos/10000^{2i/d_{model}})$$
#
# This vector is added to the embedding. Four dimensions make a fast sine and cosine, and a slow
# sine and cosine. **Change** `d_model` to 6.
#
# The Illustrated Transformer says that the model *learns* this pattern. With sinusoids it does not:
# they are computed, and no trainable weight holds a position. (BERT and GPT-2 do learn theirs.)

# %% tags=["row-46"]
from tf_models.plotting.lines import plot_lines

d_model = 4
encoding = positional_encoding(30, d_model)[0].numpy()  # (30, 4)
lines = {}
for i in range(0, d_model, 2):
    wave = f"(pos / {10000 ** (i / d_model):g})"
    lines[f"sin{wave}"], lines[f"cos{wave}"] = ((range(30), encoding[:, i + n]) for n in (0, 1))
figure = plot_lines(lines, axis_names=("position", "value"))
show(figure, "Four waves: a fast sine and cosine, a slow sine and cosine.")
print(encoding[:3].round(2))
assert not [weight.path for weight in network.trainable_variables if "pos" in weight.path]

# %% [markdown]
# In the picture of The Illustrated Transformer for four dimensions, position 1 has other numbers:
# 0.84, 0.0001, 0.54 and 1. Its author used Tensor2Tensor, which puts all sines first, and lets the
# wavelengths end at exactly $2\pi \cdot 10000$: the exponent is $i/(d_{model}/2-1)$ instead of
# $2i/d_{model}$.


# %% tags=["row-46"]
def tensor2tensor(position: int, d_model: int) -> np.ndarray:
    pairs = np.arange(d_model // 2)
    angles = np.arange(position)[:, np.newaxis] / 10000 ** (pairs / (len(pairs) - 1))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


with np.printoptions(suppress=True):
    print(tensor2tensor(3, 4).round(4))
np.testing.assert_allclose(tensor2tensor(2, 4)[1], [0.84, 0.0001, 0.54, 1], atol=0.005)
concatenated = positional_encoding(20, 512, interleaved=False)[0]
assert np.abs(tensor2tensor(20, 512) - concatenated).max() < 0.05  # hardly any difference

# %% [markdown]
# ## Twenty positions and 512 dimensions
#
# The paper's layout takes sine and cosine in turn; Tensor2Tensor puts all cosines behind all sines,
# so that its picture is split at dimension 256. Only the columns are in another order, which is all
# the same to a model that learns its projections.

# %% tags=["row-47"]
from tf_models.plotting.masks import plot_positional_encoding

layouts = {"interleaved (the paper)": True, "concatenated (Tensor2Tensor)": False}
encodings = {name: positional_encoding(20, 512, way)[0].numpy() for name, way in layouts.items()}
interleaved, concatenated = encodings.values()
show(plot_positional_encoding(encodings), "20 positions x 512 dimensions, in the two layouts.")
assert interleaved.shape == (20, 512)
np.testing.assert_array_equal(concatenated[:, :256], interleaved[:, 0::2])  # the sines

# %% [markdown]
# ## How near two positions are
#
# The dot product of two positions depends on their distance alone:
#
# $$PE_p \cdot PE_q = \sum_i \cos\left((p-q)/10000^{2i/d_{model}}\right)$$
#
# So for two words three places apart, the part of the score that comes from the positions alone is
# the same anywhere in the sentence: three lines lie on each other. This holds before the
# projections to $Q$ and $K$; what these make of it is learnt. **Change** 512 to 16: the line gets
# waves.

# %%
encoding = positional_encoding(100, 512)[0].numpy()
products = encoding @ encoding.T
starts = (0, 20, 40)
lines = {f"from position {p}": (range(50), products[p, p : p + 50]) for p in starts}
figure = plot_lines(lines, axis_names=("distance", "dot product of the positions"))
show(figure, "Dot products by distance: the lines from positions 0, 20 and 40 are one line.")

# %%
for p in starts:
    print(f"from position {p}, at distances 0, 5, 10, 40:", products[p, [p, p + 5, p + 10, p + 40]])
    np.testing.assert_allclose(products[p, p : p + 50], products[0, :50], atol=0.01)
assert products[0, 0] > products[0, 5] > products[0, 10] > products[0, 40]

# %% [markdown]
# The product is 256 for a position with itself, and about half of that for two positions 40 apart:
# positions that are near have similar vectors.

# %% [markdown] tags=["row-97"]
# ## Sentences longer than in training
#
# The authors of the paper chose sinusoids because they "may allow the model to extrapolate" to
# longer sentences, and The Illustrated Transformer repeats it. A sinusoid does have a value at any
# position. Does the model know what to do there?
#
# First late positions alone. The package's translator gets sentences of the usual length, but their
# first token stands at position 0, 8, 20 or 40, in both languages. The German is given, and we
# count how often the model finds the next token.

# %% tags=["row-97"]
from tf_models import accuracy_function, load_corpus

everyday = load_corpus("everyday")
longest = max(len(pair.source.split()) for pair in everyday.train)
print(f"the longest English sentence of its corpus in the package has {longest} words")
usual = everyday.test[:24]
usual_inp = [translator.source.encode(pair.source) for pair in usual]
usual_tar = [translator.target.encode(pair.target) for pair in usual]
usual_inp, usual_tar = (
    tf.constant(keras.utils.pad_sequences(ids, padding="post")) for ids in (usual_inp, usual_tar)
)
read, labels = usual_tar[:, :-1], usual_tar[:, 1:]
padding_mask, look_ahead_mask, _ = create_masks(usual_inp, read)


def share_right(start):
    """Share of German tokens that are found if the first one stands at position `start`."""
    encoder, decoder = network.encoder, network.decoder
    x = encoder.embed(usual_inp, encoder.pos_encoding[:, start : start + usual_inp.shape[1]])
    for layer in encoder.enc_layers:
        x, _ = layer(x, padding_mask=padding_mask)
    y = decoder.embed(read, decoder.pos_encoding[:, start : start + read.shape[1]])
    for layer in decoder.dec_layers:
        y, _, _ = layer(y, x, look_ahead_mask=look_ahead_mask, padding_mask=padding_mask)
    return float(accuracy_function(labels, network.final_layer(y)))


shares = {start: share_right(start) for start in (0, 8, 20, 40)}
for start, share in shares.items():
    print(f"first token at position {start:2}: {share:.0%} of the next tokens are right")
assert shares[0] > 0.95
assert shares[40] < 0.4
assert shares[0] > shares[8] > shares[20] > shares[40]

# %% [markdown] tags=["row-97"]
# So late positions alone do harm: from position 40 on, less than 40 % of the tokens are right.
# Then long sentences: more and more short ones, joined by "and". Now the number of clauses is new,
# too. How many of them come out as they do alone? **Change** their order: where does it stop?

# %% tags=["row-97"]
CLAUSES = "the dog sleeps, the woman sings, the child reads a book, my brother drinks coffee"
CLAUSES = f"{CLAUSES}, we play in the garden, the old man works, she buys bread".split(", ")


def in_german(clauses):
    english = ", and ".join(clauses).capitalize() + "."
    return translator.translate([english])[0][0].text.rstrip(".")


alone = [in_german([clause]).lower() for clause in CLAUSES]
counts = range(1, len(CLAUSES) + 1)
kept = []
for count in counts:
    german = in_german(CLAUSES[:count])
    kept.append(sum(clause in german.lower() for clause in alone[:count]))
    print(f"{kept[-1]} of {count}: {german}")

# %% tags=["row-97"]
lines = {"as many as it reads": (counts, counts), "that come out as alone": (counts, kept)}
figure = plot_lines(lines, axis_names=("clauses in a sentence", "clauses"), marks=counts)
show(figure, f"Of one sentence with {len(CLAUSES)} clauses, {kept[-1]} come out as they do alone.")
assert kept[:4] == [1, 2, 3, 4]
assert max(kept[4:]) < 4

# %% [markdown] tags=["row-97"]
# Four clauses come out whole. From five on the model writes two of them and stops: it does not
# extrapolate.
#
# In a controlled trial, a model that never saw more than 16 tokens lost 2 points of BLEU on
# sentences of that length, and [12 points on longer ones](../docs/heads.md#other-claims).

# %% [markdown]
# ## Summary
#
# - A mask adds $-10^9$ to the scores of blocked keys, so that the softmax gives them 0. Here 1
#   means blocked; in Keras 1 means attend.
# - The padding mask hides zeros, the look-ahead mask the future; cross-attention needs the first
#   alone, since the source is known from the start.
# - Without positions attention does not know the order of words. Sinusoids make near positions
#   similar, by their distance alone.
# - A sinusoid has a value at every position, but a model does not know what to do with a late one.
#
# **Two sentences to remember**: A mask decides what may be seen, and the loss what is graded, so
# padding costs time and changes nothing. Order is something that we add to the words.

# %% [markdown]
# ## Exercises
#
# **1.** The German sentence has 10 words and is padded to 42. How many of the 42 x 42 cells of the
# combined mask are open?


# %%
def check_1(answer):
    """Against the mask."""
    _, combined, _ = create_masks(long_inp, long_tar)
    assert answer == int(tf.reduce_sum(1 - combined)), "what do rows of padding see?"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The words see 1 + 2 + … + 10 = 55 cells, and each of the 32 rows of padding sees 10.
#
# ```python
# check_1(55 + 32 * 10)
# ```
#
# </details>
#
# **2.** Five keys have different scores, and all are blocked with $-10^9$. What weight does each
# get?


# %%
def check_2(answer):
    """Against TensorFlow's softmax."""
    weights = tf.nn.softmax(tf.constant([0.3, -1.2, 2.0, 0.7, -0.1]) - 1e9)
    assert abs(answer - weights[2]) < 1e-3, "how many digits has a float32?"


# check_2(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# A float32 near $10^9$ has steps of 64, so the scores vanish beside it. All five are equal.
#
# ```python
# check_2(1 / 5)
# ```
#
# </details>
#
# **3.** What is the dot product of a position with itself, for $d_{model} = 512$?


# %%
def check_3(answer):
    """Against the encoding."""
    assert abs(answer - products[7, 7]) < 0.1, "take a sine with its cosine"


# check_3(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# There are 256 pairs of sine and cosine, and $\sin^2 + \cos^2 = 1$.
#
# ```python
# check_3(256)
# ```
#
# </details>
#
# **4.** Write `combined`, which makes the look-ahead and padding mask of one row of ids with NumPy:
# 1 where a key is later than the query, or padding.


# %%
def combined(ids):
    return np.zeros((len(ids), len(ids)))  # your code: so far nothing is blocked


def check_4(function):
    """Against the library, for three rows of ids."""
    for ids in ([5, 8, 3], [4, 7, 0, 0], [1, 0]):
        _, expected, _ = create_masks(tf.constant([ids]), tf.constant([ids]))
        np.testing.assert_array_equal(function(ids), expected[0, 0])


# check_4(combined)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def combined(ids):
#     later = np.triu(np.ones((len(ids), len(ids))), k=1)
#     return np.maximum(later, np.equal(ids, 0))
#
#
# check_4(combined)
# ```
#
# </details>
