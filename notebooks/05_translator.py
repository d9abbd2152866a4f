# %% [markdown]
# # 05 Training and decoding the translator
#
# Read with [How to make a toy English-German translator][toy], section 6, and [The Illustrated
# Transformer][illustrated], from "The Final Linear and Softmax Layer" to the end.
#
# [toy]: https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/
# [illustrated]: https://jalammar.github.io/illustrated-transformer/
#
# You will see
#
# 1. one step of training: the loss by hand, and the tutorial's ten lines,
# 2. a translator that is trained before your eyes: its curves, how one of its heads learns where to
#    look, its translations, and why a test needs sentences of its own,
# 3. a beam search by hand, and how often it misses the best sentence.
#
# **Before**: notebook 04, or what a Transformer reads and returns.
#
# **Time**: about 120 seconds on two cores of a laptop.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [04 The Transformer, class by class](04_transformer.ipynb).
# Next: [06 Attention maps](06_attention_maps.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import inspect
import itertools

import numpy as np

from tf_models import (
    BeamSearch,
    CustomSchedule,
    Transformer,
    accuracy_function,
    create_masks,
    encode_pairs,
    loss_function,
)
from tf_models.base import SummedLossModel
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.notebook import show
from tf_models.plotting.number_grid import plot_probabilities

# %% [markdown]
# # First half: training
#
# ## A vocabulary of six words
#
# The Illustrated Transformer counts its six words from 0. Here id 0 is padding and nothing else,
# so the words have 1 to 6, and `<start>` has 7. A one-hot vector has a 1 at its word.

# %% tags=["row-53"]
WORDS = ["a", "am", "i", "thanks", "student", "<eos>"]
START = len(WORDS) + 1
ID = {word: number for number, word in enumerate(WORDS, start=1)}


def one_hot(text):
    return tf.one_hot([ID[word] - 1 for word in text.split()], len(WORDS)).numpy()


print(WORDS, one_hot("am")[0], sep="\n")
assert one_hot("am")[0].tolist() == [0, 1, 0, 0, 0, 0]

# %% [markdown]
# ## Inputs and labels
#
# The paper speaks of output embeddings that are "offset by one position". The decoder reads
# $y_{<i}$ and learns to write $y_i$: the same sentence twice, without its last and without its
# first token.

# %% tags=["row-17"]
THANKS, STUDENT = "thanks <eos>", "i am a student <eos>"
tokens = ["<start>", *STUDENT.split()]
inputs, labels = tokens[:-1], tokens[1:]
for position, (read, written) in enumerate(zip(inputs, labels, strict=True), start=1):
    print(f"position {position}: reads {read:8} and must write {written}")
assert inputs[1:] == labels[:-1]

# %% [markdown]
# ## Merci before and after training
#
# Two pairs, "merci" and "je suis étudiant", and a Transformer of one layer with 32 numbers for a
# word. What does it think of "merci" before it has learnt anything?

# %% tags=["row-54"]
FRENCH = {"merci": 1, "je": 2, "suis": 3, "étudiant": 4}
inp = [[FRENCH[word] for word in text.split()] for text in ("merci", "je suis étudiant")]
inp = tf.constant(keras.utils.pad_sequences(inp, padding="post"))
tar = [[START] + [ID[word] for word in text.split()] for text in (THANKS, STUDENT)]
tar = tf.constant(keras.utils.pad_sequences(tar, padding="post"))
sizes = {"input_vocab_size": 5, "target_vocab_size": START + 1, "pe_input": 3, "pe_target": 6}
keras.utils.set_random_seed(8)
network = Transformer(1, 32, 4, 64, rate=0.0, **sizes)
logits, _ = network(inp, tar[:, :-1], training=False)
print("target ids, padded:", *tar.numpy().tolist(), sep="\n")
print("logits", logits.shape)

# %% [markdown]
# ## The loss of one padded row
#
# The row of "merci" has two real tokens and three of padding. The tutorial's loss is the mean of
# $-\ln p(\text{right token})$ over the real ones alone; its accuracy counts how many of them have
# the highest logit. By hand, and from the library:

# %% tags=["row-92"]
real = tar[:1, 1:]  # the labels of the row: thanks, <eos>, 0, 0, 0
p = tf.nn.softmax(logits[:1]).numpy()[0]  # (5 positions, 8 ids)
for position, (label, row) in enumerate(zip(real.numpy()[0], p, strict=True), start=1):
    kind = f"-ln {row[label]:.3f} = {-np.log(row[label]):.3f}" if label else "padding, left out"
    print(f"position {position}: id {label}, {kind}")
each = [-np.log(p[i, label]) for i, label in enumerate(real.numpy()[0]) if label]
right = [p[i].argmax() == label for i, label in enumerate(real.numpy()[0]) if label]
print(f"loss {np.mean(each):.4f}, accuracy {np.mean(right):.1f}")
loss, accuracy = loss_function(real, logits[:1]), accuracy_function(real, logits[:1])
print(f"loss {float(loss):.4f}, accuracy {float(accuracy):.1f} from the library")
assert np.isclose(loss, np.mean(each), atol=1e-5)
assert np.isclose(accuracy, np.mean(right))

# %% [markdown]
# ## The learning rate
#
# The rate grows for `warmup_steps`, then falls with the root of the number of steps:
# $lrate = d_{model}^{-0.5} \cdot \min(step^{-0.5},\ step \cdot warmup^{-1.5})$.
#
# **Change** `d_model` and `warmup_steps`.

# %% tags=["row-92"]
steps = np.arange(1, 40_000, 100)
curves = {
    f"d_model {d_model}, warm-up {warmup}": (steps, CustomSchedule(d_model, warmup)(steps).numpy())
    for d_model, warmup in ((128, 4000), (512, 4000), (128, 8000))
}
show(
    plot_lines(curves, axis_names=("step", "learning rate"), title="the tutorial's schedule"),
    "The rate is highest at the end of the warm-up; a wider model has a lower one.",
)
narrow, wide, _ = (rates for _, rates in curves.values())
assert steps[narrow.argmax()] == steps[wide.argmax()] == 4001  # the first one after the warm-up
assert (wide < narrow).all()

# %% [markdown]
# ## One step of training
#
# Predict, compare, differentiate, move every weight: the tutorial's step, with the names of this
# package. The masks are those of [notebook 03](03_positions_and_masks.ipynb#Three-masks), the loss
# and the accuracy those of above, the rate that of the schedule.

# %% tags=["row-92"]
rate = CustomSchedule(32, warmup_steps=100)
optimizer = keras.optimizers.Adam(rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9)


def train_step(inp, tar):
    tar_inp, tar_real = tar[:, :-1], tar[:, 1:]
    enc_padding_mask, combined_mask, dec_padding_mask = create_masks(inp, tar_inp)
    with tf.GradientTape() as tape:
        predictions, _ = network(
            inp,
            tar_inp,
            training=True,
            enc_padding_mask=enc_padding_mask,
            look_ahead_mask=combined_mask,
            dec_padding_mask=dec_padding_mask,
        )
        loss = loss_function(tar_real, predictions)
    variables = network.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables, strict=True))
    return loss, accuracy_function(tar_real, predictions)


# %% tags=["row-92"]
untrained = tf.nn.softmax(logits[..., 1:START]).numpy()  # padding and <start> are never written
begin = network.get_weights()
for step in (1, 2, 3):
    loss, accuracy = train_step(inp, tar)
    print(f"step {step}: loss {loss:.4f}, accuracy {accuracy:.2f}")
after = loss_function(tar[:, 1:], network(inp, tar[:, :-1], training=False)[0])
print(f"then: loss {after:.4f}")
assert after < loss

# %% [markdown]
# Steps 1 and 2 begin with the same loss: Keras counts steps from 0, where the rate of the schedule
# is 0, so the first step moves nothing. From the second on the loss falls.
#
# `fit` and the scripts train with the package's own step. It does the same with a batch that may
# lie on several cores or devices: `_sums` adds the masked losses up over the real tokens of each
# *shard*, a core's part of the batch; `sum_over_replicas` adds the numbers of these tokens up over
# all devices; the quotient is the tutorial's mean. One step of each with plain gradient descent,
# which moves every weight by its gradient, gives the same weights:

# %% tags=["row-92"]
print(inspect.getsource(SummedLossModel.train_step))

# %% tags=["row-92"]
network.set_weights(begin)
optimizer = keras.optimizers.SGD(1.0)
train_step(inp, tar)  # the tutorial's
by_hand = network.get_weights()
network.set_weights(begin)
network.compile(keras.optimizers.SGD(1.0))
network.train_step((inp, tar))  # the package's
differences = [np.abs(a - b).max() for a, b in zip(network.get_weights(), by_hand, strict=True)]
print(f"no weight differs by more than {max(differences):.0e}")
assert max(differences) < 1e-5

# %% [markdown]
# Now twenty steps at a higher rate, with `fit`. What does the model think of "merci" then?

# %% tags=["row-54", "row-92"]
network.set_weights(begin)
network.compile(keras.optimizers.Adam(0.003, beta_2=0.98, epsilon=1e-9))
losses = network.fit(inp, tar, batch_size=2, epochs=20, verbose=0).history["loss"]
logits, _ = network(inp, tar[:, :-1], training=False)
trained = tf.nn.softmax(logits[..., 1:START]).numpy()
print(f"loss {losses[0]:.2f} at the first step, {losses[-1]:.2f} at step {len(losses)}")
merci = {"untrained": untrained[0, :1], "trained": trained[0, :1]}
show(
    plot_probabilities(merci, ["thanks"], WORDS, title="merci"),
    "Untrained, each of the six words gets some probability; trained, thanks has most of it.",
)
assert untrained[0, 0, ID["thanks"] - 1] < 0.5 < trained[0, 0, ID["thanks"] - 1]
assert losses[-1] < losses[0] / 10

# %% [markdown]
# ## Target grid and trained grid
#
# "je suis étudiant" has five positions, so five distributions.

# %% tags=["row-55"]
grids = {"target": one_hot(STUDENT), "untrained": untrained[1], "trained": trained[1]}
positions = [f"{i} {word}" for i, word in enumerate(STUDENT.split(), start=1)]
show(
    plot_probabilities(grids, positions, WORDS, title="je suis étudiant"),
    f"After {len(losses)} steps each row has its word, and every other one still gets a little.",
)
print(f"the smallest probability is {trained[1].min():.5f}")
assert (trained[1].argmax(axis=1) == one_hot(STUDENT).argmax(axis=1)).all()
assert trained.min() > 0

# %% [markdown]
# The Illustrated Transformer remarks that every position gets a little probability, even if it is
# unlikely: a softmax is never 0. Cross-entropy with one-hot labels pushes it towards 0 for ever.
# *Label smoothing* ends that: the label itself leaves a share to all words.

# %%
smooth = 0.9 * one_hot(STUDENT) + 0.1 / len(WORDS)
labels = {"one-hot": one_hot(STUDENT), "smoothed by 0.1": smooth}
show(
    plot_probabilities(labels, positions, WORDS, title="labels"),
    f"Smoothed labels: {smooth.max():.3f} for the right word, {smooth.min():.3f} for each other.",
)
assert np.allclose(smooth.max(axis=1), 0.9 + 0.1 / 6)

# %% [markdown]
# ## Comparing two distributions
#
# How wrong is it? "We simply subtract one from the other", says The Illustrated Transformer, and
# points to cross-entropy and Kullback-Leibler divergence:
#
# $$H(p, q) = -\sum_w p_w \ln q_w$$
#
# $$KL(p \| q) = \sum_w p_w \ln \frac{p_w}{q_w} = H(p, q) - H(p)$$

# %% tags=["row-56"]
p, q = one_hot("thanks")[0], untrained[0, 0]
cross_entropy = -np.sum(p * np.log(q))
kl = keras.losses.KLDivergence()(p, q).numpy()
print(f"difference {np.round(p - q, 2)}, its sum {np.sum(p - q):.2f}")
print(f"cross-entropy {cross_entropy:.2f}, KL {kl:.2f}")
assert abs(np.sum(p - q)) < 1e-5  # differences cancel out, whatever the model says
assert np.isclose(cross_entropy, kl, atol=1e-3)  # one-hot: H(p) = 0

wrong = np.array([0.01, 0.0001])  # two models that are wrong, one of them very sure of it
print("1 - q:", 1 - wrong, " -ln q:", np.round(-np.log(wrong), 2))
assert np.ptp(1 - wrong) < 0.01
assert np.isclose(np.ptp(-np.log(wrong)), np.log(100))

# %% [markdown]
# A plain difference sums to 0 whatever the model says, and $1 - q$ is nearly the same for both
# wrong models. The logarithm tells them apart. Yet the sentence is truer than it looks: the
# *gradient* of cross-entropy with respect to the logits is just $q - p$.

# %% tags=["row-56"]
logits = tf.Variable(np.log(q))
with tf.GradientTape() as tape:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=logits)
gradient = tape.gradient(loss, logits).numpy()
print("gradient", np.round(gradient, 2))
assert np.allclose(gradient, q - p, atol=1e-5)

# %% [markdown]
# ## Settings of the article
#
# The article trains 4 layers of 8 heads for 30 epochs; all its settings are the preset `article`.
# On the 29,000 pairs of Multi30k [25 epochs took an hour](../docs/results.md#multi30k). This
# notebook starts from the preset `toy`.

# %% tags=["row-19"]
from tf_models.translation.settings import preset

NAMES = ("num_layers", "num_heads", "d_model", "dff", "dropout", "pieces", "epochs")
flat = {name: preset(name).flat() for name in ("article", "toy")}
print(f"{'':10}", *(f"{name:>9}" for name in flat))
for name in NAMES:
    print(f"{name:10}", *(f"{values[name]:>9}" for values in flat.values()))
article = flat["article"]
assert [article[name] for name in NAMES[:4]] == [4, 8, 128, 512]
assert (article["pieces"], article["epochs"]) == (10_000, 30)

# %% [markdown]
# With BPEmb and a file of pairs of your own, as in the article:
# `python scripts/train_translator.py --preset article --tokenizer bpemb --corpus deu.txt`
#
# ## Train a small translator
#
# The package has corpora of its own. We take 10,000 pairs of `toy`, the words of a first lesson.
#
# **Change** the number of pairs or epochs: what does each minute bring?

# %% tags=["row-24"]
import tempfile
from pathlib import Path

from tf_models import load_corpus, train_translator

corpus = load_corpus("toy", max_pairs=10_000)
print(*corpus.train[:3], sep="\n")

# %%
settings = preset("toy").changed(
    pieces=1500, warmup_steps=100, epochs=6, mimetic_initialisation=False
)
folder = Path(tempfile.mkdtemp()) / "small"
training = train_translator(folder, corpus, settings, seed=1, fit=False, report=lambda line: None)
print(f"{training.model.count_params():,} parameters, random as yet")

# %% [markdown]
# While it trains, we watch its heads. `mimetic_initialisation` is off, which would start them with
# a hint of copying. The model returns the weights of all heads beside its logits, as in the
# tutorial; `block2` is cross-attention. We let it read 40 test pairs before training and after each
# epoch. (`training.fit()` resumes where it ended.)

# %%
from tf_models.data.tokenizers import TokenizerPair

tokenizers = TokenizerPair.load(folder / "tokenizer", ("en", "de"), "joint")
watched = [("The old dog sleeps.", "Der alte Hund schläft."), *corpus.test[:40]]
encoded = encode_pairs(watched, tokenizers, (64, 64))
inp, tar = encoded.source.padded(), encoded.target.padded()


def cross_attention():
    """Weights of all heads (pairs, layers, heads, queries, keys)."""
    _, weights = training.model(inp, tar[:, :-1], training=False)
    return np.stack([weights[f"decoder_layer{i}_block2"] for i in (1, 2)], axis=1)


looks = [cross_attention()]
for epoch in range(1, 7):
    training.epochs = epoch
    training.fit()
    looks.append(cross_attention())
    row = training.history.rows[-1]
    print(
        f"epoch {epoch}: loss {row['loss']:.2f}, on validation pairs {row['val_loss']:.2f}", end=""
    )
    print(f", {row['val_accuracy']:.0%} of their tokens right, {row['seconds']:.0f} s")

# %%
from tf_models.plotting.lines import plot_training_curves

names = ("loss", "val_loss", "accuracy", "val_accuracy")
curves = {name: [row[name] for row in training.history.rows] for name in names}
show(
    plot_training_curves(curves, title="training of the small translator"),
    "The training loss falls towards 0, that of validation pairs stays above it.",
)
assert curves["val_loss"][-1] < 0.3 * curves["val_loss"][0]
assert curves["loss"][-1] < 0.2 * curves["val_loss"][-1]
assert curves["accuracy"][-1] > 0.97
assert 0.85 < curves["val_accuracy"][-1] < 0.93

# %% [markdown]
# From the third epoch on the curves part. At the end the model has nearly every token of the
# training pairs right, and nine of ten tokens of pairs that it was not trained on.
#
# ## A head learns where to look
#
# Of all eight heads of cross-attention we take the one that looks most at a single token in the
# end: the mean, over 40 pairs, of the largest weight of each row.

# %%
real = np.asarray(tar[1:, 1:] != 0)  # of the 40 pairs, without padding
largest = [np.moveaxis(look[1:].max(-1), 0, -2) for look in looks]  # (layers, heads, pairs, len)
sharp = [weights[..., real].mean(-1) for weights in largest]  # (layers, heads)
layer, head = np.unravel_index(sharp[-1].argmax(), (2, 4))
for epoch, of_heads in enumerate(sharp):
    print(f"after epoch {epoch}: its largest weight {of_heads[layer, head]:.2f}", end="")
    print(f", of the mean head {of_heads.mean():.2f}")

# %%
from tf_models.plotting.attention import plot_attention_maps

source = tokenizers.source.tokens(tokenizers.source.encode(watched[0][0]))
target = tokenizers.target.tokens(tokenizers.target.encode(watched[0][1]))[1:]
shown = (0, 1, 2, 6)
maps = np.stack([looks[epoch][0, layer, head, : len(target), : len(source)] for epoch in shown])
figure = plot_attention_maps(
    maps,
    target,
    source,
    title=f"layer {layer + 1}, head {head + 1}: rows are written, columns are read",
    names=["before training", *(f"after epoch {epoch}" for epoch in shown[1:])],
)
show(figure, "Four maps of one head: grey before training, then darker cells along the words.")
for epoch, map_of_head in zip(shown, maps, strict=True):
    most = [source[key] for key in map_of_head.argmax(axis=-1)]
    print(f"after epoch {epoch}: " + ", ".join(map("{}: {}".format, target, most)))
assert (most[target.index("▁alte")], most[target.index("▁Hund")]) == ("▁old", "▁dog")
assert sharp[0][layer, head] < 0.3
assert sharp[1][layer, head] > 0.45
assert sharp[6][layer, head] - sharp[2][layer, head] < 0.1

# %% [markdown]
# Before training the head gives every token a little: its largest weight is 0.2 on average. After
# one epoch it looks at "dog" and "sleep" where it writes *Hund* and *schläft*, after two also at
# "old" for *alte*; then its largest weights hardly grow. For *Der* it looks at "dog", not at "The":
# the noun decides between *der*, *die* and *das*. Nobody told it where to look: the loss is about
# the next token alone.

# %% [markdown]
# ## Another program translates
#
# Training has left a folder. A second program needs nothing else: in the article, too, one script
# trains and another one translates. Here these are `scripts/train_translator.py` and
# `scripts/translate.py --run-dir FOLDER`.

# %% tags=["row-24"]
from tf_models import Translator

small = Translator.load(folder)


def print_translations(translator, sentences):
    """Each sentence with the beginning of its translation."""
    for sentence, (best, *_) in zip(sentences, translator.translate(sentences), strict=True):
        print(f"{sentence}\n   {best.text[:70]}")


print_translations(small, ["The old dog sleeps.", *(pair.source for pair in corpus.test[:4])])

# %% [markdown]
# Six epochs make sentences of one pattern right. How many, "Translation errors in numbers" below
# counts.
#
# ## Seen and unseen
#
# The Illustrated Transformer warns that a good translation says little if the sentence was part of
# the training set. We take 16 test pairs, put 8 of them into a further training of 40 steps, and
# leave 8 out.

# %% tags=["row-94"]
pairs = corpus.test[:16]
encoded = encode_pairs(pairs, small.tokenizers, (64, 64))
inp, tar = encoded.source.padded(), encoded.target.padded()
model = small.model.network
model.compile(keras.optimizers.Adam(0.001))


def losses_of(chosen):
    return model.evaluate(inp[chosen], tar[chosen], verbose=0, return_dict=True)["loss"]


seen, unseen = slice(0, 8), slice(8, 16)


# %% tags=["row-94"]
def exact_of(chosen):
    written = small.translate([pair.source for pair in pairs[chosen]])
    both = zip(written, pairs[chosen], strict=True)
    return sum(best.text == pair.target for (best, *_), pair in both)


weights = model.get_weights()
parts = {"put into training": seen, "left out": unseen}
before = {name: (losses_of(part), exact_of(part)) for name, part in parts.items()}
model.fit(inp[seen], tar[seen], batch_size=8, epochs=40, verbose=0)
after = {name: (losses_of(part), exact_of(part)) for name, part in parts.items()}
for name in parts:
    (loss, exact), (new_loss, new_exact) = before[name], after[name]
    print(f"{name:17}: loss {loss:.2f} -> {new_loss:.2f}, exact {exact} -> {new_exact} of 8")
model.set_weights(weights)
assert after["put into training"][0] < before["put into training"][0] / 2
assert after["put into training"][1] > after["left out"][1]
assert after["left out"][0] > before["left out"][0]

# %% [markdown]
# The model has memorised the eight sentences: it writes each as it was. The other eight have lost,
# not gained. So a score says something only if it is of sentences that were held out.
#
# # Second half: decoding
#
# The package also brings `ready_made()`, a translator that was [trained for
# longer](../docs/corpus.md#the-ready-made-translator), on another corpus.
#
# ## Translation errors in numbers
#
# The article leaves open how errors are measured. *Exact* is the share of translations that equal
# the reference. BLEU counts runs of one to four words that the reference has, too; chrF counts runs
# of letters, so a wrong ending costs less. An unknown piece is one that the tokenizer cannot spell.
# The sentences must be new to both translators, so we leave out what the other corpus trains on.

# %% tags=["row-22"]
from tf_models import ready_made
from tf_models.translation.evaluate import evaluate_translator

ready = ready_made()
everyday = {source for source, _ in load_corpus("everyday").train}
new_to_both = [pair for pair in corpus.test if pair.source not in everyday][:100]
print(f"{'100 pairs of toy':18}{'exact':>7}{'BLEU':>7}{'chrF':>7}{'unknown pieces':>16}")
for name, translator in (("small", small), ("ready-made", ready)):
    scores, _ = evaluate_translator(translator, new_to_both)
    print(f"{name:18}{scores.exact_match:6.1f}%{scores.bleu:7.1f}{scores.chrf:7.1f}", end="")
    print(f"{scores.unknown_rate:16.1%}")
    assert scores.exact_match > {"small": 60, "ready-made": 95}[name]

# %% [markdown]
# The small translator writes about seven of ten as the reference has them, the ready-made one
# nearly all. BLEU and chrF are higher: a sentence with one wrong ending still shares most runs.
#
# ## Unknown pieces and unknown names
#
# A tokenizer of the corpus' own can spell the letters that its corpus has; other signs are left
# out, since nothing trained `<unk>`. Names are another matter: the author says that his toy cannot
# handle proper nouns. Is that so here? We let both translators read the same 40 test sentences of
# `toy`, with names and numbers that neither `toy` nor `everyday` has in its training sentences.

# %% tags=["row-22", "row-39"]
from tf_models.data.annotated import embedded_file, read_annotated

strange = "I love 漢字."
left_out = small.tokenizers.source.unknown_characters(strange)
print(strange, "->", small.tokenizers.source.tokens(small.source.encode(strange)), left_out)
assert left_out == ["漢", "字"]


def print_bent_names(translator, name, pairs):
    """Count the names that a translation has as they were, and show two that it has not."""
    written = [best.text for best, *_ in translator.translate([pair.source for pair in pairs])]
    bent = [
        (pair.source, text)
        for pair, text in zip(pairs, written, strict=True)
        if not all(unseen in text for unseen in pair.unseen.split())
    ]
    print(f"{name}: names and numbers kept in {len(pairs) - len(bent)} of {len(pairs)} sentences")
    for source, text in bent[:2]:
        print(f"   {source}\n      {text[:50]}")
    return len(pairs) - len(bent)


_, annotated = read_annotated(embedded_file("toy"))
known = " ".join(everyday)  # what the ready-made translator was trained on
named = [pair for pair in annotated if pair.split == "test" and pair.unseen]
new_names = [pair for pair in named if not any(part in known for part in pair.unseen.split())][:40]
kept = [print_bent_names(*of, new_names) for of in ((small, "small"), (ready, "ready-made"))]
print_translations(ready, ["Javier lives in Berlin."])
assert "Javier" not in ready.translate(["Javier lives in Berlin."])[0][0].text
assert len(new_names) == 40
assert kept[0] < 10
assert kept[1] > 35

# %% [markdown]
# So the author is right about a small model: it bends nearly every new name. The larger one, which
# was trained longer and on many names, copies nearly all of them, piece by piece. It still bends
# some of other languages, such as "Javier".
#
# ## Deadly funny sentences
#
# The article ends by promising jokes in German. These are ours, with what a person would write. The
# model is compared with that, letter by letter.

# %% tags=["row-23"]
JOKES = {
    "A fish without a bicycle is happy.": [
        "Ein Fisch ohne Fahrrad ist glücklich.",
        "Ein Fisch ohne ein Fahrrad ist glücklich.",
    ],
    "The duck ordered a beer and paid with a fish.": [
        "Die Ente bestellte ein Bier und bezahlte mit einem Fisch.",
        "Die Ente bestellte ein Bier und zahlte mit einem Fisch.",
    ],
    "My grandmother danced with the horse because it was hungry.": [
        "Meine Großmutter tanzte mit dem Pferd, weil es hungrig war.",
        "Meine Oma tanzte mit dem Pferd, weil es hungrig war.",
    ],
    "I have 99 problems.": ["Ich habe 99 Probleme."],
    "Our cat admires itself as a great director.": [
        "Unsere Katze bewundert sich als großartige Regisseurin.",
        "Unsere Katze bewundert sich als großartigen Regisseur.",
        "Unsere Katze bewundert sich selbst als großartige Regisseurin.",
    ],
    "My dog ate my homework and now it is too tired.": [
        "Mein Hund fraß meine Hausaufgaben und jetzt ist er zu müde.",
        "Mein Hund hat meine Hausaufgaben gefressen und jetzt ist er zu müde.",
    ],
}
in_german = [best.text for best, *_ in ready.translate(list(JOKES))]
for (joke, by_people), german in zip(JOKES.items(), in_german, strict=True):
    print(f"{joke}\n   {german}")
    if german not in by_people:
        print(f"   a person: {by_people[0]}")
equal = [german in by_people for german, by_people in zip(in_german, JOKES.values(), strict=True)]
print(f"{sum(equal)} of {len(JOKES)} as a person would write them")
assert 1 < sum(equal) < 5

# %% [markdown]
# About half of them are as a person would write them. Where the model is wrong it gives no warning,
# and its sentence looks like any other: "paid a fish", as if the fish got the money. Nobody was
# harmed. **Change** a joke.
#
# ## Greedy decoding line by line
#
# $y_i = \operatorname{argmax}_w P(w \mid y_{<i}, X)$, from `<start>` until `<end>` is written. One
# line is one time step: what was read, what is written, how surely.

# %% tags=["row-16", "row-50"]
from tf_models.translation.tracing import trace_greedy, tree_of_hypotheses

steps = list(trace_greedy(ready, "I am a student."))
print(*steps, sep="\n")
assert steps[0].split()[1] == "<start>"
assert "<end>" in steps[-1]

# %% [markdown]
# ## A beam of two by hand
#
# The Illustrated Transformer keeps two beginnings: "I" and "a". Here a table of ours stands for the
# model, in which "a" is the likelier first word, and the worse one in the end. A hypothesis is
# worth $\prod_i P(y_i \mid y_{<i})$. (The article says "less error"; in practice one adds up
# $\ln P$.)

# %% tags=["row-57"]
SURE = {
    "<start>": {"a": 0.48, "i": 0.42},
    "<start> a": {"student": 0.4, "<eos>": 0.3},
    "<start> i": {"am": 0.9},
    "i am": {"a": 0.85},
    "am a": {"student": 0.9},
    "a student": {"<eos>": 0.85},
}


def next_word(words):  # what the table leaves open is shared by the other words
    known = SURE.get(" ".join(words[-2:]), {})
    rest = (1 - sum(known.values())) / (len(WORDS) - len(known))
    return {word: known.get(word, rest) for word in WORDS}


# %% tags=["row-57"]
def beam_search(size, max_length=6):
    alive, ended = [(1.0, ("<start>",))], []
    for step in range(1, max_length + 1):
        grown = [(p * q, (*w, new)) for p, w in alive for new, q in next_word(w).items()]
        grown.sort(reverse=True)
        ended = sorted(ended + [one for one in grown[:size] if one[1][-1] == "<eos>"])[::-1][:size]
        alive = [one for one in grown if one[1][-1] != "<eos>"][:size]
        print(step, "; ".join(f"{' '.join(w[1:])} {p:.3f}" for p, w in alive + ended))
        if len(ended) == size and ended[-1][0] >= alive[0][0]:
            break
    return ended


# %% tags=["row-57"]
greedy, best_two = beam_search(1), beam_search(2)
assert " ".join(greedy[0][1]) == "<start> a student <eos>"
assert " ".join(best_two[0][1]) == "<start> i am a student <eos>"

# %% [markdown]
# Greedy search takes "a" and cannot go back: it ends with 0.163. With `beam_size` 2 the second
# beginning overtakes in step 2, and the search ends with 0.246 for "i am a student". The library's
# search knows no model, only a step function, so it can read our table, too.

# %% tags=["row-57"]
SYMBOLS = {"": 0, **ID, "<start>": START}
table = np.full([len(SYMBOLS)] * 3, 1e-30, np.float32)  # last but one, last, next
for (before, b), (last, c) in itertools.product(SYMBOLS.items(), repeat=2):
    table[b, c, 1:START] = list(next_word([before, last] if before else [last]).values())
ends = {"start_id": START, "end_id": ID["<eos>"], "max_length": 6}


def step(ids, memory, before):
    return tf.math.log(tf.gather_nd(table, tf.stack([before, ids], axis=-1))), ids


# %% tags=["row-57"]
search = BeamSearch(step, beam_size=2, **ends)
found = search(memory=(), state=tf.zeros((1, 1), tf.int32))
print(found.ids.numpy()[0], np.exp(found.scores.numpy()[0]))
assert np.allclose(np.exp(found.scores[0]), [one[0] for one in best_two], rtol=1e-3)

# %% [markdown]
# ## The tree of hypotheses
#
# The same with the real translator: the best four, and everything that a beam of two ever held.
# Behind a token stands the sum of $\ln P$ up to it; behind `<end>` it is divided by a length
# penalty, so that long sentences have a chance. The star marks the winner.

# %% tags=["row-18"]
for one in ready.translate([list(JOKES)[1]], beam_size=4, n_best=4)[0]:
    print(f"{one.score:7.2f}  {one.text}")
tree = list(tree_of_hypotheses(ready, "I am a student.", beam_size=2))
print(*tree, sep="\n")
assert sum(line.endswith("*") for line in tree) == 1

# %% [markdown]
# ## Beam search against all sentences
#
# With six words we can try every sentence of up to five words. Does the beam find the best one? We
# ask 200 random tables of $P(\text{next} \mid \text{last})$.

# %%
rng = np.random.default_rng(1)
tables = np.full((200, START + 1, START + 1), 1e-30, np.float32)
tables[:, :, 1:START] = rng.dirichlet([0.3] * len(WORDS), (200, START + 1)) + 1e-6
logs = np.log(tables)
sentences = [
    (START, *words, ID["<eos>"])
    for length in range(6)
    for words in itertools.product(range(1, ID["<eos>"]), repeat=length)
]
values = [sum(logs[:, a, b] for a, b in itertools.pairwise(s)) for s in sentences]
winners = [sentences[i][1:] for i in np.argmax(values, axis=0)]
print(f"{len(sentences):,} sentences")


# %%
def step_of_tables(ids, logs, state):
    return tf.gather(logs, ids, batch_dims=1), state


def search_errors(size):
    search = BeamSearch(step_of_tables, beam_size=size, **ends)
    found = search(tf.constant(logs), tf.zeros((200, 1))).ids.numpy()[:, 0]
    pairs = zip(found, winners, strict=True)
    return np.mean([tuple(i for i in ids if i) != best for ids, best in pairs])


# %%
errors = {size: search_errors(size) for size in (1, 2, 3, 4)}
points = {"of 200 tables": (list(errors), [100 * share for share in errors.values()])}
print({f"beam of {size}": f"{share:.0%}" for size, share in errors.items()})
show(
    plot_lines(points, axis_names=("beam size", "best sentence missed (%)"), marks=list(errors)),
    f"Greedy search misses the best in {errors[1]:.0%} of all tables, size 4 in {errors[4]:.0%}.",
)
assert 0.6 < errors[1] < 0.72
assert 0.09 < errors[4] < 0.15
assert 0 < errors[4] < errors[3] < errors[2] < errors[1]

# %% [markdown]
# Greedy search misses the best sentence in two tables of three, a beam of four in one of eight.
# With 10,000 pieces nobody can try all sentences, so there the search errors stay unseen.
#
# ## Summary
#
# - A step of training is ten lines: predict, compare with the target one token on, differentiate,
#   move the weights. Padding counts in neither loss nor accuracy.
# - A head of cross-attention begins grey and learns within two epochs where to look.
# - In the end the model has memorised its training pairs: only held-out sentences tell how good it
#   is.
# - A beam search keeps several beginnings, and finds likelier sentences than greedy search; it
#   does not find them all.
#
# **Two sentences to remember**: The decoder learns each next token from the true tokens before it,
# and at the end reads its own. A low training loss is no proof of a good translator.
#
#
# ## Exercises
#
# **1.** Before training, let all six words be equally probable. What is the cross-entropy, in nats,
# whatever the right word is?


# %%
def check_1(answer):
    """Against Keras."""
    equal = np.full((1, len(WORDS)), 1 / len(WORDS))
    truth = keras.losses.sparse_categorical_crossentropy(np.array([3]), equal).numpy()[0]
    assert abs(answer - truth) < 0.01, "which probability has the right word?"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# $\ln 6$, about 1.79. A loss near it says that nothing has been learnt.
#
# ```python
# check_1(np.log(6))
# ```
#
# </details>
#
# **2.** Give "student" after "<start> a" the probability 0.6 instead of 0.4. Which sentence wins
# with a beam of two?


# %%
def check_2(answer):
    """Against the beam search by hand."""
    before = SURE["<start> a"]
    SURE["<start> a"] = {"student": 0.6, "<eos>": 0.3}
    winner = " ".join(beam_search(2)[0][1][1:-1])
    SURE["<start> a"] = before
    assert answer == winner, "multiply the probabilities of both sentences"


# check_2("a student")

# %% [markdown]
# <details><summary>Answer</summary>
#
# 0.48 · 0.6 · 0.85 = 0.2448 is just below the 0.2458 of the other one.
#
# ```python
# check_2("i am a student")
# ```
#
# </details>
#
# **3.** Write `masked_accuracy`, which takes ids (batch, len) and logits (batch, len, vocabulary)
# and returns the share of real tokens whose id has the highest logit, with NumPy.


# %%
def masked_accuracy(real, logits):
    return 0.0  # your code


def check_3(function):
    """Against the library, for rows with much padding and with none."""
    rng = np.random.default_rng(3)
    for real in ([[3, 1, 0, 0]], [[1, 2], [2, 0]], [[1, 1, 2]]):
        logits = rng.normal(size=(*np.shape(real), 4))
        truth = accuracy_function(tf.constant(real), tf.constant(logits))
        assert np.isclose(function(np.array(real), logits), truth), "leave out the zeros"


# check_3(masked_accuracy)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def masked_accuracy(real, logits):
#     right = logits.argmax(axis=-1) == real
#     return right[real != 0].mean()
#
#
# check_3(masked_accuracy)
# ```
#
# </details>
