# %% [markdown]
# # 07 Before the Transformer
#
# Read with "Autoencoder with RNNs – question answering", "Limitation of autoencoders" and
# "Attention mechanism" in lecture 7 (Papapetrou, Stockholm University). Its source is [Bahdanau et
# al. 2015](https://arxiv.org/abs/1409.0473).
#
# You will see
#
# 1. Bahdanau's attention computed by hand, and the same numbers from the library;
# 2. translators trained side by side: one vector of fixed length fails with long sentences;
# 3. questions about a story, answered from the last state of an LSTM, and with attention.
#
# **Before**: notebook 02, or what a softmax and a weighted sum are; what a GRU or an LSTM does.
#
# **Time**: about two minutes on two cores of a laptop; training takes most of it.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [06 Attention maps](06_attention_maps.ipynb).
# Next: [08 The Transformer as classifier](08_classifier.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %%
import inspect
import time

import numpy as np

from tf_models import (
    BahdanauAttention,
    BeamSearch,
    MultiHeadAttention,
    RecurrentTranslator,
    Transformer,
    loss_function,
    scaled_dot_product_attention,
)
from tf_models.ids import PADDING_ID
from tf_models.plotting.attention import plot_attention_side_by_side
from tf_models.plotting.diagram import plot_answering, plot_bahdanau_decoder
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.notebook import show
from tf_models.translation.model import RecurrentModel, TransformerModel

# %% [markdown]
# ## The attention of Bahdanau by hand
#
# The decoder has written some words; its state is $s_{i-1}$. The encoder has read $T$ words; its
# annotations are $h_1 … h_T$. A small network scores each of them, a softmax turns the scores into
# weights, and the context is the weighted sum:
#
# $$e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j), \quad
# \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{T} \exp(e_{ik})}, \quad
# c_i = \sum_{j=1}^{T} \alpha_{ij} h_j$$
#
# The state has $n$ numbers, an annotation $2n$, since two networks make it: one reads forwards, one
# backwards. The picture is of one step of the decoder that is trained below.

# %% tags=["row-84"]
figure = plot_bahdanau_decoder(inp_len="T", units=64, embedding=32, vocab=22)
show(figure, "Bahdanau's decoder: state and annotations give weights, these the context.")

# %% [markdown]
# Now with numbers, each equation a line:

# %% tags=["row-84"]
rng = np.random.default_rng(1)
n, T = 3, 4  # width of the state, words read
W_a, U_a, v_a = rng.normal(size=(n, n)), rng.normal(size=(n, 2 * n)), rng.normal(size=n)
s, h = rng.normal(size=n), rng.normal(size=(T, 2 * n))

e = np.array([v_a @ np.tanh(W_a @ s + U_a @ h_j) for h_j in h])
alpha = np.exp(e) / np.exp(e).sum()
c = sum(weight * h_j for weight, h_j in zip(alpha, h, strict=True))
print("e     ", e.round(2))
print("alpha ", alpha.round(2), "sum", alpha.sum().round(2))
print("c     ", c.round(2))

# %% [markdown]
# The library's layer has the tutorial's names: `W1` is $W_a$, `W2` is $U_a$, `V` is $v_a$. It
# multiplies from the other side, so the matrices are transposed, and it has biases, here zero.

# %% tags=["row-84"]
attention = BahdanauAttention(units=n)
attention.build((None, n), (None, None, 2 * n))
zeros = np.zeros(n)
attention.set_weights([W_a.T, zeros, U_a.T, zeros, v_a[:, np.newaxis], np.zeros(1)])
context, weights = attention(tf.constant([s], tf.float32), tf.constant([h], tf.float32))
print(context.shape, weights.shape)
np.testing.assert_allclose(weights[0], alpha, atol=1e-5)
np.testing.assert_allclose(context[0], c, atol=1e-5)
print(inspect.getsource(BahdanauAttention.attend))

# %% [markdown]
# Context and weights are the same to five decimals. The code has one thing that the equations leave
# out: the padding mask, which takes the ends of shorter sentences away before the softmax.
#
# ## Sentences with a known alignment
#
# To train in seconds we need a small language. Take lists of two-digit numbers: English says
# *forty two*, German turns it round, *zwei und vierzig*. Each sentence has one right translation,
# and we know which words belong together. Training has lists of one to five numbers.

# %%
EN_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
DE_ONES = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
DE_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]


def make_pairs(count, numbers, rng):
    """Pairs of word lists; `numbers` are the lengths to choose from."""
    pairs = []
    for size in rng.choice(numbers, count):
        digits = [(rng.integers(8), rng.integers(9)) for _ in range(size)]
        source = [word for ten, one in digits for word in (EN_TENS[ten], EN_ONES[one])]
        target = [word for ten, one in digits for word in (DE_ONES[one], "und", DE_TENS[ten])]
        pairs.append((source, target))
    return pairs


# %%
from tf_models.data.batches import BucketedBatches, EncodedPairs
from tf_models.data.words import WordVocabulary

en, de = WordVocabulary(EN_TENS + EN_ONES), WordVocabulary([*DE_ONES, "und", *DE_TENS])


def encode(pairs, vocabularies=(en, de)):
    sides = zip(*pairs, strict=True)
    return [
        [np.array([v.start_id, *v.ids(text), v.end_id], np.int32) for text in side]
        for v, side in zip(vocabularies, sides, strict=True)
    ]


# %%
train = make_pairs(8000, np.arange(1, 6), rng)
batches = BucketedBatches(EncodedPairs(*encode(train), dropped=0), 64, seed=1)
print(*(" ".join(side) for side in train[0]), sep="\n")

# %% [markdown]
# ## Two translators
#
# Both read with a bidirectional GRU and write with a GRU,
# $s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$. They differ in $c_i$ alone. With attention it is
# computed anew for each word. Without, it is the same vector at each step: the last states of both
# directions, 128 numbers, however long the sentence is. (The sentences of a batch are of like
# length, so the loss jumps from batch to batch; the means below are of whole epochs.)


# %%
def make_optimizer(steps):
    """Keras' Muon (Jordan et al. 2024): a small model needs far fewer steps than with Adam."""
    decay = keras.optimizers.schedules.CosineDecay
    rate = decay(0.0, steps, alpha=0.05, warmup_target=0.02, warmup_steps=10)
    return keras.optimizers.Muon(rate, adam_beta_2=0.98, exclude_layers=["bias"])


# %%
def fit(network, batches, epochs=2):
    """The tutorial's loop; returns the loss of each batch, in nats a word."""
    optimizer, weights = make_optimizer(epochs * len(batches)), network.trainable_variables

    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2)
    def train_step(inp, tar):
        with tf.GradientTape() as tape:
            loss = loss_function(tar[:, 1:], network(inp, tar[:, :-1], training=True)[0])
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    return [float(train_step(*batch)) for i in range(epochs) for batch in batches.epoch(i)]


# %%
models, losses = {}, {}
for name, attends in (("attention", True), ("one vector", False)):
    keras.utils.set_random_seed(1)
    network = RecurrentTranslator(en.vocabulary_size, de.vocabulary_size, 32, 64, attends=attends)
    network.build()
    models[name] = RecurrentModel(network)
    losses[name] = fit(network, batches)
    epochs = np.reshape(losses[name], (2, -1)).mean(axis=1)
    print(f"{name}: mean loss of the first epoch {epochs[0]:.2f}, of the second {epochs[1]:.2f}")

names = ("batches of 64 sentences", "training loss (nats a word)")
lines = {name: (range(len(loss)), loss) for name, loss in losses.items()}
figure = plot_lines(lines, axis_names=names, title="two translators")
show(figure, "The loss of each batch, over two epochs.")
assert np.mean(losses["attention"]) < np.mean(losses["one vector"]), "attention learns sooner"

# %% [markdown]
# With attention the loss falls sooner and ends several times lower, after the same batches: the
# decoder may look words up, where the other one has to remember them.
#
# ## The fixed-length limit
#
# The lecture, after Bahdanau: it is difficult to press a long sentence into one vector, above all a
# sentence that is longer than those of training. We translate lists of two to eight numbers, 30 of
# each, and compute BLEU for each length. Five is the longest of training.


# %%
def write(model, inp, max_length):
    """Ids of greedy translations (batch, len): the decoder reads its own words."""
    ends = {"start_id": de.start_id, "end_id": de.end_id, "max_length": max_length}
    greedy = BeamSearch(model.step, **ends)
    memory = model.encode(inp)
    never = model.weights([PADDING_ID, de.start_id])  # these ids are never written
    return greedy(memory, model.initial_state(memory), weights=never).ids[:, 0].numpy()


test = [pair for size in range(2, 9) for pair in make_pairs(30, [size], rng)]
inp, tar = (keras.utils.pad_sequences(side, padding="post") for side in encode(test))
sizes = np.array([len(source) // 2 for source, _ in test])
free = {name: write(model, inp, max_length=28) for name, model in models.items()}

# %% [markdown]
# Beside them stands a Transformer of one layer. After as many batches it is behind the GRU with
# attention, so it gets twice as many.

# %% tags=["row-83"]
keras.utils.set_random_seed(1)
words = {"input_vocab_size": en.vocabulary_size, "target_vocab_size": de.vocabulary_size}
transformer = Transformer(1, 64, 4, 128, **words, pe_input=64, pe_target=64, rate=0.0)
transformer.build()
its_losses = fit(transformer, batches, epochs=4)
print("Transformer: mean loss of each epoch", np.reshape(its_losses, (4, -1)).mean(axis=1).round(2))
assert np.mean(its_losses[len(batches) : 2 * len(batches)]) > np.mean(losses["attention"][-125:])
free["Transformer"] = write(TransformerModel(transformer), inp, max_length=28)

# %% tags=["row-83"]
from tf_models.translation.evaluate import make_bleu


def bleu(ids, chosen):
    written = [" ".join(de.words_of(row)) for row in ids[chosen]]
    right = [" ".join(target) for (_, target), one in zip(test, chosen, strict=True) if one]
    return make_bleu("de").corpus_score(written, [right]).score


# %% tags=["row-83"]
lengths = np.arange(2, 9)
scores = {name: [bleu(ids, sizes == k) for k in lengths] for name, ids in free.items()}
lines = {name: (2 * lengths, score) for name, score in scores.items()}
names = ("source words", "BLEU")
figure = plot_lines(
    lines, axis_names=names, marks=tuple(2 * lengths), title="greedy, 30 lists each"
)
show(figure, "Training had up to ten words. One vector falls early, the others beyond that length.")

# %% tags=["row-83"]
for name, score in scores.items():
    print(f"{name:12}", *(f"{2 * k} words {x:4.0f} " for k, x in zip(lengths, score, strict=True)))
with_attention, without = scores["attention"], scores["one vector"]
assert min(with_attention[:4]) > 80, "up to ten words attention loses next to nothing"
assert without[0] > 80, "four words fit into one vector"
assert without[4] < with_attention[4] - 10, "twelve words do not"
of_transformer = scores["Transformer"]
assert min(of_transformer[:4]) > 75, "self-attention has no such limit, either"
for of_lengths in (with_attention, of_transformer):
    assert of_lengths[6] < of_lengths[3] - 20, "longer than in training: all get worse"

# %% [markdown]
# Up to ten words attention and the Transformer are nearly perfect, and one vector falls before.
# Beyond the lengths of training *all* get worse, the Transformer as well, which meets positions
# that it never saw: attention lifts the limit of the vector, and it does not generalise to longer
# lists. The section on alignments shows what goes wrong.
#
# **Change** the widths 32 and 64 to 64 and 128: does the vector's line move to the right?
# [docs/recurrent.md](../docs/recurrent.md#the-comparison) compares a Transformer and both recurrent
# models on English sentences of up to 40 words.
#
# ## Reading in both directions
#
# One network reads forwards, one backwards, and both states side by side are the annotation:
# $h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j]$. The lecture says that it knows the whole
# sentence, and most about the words around $j$. We exchange one word $k$ and measure how far each
# annotation moves.

# %% tags=["row-84"]
sentences = np.array(encode(make_pairs(50, [5], rng))[0])[:, 1:-1]  # (50, 10) without start, end
encoder = models["attention"].network.encoder
annotations = encoder(sentences)[0].numpy()  # (50, 10, 128)
moved = np.zeros((10, 10))
for k in range(10):
    changed = sentences.copy()
    first, size = (0, 8) if k % 2 == 0 else (8, 9)  # the tens come first
    low = en.ids([en.words[first]])[0]
    changed[:, k] = low + (changed[:, k] - low + 1) % size  # another word of the same kind
    after = encoder(changed)[0].numpy()
    moved[k] = np.linalg.norm(after - annotations, axis=-1).mean(axis=0)
distance = np.abs(np.subtract.outer(range(10), range(10)))
by_distance = [moved[distance == d].mean() for d in range(10)]

# %% tags=["row-84"]
print("the word itself and its neighbours:", np.round(by_distance[:4], 2))
names = ("distance from the exchanged word, in words", "how far the annotation moves")
figure = plot_lines({"annotation": (np.arange(10), by_distance)}, axis_names=names)
show(figure, "An annotation moves most for its own word and less the farther away the word is.")
assert moved.min() > 0, "each annotation knows of each word"
assert by_distance[0] > 2 * by_distance[2], "and most of its neighbours"
assert by_distance[0] > 5 * by_distance[3]

# %% [markdown]
# Each annotation knows of each word, as the lecture says. Its own word moves it most, a word three
# places away many times less.
#
# ## Alignments
#
# The weights $\alpha_{ij}$ are a matrix: a row for each word that is written, a column for each
# word that is read. The lecture shows two; here are two of ours. Nobody told the model which
# words belong together.

# %% tags=["row-85"]
network = models["attention"].network
alignments = network(inp, tar[:, :-1])[1].numpy()  # (sentences, words written, words read)
for k, place in ((3, 30), (8, 180)):
    source, target = test[place]
    shown = {"alignment": alignments[place, : 3 * k, : 2 * k + 2]}
    columns = ["<start>", *source, "<end>"]
    figure = plot_attention_side_by_side(shown, target, columns, title=f"{k} numbers")
    seen = "ones and tens cross" if k == 3 else "longer than any list of training"
    show(figure, f"{k} numbers, German words by English ones: {seen}.")

# %% tags=["row-85"]
for k in lengths:
    places = alignments[sizes == k][:, : 3 * k].argmax(axis=-1)  # (30, words written)
    ones, tens = places[:, 0::3] == 2 * np.arange(1, k + 1), places[:, 2::3] == 2 * np.arange(k) + 1
    share = (ones.mean() + tens.mean()) / 2
    print(f"{k} numbers: {share:.0%} of ones and tens attend to their own word")
    assert share > 0.8 if k <= 5 else share <= 1
by_place = (ones & tens).mean(axis=0)  # of the lists of eight numbers
print("eight numbers, from the first to the last:", *(f"{share:.0%}" for share in by_place))
assert by_place[:2].min() > 0.8 > 0.4 > by_place[3:7].max()

# %% [markdown]
# Up to five numbers nearly every word attends to its own. The two lines of each number cross, as
# the lines of adjective and noun do in Bahdanau's figure. Of eight numbers (the second map) the
# first two are found, and the fourth to the seventh hardly: below its second number the dark places
# leave the diagonal, since the model no longer knows which one is next. That is why BLEU falls
# there.
#
# And real sentences? The package's corpus has short ones whose words are linked. We take
# those that need only the 500 most frequent words of either language, and train the model with
# attention on them. The links are not shown to it; they check it afterwards.

# %% tags=["row-85"]
from collections import Counter

from tf_models.data.annotated import embedded_file, read_annotated
from tf_models.data.words import split_words

_, annotated = read_annotated(embedded_file("everyday"))
everyday = [(split_words(pair.source), split_words(pair.target), pair) for pair in annotated]
everyday = [words for words in everyday if 4 <= len(words[0]) <= 9]
frequent = [
    {word for word, _ in Counter(w for words in everyday for w in words[side]).most_common(500)}
    for side in (0, 1)
]
common = [w for w in everyday if frequent[0].issuperset(w[0]) and frequent[1].issuperset(w[1])]
learned = [words[:2] for words in common if words[2].split == "train"]
unseen = [words for words in common if words[2].split != "train"]
vocabularies = [WordVocabulary.of(words[side] for words in learned) for side in (0, 1)]
print(f"{len(learned):,} sentences to train on, {len(unseen)} to test")

# %% tags=["row-85"]
keras.utils.set_random_seed(1)
words = [vocabulary.vocabulary_size for vocabulary in vocabularies]
reader = RecurrentTranslator(*words, 64, 64, attends=True)
reader.build()
fit(reader, BucketedBatches(EncodedPairs(*encode(learned, vocabularies), dropped=0), 64, seed=1), 4)
real_inp, real_tar = (
    keras.utils.pad_sequences(side, padding="post")
    for side in encode([words[:2] for words in unseen], vocabularies)
)
real_maps = reader(real_inp, real_tar[:, :-1])[1].numpy()  # (sentences, words written, words read)

# %% tags=["row-85"]
shown = next(i for i, (source, target, _) in enumerate(unseen) if "didn't" in source)
source, target, _ = unseen[shown]
of_shown = {"alignment": real_maps[shown, : len(target), : len(source) + 2]}
columns = ["<start>", *source, "<end>"]
figure = plot_attention_side_by_side(of_shown, target, columns, title=" ".join(source))
show(figure, "A sentence that was not trained, German words by English ones.")

# %% tags=["row-85"]
ARTICLES = {"der", "die", "das", "den", "dem", "im"}
hits, by_place, negations, articles = [], [], [], []
for weights, (source, target, pair) in zip(real_maps, unseen, strict=True):
    linked = {}
    for read, written in pair.links:
        linked.setdefault(written, set()).add(read)
    attended = weights[: len(target), 1 : len(source) + 1].argmax(axis=1)  # of real words
    for i, word in enumerate(target):
        if i in linked:
            hits.append(attended[i] in linked[i])
            by_place.append(i in linked[i])
        looked_at = source[attended[i]]
        if word == "nicht":
            negations.append(looked_at == "not" or looked_at.endswith("n't"))
        if word in ARTICLES:
            articles.append(looked_at != "the")
print(f"words that attend to a word they are linked with: {np.mean(hits):.0%}; "
      f"if each attended to its own place: {np.mean(by_place):.0%}")  # fmt: skip
elsewhere = np.mean(np.array(hits)[~np.array(by_place)])
print(f"of the others, whose place holds no linked word: {elsewhere:.0%}")
print(f"nicht attends to a negation: {np.mean(negations):.0%} of {len(negations)}")
print(f"der, die, das … attend to another word than the: {np.mean(articles):.0%} "
      f"of {len(articles)}")  # fmt: skip
assert abs(np.mean(hits) - np.mean(by_place)) < 0.2
assert elsewhere > 0.35, "0 if each attended to its own place"
assert np.mean(negations) > 0.5
assert np.mean(articles) > 0.6

# %% [markdown]
# In the picture *nicht* and *lief* both look at *didn't*, and *den* looks at *garden*. The counts
# say how far that goes. At first sight it is a disappointment: the weights hit the link no more
# often than the diagonal does, since in short sentences German order mostly is the English one. But
# of the words for which the diagonal is wrong, half or so find theirs. And some "errors" are sense:
# *der*, *die*, *das* mostly look at the noun and not at *the*, since the noun has the gender. An
# alignment is what helps to write the next word, and no dictionary. A few seconds of
# training make no translator either; Bahdanau's figures are of a model that had trained for days.
#
# ## Teacher forcing against free running
#
# In training the decoder reads the *right* word before each one that it predicts (teacher forcing).
# In use it reads its *own* (free running), and nobody corrects it. We measure both.

# %% tags=["row-82"]
right = tar[:, 1:]
real = right != 0  # end tokens included


def scores_of(written):
    """Shares of lists that are exactly right, and of words that are right at their place."""
    hits = (np.pad(written, ((0, 0), (0, 28)))[:, : right.shape[1]] == right) & real
    return (hits == real).all(axis=1).mean(), hits.sum() / real.sum()


for name, model in models.items():
    logits, _ = model.network(inp, tar[:, :-1])
    forced, by_itself = scores_of(logits.numpy().argmax(axis=-1)), scores_of(free[name])
    print(f"{name}: exact lists, right words")
    print(f"  reads the right words (teacher forcing) {forced[0]:.1%}, {forced[1]:.2%}")
    print(f"  reads its own words (free running)      {by_itself[0]:.1%}, {by_itself[1]:.2%}")
    if name == "one vector":
        assert forced[1] - by_itself[1] > 0.02, "free running, one mistake leads to the next"

# %% [markdown]
# The share of right words is lower in free running: after a mistake the decoder goes on from a
# sentence that training never showed it. This is called exposure bias. The lists that are *exactly*
# right are the same ones: up to its first mistake a decoder reads the right words in either case.
#
# ## Questions about a story
#
# The lecture's picture for this decoder is question answering: an LSTM reads facts and question,
# and its last state, $h_n$ and $c_n$, is the first state of an LSTM that writes the answer, with a
# softmax over the words of answers. Beside it a network with attention: it attends to the facts as
# Bahdanau's decoder does, once before it writes and then for each word. One such look at all facts
# is a *hop* (Sukhbaatar et al. 2015). We take short stories and ask *where* people and things are
# and *who has* them.

# %% tags=["row-82", "row-100"]
figure = plot_answering(hops=1, units=64, lstm_units=128)
show(figure, "An LSTM that answers from its last state, beside a network that attends to facts.")

# %% tags=["row-82", "row-100"]
from tf_models import Answerer, LSTMAnsweringModel, QuestionAnsweringModel
from tf_models.data.stories import StoryVocabulary, embedded_questions, encode_questions


def short(questions):
    return [q for q in questions if q.kind in ("where is", "who has") and len(q.facts) <= 6]


stories = embedded_questions(30_000)
asked, unseen = short(stories.train), short(stories.test)
print(f"{len(asked):,} questions to train on, {len(unseen)} to test. The first one:")
print(*asked[0].facts, asked[0].question, f"-> {asked[0].answer}", sep="\n  ")

# %% tags=["row-82", "row-100"]
from tf_models.questions.evaluate import exact_answers, shares_of

vocabulary = StoryVocabulary.of(asked)
batches = BucketedBatches(encode_questions(asked, vocabulary), 64, seed=1)
words = vocabulary.read.vocabulary_size, vocabulary.written.vocabulary_size
answerers = {}
for name, kind in {"h_n alone": LSTMAnsweringModel, "attention": QuestionAnsweringModel}.items():
    keras.utils.set_random_seed(1)
    model = kind(*words, **({"hops": 1} if kind.attends else {}))
    model.compile(make_optimizer(4 * len(batches)))
    losses = [
        model.fit(batches.epoch(i), shuffle=False, verbose=0).history["loss"][0] for i in range(4)
    ]
    print(f"{name}: loss of each epoch", *(f"{loss:.2f}" for loss in losses))
    answerers[name] = Answerer(model, vocabulary)

# %% tags=["row-82", "row-100"]
found = {name: exact_answers(one, unseen) for name, one in answerers.items()}
for name, exact in found.items():
    shares = shares_of(unseen, exact).items()
    print(f"{name:10}", *(f"{group}: {share:.0%} of {n} " for group, (share, n) in shares))
assert found["attention"].mean() > 0.4
lengths_of = np.array([len(question.facts) for question in unseen])
for few in (lengths_of <= 3, lengths_of > 3):
    assert found["attention"][few].mean() > found["h_n alone"][few].mean()

# %% [markdown]
# $h_n$ alone answers fewer questions, with more facts and with fewer: its one state has to hold
# every person and thing, since it does not know yet what will be asked. With attention the facts
# stay where they are, and the question decides which ones are read.
#
# The arrows in the figure mark the facts that the answer follows from. `python
# scripts/train_question_answering.py --model lstm` trains the first model on all kinds of questions
# and longer stories, and [without `--model
# lstm`](../docs/recurrent.md#question-answering) the second.

# %% [markdown]
# Does attention find the facts that count? One story does not tell. Of questions whose answer
# follows from one fact, and of questions that need two, we add up what these facts have, in the
# mean over the hop and the words.

# %% tags=["row-82", "row-100"]
from tf_models.questions.figures import draw_answer

answers, on_support, share_of, right_of = {}, {}, {}, {}
for count in (1, 2):
    places = [i for i, question in enumerate(unseen) if len(question.support) == count][:60]
    for i in places:
        answers[i] = answerers["attention"].answer(unseen[i])
        on_support[i] = answers[i].weights[:, list(unseen[i].support)].mean(axis=0)  # of each fact
    share = np.mean([on_support[i].sum() for i in places])
    alike = np.mean([count / len(unseen[i].facts) for i in places])
    right = {name: exact[places].mean() for name, exact in found.items()}
    print(f"{len(places)} questions that need {count}: these facts have {share:.0%} of the "
          f"attention, {alike:.0%} if all had as much")  # fmt: skip
    print("   right:", *(f"{name} {mean:.0%} " for name, mean in right.items()))
    assert share > alike
    share_of[count], right_of[count] = share, right
assert share_of[1] > 0.8 > share_of[2]
assert right_of[1]["attention"] > right_of[2]["attention"] + 0.1
assert right_of[1]["h_n alone"] < 0.9

# %% [markdown]
# Where one fact is enough, it gets nearly all of the attention, and nearly all answers are right.
# Where two are needed, both together have little more than by chance, and many answers are wrong.
# With one hop it can read one fact well, not two: to find the place of a thing it has to know first
# who carries it. More hops read the second fact with what the first one said; the command line's
# model has three.
#
# The story below is a long one that only attention answers; of all such stories we took the one
# with most attention on the right fact.

# %% tags=["row-82", "row-100"]
only_attention = [i for i in answers if found["attention"][i] and not found["h_n alone"][i]]
place = max(only_attention, key=lambda i: (len(unseen[i].facts), on_support[i].min()))
story = unseen[place]
figure = draw_answer(story, answers[place])
show(figure, "The facts of a story as rows; a column for the hop, then one for each word.")
print(f"one of {len(only_attention)} questions that only attention answers: {story.question}")
print("right:    ", story.answer)
print("h_n alone:", answerers["h_n alone"].answer(story).text)
print("mean weight of each fact with an arrow:", on_support[place].round(2))

# %% [markdown]
# Hop and words all read the fact with the arrow. It was chosen to be like that, so the counts above
# are the evidence, and the picture shows what they mean.
#
# ## Parallel against sequential
#
# A recurrent network reads word after word, since each state waits for the one before it.
# Self-attention computes all words and all heads in a few products of matrices; one could as well
# take one head after the other. We measure all three, 16 sentences with 128 numbers for a word.

# %% tags=["row-96"]
mha, gru = (
    MultiHeadAttention(d_model=128, num_heads=8),
    keras.layers.GRU(128, return_sequences=True),
)
any_length = [tf.TensorSpec((None, None, 128))]


# %% tags=["row-96"]
@tf.function(input_signature=any_length)
def self_attention(x):
    return mha(x, x, x, None)[0]


@tf.function(input_signature=any_length)
def loop_over_heads(x):
    batch = tf.shape(x)[0]
    q, k, v = (mha.split_heads(w(x), batch) for w in (mha.wq, mha.wk, mha.wv))  # (…, 8, len, 16)
    heads = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], None)[0] for h in range(8)]
    return mha.dense(tf.concat(heads, axis=-1))  # (batch, len, 128)


@tf.function(input_signature=any_length)
def recurrent(x):
    return gru(x)


# %% tags=["row-96"]
def milliseconds(function, x):
    function(x)
    times = []
    for _ in range(40):
        started = time.perf_counter()
        function(x).numpy()
        times.append(1000 * (time.perf_counter() - started))
    return min(times)  # the others waited for something else


# %% tags=["row-96"]
inputs = {n: tf.random.normal((16, n, 128)) for n in (10, 20, 40, 80, 160, 320)}
ways = {"self-attention": self_attention, "a loop over heads": loop_over_heads, "GRU": recurrent}
taken = {name: [milliseconds(one, x) for x in inputs.values()] for name, one in ways.items()}
np.testing.assert_allclose(loop_over_heads(inputs[20]), self_attention(inputs[20]), atol=1e-4)
names, scales = ("words in a sentence", "milliseconds"), ("log", "log")
lines = {name: (list(inputs), times) for name, times in taken.items()}
figure = plot_lines(lines, axis_names=names, scales=scales, marks=list(inputs), title="one layer")
show(figure, "Time of one layer by sentence length, on the machine that ran this notebook.")

# %% [markdown]
# Vaswani et al. 2017 (table 1) count what waits for something else, and what is multiplied, for $n$
# words of $d$ numbers: self-attention has $O(1)$ sequential operations and $n^2 d$ products, a
# recurrent layer $O(n)$ and $n d^2$. That leaves out constants. Self-attention multiplies twice
# ($QK^T$ and the weighted sum), and has four projections of $n d^2$; a GRU has three gates with two
# kernels each. We count all of them, and put the milliseconds beside.

# %% tags=["row-96"]
d = 128
products = {
    "self-attention": [2 * n * n * d + 4 * n * d * d for n in inputs],
    "GRU": [6 * n * d * d for n in inputs],
}
print("        self-attention                      GRU")
print("words   in sequence    products     ms      in sequence    products     ms   loop, ms")
for i, n in enumerate(inputs):
    print(f"{n:5}{1:14}{products['self-attention'][i]:12,}{taken['self-attention'][i]:7.1f}"
          f"{n:17}{products['GRU'][i]:12,}{taken['GRU'][i]:7.1f}"
          f"{taken['a loop over heads'][i]:11.1f}")  # fmt: skip
times, of_gru = (np.array(taken[name]) for name in ("self-attention", "GRU"))
print("GRU's time divided by that of self-attention:     ", *(of_gru / times).round(1))
loop = np.array(taken["a loop over heads"])
print("all heads' time divided by that of the loop:      ", *(times / loop).round(1))
one = [milliseconds(way, inputs[320][:1]) for way in (self_attention, loop_over_heads)]
print(f"the same for one sentence of 320 words:            {one[0] / one[1]:.1f}")
lengths_here, counted = np.array(list(inputs)), np.array(list(products.values()))
np.testing.assert_array_equal(counted[0] < counted[1], lengths_here < d)

# %% [markdown]
# The article's argument is about the first column: each state of a recurrent network waits for the
# one before it, so $n$ words need $n$ steps, and all words of self-attention are one. On a GPU,
# which computes thousands of products at the same time, that decides. Two cores cannot, and one
# would expect the products to decide. They do so in part: self-attention has fewer of them up to
# $n = d$, here 128 words, and more beyond. But the factors do not follow the products alone: the
# GRU's are small matrices, one word after the other, and each step has a cost of its own.
#
# The surprise is the loop: one head after the other can be *quicker* than all heads at once for
# many long sentences. It has the same products. But all at once writes the weights of eight heads,
# $16 \cdot 8 \cdot 320^2$ numbers or 52 megabytes, before it reads them again; the loop writes 6.5
# at a time, which the cache of the processor holds. Of one sentence all weights fit (3 megabytes),
# and the loop gains less or loses. The article praises heads in parallel, for machines on which
# they *run* in parallel. `python -m research.experiments seconds` measures whole training steps.

# %% [markdown]
# ## Summary
#
# - Bahdanau's attention: a small network scores each annotation with the decoder's state, softmax
#   makes weights, and the context is the weighted mean of the annotations.
# - One vector of fixed length forgets long sentences; attention and the Transformer do not, up to
#   the lengths of training. Beyond them all get worse.
# - Alignments come out of translation alone, and show what helps to write the next word.
# - In free running a mistake leads to others; teacher forcing hides that (exposure bias).
# - One hop reads one fact. Questions that need two facts need more hops.
# - A recurrent network needs as many steps as words, self-attention one. What that saves depends on
#   how much the machine computes at once; on two cores a loop over heads can be quicker.
#
# **Two sentences to remember**: A fixed vector must hold everything before it knows what will be
# asked. Attention keeps everything where it is and asks first.

# %% [markdown]
# ## Exercises
#
# **1.** Set $v_a$ to zero. Which weight does the first of the four words get?


# %%
def check_1(answer):
    """Against the equations above."""
    scores = np.tanh(W_a @ s + h @ U_a.T) @ zeros
    truth = (np.exp(scores) / np.exp(scores).sum())[0]
    assert np.isclose(answer, truth, atol=0.01), "what does a softmax make of such scores?"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# All scores are zero, and a softmax shares alike among equal scores.
#
# ```python
# check_1(1 / 4)
# ```
#
# </details>
#
# **2.** An annotation has 128 numbers. How many of those of the *first* word change when the *last*
# word does?


# %%
def check_2(answer):
    """Against the encoder, with the last word of another sentence."""
    changed = sentences.copy()
    changed[:, -1] = np.roll(changed[:, -1], 1)
    different = encoder(changed)[0].numpy()[:, 0] != annotations[:, 0]
    assert answer == different.any(axis=0).sum(), "which network has met the last word by then?"


# check_2(128)

# %% [markdown]
# <details><summary>Answer</summary>
#
# Only the network that reads backwards has met the last word when it comes to the first.
#
# ```python
# check_2(64)
# ```
#
# </details>
#
# **3.** Write `dot_attention(s, h)`, which scores each annotation with a plain dot product
# $e_j = s^\top h_j$ in place of the small network (Luong et al. 2015) and returns context and
# weights.


# %%
def dot_attention(s, h):
    weights = np.zeros(len(h))  # your code
    return weights @ h, weights


# %%
def check_3(function):
    """Against the attention of Transformers, which divides by the root of the width."""
    s, h = rng.normal(size=6), rng.normal(size=(4, 6))
    query = tf.constant(s[np.newaxis] * np.sqrt(6), tf.float32)
    keys = tf.constant(h, tf.float32)
    context, weights = scaled_dot_product_attention(query, keys, keys, None)
    for found, truth in zip(function(s, h), (context[0], weights[0]), strict=True):
        np.testing.assert_allclose(found, truth, atol=1e-4)


# check_3(dot_attention)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def dot_attention(s, h):
#     scores = h @ s
#     weights = np.exp(scores) / np.exp(scores).sum()
#     return weights @ h, weights
#
#
# check_3(dot_attention)
# ```
#
# </details>
