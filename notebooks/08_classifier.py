# %% [markdown]
# # 08 The Transformer as classifier
#
# Read with "Transformers for classification", "Layer normalization" and "transfer learning" in
# lecture 7 (Papapetrou, Stockholm University), and [BERT](https://arxiv.org/abs/1810.04805),
# section 3.
#
# You will see
#
# 1. the lecture's line in ten lines of Keras: encoder, mean, softmax;
# 2. which noun "it" stands for, and why a bag of words cannot know;
# 3. what the encoder of a trained translator is worth, frozen and fine-tuned.
#
# **Before**: notebook 04, or that an encoder gives a vector for each token.
#
# **Time**: about 60 seconds on two cores of a laptop; training takes most of it.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [07 Before the Transformer](07_before_the_transformer.ipynb).
# Next: [09 Einführung in die Welt der Autoencoder](09_autoencoder_einfuehrung.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import inspect
from collections import Counter

import numpy as np
from sklearn.metrics import confusion_matrix

from tf_models import Encoder, TransformerClassifier, create_padding_mask, ready_made
from tf_models.classification.evaluate import BASELINES, accuracy_by_kind, predict_with
from tf_models.data.labelled import embedded_texts
from tf_models.plotting.notebook import show
from tf_models.plotting.number_grid import plot_confusion

translator = ready_made()

# %% [markdown]
# ## From a sentence to one vector
#
# The lecture says: simple, put a feed-forward network and a softmax on top. One step is missing.
# An encoder gives a vector for *each token*, and a text of any length needs *one*. So the outputs
# $h_1 … h_n$ are pooled, here by their mean, which leaves padding out:
#
# $$z = \frac{1}{n} \sum_{j=1}^{n} h_j, \quad p = \mathrm{softmax}(W z + b)$$


# %% tags=["row-86"]
def classifier_on(encoder, classes):
    """Encoder, mean, dense layer, softmax."""
    ids = keras.Input((None,), dtype="int32")
    mask = keras.layers.Lambda(create_padding_mask)(ids)  # 1 = padding
    outputs, _ = encoder(ids, padding_mask=mask)  # (batch, len, d_model)
    real = keras.layers.Lambda(lambda ids: tf.not_equal(ids, 0))(ids)
    pooled = keras.layers.GlobalAveragePooling1D()(outputs, mask=real)  # (batch, d_model)
    return keras.Model(ids, keras.layers.Dense(classes, activation="softmax")(pooled))


# %% tags=["row-86"]
sizes = {"d_model": 64, "num_heads": 4, "dff": 256, "vocab_size": 100}
small = Encoder(num_layers=2, maximum_position_encoding=20, **sizes)
model = classifier_on(small, classes=2)
ids = np.array([[98, 5, 17, 8, 99, 0, 0]])  # two zeros of padding
longer = np.pad(ids, ((0, 0), (0, 9)))
print("probabilities        ", model(ids).numpy().round(4))
print("with more padding    ", model(longer).numpy().round(4))
np.testing.assert_allclose(model(ids), model(longer), atol=1e-5)
assert np.isclose(model(ids).numpy().sum(), 1)

# %% [markdown]
# The padding changes nothing: it is left out of the mean, and masked in the encoder.
#
# Is a sentence a statement, a question, a command …? We train it as any Keras model, on 3,000
# sentences in small letters and without the mark at their end. The ids come from the tokenizer of
# the translator of the package.


# %%
def encoded(texts):
    rows = [translator.source.encode(text.text) for text in texts]
    return keras.utils.pad_sequences(rows, padding="post")


def numbered(texts, classes):
    return np.array([classes.index(text.label) for text in texts])


kinds = embedded_texts("type").with_fewer(3000, seed=0)
print(*(f"{one.label:20} {one.text}" for one in kinds.train[:5]), sep="\n")

# %% tags=["row-86"]
sizes["vocab_size"] = translator.tokenizers.source.vocabulary_size
small = Encoder(num_layers=1, maximum_position_encoding=64, **sizes)
model = classifier_on(small, len(kinds.classes))
model.compile(keras.optimizers.Adam(0.002), "sparse_categorical_crossentropy", metrics=["accuracy"])
x, y = encoded(kinds.train), numbered(kinds.train, kinds.classes)
history = model.fit(x, y, batch_size=64, epochs=4, verbose=0).history
for epoch, accuracy in enumerate(history["accuracy"], start=1):
    print(f"epoch {epoch}: {accuracy:.0%} of the training sentences")
x, y = encoded(kinds.test), numbered(kinds.test, kinds.classes)
_, accuracy = model.evaluate(x, y, batch_size=200, verbose=0)
print(f"{accuracy:.0%} of {len(y):,} test sentences, {len(kinds.classes)} classes")
assert accuracy > 0.9

# %% [markdown]
# Two epochs are enough for such a question: single words, such as a *not* or a verb in front,
# tell the class. The next question is harder.
#
# BERT takes the output at the first token in place of the mean. The library's
# `TransformerClassifier` has both, and a feed-forward network before the softmax:
#
# $$p = \mathrm{softmax}(W \, \mathrm{LayerNorm}(z + \mathrm{FFN}(z)) + b)$$

# %% tags=["row-86"]
print(inspect.getsource(TransformerClassifier.pool))
print(inspect.getsource(TransformerClassifier.call))
for pooling in ("mean", "first"):
    whole = TransformerClassifier(
        2, 64, 4, 256, vocab_size=100, maximum_position_encoding=20, num_classes=2, pooling=pooling
    )
    logits, attention = whole(ids)
    print(f"{pooling:5} logits {logits.shape}, attention {attention['encoder_layer1'].shape}")

# %% [markdown]
# ## What the pronoun stands for
#
# The sentences are made after the one in The Illustrated Transformer: does *it* mean the first noun
# or the second? There are two families. *By place*, the adjective nearly always decides alone. *By
# meaning*, the same words stand in both classes, and only their order tells.

# %%
texts = embedded_texts("reference").with_fewer(1500, seed=0)
for one in texts.train[:4]:
    print(f"{one.text:75} {one.label} ({one.kind})")

# %% [markdown]
# Two baselines first, or a score means nothing. One always names the same class. The other counts
# words and forgets their order (a bag of words with logistic regression).

# %%
accuracy = {}
for name, baseline in BASELINES.items():
    guessed = predict_with(baseline, texts.train, texts.test)
    accuracy[name] = accuracy_by_kind(texts.test, guessed)
    print(f"{name:20}", {str(kind): f"{share:.0%}" for kind, share in accuracy[name].items()})
by_place, by_meaning = "pronoun by place", "pronoun by meaning"
assert accuracy["bag of words"][by_place] > 0.85
assert 0.4 < accuracy["bag of words"][by_meaning] < 0.6, "no better than a coin"

# %% [markdown]
# By place the words alone nearly always tell the class; by meaning a bag of words is no better than
# a coin. So only the second family shows whether a classifier *reads* the sentence.
#
# ## Three starts
#
# The lecture names transfer learning as an advantage of autoencoders. We take the encoder of the
# ready-made translator. What was it taught? It never saw these labels. But it had two losses: that
# of the translation, and an auxiliary one with the weight of eight written words, for just such
# sentences: from the encoder's output at *it*, and from what head 3.1 attends to there, *er*, *sie*
# or *es* must follow (`research/heads/resolver.py`). The two nouns have different genders, so the
# encoder had to find the right one. What follows is transfer from a task that is close to ours, and
# not from translations alone, where a model of this size [leaves the
# question](../docs/heads.md#it-in-the-encoder) to its decoder.
#
# Three classifiers are trained for as many steps each:
#
# - **random**: the encoder's sizes, random weights;
# - **frozen**: its weights, and only the layer on top learns;
# - **fine-tuned**: its weights, and all of them learn.
#
# Dropout is 0: with 0.1 the classifier needs many more steps.

# %% tags=["row-88"]
trained = translator.model.network.encoder
x, y = encoded(texts.train), numbered(texts.train, texts.classes)
steps = 8 * -(-len(x) // 32)
print(f"{len(x):,} sentences, {steps} steps, an encoder of {trained.count_params():,} numbers")


# %% tags=["row-88"]
def start_from(weights, frozen=False):
    encoder = Encoder.from_config({**trained.get_config(), "rate": 0.0})
    encoder.build((None, None))
    if weights:
        encoder.set_weights(weights)
    encoder.trainable = not frozen
    model = classifier_on(encoder, len(texts.classes))
    rate = keras.optimizers.schedules.CosineDecay(0.0, steps, warmup_target=1e-3, warmup_steps=20)
    model.compile(
        keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    return model


# %% tags=["row-88"]
weights, classifiers = trained.get_weights(), {}
for name, options in {
    "random": {"weights": None},
    "frozen": {"weights": weights, "frozen": True},
    "fine-tuned": {"weights": weights},
}.items():
    keras.utils.set_random_seed(1)
    classifiers[name] = start_from(**options)
    fitted = classifiers[name].fit(x, y, batch_size=32, epochs=8, verbose=0).history
    print(f"{name:10} loss {fitted['loss'][0]:.2f} -> {fitted['loss'][-1]:.2f}")

# %% tags=["row-88"]
tests, predicted = encoded(texts.test), {}
for name, model in classifiers.items():
    chosen = model.predict(tests, batch_size=200, verbose=0).argmax(axis=1)
    predicted[name] = [texts.classes[i] for i in chosen]
    accuracy[name] = accuracy_by_kind(texts.test, predicted[name])
    print(f"{name:12}", {str(kind): f"{share:.0%}" for kind, share in accuracy[name].items()})
random, frozen, tuned = (accuracy[name] for name in classifiers)
assert tuned["all"] > max(random["all"], frozen["all"]) + 0.1
assert tuned[by_meaning] > random[by_meaning] + 0.1
assert max(frozen[by_meaning], random[by_meaning]) < 0.65, "both only guess by meaning"
assert frozen[by_place] < random[by_place], "the frozen one hardly learns the adjectives"
assert 0.55 < frozen["all"] < 0.75

# %% [markdown]
# With 1,500 labels only the fine-tuned encoder understands both families. By meaning the other two
# only guess: random weights learn the adjectives, as the bag of words did, and the frozen encoder
# not even these well. That is a surprise, since its output at *it* was trained to tell the noun.
# Does the mean over all outputs hide it? We ask a linear classifier that sees the frozen encoder's
# output at *it* alone:

# %% tags=["row-88"]
from sklearn.linear_model import LogisticRegression

(it,) = translator.source.encode("it")[1:-1]


def outputs_at_it(ids):
    mask = create_padding_mask(ids)
    outputs, _ = trained(tf.constant(ids), training=False, padding_mask=mask)
    return outputs.numpy()[np.arange(len(ids)), (ids == it).argmax(axis=1)]  # (texts, 128)


probe = LogisticRegression(max_iter=2000).fit(outputs_at_it(x), [one.label for one in texts.train])
found = accuracy_by_kind(texts.test, list(probe.predict(outputs_at_it(tests))))
print({str(kind): f"{share:.0%}" for kind, share in found.items()})
assert found[by_meaning] > 0.75, "the output at it says it, even to a linear probe"

# %% [markdown]
# It does: what the auxiliary loss put into one output of fourteen is lost in the mean of all. So a
# trained encoder is a much better *start* than random weights, and how good its frozen *features*
# are depends on where one looks, and on what its losses asked for. (The test is fair: its pairs of
# nouns, and of noun and adjective, were held out of the translator's training, too.)
#
# **Change** the 1500 labels to 500.
# [docs/classification.md](../docs/classification.md#transfer-from-a-translator) has 100, 1,000 and
# 10,000.
#
# ## The confusion matrix
#
# A row for each right class, a column for each predicted one. The diagonal is right. A classifier
# without a preference errs equally often in both directions; one that favours a class does not.

# %% tags=["row-86"]
right, recalls = [one.label for one in texts.test], {}
for name in ("frozen", "fine-tuned"):
    counts = confusion_matrix(right, predicted[name], labels=texts.classes)
    figure = plot_confusion(counts, texts.classes, title=f"{name} encoder")
    show(figure, f"The {name} classifier on {len(right):,} test sentences: right classes as rows.")
    recall = counts.diagonal() / counts.sum(axis=1)
    print(f"found of each class, {name}:", recall.round(2))
    assert counts.sum() == len(right)
    recalls[name] = recall
assert recalls["fine-tuned"].min() > 0.95
assert np.ptp(recalls["frozen"]) > 0.05

# %% [markdown]
# The fine-tuned classifier errs hardly ever, in either direction. The frozen one errs in about a
# third of all sentences; it finds one class less often than the other, which it prefers.
#
# ## Attention of a sentence
#
# The encoder's self-attention can be drawn as the translator's. Does a head of the row *it* attend
# to the noun that is meant? A head that always prefers the same of two nouns is right in half of
# all sentences, so a single picture shows nothing. As in [notebook
# 06](06_attention_maps.ipynb#What-a-pronoun-looks-at) we take many pairs, and compare the noun that
# is meant with the other one: which head has the largest difference on validation pairs, and what
# does it do on test pairs?

# %% tags=["row-86"]
from tf_models.translation.attention import AttentionMaps
from tf_models.translation.pronouns import pronoun_contrast, pronoun_pairs

best = classifiers["fine-tuned"]
tuned_encoder = next(layer for layer in best.layers if isinstance(layer, Encoder))


def maps_of(encoder, sentences):
    """Attention between the pieces of each sentence, of all layers and heads."""
    rows = [translator.source.encode(sentence) for sentence in sentences]
    ids = keras.utils.pad_sequences(rows, padding="post")
    _, attention = encoder(ids, padding_mask=create_padding_mask(ids))
    weights = np.stack(list(attention.values()), axis=1)  # (sentences, layers, heads, len, len)
    tokens = [translator.tokenizers.source.tokens(row) for row in rows]
    return [AttentionMaps(*one) for one in zip(weights, tokens, tokens, strict=True)]


# %% tags=["row-86"]
contrasts = {}
for split, family in (("validation", by_meaning), ("test", by_place), ("test", by_meaning)):
    pairs = pronoun_pairs(split, family)
    contrasts[split, family] = pronoun_contrast(
        maps_of(tuned_encoder, [pair.source for pair in pairs]), pairs
    )
layer, head = contrasts["validation", by_meaning].best
for (split, family), contrast in contrasts.items():
    right, other, resolved, nearest = (one[layer, head] for one in contrast[:4])
    print(f"head {layer + 1}.{head + 1}, {split}, {family}: right noun {right:.2f}, "
          f"other {other:.2f}; more on the right one in {resolved:.0%}, "
          f"on the nearest in {nearest:.0%}")  # fmt: skip
verdict = contrasts["test", by_meaning].verdict(layer, head)
print(f"By meaning this head {verdict}.")
assert verdict == "attends to the noun that is meant"

# %% [markdown]
# In nearly all test pairs of both families the row *it* of this head attends to the noun that is
# meant, though the nearest noun is right in half of them only. The validation pairs chose the head,
# and it is the head of the auxiliary loss: fine-tuning took over what was there.
#
# The same head in two sentences that differ in one word. **Change** the pair of sentences.

# %% tags=["row-86"]
from tf_models.plotting.attention import plot_attention_side_by_side
from tf_models.word_attention import merge_pieces

pair = [f"We brought the apple to the horse because it was {word}." for word in ("ripe", "hungry")]
ids = keras.utils.pad_sequences([translator.source.encode(text) for text in pair], padding="post")
for text, shares in zip(pair, best.predict(ids, verbose=0), strict=True):
    print(text, *(f"{c} {x:.0%}" for c, x in zip(texts.classes, shares, strict=True)))
drawn = {}
for pieces in maps_of(tuned_encoder, pair):
    size = len(pieces.rows)
    weights, words, _ = merge_pieces(pieces.weights[..., :size, :size], *pieces[1:])
    drawn[words[-3]] = weights[layer, head]
    row = weights[layer, head, words.index("it")]
    print(f"{words[-3]:7} it -> apple {row[words.index('apple')]:.2f}, "
          f"horse {row[words.index('horse')]:.2f}")  # fmt: skip
labels = [*words[:-3], "ripe | hungry", *words[-2:]]
title = f"fine-tuned encoder, layer {layer + 1}, head {head + 1}"
figure = plot_attention_side_by_side(drawn, labels, labels, title=title)
show(figure, "Both sentences; rows are the words that attend. Compare the row of it.")

# %% [markdown] tags=["row-86"]
# The row of *it* moves from one noun to the other. But so do most other rows, even that of the
# full stop: each map is one dark column. Was that so before the fine-tuning? We count the rows of
# all test pairs that give the noun more than half of their attention.


# %% tags=["row-86"]
def rows_on_noun(encoder):
    """Share of the rows of the head that give the noun that is meant more than half."""
    found = []
    for pieces, pair in zip(maps_of(encoder, [pair.source for pair in pairs]), pairs, strict=True):
        size = len(pieces.rows)
        weights, _, words = merge_pieces(pieces.weights[..., :size, :size], *pieces[1:])
        noun = pair.second_noun if pair.reference == "second noun" else pair.first_noun
        found.append(np.mean(weights[layer, head, :, words.index(noun.split()[-1])] > 0.5))
    return np.mean(found)


before, after = rows_on_noun(trained), rows_on_noun(tuned_encoder)
print(f"rows with more than half of their attention on the noun: {before:.0%} of the translator's "
      f"encoder, {after:.0%} of the fine-tuned one")  # fmt: skip
assert before < 0.15 < 0.4 < after

# %% [markdown] tags=["row-86"]
# In the translator only one row did, that of *it*. The classifier takes the mean of all outputs,
# so fine-tuning made nearly each token fetch the noun: what all of them say, the mean cannot hide.
# A map shows what the loss asked for. It is no proof of a reason: the answer comes from all heads
# and the networks between them.

# %% [markdown]
# ## Which axis layer normalisation takes
#
# The lecture has two sentences about it, which do not agree; [notebook
# 04](04_transformer.ipynb#Which-axis-layer-normalisation-goes-along) draws both axes. Here is the
# trained encoder itself. Its last step is a layer normalisation,
# $\gamma \, \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$. We take $\gamma$ and $\beta$
# away again, and ask which means are 0: those of the tokens, or those of the 128 features?

# %% tags=["row-87"]
layer = trained.enc_layers[-1].layernorm2
outputs, _ = trained(tf.constant(ids[:1]), training=False)
x = (outputs[0].numpy() - layer.beta.numpy()) / layer.gamma.numpy()  # (tokens, 128)
print("means of tokens  ", x.mean(axis=1).round(3), "deviations", x.std(axis=1).round(3))
print("means of features", x.mean(axis=0)[:8].round(2), "…")
np.testing.assert_allclose(x.mean(axis=1), 0, atol=1e-3)
assert np.abs(x.mean(axis=0)).max() > 0.1

# %% [markdown]
# The means of tokens are 0, those of features are not. So it goes along the features of one token.
# It gets the same numbers alone and in company, in training and in use, with padding and without.

# %% [markdown]
# ## Summary
#
# - A classifier is an encoder, one vector of all its outputs (mean, or the first one), a softmax.
# - A baseline comes first: a bag of words solves one family of sentences and guesses in the other.
# - The translator's encoder is a much better start than random weights. An auxiliary loss had
#   taught it the noun of *it*, so this is transfer from a task close by.
# - Fine-tuned, it reads both families; frozen, it guesses by meaning in the mean of all outputs,
#   and a linear probe of the output at *it* does not.
# - Attention follows the loss: fine-tuned for the mean, most tokens attend to the noun.
# - Layer normalisation takes the features of one token.
#
# **Two sentences to remember**: Before you praise transfer, ask what the encoder was trained for.
# Pooling decides which of its knowledge a classifier on top can see.

# %% [markdown]
# ## Exercises
#
# **1.** In "We brought the apple to the horse because it was ripe." we exchange the two nouns. How
# many of the counts in the bag of words change?


# %%
def check_1(answer):
    """Against two bags of words."""
    text = "we brought the {} to the {} because it was ripe"
    first, second = (
        Counter(text.format(*nouns).split()) for nouns in (("apple", "horse"), ("horse", "apple"))
    )
    truth = sum(first[word] != second[word] for word in first | second)
    assert answer == truth, "what does a bag forget?"


# check_1(2)

# %% [markdown]
# <details><summary>Answer</summary>
#
# None. Both sentences have each word as often; only an order can tell them apart.
#
# ```python
# check_1(0)
# ```
#
# </details>
#
# **2.** What share of the frozen classifier's parameters is trained, in per cent?


# %%
def check_2(answer):
    """Against Keras' own count."""
    model = classifiers["frozen"]
    learns = sum(int(np.prod(one.shape)) for one in model.trainable_variables)
    assert abs(answer - 100 * learns / model.count_params()) < 0.05, "one dense layer learns"


# check_2(50)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The dense layer has 128 · 2 + 2 numbers; the encoder's were printed in *Three starts*.
#
# ```python
# check_2(100 * (128 * 2 + 2) / classifiers["frozen"].count_params())
# ```
#
# </details>
#
# **3.** Write `mean_of_real`, which takes outputs (batch, len, d_model) and ids (batch, len), and
# returns the mean of the outputs at real tokens, (batch, d_model), with NumPy.


# %%
def mean_of_real(outputs, ids):
    return outputs.mean(axis=1)  # your code: so far padding counts


def check_3(function):
    """Against the pooling of the library's classifier."""
    rng = np.random.default_rng(1)
    ids = np.array([[5, 3, 0, 0], [7, 2, 9, 4]])
    outputs = rng.normal(size=(2, 4, 6)).astype(np.float32)
    sizes = {"vocab_size": 10, "maximum_position_encoding": 4, "num_classes": 2}
    truth = TransformerClassifier(1, 6, 2, 8, **sizes).pool(tf.constant(outputs), tf.constant(ids))
    np.testing.assert_allclose(function(outputs, ids), truth, rtol=1e-4)


# check_3(mean_of_real)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def mean_of_real(outputs, ids):
#     real = (ids != 0)[..., np.newaxis]
#     return (outputs * real).sum(axis=1) / real.sum(axis=1)
#
#
# check_3(mean_of_real)
# ```
#
# </details>
