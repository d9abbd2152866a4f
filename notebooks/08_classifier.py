# %% [markdown]
# # 08 The Transformer as classifier
#
# Read beside it: "Transformers for classification", "Layer normalization" and "transfer learning"
# in lecture 7 (Papapetrou, Stockholm University), and [BERT](https://arxiv.org/abs/1810.04805),
# section 3.
#
# You will see
#
# 1. an encoder, a pooled vector and a softmax name the noun that "it" stands for;
# 2. what the encoder of a trained translator is worth, frozen and fine-tuned;
# 3. along which axis layer normalisation goes.
#
# It takes about 60 seconds on two cores of a laptop-class processor. If a change of yours stops a
# cell at an `assert`, put `#` before it.
#
# [07 Before the Transformer](07_before_the_transformer.ipynb) · [09 Einführung in die Welt der
# Autoencoder](09_autoencoder_einfuehrung.ipynb)

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
from collections import Counter

import numpy as np

from tf_models.data.text.labelled import embedded_texts
from tf_models.plotting.notebook import show
from tf_models.tasks.classification.evaluation import BASELINES, ClassScores, accuracy_by_kind
from tf_models.tasks.classification.figures import FIGURES
from tf_models.transformer.classifier import TransformerClassifier
from tf_models.transformer.masks import create_padding_mask

# %% [markdown]
# ## From a sentence to one vector
#
# The lecture says: simple, put a feed-forward network and a softmax on top. One step is missing.
# An encoder gives a vector for *each token*, and a text of any length needs *one*. So the outputs
# $h_1 … h_n$ are pooled, here by their mean:
#
# $$z = \frac{1}{n} \sum_{j=1}^{n} h_j, \quad
# p = \mathrm{softmax}(W \, \mathrm{LayerNorm}(z + \mathrm{FFN}(z)) + b)$$
#
# BERT takes the output at the first token instead: `pooling="first"`.

# %% tags=["row-86"]
sizes = {"num_layers": 2, "d_model": 128, "num_heads": 4, "dff": 512}
small = TransformerClassifier(
    **sizes, vocab_size=100, maximum_position_encoding=20, num_classes=2, pooling="mean"
)
ids = np.array([[98, 5, 17, 8, 99, 0, 0]])  # two zeros of padding
logits, _ = small(ids)
outputs, _ = small.encoder(ids, training=False, padding_mask=create_padding_mask(ids))
pooled = small.pool(outputs, ids)
print(outputs.shape, "->", pooled.shape, "->", logits.shape)
np.testing.assert_allclose(pooled[0], outputs[0, :5].numpy().mean(axis=0), atol=1e-5)

# %% [markdown]
# The mean leaves padding out, and so does the attention. Longer padding changes nothing:

# %% tags=["row-86"]
longer, _ = small(np.pad(ids, ((0, 0), (0, 9))))
np.testing.assert_allclose(longer, logits, atol=1e-5)
print(tf.nn.softmax(logits).numpy().round(2), tf.nn.softmax(longer).numpy().round(2))

# %% [markdown]
# ## What it stands for
#
# The sentences are made after the one in The Illustrated Transformer: what does *it* mean, the
# first noun or the second? There are two families. *By place*, the adjective nearly always decides
# alone. *By meaning*, the same words stand in both classes, and only their order tells.

# %%
texts = embedded_texts("reference").with_fewer(2000, seed=0)
for one in (texts.train[i] for i in (0, 1, 2, 3)):
    print(f"{one.text:75} {one.label} ({one.kind})")

# %% [markdown]
# Two baselines first, or a score means nothing. One always names the same class. The other counts
# words and forgets their order (a bag of words with logistic regression).

# %%
accuracy = {}
for name, predict in BASELINES.items():
    accuracy[name] = accuracy_by_kind(texts.test, predict(texts.train, texts.test))
    print(f"{name:20}", {str(kind): f"{share:.0%}" for kind, share in accuracy[name].items()})
by_place, by_meaning = "pronoun by place", "pronoun by meaning"
assert accuracy["bag of words"][by_place] > 0.85
assert 0.4 < accuracy["bag of words"][by_meaning] < 0.6, "no better than a coin"

# %% [markdown]
# **Predict.** In "We brought the apple to the horse because it was ripe." we exchange the two
# nouns. How many of the counts in the bag change?


# %%
def check_1(prediction):
    first, second = (
        Counter(f"we brought the {a} to the {b} because it was ripe".split())
        for a, b in (("apple", "horse"), ("horse", "apple"))
    )
    truth = sum(first[word] != second[word] for word in first | second)
    assert prediction == truth, "a bag has no order"
    print("right:", truth)


# check_1(…)  # your prediction

# %% [markdown]
# ## Three starts
#
# The lecture names transfer learning as an advantage of autoencoders. The ready-made translator is
# another network that was trained without these labels. To write *er*, *sie* or *es* it had to
# find out what *it* means. We take its encoder and train three classifiers for as many steps each:
#
# - **random**: the encoder's sizes, random weights;
# - **frozen**: its weights, and only the network on top learns;
# - **fine-tuned**: its weights, and all of them learn.
#
# Dropout is 0: with 0.1 the classifier needs many more steps.

# %%
from tf_models.data.text.batches import EncodedPairs, TranslationBatches
from tf_models.data.text.sentence_encoder import SentenceEncoder
from tf_models.tasks.classification.settings import CLASSIFIERS
from tf_models.tasks.classification.text_classifier import TrainedEncoder
from tf_models.tasks.translation.ready_made import source_encoder

translator = TrainedEncoder("ready-made", *source_encoder("ready-made"))
settings = translator.settings_for(CLASSIFIERS["reference"], given={}).changed(dropout=0.0)
coder = SentenceEncoder(translator.tokenizer, settings.model.max_length, cuts=True)
encoded = EncodedPairs(
    [np.array(coder.encode(one.text), np.int32) for one in texts.train],
    [np.array([texts.classes.index(one.label)], np.int32) for one in texts.train],
    dropped=0,
)

# %%
from tf_models.tasks.classification.text_classifier import TextClassifier, build_classifier
from tf_models.tasks.classification.train import ClassificationObjective
from tf_models.training.optimizers import FusedAdam
from tf_models.training.train_step import TrainStep

batches = TranslationBatches(encoded, 32, seed=1)


# %%
def fit(model, epochs=8):
    """Train the variables of a model that are trainable."""
    steps, spec = epochs * len(batches), batches.epoch(0).element_spec
    rate = keras.optimizers.schedules.CosineDecay(0.0, steps, warmup_target=0.001, warmup_steps=20)
    optimizer = FusedAdam(rate)
    optimizer.build(model.trainable_variables)
    objective, strategy = ClassificationObjective(model), tf.distribute.get_strategy()
    step = TrainStep(model, optimizer, objective, strategy, spec)
    for epoch in range(epochs):
        for batch in batches.epoch(epoch):
            step.train_step(*batch)


# %% tags=["row-88"]
classifiers = {}
for start in ("random", "frozen", "fine-tuned"):
    keras.utils.set_random_seed(1)
    model = build_classifier(settings, translator.tokenizer, len(texts.classes))
    if start != "random":
        translator.copy_weights(model.encoder)
    model.encoder.trainable = start != "frozen"
    fit(model)
    classifiers[start] = TextClassifier(model, coder, texts.classes)

# %% tags=["row-88"]
tests = [one.text for one in texts.test]
predicted = {name: one.classify(tests) for name, one in classifiers.items()}
for name, classes in predicted.items():
    accuracy[name] = accuracy_by_kind(texts.test, classes)
    print(f"{name:12}", {str(kind): f"{share:.0%}" for kind, share in accuracy[name].items()})
random, frozen, tuned = (accuracy[name] for name in classifiers)
assert tuned["all"] > 0.9, "fine-tuned: nearly all"
assert tuned["all"] > max(random["all"], frozen["all"]) + 0.1
assert tuned[by_meaning] > random[by_meaning] + 0.1
assert frozen[by_meaning] < 0.65, "frozen it only guesses by meaning"

# %% [markdown]
# With 2,000 labels only the fine-tuned encoder understands both families. By meaning the other two
# only guess. Does the mean of the outputs hide what the output at *it* knows? We ask a linear
# classifier that sees the frozen encoder's output at *it* alone:

# %% tags=["row-88"]
from sklearn.linear_model import LogisticRegression

(it,) = coder.encode("it")[1:-1]


def outputs_at_it(split):
    ids = keras.utils.pad_sequences([coder.encode(one.text) for one in split], padding="post")
    mask = create_padding_mask(ids)
    outputs, _ = translator.encoder(tf.constant(ids), training=False, padding_mask=mask)
    return outputs.numpy()[np.arange(len(ids)), (ids == it).argmax(axis=1)]  # (texts, 128)


labels = [one.label for one in texts.train]
probe = LogisticRegression(max_iter=2000).fit(outputs_at_it(texts.train), labels)

# %% tags=["row-88"]
found = accuracy_by_kind(texts.test, list(probe.predict(outputs_at_it(texts.test))))
print({str(kind): f"{share:.0%}" for kind, share in found.items()})
assert found[by_meaning] < 0.6, "the output at it does not say it either, not to a linear probe"

# %% [markdown]
# It does not. Presumably the translator settles the question later, while the decoder writes. So a
# trained encoder is a much better *start*, and poor *features*: it pays to let it move. (The
# test is fair: its pairs of nouns, and of noun and adjective, were held out of the translator's
# training, too.)
#
# [docs/classification.md](../docs/classification.md#transfer-from-a-translator) has the same with
# 100, 1,000 and 10,000 labels. Change the 2000 above to see it.
#
# **Predict.** How many percent of the classifier's parameters does a frozen start train?


# %%
def check_2(prediction):
    model = classifiers["frozen"].model
    of_encoder = model.encoder.count_params()
    truth = 100 * (model.count_params() - of_encoder) / model.count_params()
    assert abs(prediction - truth) < 5, "count: tokens x 128, four layers, one FFN"
    print(f"right: {truth:.0f} %")


# check_2(…)  # your prediction

# %% [markdown]
# ## The confusion matrix
#
# A row for each right class, a column for each predicted one. The diagonal is right. Off the
# diagonal both numbers are about equal where a classifier guesses, and different where it favours
# one class.

# %% tags=["row-86"]
right = [one.label for one in texts.test]
for name in ("frozen", "fine-tuned"):
    scores = ClassScores.of(texts.classes, right, predicted[name])
    assert scores.confusion.sum() == len(right)
    figure = FIGURES.draw("confusion", None, scores=scores)
    show(figure, f"Confusion matrix of the {name} classifier: right classes as rows.")
assert scores.recall.min() > 0.85, "fine-tuned: each class is found"

# %% [markdown]
# ## Attention of a sentence
#
# The encoder's self-attention can be drawn as the translator's. Look for the row *it*: one head may
# attend to the noun that is meant, another one to the adjective. Which head does so differs from
# one training to the next. Attention is no proof of a reason, either: the answer comes from all
# heads and the networks between them. Write your own pair of sentences below.

# %% tags=["row-86"]
classifier = classifiers["fine-tuned"]
pair = [f"We brought the apple to the horse because it was {word}." for word in ("ripe", "hungry")]
for text, shares in zip(pair, classifier.probabilities(pair), strict=True):
    print(text, *(f"{c} {x:.0%}" for c, x in zip(classifier.classes, shares, strict=True)))
figure = FIGURES.draw("attention", classifier, sentence=pair[1], layer=2, words=True)
show(figure, "Self-attention of the four heads of layer 2; rows are the words that attend.")
assert classifier.classify(pair) == ["first noun", "second noun"]

# %% [markdown]
# ## Which axis layer normalisation takes
#
# The lecture has two sentences about it: each *feature (column)* gets the same mean and deviation,
# and the inputs are normalised *across the features*. Rows of a matrix are tokens here, columns
# features. Then the first sentence describes **batch** normalisation, and the second one **layer**
# normalisation:
#
# $$\mathrm{LayerNorm}(x) = \gamma \, \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta,
# \quad \mu, \sigma^2 \text{ of one token, over its features}$$

# %% tags=["row-87"]
from tf_models.layers.layer_normalization import LayerNormalization
from tf_models.plotting.number_grid import plot_normalization

tokens = ["the", "old", "dog", "sleeps"]
rng = np.random.default_rng(1)
x = rng.uniform(0.5, 3, (4, 1)) * rng.normal(size=(4, 5)) + rng.uniform(-2, 2, 5)
layer = LayerNormalization(epsilon=1e-6)
after = layer(tf.constant(x, tf.float32)).numpy()
print("means of rows   ", after.mean(axis=1).round(2))
print("means of columns", after.mean(axis=0).round(2))
np.testing.assert_allclose(after.mean(axis=1), 0, atol=1e-5)
np.testing.assert_allclose(after.std(axis=1), 1, atol=1e-3)
assert np.abs(after.mean(axis=0)).max() > 0.1, "the columns are not evened out"

# %% tags=["row-87"]
figure = plot_normalization(x, tokens, [f"x{i}" for i in range(1, 6)])
show(figure, "Layer normalisation evens out each row, batch normalisation each column.")

# %% [markdown]
# It matters. With layer normalisation a token gets the same numbers alone and in company, in
# training and in use, with padding and without.

# %% tags=["row-87"]
alone = layer(tf.constant(x[:1], tf.float32)).numpy()
np.testing.assert_allclose(alone[0], after[0], atol=1e-5)

batch_norm = keras.layers.BatchNormalization()
together, only = (batch_norm(part, training=True).numpy()[0] for part in (x, x[:2]))
print("batch normalisation, first token, 4 in the batch:", together.round(2))
print("batch normalisation, first token, 2 in the batch:", only.round(2))
assert np.abs(together - only).max() > 0.1

# %% [markdown]
# **Predict.** We multiply one token's vector by 10 and add 3. By how much does its layer-normalised
# vector change at most?


# %%
def check_3(prediction):
    changed = layer(tf.constant(10 * x[:1] + 3, tf.float32)).numpy()
    truth = np.abs(changed - alone).max()
    assert np.isclose(prediction, truth, atol=0.01), "what happens to mean and deviation?"
    print(f"right: {truth:.3f}")


# check_3(…)  # your prediction

# %% [markdown]
# ## Answers
#
# 1. None. Both sentences have each word as often; only an order can tell them apart.
# 2. About 10 %. Most parameters are the embeddings, $6502 \cdot 128$, and they belong to the
#    encoder.
# 3. By nothing. Mean and deviation follow the change, and subtracting and dividing undo it.

# %%
check_1(0)
check_2(10)
check_3(0)
