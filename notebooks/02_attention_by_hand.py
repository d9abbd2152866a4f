# %% [markdown]
# # 02 Attention by hand
#
# Read with
# [Multi-head attention mechanism: "queries", "keys", and "values," over and over again](https://data-science-blog.com/blog/2021/04/07/multi-head-attention-mechanism/)
# by Yasuto Tamura, and
# [The Illustrated Transformer](https://jalammar.github.io/illustrated-transformer/)
# by Jay Alammar, from "Self-Attention in Detail" to "The Beast With Many Heads". All is computed
# with NumPy first; then the library's layer must give the same.
#
# You will see
#
# 1. how the scores 112 and 96 become the weights .88 and .12,
# 2. a sentence of shape (1, 9, 512) on its way through eight heads, with every shape,
# 3. answers to three questions that the Chinese translation leaves open.
#
# **Before**: what a product of matrices is, and a little NumPy.
#
# **Time**: about 15 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [01 BPEmb and the sentence pairs](01_bpemb.ipynb).
# Next: [03 Positions and masks](03_positions_and_masks.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import inspect
import re

import numpy as np

from tf_models import MultiHeadAttention, scaled_dot_product_attention
from tf_models.plotting.notebook import show

random = np.random.default_rng(1)
np.set_printoptions(precision=2, suppress=True)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


# %% [markdown] tags=["row-43"]
# ## Six steps for one word
#
# The sentence is "Thinking Machines"; we compute what the first word becomes. In step 1 each word
# gets a query, a key and a value of $d_k = 64$ numbers. Here they are chosen so that the scores
# are those of the figure.

# %% tags=["row-43"]
q_1, k_1, k_2 = np.full(64, 1.0), np.full(64, 1.75), np.full(64, 1.5)  # step 1
v_1, v_2 = random.normal(size=(2, 64))
scores = np.array([q_1 @ k_1, q_1 @ k_2])  # step 2: compare the query with each key
scaled = scores / np.sqrt(64)  # step 3
weights = softmax(scaled)  # step 4
parts = weights[0] * v_1, weights[1] * v_2  # step 5: reweight the values
z_1 = sum(parts)  # step 6: sum them up
print(scores, scaled, weights, z_1[:4], sep="\n")
assert scores.tolist() == [112, 96]
assert scaled.tolist() == [14, 12]
np.testing.assert_allclose(weights, [0.88, 0.12], atol=0.005)
z, _ = scaled_dot_product_attention(q_1[np.newaxis], np.stack([k_1, k_2]), np.stack([v_1, v_2]))
np.testing.assert_allclose(z[0], z_1, atol=1e-6)

# %% [markdown]
# "Thinking" becomes 88 % its own value and 12 % that of "Machines". **Change** the 1.5 of `k_2` to
# 1.6: the weights become 0.77 and 0.23.

# %% [markdown] tags=["row-107"]
# ## Why divide by the root of the depth
#
# One article says "more stable gradients", the other leaves it out. The dot product of two random
# vectors spreads with $\sqrt{d_k}$. Undivided, one key soon gets all the weight, and then the
# gradient of the softmax, $w(1 - w)$, is nearly zero. (Trained without the division, a translator
# loses [18 points of BLEU](../docs/heads.md#other-claims).)

# %% tags=["row-107"]
for depth in (4, 64, 1024):
    q, keys = random.normal(size=(1000, depth)), random.normal(size=(9, depth))
    scores = q @ keys.T
    plain, divided = softmax(scores), softmax(scores / np.sqrt(depth))
    slopes = [float(np.mean(w * (1 - w))) for w in (plain, divided)]
    print(f"{depth:5} numbers: scores spread by {scores.std():5.1f};", end=" ")
    print(f"mean gradient {slopes[0]:.3f}, divided {slopes[1]:.3f}")
    assert 0.8 < scores.std() / np.sqrt(depth) < 1.2
    assert 0.08 < slopes[1] < 0.1
assert slopes[1] > 10 * slopes[0]

# %% [markdown] tags=["row-107"]
# Divided, the gradient is 0.09 at every depth. Undivided it shrinks with the depth, and at 1,024
# numbers it is less than a tenth of that.

# %% [markdown] tags=["row-44", "row-30"]
# ## Many queries are one matrix
#
# $$Attention(Q, K, V) = softmax\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$
#
# does the six steps for all words at once. The first article also transposes it, because then one
# column of the result is $V^T$ times one column of weights: $V^T \cdot softmax(\dots)^T$.

# %% tags=["row-44", "row-30"]
Q, K, V = random.normal(size=(3, 9, 64))
A = softmax(Q @ K.T / np.sqrt(64))  # (9, 9)
matrix_form = A @ V  # (9, 64)
vector_form = [softmax(np.array([q @ k for k in K]) / 8) @ V for q in Q]
transposed_form = V.T @ A.T  # (64, 9)
np.testing.assert_allclose(matrix_form, vector_form)
np.testing.assert_allclose(matrix_form, transposed_form.T)
np.testing.assert_allclose(transposed_form[:, 3], V.T @ A[3])  # one column
np.testing.assert_allclose(scaled_dot_product_attention(Q, K, V)[0], matrix_form, atol=1e-5)
print("vectors, matrices, and transposed matrices agree:", matrix_form.shape)

# %% [markdown] tags=["row-30"]
# ## One head as a diagram and as code
#
# Boxes are matrices with their shapes, here of nine words of 512 numbers and a head of 64. The
# mask blocks keys that must not be seen ([notebook 03](03_positions_and_masks.ipynb#Three-masks)).

# %% tags=["row-30"]
from tf_models.plotting.diagram import plot_attention_head

show(
    plot_attention_head(len_q=9, len_k=9, d_model=512, depth=64),
    "Queries and keys give scores, then weights; weights and values give the output.",
)

# %% [markdown] tags=["row-30"]
# This is the function of the package, which every model calls. It is the left column of the
# diagram, line by line. (`...` in a shape stands for sentences and heads, which are computed at
# once; `bias` serves [relative positions](12_what_came_after.ipynb#Relative-positions).)

# %% tags=["row-30"]
code = inspect.getsource(scaled_dot_product_attention)
print(re.sub(r'(""".*)\n(?s:.*)"""', r'\1"""', code))  # of the docstring the first line

# %% [markdown] tags=["row-27"]
# ## The weights of Michael
#
# The article compares the query "Michael" with nine keys and says that the sum of the weights is
# 1. Add up its numbers: they give 0.99. That is no error in the attention, only rounding.

# %% tags=["row-27"]
from tf_models.plotting.query import plot_query_histogram
from tf_models.translation.figures_by_hand import MICHAEL_WEIGHTS

words = ["Anthony", "Hopkins", "admired", "Michael", "Bay", "as", "a", "great", "director."]
michael = np.array(MICHAEL_WEIGHTS)
show(
    plot_query_histogram(michael, words, "Michael"),
    "Nine bars, the highest over Michael and Bay; below them the sum 0.99 and the weighted sum.",
)
np.testing.assert_allclose(michael.sum(), 0.99)
exact = michael / michael.sum()  # weights that do sum to 1
assert np.array_equal(exact.round(2), michael)  # and round to the article's

# %% [markdown] tags=["row-28", "row-31"]
# ## All nine queries stacked
#
# Each word takes its turn as the query. Each gives one row of weights and one weighted sum of the
# values; the rows, stacked, are the heat map, and the sums, stacked, are the output of the head.
# First with the random $A$ and $V$ of above: nine weights, and the sum that they make.

# %% tags=["row-28"]
sums = []
for word, row in zip(words, A, strict=True):
    sums.append(sum(weight * value for weight, value in zip(row, V, strict=True)))  # (64,)
    print(f"{word:10}{row} -> {sums[-1][:3]} …")
stacked = np.stack(sums)
print("stacked:", stacked.shape, "differs from A V by", f"{np.abs(stacked - A @ V).max():.0e}")
np.testing.assert_allclose(stacked, matrix_form)

# %% [markdown] tags=["row-28", "row-31"]
# Now nine rows of a trained head, of the package's translator: of all heads of its encoder the one
# that gives "Bay" most while it reads "Michael". `<start>`, `<end>` and the full stop are left out,
# and each row is divided by its sum. The framed row and the histogram are the same numbers.
# **Change** the query, or the word whose head is looked for.

# %% tags=["row-28", "row-31"]
from tf_models import ready_made
from tf_models.plotting.query import plot_query_in_map
from tf_models.translation.attention import attention_maps

translator = ready_made()
maps = attention_maps(translator, " ".join(words), kind="encoder", words=True, without_marks=True)
query, key = maps.rows.index("Michael"), maps.columns.index("Bay")
layer, head = np.argwhere(maps.weights[..., query, key] == maps.weights[..., query, key].max())[0]
weights = maps.weights[layer, head]
title = f"layer {layer + 1}, head {head + 1}: what Michael attends to"
figure = plot_query_in_map(weights, maps.rows, maps.columns, query, title=title)
show(figure, "A map of nine rows; the row of Michael is framed, a histogram repeats its weights.")
for word, row in zip(maps.rows, weights, strict=True):
    print(f"{word:10}gives most to {maps.columns[row.argmax()]:10}{row.max():.2f}")
steps = weights.argmax(axis=-1) - np.arange(9)  # 0: at itself, 1: at the next word
assert [(steps == step).sum() for step in (0, 1)] == [4, 5]
assert weights.shape == (9, 9)
np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)

# %% [markdown] tags=["row-28", "row-31"]
# Does this head see that both names belong together? One row cannot tell, for the head was chosen
# by it. The other rows say no: "admired" gives most to "Michael", "as" to "a", "great" to
# "director". Four words look at the word that follows, as "Michael" does, and four at themselves.
# What a head does shows over many sentences: [06](06_attention_maps.ipynb) counts.

# %% [markdown] tags=["row-25", "row-34"]
# ## Nine by 512 in eight chunks
#
# Eight heads share the 512 numbers of each token: 64 for each head. The article suggests watching
# `split_heads` with a tensor that counts from 1 to 4608.

# %% tags=["row-25", "row-34"]
sample = tf.reshape(tf.range(1, 4609), (1, 9, 512))
heads = MultiHeadAttention(512, 8).split_heads(sample, 1)
print(sample.shape, "->", heads.shape)
print("the first token:", sample[0, 0].numpy()[[0, 1, 2, -1]], "the last:", end=" ")
print(sample[0, 8].numpy()[[0, 1, 2, -1]])
for head, token in ((0, 0), (7, 0), (0, 8), (7, 8)):
    print(f"head {head + 1}, token {token + 1}:", heads[0, head, token].numpy()[[0, 1, 2, -1]])
assert sample[0, 8].numpy()[[0, -1]].tolist() == [4097, 4608]
assert heads.shape == (1, 8, 9, 64)
chunks = np.split(sample[0].numpy(), 8, axis=1)  # the same with NumPy: 8 of (9, 64)
assert all(np.array_equal(chunk, head) for chunk, head in zip(chunks, heads[0], strict=True))

# %% [markdown] tags=["row-33"]
# ## Shapes on the way
#
# A sentence of shape (1, 9, 512) goes in; step by step, by hand, with the weights of a layer. The
# result has the shape of the input.

# %% tags=["row-33"]
mha = MultiHeadAttention(512, 8)
x = random.normal(size=(1, 9, 512)).astype(np.float32)
output, attention_weights = mha(x, x, x)  # v, k, q
q, k, v = (x @ dense.kernel.numpy() + dense.bias.numpy() for dense in (mha.wq, mha.wk, mha.wv))
print("q, k, v after their linear layers", q.shape, k.shape, v.shape)
q, k, v = (one.reshape(1, 9, 8, 64).transpose(0, 2, 1, 3) for one in (q, k, v))
print("q, k, v split into heads", q.shape, k.shape, v.shape)
weights = softmax(q @ k.transpose(0, 1, 3, 2) / 8)
z = weights @ v
concat = z.transpose(0, 2, 1, 3).reshape(1, 9, 512)
by_hand = concat @ mha.dense.kernel.numpy() + mha.dense.bias.numpy()
print("weights", weights.shape, "z", z.shape, "concatenated", concat.shape, "output", by_hand.shape)
np.testing.assert_allclose(attention_weights, weights, atol=1e-5)
np.testing.assert_allclose(output, by_hand, atol=1e-4)

# %% [markdown] tags=["row-45"]
# ## The whole pipeline in one picture
#
# The same stages with real numbers, those of the package's translator, in the order of The
# Illustrated Transformer: eight sets of Q, K and V; eight maps; eight Z; side by side; times $W^O$.
# Each row of a panel is a token. We draw the layer in which one head looks back most at the token
# before: the mean of 40 sentences.

# %% tags=["row-45"]
from tf_models import load_corpus

everyday = [pair.source for pair in load_corpus("everyday").test[:40]]


def encoder_maps(sentence):
    ids = translator.source.encode(sentence)
    return translator.weights(ids, ids[:1])["encoder"]  # (layers, heads, tokens, tokens)


trained_maps = [encoder_maps(sentence) for sentence in everyday]
previous = np.mean(
    [maps.diagonal(-1, axis1=2, axis2=3).mean(axis=-1) for maps in trained_maps], axis=0
)  # (layers, heads)
layer, head = (int(i) + 1 for i in np.unravel_index(previous.argmax(), previous.shape))
print(f"layer {layer}, head {head} gives {previous.max():.0%} to the token before,", end=" ")
print(f"the mean head {previous.mean():.0%}")
assert previous.max() > 5 * previous.mean()

# %% [markdown] tags=["row-45"]
# This head has learnt "look at the token before": it gives it more than five times as much as the
# mean head does. In its map below, the dark cells lie just under the diagonal. **Change** the
# layer, from 1 to 4.

# %% tags=["row-45"]
from tf_models.translation.figures import draw_pipeline, multi_head_stages

director = "He admired her as a great director."
figure = draw_pipeline(translator, sentence=director, layer=str(layer))
caption = "X above, then a row with Q, K, weights, V and Z for each head, then W^O and output."
show(figure, caption, dots_per_inch=130)
encoder = translator.model.network.encoder
stages = multi_head_stages(encoder, translator.source.encode(director), layer=layer)
side_by_side = np.concatenate(list(stages.z), axis=1)
output = side_by_side @ stages.kernel + encoder.enc_layers[layer - 1].mha.dense.bias.numpy()
print(stages.z.shape, "->", side_by_side.shape, "times", stages.kernel.shape, "->", output.shape)
np.testing.assert_allclose(output, stages.output, atol=1e-4)

# %% [markdown] tags=["row-45"]
# To follow one word through this head, in numbers (the first four of each vector):

# %% tags=["row-45"]
tokens = translator.tokenizers.source.tokens(translator.source.encode(director))
token = tokens.index("▁her")
queries, keys, values, maps = (of_heads[head - 1] for of_heads in stages[1:5])  # (tokens, 16)
query, result = queries[token], stages.z[head - 1, token]
print("q of ▁her:", query[:4])
for name, key, weight, value in zip(tokens, keys, maps[token], values, strict=True):
    score = query @ key / np.sqrt(len(key))
    print(f"{name:10} scaled score {score:6.2f}  weight {weight:.2f}  times v {value[:4]}")
print("their sum, z of ▁her:", result[:4])
np.testing.assert_allclose(maps[token] @ values, result, atol=1e-5)
assert maps[token, tokens.index("▁admired")] > 0.9

# %% [markdown] tags=["row-45"]
# "her" takes nearly everything from "admired", the token before it, so its $z$ is almost the value
# of "admired".

# %% [markdown] tags=["row-29"]
# ## First the linear layer then the split
#
# The article's first figure splits the tokens into colours and then applies linear layers. Its
# author took that back in a comment of 2022: the linear layer sees all 512 numbers, and its result
# is split. What is the difference? Splitting first is the same as a $W^Q$ that is zero outside
# eight blocks: head 1 would never see numbers 65 to 512.

# %% tags=["row-29"]
W = mha.wq.kernel.numpy()
parts = [slice(64 * i, 64 * i + 64) for i in range(8)]
split_first = np.stack([x[0][:, part] @ W[part, part] for part in parts])  # as in the figure
blocks = np.zeros_like(W)
for part in parts:
    blocks[part, part] = W[part, part]
np.testing.assert_allclose(split_first, np.stack(np.split(x[0] @ blocks, 8, axis=1)), atol=1e-5)
changed = x[0].copy()
changed[:, 64:] += 1  # outside of head 1's colour
assert np.array_equal(changed[:, :64] @ W[:64, :64], split_first[0])  # it does not notice
difference = np.abs((changed @ W)[:, :64] - (x[0] @ W)[:, :64]).max()
print(f"linear layer first: head 1 notices the change, by {difference:.1f}")
assert difference > 0.5

# %% [markdown] tags=["row-29"]
# So the order matters: with the linear layer first, each head may use all 512 numbers.

# %% [markdown] tags=["row-32"]
# ## Heads together or one by one
#
# TensorFlow multiplies the matrices of all heads in one operation: that is the parallel
# computation of which the article speaks. A loop over the heads gives the same.

# %% tags=["row-32"]
together, _ = scaled_dot_product_attention(q, k, v)  # (1, 8, 9, 64)
one_by_one = [scaled_dot_product_attention(q[:, i], k[:, i], v[:, i])[0] for i in range(8)]
np.testing.assert_allclose(together, np.stack(one_by_one, axis=1), atol=1e-5)
print(together.shape)

# %% [markdown] tags=["row-35"]
# ## Nine source and twelve target tokens
#
# In a translator the queries come from the target. Keys and values still come from the source.
# The map has a row for each query; the output has the length of the queries. By hand, for the first
# head of eight; the layer does all eight at once.

# %% tags=["row-35"]
target = random.normal(size=(1, 12, 512)).astype(np.float32)
q_1 = (target[0] @ mha.wq.kernel.numpy() + mha.wq.bias.numpy())[:, :64]  # (12, 64)
k_1, v_1 = k[0, 0], v[0, 0]  # (9, 64), of the source, from above
A_1 = softmax(q_1 @ k_1.T / 8)
print("q", q_1.shape, "k", k_1.shape, "-> weights", A_1.shape, "-> z", (A_1 @ v_1).shape)
output, attention_weights = mha(x, x, target)  # v and k: 9 tokens, q: 12 tokens
print("the layer: weights", attention_weights.shape, "output", output.shape)
np.testing.assert_allclose(attention_weights[0, 0], A_1, atol=1e-5)
assert attention_weights.shape == (1, 8, 12, 9)
assert output.shape == (1, 12, 512)

# %% [markdown] tags=["row-106"]
# ## 中文摘要
#
# 写给《The Illustrated Transformer（翻译）》的读者。
#
# 自注意力：每个词用自己的查询向量（query）与所有词的键向量（key）作点积，除以 $\sqrt{d_k}$，
# 经 softmax 得到权重，再用这些权重把各词的值向量（value）加起来。本笔记本开头手算了这六步：
# 112 和 96 除以 8，得 14 和 12，softmax 之后是 .88 和 .12。八个头各算各的，
# 拼接之后再乘以 $W^O$。
#
# 译者在文中留下两个问题和一处“没看懂”，下面三节各用可以运行的例子回答：
#
# 1. “一变三，有什么意义吗？” 如果同一个向量既当查询又当键，得分就是对称的，
#    每个词最看重的是自己：下文的模型里，平均 59% 的权重落在自己身上，训练出来的头只有 13%。
#    两个不同的矩阵才说得出“看左边的词”。
# 2. “原来计算一次QKV，现在计算8组词，有啥用？” 参数总数不变。一个头只给出一个加权和，
#    两个词混在一起就分不清了；两个头可以分别取来“谁咬”和“咬谁”。
# 3. “表示空间……没看懂是什么道理。” 每个头只看 $x$ 在少数几个方向上的分量，
#    与它们正交的变化，这个头完全看不见。这是普通的线性代数。
#
# 译者还说，最后的线性层加 softmax 跟 CNN 是一个套路：的确如此，
# 见 [04](04_transformer.ipynb#From-a-vector-to-a-word)。

# %% [markdown] tags=["row-106"]
# ## What three vectors are good for
#
# The Chinese translation asks this in brackets. Suppose each word were its own query and key.
# Then $x_i \cdot x_j = x_j \cdot x_i$: if "dog" looks at "old", "old" looks at "dog", and
# $x_i \cdot x_i$ is large. So "look at the word to your left, and not at yourself" cannot be said.
# Two different matrices can say it:

# %% tags=["row-106"]
X = 5 * np.eye(5)  # five words that only say where they stand
shift = np.eye(5, k=-1)  # W^Q: "my left neighbour"; W^K does nothing
print("one vector:", softmax(X @ X.T / np.sqrt(5)).argmax(axis=1))
print("query and key:", softmax(X @ shift @ X.T / np.sqrt(5)).argmax(axis=1)[1:], "from word 1 on")
assert (softmax(X @ X.T / np.sqrt(5)).argmax(axis=1) == np.arange(5)).all()
assert (softmax(X @ shift @ X.T / np.sqrt(5)).argmax(axis=1)[1:] == np.arange(4)).all()

# %% [markdown] tags=["row-106"]
# The same in the trained translator, over 40 sentences: what share of attention does a token give
# to itself, if its plain vector is query and key, and in the heads that were trained?

# %% tags=["row-106"]
alone = []
for sentence in everyday:
    plain = encoder.embed(tf.constant([translator.source.encode(sentence)]))[0].numpy()
    alone.append(softmax(plain @ plain.T / np.sqrt(128)).diagonal().mean())
trained = [maps.diagonal(axis1=2, axis2=3).mean() for maps in trained_maps]
print(f"plain vectors: {np.mean(alone):.0%} on itself; trained heads: {np.mean(trained):.0%}")
assert 0.55 < np.mean(alone) < 0.63
assert 0.1 < np.mean(trained) < 0.16

# %% [markdown] tags=["row-106"]
# Plain vectors give most of the attention to themselves, trained heads about an eighth.

# %% [markdown] tags=["row-106"]
# ## What eight heads are good for
#
# Not for more parameters: the count is the same.

# %% tags=["row-106"]
counts = []
for number in (1, 8, 64):
    layer = MultiHeadAttention(512, number)
    layer.build()
    counts.append(layer.count_params())
print(counts)
assert counts == [4 * (512 * 512 + 512)] * 3

# %% [markdown] tags=["row-106"]
# But one head has one row of weights for a word, so it returns one mixture. "bites" needs two
# words: who, and whom. What does it get from one head that gives half of its attention to each
# neighbour, and from two heads, one for the left neighbour and one for the right?

# %% tags=["row-106"]
dog, man = np.array([1.0, 0.0]), np.array([0.0, 1.0])  # values
mixtures, pairs = [], []
for left, right in ((dog, man), (man, dog)):
    mixtures.append(left / 2 + right / 2)
    pairs.append(np.concatenate([left, right]))
for name, mixture, both in zip(("dog bites man", "man bites dog"), mixtures, pairs, strict=True):
    print(f"{name}: one head {mixture}, two heads {both}")
assert np.array_equal(*mixtures)
assert not np.array_equal(*pairs)

# %% [markdown] tags=["row-106"]
# The one head says the same of both sentences, the two heads do not. In The Illustrated Transformer
# two heads fetch "animal" and "tired" for "it".
#
# Are 32 trained heads also 32 different standards, as the first article says? If two heads give a
# token the weights $w$ and $w'$, they have $\sum_j \min(w_j, w'_j)$ in common: 1 if they look at
# the same, 0 if they look elsewhere. For each pair of heads, the mean of all tokens of 40
# sentences:

# %% tags=["row-106"]
common = np.zeros((32, 32))
for maps in trained_maps:
    heads_of_all = maps.reshape(32, *maps.shape[2:])  # (heads, tokens, tokens)
    for i, one in enumerate(heads_of_all):
        common[i] += np.minimum(one, heads_of_all).sum(-1).mean(-1) / len(trained_maps)
np.fill_diagonal(common, np.nan)  # a head and itself
nearest = np.nanmax(common, axis=1)
print(f"two heads have {np.nanmean(common):.0%} in common, the most alike {nearest.max():.0%};")
print(f"{(nearest > 0.75).sum()} of 32 heads have a partner with more than 75%")
at_the_ends = [maps[0][..., [0, -1]].sum(-1).mean() for maps in trained_maps]
print(f"layer 1 gives {np.mean(at_the_ends):.0%} to <start> and <end>")
assert np.nanmean(common) > 0.5
assert nearest.max() < 0.9
assert 9 <= (nearest > 0.75).sum() <= 13
assert np.mean(at_the_ends) > 0.5

# %% [markdown] tags=["row-106"]
# So no: no two heads are the same, but 32 heads are fewer than 32 standards. Two heads share half
# of their weights on average, and about a third of the heads have a near twin. And in layer 1 half
# of the attention goes to `<start>` and `<end>`, where no word stands.

# %% [markdown] tags=["row-106"]
# ## What a representation subspace is
#
# The Chinese text finds this point far-fetched. It is plain linear algebra. A head of the
# package's translator computes $q = x W^Q_i$, with 16 columns for 128 numbers. Whatever part of
# $x$ is orthogonal to these columns has no effect on $q$. The other 16 directions are the subspace
# in which this head compares. Each head has its own.

# %% tags=["row-106"]
W = encoder.enc_layers[1].mha.wq.kernel.numpy()  # (128, 128): 8 heads of 16 columns
_, _, directions = np.linalg.svd(W[:, :16].T)  # head 1: 16 that it sees, then 112 that it does not
unseen = 100 * directions[-1]
effects = [np.linalg.norm(unseen @ W[:, 16 * i : 16 * i + 16]) for i in range(8)]
print("a long step that head 1 does not see moves the queries of the eight heads by")
print(np.array(effects))  # head 1 first
assert effects[0] < 1e-2
assert min(effects[1:]) > 10

# %% [markdown] tags=["row-106"]
# Head 1 does not notice this step, and each of the other seven does: their subspaces are others.

# %% [markdown] tags=["row-102"]
# ## One head as a spreadsheet
#
# "You just have to do lots of Excel-like operations", says the first article. Here they are: two
# words and one head with $d_k = 4$. Only $X$ and the three matrices are numbers, small and whole.
# Everything else is a formula: Q, K, V, the scores, the softmax, and Z. Compute them with paper and
# pencil; or open `head.xlsx`, change a number of $X$, and follow the arrows of your spreadsheet
# program. **Change** the seed for another sheet.

# %% tags=["row-102"]
from openpyxl import Workbook

numbers = np.random.default_rng(seed=1638)
X = numbers.integers(-1, 3, size=(2, 3)).astype(float)
W_Q, W_K, W_V = numbers.integers(-1, 2, size=(3, 3, 4)).astype(float)
sheet = []  # rows of cells; the first one is row 1, and names stand in column A


def block(title, columns, names, contents):
    """Add a matrix of numbers or formulas with its names; return the names of its cells."""
    first = len(sheet) + 2
    sheet.append([title, *columns])
    sheet.extend([name, *row] for name, row in zip(names, contents, strict=True))
    sheet.append([])
    return np.array(
        [[f"{c}{first + i}" for c in "BCDE"[: len(columns)]] for i in range(len(names))]
    )


def product(A, B):
    """The formulas of a product of two matrices of cells."""
    return [["=" + "+".join(np.char.add(np.char.add(a, "*"), b)) for b in B.T] for a in A]


# %% tags=["row-102"]
pair, features, depth = ["Thinking", "Machines"], [1, 2, 3], [1, 2, 3, 4]
x = block("X", features, pair, X.tolist())
w_q = block("W^Q", depth, features, W_Q.tolist())
w_k = block("W^K", depth, features, W_K.tolist())
w_v = block("W^V", depth, features, W_V.tolist())
q = block("Q = X W^Q", depth, pair, product(x, w_q))
k = block("K = X W^K", depth, pair, product(x, w_k))
v = block("V = X W^V", depth, pair, product(x, w_v))
scores = block("scores Q K^T", pair, pair, product(q, k.T))
scaled = block("by root of d_k", pair, pair, [[f"={c}/SQRT(4)" for c in row] for row in scores])
powers = block("e to that", pair, pair, [[f"=EXP({c})" for c in row] for row in scaled])
shares = [[f"={c}/({'+'.join(row)})" for c in row] for row in powers]
weights = block("weights", pair, pair, shares)
z = block("Z, weights V", depth, pair, product(weights, v))
book = Workbook()
for row in sheet:
    book.active.append(row)
book.save("head.xlsx")

# %% [markdown] tags=["row-102"]
# The columns A and B of the sheet, and what the formulas in B give. They are so plain that Python
# can read them, too: so we know that the sheet is right without opening it.

# %% tags=["row-102"]
values = {}  # of the cells B1, C1 …
for number, row in enumerate(sheet, start=1):
    for letter, cell in zip("BCDE", row[1:], strict=False):
        is_formula = isinstance(cell, str) and cell.startswith("=")
        functions = {"SQRT": np.sqrt, "EXP": np.exp}
        values[f"{letter}{number}"] = eval(cell[1:], functions, values) if is_formula else cell
    if row:
        value = f"{values[f'B{number}'] + 0:.2f}" if str(row[1]).startswith("=") else ""
        print(f"{number:2}  {row[0]!s:15}{row[1]!s:37}{value:>5}".rstrip())
expected, _ = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
np.testing.assert_allclose(np.vectorize(values.get)(z), expected, atol=1e-6)

# %% [markdown]
# <details><summary>Solution of the sheet</summary>
#
# ```python
# Q, K, V = X @ W_Q, X @ W_K, X @ W_V
# print("Q", Q, "K", K, "V", V, "scores Q K^T", Q @ K.T, sep="\n")
# weights = softmax(Q @ K.T / np.sqrt(4))
# print("weights", weights, "Z", weights @ V, sep="\n")
# np.testing.assert_allclose(scaled_dot_product_attention(Q, K, V)[0], weights @ V, atol=1e-6)
# ```
#
# </details>

# %% [markdown]
# ## Summary
#
# - A head compares each query with all keys, divides by $\sqrt{d_k}$ so that the gradients live,
#   makes weights with a softmax, and sums the values with them.
# - For all words at once this is $softmax(QK^T/\sqrt{d_k})V$: ten lines of code.
# - Eight heads cost as many parameters as one. Each compares in a subspace of its own, so that a
#   word can fetch several things.
# - 32 trained heads are no 32 different standards: two of them share half of their weights on
#   average.
#
# **Two sentences to remember**: Query and key decide how much, the value decides what. Without two
# different matrices for query and key, a word would mostly look at itself.

# %% [markdown]
# ## Exercises
#
# **1.** The first of the two weights, if the scores 112 and 96 were not divided by 8?


# %%
def check_1(answer):
    """Against the softmax of the scores."""
    assert abs(answer - softmax(np.array([112.0, 96.0]))[0]) < 0.01, "how large is e to the 16?"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# A difference of 16 leaves the second word nothing; division by 8 makes it 2.
#
# ```python
# check_1(1.0)
# ```
#
# </details>
#
# **2.** Which number of the tensor 1 … 4608 is at `heads[0, 3, 5, 10]`? (All count from 0.)


# %%
def check_2(answer):
    """Against the tensor."""
    hint = "how many numbers come before token 5, how many before head 3?"
    assert answer == int(heads[0, 3, 5, 10]), hint


# check_2(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# Token 5 begins after 5 · 512 numbers, head 3 after 3 · 64 more, and the first number is 1.
#
# ```python
# check_2(5 * 512 + 3 * 64 + 10 + 1)
# ```
#
# </details>
#
# **3.** What is the shape of the weights for 64 sentences, 16 heads, 9 source and 12 target tokens?


# %%
def check_3(answer):
    """Against a layer with 16 heads."""
    source, target = tf.zeros((64, 9, 512)), tf.zeros((64, 12, 512))
    _, weights = MultiHeadAttention(512, 16)(source, source, target)
    assert tuple(answer) == tuple(weights.shape), "where do queries come from, where keys?"


# check_3((0, 0, 0, 0))

# %% [markdown]
# <details><summary>Answer</summary>
#
# Queries come from the target, keys from the source: (batch, heads, queries, keys).
#
# ```python
# check_3((64, 16, 12, 9))
# ```
#
# </details>
#
# **4.** Write `attend`, one head by hand with NumPy: from $X$ and the three matrices to $Z$.


# %%
def attend(X, W_Q, W_K, W_V):
    return X @ W_V  # your code: so far every word only gets its own value


def check_4(function):
    """Against the library, for nine words."""
    x, (w_q, w_k, w_v) = random.normal(size=(9, 5)), random.normal(size=(3, 5, 4))
    expected, _ = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)
    np.testing.assert_allclose(function(x, w_q, w_k, w_v), expected, atol=1e-5)


# check_4(attend)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def attend(X, W_Q, W_K, W_V):
#     Q, K, V = X @ W_Q, X @ W_K, X @ W_V
#     return softmax(Q @ K.T / np.sqrt(K.shape[-1])) @ V
#
#
# check_4(attend)
# ```
#
# </details>
