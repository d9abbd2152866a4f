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
# 2. what "it" looks at, over many sentences, what is lost without it, and the 10 x 9 map,
# 3. whether early layers are blurry and late ones concentrated, in numbers.
#
# **Before**: notebook 02, or what queries, keys and weights are.
#
# **Time**: about 60 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [05 Training and decoding the translator](05_translator.ipynb).
# Next: [07 Before the Transformer](07_before_the_transformer.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import numpy as np

from tf_models import create_look_ahead_mask, draw_maps, ready_made
from tf_models.data.annotated import DIRECTOR, HOPKINS, IT_STANDS_FOR
from tf_models.plotting.attention import (
    plot_attention_layers,
    plot_attention_maps,
    plot_attention_side_by_side,
)
from tf_models.plotting.notebook import show
from tf_models.translation.attention import attention_maps, attention_of
from tf_models.translation.figures import (
    draw_forced_map,
    draw_lines,
    draw_masked_softmax,
    draw_query,
    draw_statistics,
)

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
last = attention_maps(ready, DIRECTOR, kind="cross").weights[-1]  # (heads, rows, columns)
sure = (last.max(axis=-1) > 0.5).mean()
show(
    draw_maps(ready, sentence=DIRECTOR, kind="cross"),
    f"Cross-attention of the last layer: in {sure:.0%} of all rows one token has more than half.",
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
def show_32(maps, title, caption, **options):
    """Heads 1 to 4 of all layers, and heads 5 to 8 below them: so the words can be read."""
    for first in (1, 5):
        heads = range(first, first + 4)
        figure = plot_attention_layers(*maps, title=title, heads=heads, **options)
        show(figure, f"{caption} Heads {first} to {first + 3}.", dots_per_inch=150)


# %% tags=["row-37", "row-20", "row-26", "row-89"]
maps = attention_maps(ready, DIRECTOR, kind="encoder", words=True)
show_32(maps, "encoder, 4 layers of 8 heads", "The trained encoder, a row for each layer.")
assert maps.weights.shape[:2] == (4, 8)

# %% tags=["row-37", "row-20", "row-26", "row-89"]
weights = attention_maps(ready, DIRECTOR, kind="encoder").weights.astype(float)
ends = weights[..., [0, -1]].sum(axis=-1).mean(axis=-1)  # (layers, heads)
for layer, share in enumerate(ends, start=1):
    print(f"layer {layer}, share on <start> and <end>: {np.round(share, 2).tolist()}")
for offset, place in {-1: "the token before", 0: "the token itself", 1: "the token after"}.items():
    share = np.diagonal(weights, offset, axis1=-2, axis2=-1).mean(axis=-1)
    layer, head = np.unravel_index(share.argmax(), share.shape)
    print(f"most on {place}: head {layer + 1}.{head + 1}, {share.max():.2f}")
    assert (share.max() > 0.5) == (offset != 0)
assert ends[0].mean() > 0.5 > 0.35 > ends[1:].max()

# %% [markdown]
# **See** Layer 1 leaves half of its attention on `<start>` and `<end>`, the layers above a third at
# most. Two heads always look at the same relative position: one at the token before, one at the
# token after. No head looks mainly at the token itself: the residual connection brings it anyway.
# Heads differ from training to training. **Change** `kind` in both cells.
#
# ## What a pronoun looks at
#
# "The animal didn't cross the street because it was too tired": The Illustrated Transformer shows
# how a head of its encoder looks from "it" to "animal". Has that head understood? One sentence does
# not tell. A head that always looks at the noun nearest to "it" is right in half of all sentences.
# So we ask for a *contrast*, over many pairs: how much attention has the noun that is meant, and
# how much the other one?
#
# The embedded corpus has two families of such pairs. *By place*: "The sheep avoided the cliff
# because it was steep"; the adjective alone nearly decides. *By meaning*: "We brought the apple to
# the horse because it was ripe", or "hungry"; the same nouns in the same order, and either may be
# meant. In the encoder the row of "it" counts, in cross-attention the row where the German *er*,
# *sie* or *es* is written.

# %% tags=["row-42", "row-89"]
from tf_models.data.annotated import BY_MEANING, BY_PLACE, pronoun_of
from tf_models.translation.pronouns import pronoun_contrasts, pronoun_pairs

by_kind = pronoun_contrasts(ready, pronoun_pairs("validation"))
nouns, adjectives = by_kind["encoder"].ranking[:2], by_kind["encoder"].ranking_by_adjective[:2]
heads = [*(("encoder", *place) for place in nouns + adjectives), ("cross", *by_kind["cross"].best)]
for family in (BY_PLACE, BY_MEANING):
    pairs = pronoun_pairs("test", family)
    found = pronoun_contrasts(ready, pairs)
    nearest = found["cross"].nearest_is_right
    print(f"{family}, {len(pairs)} pairs: the nearest noun is right in {nearest:.0%}")
    for kind, layer, head in heads:
        right, other, resolved = (one[layer, head] for one in found[kind][:3])
        verdict = found[kind].verdict(layer, head)
        print(f"  {kind} {layer + 1}.{head + 1}: right noun {right:.2f}, other {other:.2f}, "
              f"more on the right one in {resolved:.0%}; {verdict}")  # fmt: skip
    verdicts = [found[kind].verdict(layer, head) for kind, layer, head in heads]
    assert verdicts[:2] == ["attends to the noun that is meant"] * 2
    assert verdicts[2:4] == ["attends to the adjective that decides"] * 2
    assert verdicts[4] == "attends to “it” itself"

# %% [markdown]
# The heads were chosen on validation pairs by meaning, and measured on test pairs. **See** that the
# encoder finds the noun in two steps. In layers 1 and 2 "it" takes in the adjective; in layers 3
# and 4 it takes in the noun of which that adjective can be said, in every pair. The decoder looks
# at neither noun: while it writes *er*, *sie* or *es* it looks at "it", whose vector holds the
# answer by then.
#
# The Illustrated Transformer draws exactly these two heads, one on "animal" and one on "tired":

# %% tags=["row-42"]
TIRED, WIDE = IT_STANDS_FOR
show(
    draw_lines(ready, sentence=TIRED),
    "The article's figure: one head looks at the noun, a second at the adjective; then all eight.",
)
show(
    draw_query(ready, sentence=TIRED, query="es"),
    "The decoder while it writes es: this head follows the words, and looks at it, not at animal.",
)

# %% [markdown]
# One picture can mislead; the count over many pairs cannot. Which head of the encoder most often
# prefers the *nearest* noun? For "too wide", where the street is the nearest noun, it would look
# right. So see both sentences side by side.

# %% tags=["row-42", "row-89"]
encoder = found["encoder"]
follows = tuple(map(int, np.unravel_index(encoder.nearest.argmax(), encoder.nearest.shape)))
contrasts = {}
for layer, head in (follows, *nouns, adjectives[0]):
    name = f"encoder {layer + 1}.{head + 1}"
    print(name, encoder.verdict(layer, head))
    both = [
        attention_maps(ready, sentence, kind="encoder", words=True) for sentence in (TIRED, WIDE)
    ]
    rows = [maps.weights[layer, head, maps.rows.index("it")] for maps in both]
    contrasts[name] = np.stack(rows)  # (2, words)
columns = [*both[0].columns[:-3], "tired | wide", *both[0].columns[-2:]]
show(
    plot_attention_side_by_side(
        contrasts, ["too tired", "too wide"], columns, title="what “it” attends to"
    ),
    "The two heads that find the noun move from animal to street; the first and the last do not.",
)
animal, street = (columns.index(noun) for noun in ("animal", "street"))
for layer, head in nouns:
    tired, wide = contrasts[f"encoder {layer + 1}.{head + 1}"]
    assert min(tired[animal], wide[street]) > 0.9 > 0.1 > max(tired[street], wide[animal])

# %% [markdown]
# ### Is a head that looks also needed?
#
# A map shows where a model looks, not what it would miss. A head adds its output times its own rows
# of $W^O$; with these rows at zero it adds nothing. Take away one of the two heads that find the
# noun, then the other, then both; and two other heads of the same layers, to compare.

# %% tags=["row-42", "row-89"]
pairs = [pair for family in (BY_PLACE, BY_MEANING) for pair in pronoun_pairs("test", family)]
layers = ready.model.network.encoder.enc_layers


def without(*heads):
    """Greedy translations of all pairs without heads of the encoder: (layer, head), from 0."""
    before = [layer.mha.dense.kernel.numpy() for layer in layers]
    for layer, head in heads:
        mha = layers[layer].mha
        kernel = mha.dense.kernel.numpy()  # (d_model, d_model)
        kernel[head * mha.depth : (head + 1) * mha.depth] = 0
        mha.dense.kernel.assign(kernel)
    found = ready.translate([pair.source for pair in pairs], beam_size=1)
    for layer, kernel in zip(layers, before, strict=True):
        layer.mha.dense.kernel.assign(kernel)
    return [best.text for best, *_ in found]


def rest(german):
    """All words but er, sie and es."""
    return [word for word in german.split() if word not in ("er", "sie", "es")]


# %% tags=["row-42", "row-89"]
first, second = nouns
control = [(layer, (head + 1) % 8) for layer, head in nouns]
whole, right = without(), {}
for off in ([], [first], [second], nouns, control, [adjectives[0]], [adjectives[1]], adjectives):
    german = without(*off)
    is_right = [pronoun_of(one) == pronoun_of(pair.target)
                for one, pair in zip(german, pairs, strict=True)]  # fmt: skip
    same = sum(rest(one) == rest(other) for one, other in zip(german, whole, strict=True))
    right[tuple(off)] = np.mean(is_right)
    name = " and ".join(f"{layer + 1}.{head + 1}" for layer, head in off) or "no head"
    print(f"without {name:11} {np.mean(is_right):4.0%} of {len(pairs)} pronouns right, "
          f"all other words the same in {same}")  # fmt: skip
    assert same == len(pairs)
alone = [right[(place,)] for place in (*nouns, *adjectives)]
assert min(*alone, right[tuple(control)]) > 0.95
assert right[tuple(nouns)] < 0.4 < right[tuple(adjectives)] < 0.7

# %% [markdown]
# **See** Each of the two heads can go, and nothing is lost. Without both, the model guesses among
# three pronouns, and every other word stays as it was. It is not that any two heads matter: the
# control loses nothing. The two heads that look at the adjective are such a pair, too. A head that
# looks is not thereby a head that is needed: two heads cover for each other, and who takes heads
# away one at a time finds none.
#
# Large language models have such *backup heads* as well (Wang et al. 2022, "Interpretability in the
# Wild", [arXiv:2211.00593](https://arxiv.org/abs/2211.00593); McGrath et al. 2023, "The Hydra
# Effect", [arXiv:2307.15771](https://arxiv.org/abs/2307.15771)). One of our two was [trained to
# find the noun](../docs/heads.md#it-in-the-encoder). `python -m research.heads --it` measures all
# this, with 49 pairs as a control. **Change** `ready` to `Translator.load(FOLDER)`, a run of your
# own, and put `#` before the asserts.
#
# ## Attention sinks
#
# Weights must sum to 1 even if nothing is relevant. Such a head leaves its attention where it does
# no harm: on a token that every sentence has. This place is an *attention sink* (Xiao et al. 2024,
# "Efficient Streaming Language Models with Attention Sinks"). In BERT it is `[SEP]`, and changing
# that attention hardly changes the output: a no-op (Clark et al. 2019, "What Does BERT Look At?",
# section 3.2).
#
# Which heads of the encoder rest most? Here is the mean over eight sentences.

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
# No head of this model does nothing else: that would be a share near 1. Do those that rest most
# still say something? A weight is half of the answer. The other half is the vector that is weighed:
# a head adds to a token the sum of its weights times $f(x_j) = (x_j W^V + b^V)\,W^O$, with the
# head's own rows of $W^O$. If a head adds the *same* vector to every token, it is one more bias,
# and says nothing about the sentence. So two numbers for each head: the mean norm of the vectors
# that it adds, and their mean distance from their own mean. Only the second depends on the
# sentence.

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
        f"norm {lengths[layer, head]:.2f}  distance from their mean {differ[layer, head]:.2f}"
    )
both = np.array([(lengths[place], differ[place]) for place in order])
others, resting = (part.mean(axis=0) for part in np.array_split(both, [len(order) * 3 // 4]))
layers = sorted(layer + 1 for layer, _ in order[-8:])
print(f"The eight heads that rest most are of the layers {layers}.")
for which, (norm, distance) in {"these eight": resting, "the other 24": others}.items():
    print(f"{which}: norm {norm:.2f}, distance from their mean {distance:.2f}")
on_words = [1 - rests[place] for place in order[-8:]]
print(f"They give words and full stops {min(on_words):.2f} to {max(on_words):.2f}.")
assert set(layers) == {1}
assert (resting < others / 2).all()
assert resting[1] > resting[0] / 2  # so it is no constant

# %% [markdown]
# **See** The eight heads that rest most are all of layer 1. What they add is small, and so is that
# part of it which differs from token to token: they rest so as to say little. It is no constant,
# and they are not dead, for they still give words 0.29 to 0.61 of their attention. In other
# trainings some heads are dead: above 0.9 on `<start>` and `<end>`. An option of every map helps to
# see the others: `without_marks`, in scripts `--without-marks`, leaves out start, end and
# punctuation and divides each row by what is left. Compare *Each layer of the director sentence*.

# %%
options = {"kind": "encoder", "words": True, "without_marks": True}
moved = attention_maps(ready, DIRECTOR, **options)
show_32(moved[:3], "weights between words", "Each row divided by what is left.")
for layer, share in enumerate(moved.left_out.mean(axis=-1), start=1):
    print(f"layer {layer}: start, end and full stop had {share:.0%} of it")

# %% [markdown]
# **Change** `"encoder"` to `"decoder"`.
#
# ## Thirty-two maps on one page
#
# The article's model has 4 x 8 heads, "32 standards". Trained, they stand above. Here is the same
# model before training, with random weights. Mind the scale beside the maps: here the darkest blue
# is a smaller weight.

# %% tags=["row-26"]
from tf_models import Translator
from tf_models.translation.model import build_transformer
from tf_models.translation.settings import TransformerSettings

network = build_transformer(TransformerSettings(), ready.tokenizers, "float32")
untrained = Translator(network, ready.tokenizers, max_length=128)
options = {"kind": "encoder", "words": True}
maps = attention_maps(untrained, DIRECTOR, "Er.", **options)  # the target does not matter here
show_32(maps, "4 layers of 8 heads, untrained", "Untrained heads: their patterns are chance.")
trained = attention_maps(ready, DIRECTOR, **options).weights
print(f"largest weight: untrained {maps.weights.max():.2f}, trained {trained.max():.2f}")
assert maps.weights.shape[:2] == trained.shape[:2] == (4, 8)
assert maps.weights.max() < trained.max()

# %% [markdown]
# ## A map of ten by nine
#
# "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert." has 10 words, its
# English 9. Would the model write that German? No matter: *forced decoding* gives it the target,
# and asks only where it looks.
#
# The model reads and writes pieces. `words=True` merges them into the article's words; `<start>`,
# `<end>` and the full stop are left out, and each row is shared anew among the nine words.

# %% tags=["row-11"]
from tf_models.data.annotated import HOPKINS_IN_GERMAN
from tf_models.word_attention import leave_out_marks

pieces = attention_maps(ready, HOPKINS, HOPKINS_IN_GERMAN, kind="cross")
words = leave_out_marks(*attention_maps(ready, HOPKINS, HOPKINS_IN_GERMAN, words=True))
sizes = [" x ".join(map(str, maps.weights.shape[2:])) for maps in (pieces, words)]
print(f"a map of pieces is {sizes[0]}, with <start> and <end>; one of words is {sizes[1]}")
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
print("by itself it writes:", ready.translate([HOPKINS])[0][0].text)
print("pieces that it gave less than 0.5:", {k: f"{v:.3f}" for k, v in sure.items() if v < 0.5})
looks_at = [words.columns[i] for i in mean.argmax(axis=1)]
same = {0: "Anthony", 1: "Hopkins", 3: "Michael", 4: "Bay", 8: "director"}
assert all(looks_at[row] == word for row, word in same.items())
assert looks_at[2] == looks_at[9] == "admired"

# %% [markdown]
# **See** that the names and "Regisseur" look at their English words. "hat" and "bewundert" look
# both at "admired", the one verb that German has made two of. A forced map shows what a model makes
# of *your* sentence, also of words that it would not have written.
#
# ## Different numbers of queries and keys
#
# Rows follow the queries, columns the keys. With 9 source and 12 target tokens the map is (12, 9),
# and the output has as many rows as there are queries.

# %% tags=["row-35"]
from tf_models import MultiHeadAttention

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
dots = {"encoder, untrained": before["encoder"][0].flatten()}
for kind, (entropy, *_) in after.items():
    dots |= {f"{kind}, layer {layer}": entropy[layer - 1] for layer in (1, 2, 3, 4)}
show(
    plot_strips(dots, axis_name="entropy of a head (nats)", title="how blurred each head looks"),
    "A dot is a head, eight sentences; a bar their mean; the grey line the mean of the first row.",
)

# %% tags=["row-38", "row-89"]
layers = {kind: found.mean(axis=-1) for kind, found in after.items()}  # (3 numbers, 4 layers)
for kind, (entropy, diagonality, ends) in layers.items():
    later = "more concentrated" if entropy[-1] < entropy[0] else "more blurred"
    change = diagonality[-1] - diagonality[0]
    nearer = "as" if abs(change) < 0.05 else "more" if change > 0 else "less"
    print(f"{kind:8} the last layer is {later} than the first ({entropy[0]:.2f} -> "
          f"{entropy[-1]:.2f} nats) and {nearer} diagonal ({diagonality[0]:.2f} -> "
          f"{diagonality[-1]:.2f}); layer {ends.argmax() + 1} looks at the ends most")  # fmt: skip
    assert (later == "more blurred") == (kind == "encoder")
    assert nearer == ("as" if kind == "cross" else "more")
    assert ends.argmax() == (3 if kind == "cross" else 0)
blurred = before["encoder"][0].mean()
print(f"an untrained layer has {blurred:.2f} nats")
assert all(entropy.mean() < blurred for entropy, *_ in layers.values())

# %% [markdown]
# **See** Of the author's three tendencies two hold in part. *Concentrated*: the last layer is more
# so than the first in the decoder and in cross-attention, not in the encoder: our first layer rests
# on `<start>` and `<end>`, and a head that rests is concentrated, too. *Diagonal*: later layers of
# both kinds of self-attention come nearer to it, cross-attention does not. *Ends*: only
# cross-attention looks at them most in its last layer; the encoder and the decoder do so in the
# first. He judged one model and one sentence by eye. Untrained layers are the most blurred of all.
# **Change** `ready` to `Translator.load(FOLDER)`, a run of your own.

# %% [markdown] tags=["row-20", "row-26", "row-42", "row-50", "row-109"]
# ## The page in a browser
#
# The package also writes a web page that holds the translator: type a sentence, see every head and
# step, switch a head off, change a weight, and read what becomes of the translation ([what it
# shows](../docs/decoding.md#interactive-page)). This writes it to a folder, for a
# browser. With `page` as the last line of the cell it is in the notebook, 8 MB larger.
#
# ![The page without both heads: es becomes er](../docs/images/attention-page.gif)

# %% tags=["row-20", "row-26", "row-42", "row-50", "row-109"]
import tempfile
from pathlib import Path

from tf_models.translation.page.page import make_page

page = make_page(ready, [TIRED, WIDE], name="the translator of the package")
file = Path(tempfile.mkdtemp()) / "attention-page.html"
file.write_text(page.html, encoding="utf-8")
print(f"{file.name}: {file.stat().st_size / 1e6:.0f} MB")

# %% [markdown]
# ## Summary
#
# - A map has a row for each query and a column for each key; a row sums to 1.
# - The decoder's map of itself is a lower triangle; cross-attention is target by source.
# - For "it" the encoder takes in first the adjective, then the noun; the decoder reads "it".
# - Two heads do each step: without one nothing is lost, without both that look at the noun 28 % of
#   the pronouns are right, without both that look at the adjective 54 %.
# - Heads that find nothing rest on `<start>` and `<end>`, and add little.
# - Layers differ, but not all as the author saw it in his one model.
#
# **Remember** Judge a head by a count over many sentences, against a second noun or a control, not
# by one picture. And a head that looks is not thereby a head that is needed.
#
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
#
# **4.** Read a map. "great" has no gender in English, "großartige" has one: that of "her". Which
# head of the last layer of cross-attention looks from "großartige" at "her" most, counted from 1?

# %%
GERMAN = "Er bewunderte sie als großartige Regisseurin."
gender = attention_maps(ready, DIRECTOR, GERMAN, kind="cross", words=True)
title = "cross-attention, layer 4"
figure = plot_attention_maps(gender.weights[-1], gender.rows, gender.columns, title=title)
show(figure, "All heads of the last layer; rows are the German words that are written.")


def check_4(answer):
    """Against the largest weight."""
    row, column = gender.rows.index("großartige"), gender.columns.index("her")
    truth = gender.weights[-1, :, row, column].argmax() + 1
    assert answer == truth, "look for a dark cell in the row großartige, below her"


# check_4(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# In the row of "großartige" only the maps of heads 2 and 3 are dark below "her", and 2 is darker.
#
# ```python
# check_4(2)
# ```
#
# </details>
