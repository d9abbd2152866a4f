# %% [markdown]
# # 06 Attention maps
#
# Read with [How to make a toy English-German translator][toy], sections 4 to 6, [Multi-head
# attention mechanism][heads], sections 3 and 4, and [The Illustrated Transformer][illustrated],
# "Self-Attention at a High Level" and "The Beast With Many Heads".
#
# [toy]: https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/
# [heads]: https://data-science-blog.com/blog/2021/04/07/multi-head-attention-mechanism/
# [illustrated]: https://jalammar.github.io/illustrated-transformer/
#
# You will see
#
# 1. heat maps of all 32 heads of a trained encoder, and of the other two kinds of attention,
# 2. the article's 10 x 9 map, and where "it" looks,
# 3. whether early layers are blurry and late ones concentrated, in numbers.
#
# **Before**: notebook 02, or what queries, keys and weights are.
#
# **Time**: about 60 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing, and loads TensorFlow.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [05 Training and decoding the translator](05_translator.ipynb).
# Next: [07 Before the Transformer](07_before_the_transformer.ipynb)

# %%
import importlib.util

if importlib.util.find_spec("tf_models") is None:
    raise SystemExit("tf_models is not installed: run `pip install .` in the folder of tf-models")

from tf_models.cli.command_line import quiet_tensorflow

with quiet_tensorflow():
    import keras
    import tensorflow as tf

keras.utils.set_random_seed(1)

# %%
import numpy as np

from tf_models.data.pairs import DIRECTOR, HOPKINS, IT_STANDS_FOR
from tf_models.plotting.attention import plot_attention_layers, plot_attention_side_by_side
from tf_models.plotting.notebook import show
from tf_models.transformer.masks import create_look_ahead_mask
from tf_models.translation.attention import attention_maps, attention_of
from tf_models.translation.figures import (
    draw_32_maps,
    draw_forced_map,
    draw_maps,
    draw_masked_softmax,
    draw_statistics,
)
from tf_models.translation.translate import ready_made

ready = ready_made()

# %% [markdown]
# ## Heat maps of every head
#
# The checkpoint is the translator that comes with the package: 4 layers of 8 heads, as in the
# article. A run directory of your own goes with `Translator.load(FOLDER)`, or with
# `scripts/plot_attention.py --run-dir FOLDER`.
#
# Each row is a query, and shows how its attention is shared among the keys above:
# $\text{softmax}(QK^T / \sqrt{d_k})$. First the inter-language attention, as the article calls it
# (cross-attention): rows are the tokens that are being written.

# %% tags=["row-20"]
show(
    draw_maps(ready, sentence=DIRECTOR, kind="cross"),
    "Cross-attention of the last layer: most heads give each German token one English token.",
)

# %% [markdown]
# The decoder's self-attention: no token looks at a later one, so only the lower triangle is
# filled.

# %% tags=["row-20", "row-21"]
show(
    draw_maps(ready, sentence=DIRECTOR, kind="decoder", layer="all"),
    "Decoder self-attention in all four layers: above the diagonal every weight is zero.",
)
weights, rows, columns = attention_maps(ready, DIRECTOR, kind="decoder")
print("largest weight above the diagonal:", np.triu(weights, k=1).max())
assert np.triu(weights, k=1).max() == 0
assert np.allclose(weights[..., 0, 0], 1)  # the first token can see only itself
assert np.allclose(weights.sum(axis=-1), 1, atol=1e-5)

# %% [markdown]
# ## Each layer of the director sentence
#
# The author looks at "He admired her as a great director." in the encoder: eight maps a layer, 32
# in all, the first layer on top.

# %% tags=["row-37", "row-20", "row-26", "row-89"]
show(
    draw_32_maps(ready, sentence=DIRECTOR),
    "The 32 maps of the trained encoder, a row for each layer, on a scale from 0 to 1.",
)
weights = attention_maps(ready, DIRECTOR, kind="encoder").weights.astype(float)
ends = weights[..., [0, -1]].sum(axis=-1).mean(axis=-1)  # (layers, heads)
near = {
    offset: np.diagonal(weights, offset, axis1=-2, axis2=-1).mean(axis=-1) for offset in (-1, 0, 1)
}
for layer, share in enumerate(ends, start=1):
    print(f"layer {layer}, share on <start> and <end>: {np.round(share, 2).tolist()}")
for offset, share in near.items():
    layer, head = np.unravel_index(share.argmax(), share.shape)
    print(f"most on the token {offset:+} away: {layer + 1}.{head + 1} gives {share.max():.2f}")
assert weights.shape[:2] == (4, 8)

# %% [markdown]
# **See** the first layer: it leaves much on `<start>`, and is blurred else. In later ones
# some heads look at one place, the token before or the token after. Heads differ from training to
# training. **Change** `kind`, `layer` or `head`.
#
# ## Attention sinks
#
# Softmax gives the whole 1 away, also where a head finds nothing to look at. Such a head leaves its
# attention where it does no harm: on a token that every sentence has. This place is an *attention
# sink* (Xiao et al. 2024, "Efficient Streaming Language Models with Attention Sinks"). In BERT it
# is `[SEP]`, and changing that attention hardly changes the output: a no-op (Clark et al. 2019,
# "What Does BERT Look At?", section 3.2).
#
# Which heads of the encoder rest most? The mean over eight sentences says it.

# %%
SENTENCES = (
    DIRECTOR,
    HOPKINS,
    *IT_STANDS_FOR,
    "The old dog sleeps.",
    "I would like a coffee, please.",
    "My sister has two small children.",
    "Yesterday we went to the cinema.",
)


def on_ends(weights):
    """Share of <start> and <end> in each map: (layers, heads)."""
    return weights[..., [0, -1]].sum(axis=(-2, -1)) / weights.sum(axis=(-2, -1))


# %%
looks = [attention_of(ready, sentence)["encoder"].weights for sentence in SENTENCES]
rests = np.mean([on_ends(weights) for weights in looks], axis=0)  # (layers, heads)
order = [divmod(int(place), rests.shape[1]) for place in rests.argsort(axis=None)]
name = "{}.{}".format
for layer, head in (order[-1], order[0]):
    share = rests[layer, head]
    print(f"head {name(layer + 1, head + 1)} gives <start> and <end> {share:.2f} of its attention")

# %% [markdown]
# **See** that no head of this encoder is a sink alone. A weight is half of the truth: what a head
# adds to a token is the sum of its weights times $f(x_j) = (x_j W^V + b^V)\,W^O$ of the tokens it
# looks at, with the head's own rows of $W^O$. And a head may add the same vector to every token, as
# one more bias would. So two numbers for each head: how long the vectors are that it adds to the
# tokens, and how far they lie from their mean. Only the second depends on what the sentence says.

# %%
from tf_models.translation.figures import multi_head_stages

source = ready.source.encode(DIRECTOR)


def added(layer):
    """What each head adds to each token of the director sentence: (heads, tokens, d_model)."""
    stages = multi_head_stages(ready.model.network.encoder, source, layer)
    heads, _, depth = stages.z.shape
    each = stages.z @ stages.kernel.reshape(heads, depth, -1)
    bias = ready.model.network.encoder.enc_layers[layer - 1].mha.dense.bias.numpy()
    assert np.allclose(each.sum(axis=0) + bias, stages.output, atol=1e-4)  # all that the layer does
    return each


# %%
vectors = np.stack([added(layer + 1) for layer in range(len(rests))])
lengths = np.linalg.norm(vectors, axis=-1).mean(axis=-1)  # (layers, heads)
differ = np.linalg.norm(vectors - vectors.mean(axis=2, keepdims=True), axis=-1).mean(axis=-1)
for layer, head in (*reversed(order[-3:]), *reversed(order[:3])):
    print(
        f"head {name(layer + 1, head + 1)}: ends {rests[layer, head]:.2f}  "
        f"length {lengths[layer, head]:.2f}  of it different {differ[layer, head]:.2f}"
    )
restless, restful = np.array_split([differ[place] for place in order], [len(order) * 3 // 4])
print(
    f"different: {np.mean(restful):.2f} in the eight that rest most, {np.mean(restless):.2f} else"
)
assert np.mean(restful) < 0.5 * np.mean(restless)

# %% [markdown]
# The heads that rest most tell one token from another least. Nearly all are of the first layer, and
# here even they give a quarter of their attention to words, or more. In other trainings they are
# dead: above 0.9 on `<start>` and `<end>`. An option of every map helps to see the others:
# `without_marks`, in scripts `--without-marks`, leaves out start, end and punctuation and divides
# each row by what is left.

# %%
options = {"sentence": DIRECTOR, "kind": "encoder", "layer": "all", "words": True}
show(
    draw_maps(ready, **options),
    "The weights between words: in layer 1 many heads have dark columns at both ends.",
)
show(
    draw_maps(ready, **options, without_marks=True),
    "The same weights without start, end and full stop, each row divided by what is left.",
)

# %% [markdown]
# **See** the line in the figure: how much of the attention start, end and punctuation had. A row
# with less than 1 % left is empty: divided by next to nothing, noise would look like a choice.
# **Change** `kind` to `"decoder"`.
#
# ## Thirty-two maps on one page
#
# The article's model has 4 x 8 heads, "32 standards". Trained, they stand above. Here is the same
# model before training, with random weights. Mind the scales: here the darkest blue is a much
# smaller weight.

# %% tags=["row-26"]
from tf_models.translation.model import build_transformer
from tf_models.translation.settings import TransformerSettings
from tf_models.translation.translate import Translator

network = build_transformer(TransformerSettings(), ready.tokenizers, "float32")
untrained = Translator(network, ready.tokenizers, max_length=128)
maps = attention_maps(untrained, DIRECTOR, "Er.", kind="encoder")  # the target does not matter here
show(
    plot_attention_layers(*maps, title="4 layers of 8 heads, untrained"),
    "Untrained, each head spreads its attention; its pattern is chance, and columns look alike.",
)
trained = attention_maps(ready, DIRECTOR, kind="encoder").weights
print(f"largest weight: untrained {maps.weights.max():.2f}, trained {trained.max():.2f}")
assert maps.weights.shape[:2] == trained.shape[:2] == (4, 8)
assert maps.weights.max() < 0.7 < trained.max()

# %% [markdown]
# ## A map of ten by nine
#
# "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert." has 10 words, its
# English 9. Would the model write that German? No matter: *forced decoding* gives it the target,
# and asks only where it looks.
#
# The model reads 17 tokens. `words=True` merges pieces into the article's words; `<start>`, `<end>`
# and the full stop are left out, and each row is shared anew among the nine words.

# %% tags=["row-11"]
from tf_models.data.pairs import HOPKINS_IN_GERMAN
from tf_models.plotting.words import leave_out_marks

pieces = attention_maps(ready, HOPKINS, HOPKINS_IN_GERMAN, kind="cross")
words = leave_out_marks(*attention_maps(ready, HOPKINS, HOPKINS_IN_GERMAN, words=True))
print("pieces", pieces.weights.shape, " words", words.weights.shape)
show(
    draw_forced_map(ready, without_marks=True),
    "Ten German words by nine English ones, in all eight heads of the last layer.",
)
assert words.weights.shape == (4, 8, 10, 9)

# %%
mean = words.weights[-1].mean(axis=0)  # (10, 9), over the heads
for row, looks in zip(words.rows, mean, strict=True):
    print(f"{row:12} attends most to {words.columns[looks.argmax()]:9} ({looks.max():.2f})")
source, target = ready.source.encode(HOPKINS), ready.target.encode(HOPKINS_IN_GERMAN)
logits, _ = ready.model.network(tf.constant([source]), tf.constant([target[:-1]]), training=False)
p = tf.gather(tf.nn.softmax(logits[0]), target[1:], batch_dims=1).numpy()
sure = {piece: float(one) for piece, one in zip(pieces.rows, p, strict=True)}
print({piece: f"{one:.3f}" for piece, one in sure.items() if one < 0.9})
assert words.columns[mean[2].argmax()] == "admired"
assert sure["▁hat"] < 0.01 < 0.9 < np.median(p)
at_verb = pieces.weights[-1, :, pieces.rows.index("▁bewundert")].mean(axis=0)
assert pieces.columns[at_verb.argmax()] == "▁admired"

# %% [markdown]
# **See** that names and nouns follow the diagonal. "hat" and "bewundert" look both at "admired",
# the one verb that German has made two of. By itself the model writes "bewunderte" and no article,
# so "hat" and "einen" surprise it. A forced map shows what a model makes of *your* sentence.
#
# ## Different numbers of queries and keys
#
# Rows follow the queries, columns the keys. With 9 source and 12 target tokens the map is (12, 9),
# and the output has as many rows as there are queries.

# %% tags=["row-35"]
from tf_models.transformer.attention import MultiHeadAttention

source, target = tf.random.normal((1, 9, 512)), tf.random.normal((1, 12, 512))
mha = MultiHeadAttention(d_model=512, num_heads=8)
output, weights = mha(source, source, target, None)  # v, k, q, mask
print("output", output.shape, " weights", weights.shape)
assert output.shape == (1, 12, 512)
assert weights.shape == (1, 8, 12, 9)

# %% [markdown]
# ## One query is one row
#
# A row of a map, and the article's histogram, are the same numbers.

# %% tags=["row-31"]
from tf_models.plotting.query import plot_query_in_map

als = words.rows.index("als")
title = "cross-attention, layer 4, head 2"
show(
    plot_query_in_map(words.weights[-1, 1], words.rows, words.columns, als, title=title),
    "The framed row of als and the bars below it show the same weights.",
)
assert np.allclose(words.weights.sum(axis=-1), 1)

# %% [markdown]
# ## What the masks take away
#
# A batch is padded to its longest sentence. The mask adds $-10^9$ to the scores of padding, so
# that softmax gives it 0. (1 means blocked here; Keras' own layers have it the other way round.
# Notebook 03 has all masks.)

# %%
show(
    draw_masked_softmax(ready, sentence="She sleeps.", layer=2, head=6),
    "Scores without and with the padding mask, and the softmax of both: masked columns are 0.",
)

# %% [markdown]
# ## Decoding time step by time step
#
# The animation of The Illustrated Transformer, as text: in each step the decoder reads what it has
# written so far, looks at the source and writes one token. Keys of later tokens do not exist yet.
# In training they exist and are masked. Both give the same rows.

# %% tags=["row-50"]
sentence = "I am a student."
source = ready.source.encode(sentence)
target = [*ready.greedy_ids(source), ready.tokenizers.target.end_id]
tokens = ready.tokenizers.target.tokens(target)
sources = ready.tokenizers.source.tokens(source)
rows = []
for step in range(1, len(target)):
    rows.append(ready.weights(source, target[:step])["cross"][-1].mean(axis=0)[-1])
    looked = sources[rows[-1].argmax()]
    print(f"step {step}: {' '.join(tokens[:step]):28} looks at {looked:10} writes {tokens[step]}")
at_once = ready.weights(source, target[:-1])["cross"][-1].mean(axis=0)
assert np.allclose(rows, at_once, atol=1e-5)

# %% tags=["row-50"]
steps = [f"step {i}: {token}" for i, token in enumerate(tokens[1:], start=1)]
means = {"mean of eight heads": np.array(rows)}
show(
    plot_attention_side_by_side(means, steps, sources, title="cross-attention, layer 4"),
    "Each row is one time step: where the decoder looks while it writes that token.",
)

# %% [markdown]
# ## Where it looks
#
# "The animal didn't cross the street because it was too tired": The Illustrated Transformer shows
# one head of the encoder, then two, then all. Which of our heads looks at the noun most while "it"
# is read, and which while the German pronoun is written, *es* (das Tier) or *sie* (die Straße)?

# %% tags=["row-42", "row-89"]
from tf_models.plotting.query import plot_attention_lines


def heads_by_weight(sentence, noun, kind):
    """Maps, the row of the pronoun, and all heads: layer, head and weight, the largest first."""
    maps = attention_maps(ready, sentence, kind=kind, words=True)
    row = next(i for i, word in enumerate(maps.rows) if word in ("it", "es", "sie"))
    given = maps.weights[:, :, row, maps.columns.index(noun)]  # (layers, heads)
    order = zip(*np.unravel_index((-given).argsort(axis=None), given.shape), strict=True)
    return maps, row, [(int(x) + 1, int(y) + 1, float(given[x, y])) for x, y in order]


# %% tags=["row-42", "row-89"]
TIRED, WIDE = IT_STANDS_FOR
for sentence, noun in IT_STANDS_FOR.items():
    for kind in ("encoder", "cross"):
        maps, row, heads = heads_by_weight(sentence, noun, kind)
        best = ", ".join(f"{x}.{y} {weight:.2f}" for x, y, weight in heads[:3])
        print(f"{kind:7} {maps.rows[row]:3} -> {noun:6}  heads {best}")

# %% tags=["row-42"]
for kind in ("encoder", "cross"):
    maps, row, heads = heads_by_weight(TIRED, "animal", kind)
    layer = heads[0][0]
    first, second = [head for x, head, _ in heads if x == layer][:2]
    panels = [(first,), tuple(sorted((first, second))), tuple(range(1, 9))]
    title = f"{kind}, layer {layer}: what “{maps.rows[row]}” attends to"
    weights = maps.weights[layer - 1]
    show(
        plot_attention_lines(weights, maps.rows, maps.columns, row, panels=panels, title=title),
        f"{kind}: one head, two heads and all eight of the layer that looks most at the animal.",
    )

# %% [markdown]
# **See** the article's picture, but in cross-attention, and with one head: 4.3 looks at "animal"
# while the decoder writes *es*, and at "street" while it writes *sie*. In the encoder, where the
# article has it, head 3.4 of "it" looks at "street"; none looks at "animal". A map shows where a
# model looks, not what it would miss: `docs/heads.md` switches heads off.
#
# ## Early and late layers
#
# The author sees three tendencies in his encoder, with "He admired her as a great director.": early
# layers are blurry, later ones come nearer to the diagonal, and the last ones look at the start and
# the end of the sentence. Three numbers for each head, first for his sentence, then for eight:
#
# - entropy $H = -\sum_j w_j \ln w_j$: 0 for one key, $\ln n$ for $n$ keys alike,
# - diagonality: 1 on the diagonal, 0 for a head that looks everywhere alike, below 0 for one that
#   avoids it,
# - the share of attention on the first and the last token.

# %% tags=["row-38", "row-89"]
from tf_models.translation.attention import attention_diagonality, attention_entropy


# %% tags=["row-38", "row-89"]
def statistics(translator, targets):
    found = {}
    for sentence, target in zip(SENTENCES, targets, strict=True):
        for kind, (weights, *_) in attention_of(translator, sentence, target).items():
            ends = weights[..., [0, -1]].sum(axis=-1).mean(axis=-1)
            numbers = attention_entropy(weights), attention_diagonality(weights), ends
            found.setdefault(kind, []).append(numbers)
    return {kind: np.mean(of_kind, axis=0) for kind, of_kind in found.items()}


# %% tags=["row-38", "row-89"]
targets = [best.text for best, *_ in ready.translate(SENTENCES)]
before, after = statistics(untrained, targets), statistics(ready, targets)
for name, found in {"untrained encoder": before["encoder"], **after}.items():
    for layer, (h, d, ends) in enumerate(found.mean(axis=-1).T, start=1):
        print(f"{name:17} layer {layer}: H {h:.2f}  diagonality {d:5.2f}  ends {ends:.2f}")

# %% tags=["row-38", "row-89"]
from tf_models.plotting.points import plot_strips

show(
    draw_statistics(ready, sentence=DIRECTOR),
    "The author's sentence: entropy and diagonality of each head, the first layer on top.",
)
dots = {"untrained encoder": before["encoder"][0].flatten()}
for kind, (entropy, *_) in after.items():
    dots |= {f"{kind}, layer {layer}": entropy[layer - 1] for layer in (1, 2, 3, 4)}
show(
    plot_strips(dots, axis_name="entropy of a head (nats)", title="how blurred each head looks"),
    "A dot for each head, eight sentences: untrained heads are blurred most, the decoder's least.",
)

# %% tags=["row-38", "row-89"]
layers = {kind: found.mean(axis=-1) for kind, found in after.items()}  # (3 numbers, 4 layers)
for kind, (entropy, diagonality, ends) in layers.items():
    print(f"{kind:8} entropy {entropy[0]:.2f} -> {entropy[-1]:.2f}", end="  ")
    print(f"diagonality {diagonality[0]:.2f} -> {diagonality[-1]:.2f}", end="  ")
    print(f"most on the ends: layer {ends.argmax() + 1}")
    assert (entropy[-1] < entropy[0]) == (kind != "encoder"), kind
    assert diagonality[-1] > diagonality[0], kind
assert before["encoder"][0].min() > 1.8
assert layers["encoder"][2].argmax() == 0
assert layers["cross"][2].argmax() == 3

# %% [markdown]
# **See** the author's tendencies, two of them not everywhere.
#
# - Blurry first, concentrated later: in the decoder and in cross-attention. In this encoder not:
#   three heads of its first layer rest on the start token, which is concentrated, too.
# - The last layer more diagonal than the first: yes in all three. (In the decoder even a
#   random head has 0.32.)
# - Start and end at the end: in cross-attention. In the encoder it is the *first* layer that looks
#   there most.
#
# The author looked at one encoder and one sentence with his eyes. Blurred maps are also what an
# untrained layer has, so a layer that learnt little looks just like it. **Change** `ready` to
# `Translator.load(FOLDER)`, a run of your own.

# %% [markdown] tags=["row-20", "row-26", "row-42", "row-50", "row-109"]
# ## The page in a browser
#
# The package also writes a web page that holds the translator: type a sentence, see every head and
# step, switch a head off, change a weight, and read what becomes of the translation ([what it
# shows](../docs/decoding.md#interactive-page)). This writes it to a folder, for a
# browser. With `page` as the last line of the cell it is in the notebook, 8 MB larger.
#
# ![The page: where each word of a sentence looks](../docs/images/attention-page.gif)

# %% tags=["row-20", "row-26", "row-42", "row-50", "row-109"]
import tempfile
from pathlib import Path

from tf_models.translation.page.page import make_page

page = make_page(ready, [TIRED, WIDE], name="the translator of the package")
file = Path(tempfile.mkdtemp()) / "attention-page.html"
file.write_text(page.html, encoding="utf-8")
print(f"{file.name}: {file.stat().st_size / 1e6:.0f} MB")

# %% [markdown]
# ## Exercises
#
# **1.** Ten queries, ten keys, a look-ahead mask. How many weights of the map can be above zero?


# %%
def check_1(answer):
    """Against the library's mask."""
    allowed = 1 - create_look_ahead_mask(10).numpy()
    assert answer == allowed.sum(), "how many keys does the first query see, and the second?"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The first query sees one key, the second two, and so on.
#
# ```python
# check_1(sum(range(1, 11)))
# ```
#
# </details>
#
# **2.** Write the sentence about the street with "lazy" in place of "wide". Which pronoun will the
# model write, "es" or "sie"?


# %%
def check_2(answer):
    """Against the translator."""
    german = ready.translate([WIDE.replace("wide", "lazy")])[0][0].text
    assert f" {answer} " in german, "who can be lazy?"


# check_2("sie")

# %% [markdown]
# <details><summary>Answer</summary>
#
# Only the animal can be lazy.
#
# ```python
# check_2("es")
# ```
#
# </details>
#
# **3.** Write `previous(weights)`, which takes the maps of a layer (heads, tokens, tokens) and
# returns for each head the mean weight on the token before. The first token has none before it.


# %%
def previous(weights):
    return np.zeros(len(weights))  # your code


def check_3(function):
    """Against the diagonal below the middle one, in each layer of the encoder."""
    for layer in attention_maps(ready, HOPKINS, kind="encoder").weights:
        truth = [np.diagonal(head, -1).mean() for head in layer]
        np.testing.assert_allclose(function(layer), truth, rtol=1e-5)


# check_3(previous)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def previous(weights):
#     queries = np.arange(1, weights.shape[1])
#     return weights[:, queries, queries - 1].mean(axis=1)
#
#
# check_3(previous)
# ```
#
# </details>
