# %% [markdown]
# # 07 Before the Transformer
#
# Read beside it: "Autoencoder with RNNs – question answering", "Limitation of autoencoders" and
# "Attention mechanism" in lecture 7 (Papapetrou, Stockholm University). Its source is [Bahdanau et
# al. 2015](https://arxiv.org/abs/1409.0473).
#
# You will see
#
# 1. Bahdanau's attention computed by hand, and the same numbers from the library;
# 2. two translators trained side by side: one vector of fixed length fails with long sentences;
# 3. what a decoder loses when it reads its own words instead of the right ones.
#
# It takes about 50 seconds on two cores of a laptop-class processor. If a change of yours stops a
# cell at an `assert`, put `#` before it.
#
# [06 Attention maps](06_attention_maps.ipynb) · [08 The Transformer as
# classifier](08_classifier.ipynb)

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
import numpy as np

from tf_models.ids import PADDING_ID
from tf_models.plotting.attention import plot_attention_side_by_side
from tf_models.plotting.lines import plot_lines
from tf_models.plotting.notebook import show
from tf_models.recurrent.attention import BahdanauAttention
from tf_models.recurrent.translator import RecurrentTranslator
from tf_models.search.free_running import ForcedAndFree
from tf_models.search.search import GreedySearch, watch
from tf_models.tasks.translation.objective import TranslationObjective
from tf_models.tasks.translation.recurrent_model import RecurrentModel
from tf_models.training.optimizers import FusedMuon
from tf_models.training.train_step import TrainStep

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
# backwards.

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

# %% [markdown]
# **Predict.** Set $v_a$ to zero. Which weight does the first of the four words get?


# %%
def check_1(prediction):
    scores = np.tanh(W_a @ s + h @ U_a.T) @ np.zeros(n)
    truth = (np.exp(scores) / np.exp(scores).sum())[0]
    assert np.isclose(prediction, truth, atol=0.01), "what does a softmax make of equal scores?"
    print("right:", truth)


# check_1(…)  # your prediction

# %% [markdown]
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
from tf_models.data.text.batches import EncodedPairs, TranslationBatches
from tf_models.data.text.vocabulary import WordVocabulary

en, de = WordVocabulary(EN_TENS + EN_ONES), WordVocabulary([*DE_ONES, "und", *DE_TENS])


def encode(pairs):
    sides = zip(*pairs, strict=True)
    return [
        [np.array([v.start_id, *v.ids(text), v.end_id], np.int32) for text in side]
        for v, side in zip((en, de), sides, strict=True)
    ]


# %%
train = make_pairs(8000, np.arange(1, 6), rng)
batches = TranslationBatches(EncodedPairs(*encode(train), dropped=0), 64, seed=1)
print(*(" ".join(side) for side in train[0]), sep="\n")

# %% [markdown]
# ## Two translators
#
# Both read with a bidirectional GRU and write with a GRU,
# $s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$. They differ in $c_i$ alone. With attention it is
# computed anew for each word. Without, it is the same vector at each step: the last states of both
# directions, 128 numbers, however long the sentence is. (The sentences of a batch are of like
# length, so the loss jumps from batch to batch.)


# %%
def fit(network, objective, batches, peak):
    """Train on all batches once; return the loss of each."""
    rate = keras.optimizers.schedules.CosineDecay(
        0.0, len(batches), alpha=0.05, warmup_target=peak, warmup_steps=10
    )
    # Muon (Jordan et al. 2024): a small model needs far fewer steps than with Adam.
    optimizer = FusedMuon(rate, adam_beta_2=0.98, weight_decay=0.0, adam_weight_decay=0.0)
    optimizer.build(network.trainable_variables)
    epoch, strategy, losses = batches.epoch(0), tf.distribute.get_strategy(), []
    step = TrainStep(network, optimizer, objective, strategy, epoch.element_spec)
    for batch in epoch:
        step.metrics.reset()
        step.train_step(*batch)
        losses.append(step.metrics.means()["loss"])
    return losses


# %%
# For so small a model TensorFlow's optimisation of a graph takes longer than it saves.
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})

models, losses = {}, {}
for name, attends in (("attention", True), ("one vector", False)):
    keras.utils.set_random_seed(1)
    network = RecurrentTranslator(en.vocabulary_size, de.vocabulary_size, 32, 64, attends=attends)
    network.build()
    models[name] = RecurrentModel(network)
    losses[name] = fit(network, TranslationObjective(models[name]), batches, peak=0.02)

steps, names = range(len(batches)), ("batches of 64 sentences", "training loss (nats a word)")
figure = plot_lines({name: (steps, loss) for name, loss in losses.items()}, axis_names=names)
show(figure, "Both losses fall; the one of the model with attention falls sooner and further.")

# %% [markdown]
# ## The fixed-length limit
#
# The lecture, after Bahdanau: it is difficult to press a long sentence into one vector, above all a
# sentence that is longer than those of training. We translate lists of two to eight numbers, 30 of
# each, and compute BLEU for each length. Five is the longest of training.


# %%
def write(model, inp, max_length):
    """Ids of greedy translations (batch, len): the decoder reads its own words."""
    step = model.step([PADDING_ID, de.start_id])
    ends = {"start_id": de.start_id, "end_id": de.end_id}
    search = GreedySearch(step, **ends, max_length=max_length)
    memory = model.encode(inp)
    *_, last = watch(search, memory, model.initial_state(memory, 1))
    return last.ids[:, 1:].numpy()


test = [pair for size in range(2, 9) for pair in make_pairs(30, [size], rng)]
inp, tar = (keras.utils.pad_sequences(side, padding="post") for side in encode(test))
sizes = np.array([len(source) // 2 for source, _ in test])
free = {name: write(model, inp, max_length=28) for name, model in models.items()}

# %% tags=["row-83"]
from tf_models.tasks.translation.evaluation import make_bleu


def bleu(ids, chosen):
    written = [" ".join(de.words_of(row)) for row in ids[chosen]]
    right = [" ".join(target) for (_, target), one in zip(test, chosen, strict=True) if one]
    return make_bleu("de").corpus_score(written, [right]).score


lengths = np.arange(2, 9)
scores = {name: [bleu(ids, sizes == k) for k in lengths] for name, ids in free.items()}
lines = {name: (2 * lengths, score) for name, score in scores.items()}
figure = plot_lines(lines, axis_names=("source words", "BLEU"), marks=tuple(2 * lengths))
show(figure, "BLEU by sentence length: one vector falls early, attention after ten words.")

# %% tags=["row-83"]
for name, score in scores.items():
    print(f"{name:12}", *(f"{2 * k} words {x:4.0f} " for k, x in zip(lengths, score, strict=True)))
with_attention, without = scores["attention"], scores["one vector"]
assert min(with_attention[:4]) > 90, "up to ten words attention loses next to nothing"
assert without[0] > 80, "four words fit into one vector"
assert without[3] < with_attention[3] - 20, "ten words do not"
assert with_attention[6] < with_attention[3] - 10, "longer than in training: both get worse"

# %% [markdown]
# Up to ten words attention is nearly perfect; one vector falls from six words on. Beyond the
# lengths of training **both** get worse. Attention lifts the limit of the vector; it does not teach
# the model to count further than it ever had to. The section on alignments shows what goes wrong.
#
# Change the widths 32 and 64 to 64 and 128: does the vector's line move to the right?
# [docs/recurrent.md](../docs/recurrent.md#the-comparison) has the command that compares a
# Transformer and both recurrent models on sentences of up to 40 words.
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
names = ("words between the exchanged word and the annotation", "how far it moves")
figure = plot_lines({"annotation": (np.arange(10), by_distance)}, axis_names=names)
show(figure, "An annotation moves most for its own word and less the farther away the word is.")
assert moved.min() > 0, "each annotation knows of each word"
assert by_distance[0] > 2 * by_distance[2], "and most of its neighbours"

# %% [markdown]
# **Predict.** An annotation has 128 numbers. How many of those of the *first* word change when the
# *last* word does?


# %%
def check_2(prediction):
    changed = sentences.copy()
    changed[:, -1] = np.roll(changed[:, -1], 1)  # that of another sentence
    different = encoder(changed)[0].numpy()[:, 0] != annotations[:, 0]
    truth = different.any(axis=0).sum()
    assert prediction == truth, "which of the two networks has met the last word by then?"
    print("right:", truth)


# check_2(…)  # your prediction

# %% [markdown]
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
    seen = "ones and tens cross, and und attends to both" if k == 3 else "the last rows are blurred"
    show(figure, f"Alignment of {k} numbers: {seen}.")

# %% tags=["row-85"]
for k in lengths:
    places = alignments[sizes == k][:, : 3 * k].argmax(axis=-1)  # (30, words written)
    ones, tens = places[:, 0::3] == 2 * np.arange(1, k + 1), places[:, 2::3] == 2 * np.arange(k) + 1
    share = (ones.mean() + tens.mean()) / 2
    print(f"{k} numbers: {share:.0%} of ones and tens attend to their own word")
    assert share > 0.9 if k <= 5 else share < 1

# %% [markdown]
# Up to five numbers nearly every word attends to its own. The two lines of each number cross, as
# the lines of adjective and noun do in Bahdanau's figure. *Und* attends to both. With eight numbers
# the first ones are clear, and then the rows blur: the model no longer knows which number is next.
#
# ## Teacher forcing against free running
#
# In training the decoder reads the *right* word before each one that it predicts (teacher forcing).
# In use it reads its *own* (free running), and nobody corrects it. We measure both.

# %% tags=["row-82"]
right, compared = tar[:, 1:], {}
for name, model in models.items():
    logits, _ = model.network(inp, tar[:, :-1])
    forced = logits.numpy().argmax(axis=-1)
    compared[name] = ForcedAndFree.of([right], [forced], [free[name]])
    print(name, *compared[name].lines("lists"), sep="\n")
gap = compared["one vector"].forced_accuracy - compared["one vector"].free_accuracy
assert gap > 0.05, "free running, one mistake leads to the next"

# %% [markdown]
# The share of right words is lower in free running: after a mistake the decoder goes on from a
# sentence that training never showed it. This is called exposure bias.
#
# **Predict.** How many lists does *attention* write exactly right under teacher forcing, but not in
# free running?


# %%
def check_3(prediction):
    both = compared["attention"]
    truth = np.sum(both.forced_exact & ~both.free_exact)
    assert prediction == truth, "until its first mistake, what does a free decoder read?"
    print("right:", truth)


# check_3(…)  # your prediction

# %% [markdown]
# ## Questions about a story
#
# The lecture's picture for the same decoder is question answering. Ours reads facts and question,
# attends to the facts as Bahdanau's decoder does, once before it writes (a *hop*) and then for each
# word, and writes the answer with a softmax over the words of answers. To be quick, we take short
# stories and ask *where* people and things are and *who has* them. With four minutes of training
# and five kinds of questions, [99 % of the answers are
# exact](../docs/recurrent.md#question-answering).

# %% tags=["row-82"]
from tf_models.data.stories.encoding import StoryVocabulary, encode_questions
from tf_models.data.stories.question_sets import embedded_questions
from tf_models.tasks.question_answering.answerer import Answerer, build_model
from tf_models.tasks.question_answering.settings import DEFAULTS
from tf_models.training.train_step import SummedLossObjective


def short(questions):
    return [q for q in questions if q.kind in ("where is", "who has") and len(q.facts) <= 6]


# %% tags=["row-82"]
stories = embedded_questions(20_000)
asked = short(stories.train)
vocabulary = StoryVocabulary.of(asked)
settings = DEFAULTS.changed(hops=1)
model = build_model(settings, vocabulary)
batches = TranslationBatches(encode_questions(asked, vocabulary), 64, seed=1)
loss = fit(model, SummedLossObjective(model, "words"), batches, peak=0.02)
print(f"loss {loss[0]:.1f} -> {loss[-1]:.2f} after {len(batches)} batches")

# %% tags=["row-82"]
from tf_models.tasks.question_answering.evaluation import evaluate_answerer

answerer = Answerer(model, vocabulary, settings.stories.limits)
unseen = short(stories.test)
found = evaluate_answerer(answerer, unseen)
for kind, (share, count) in found.by_kind().items():
    print(f"{kind}: {share:.0%} of {count} answers are exact")
print(*found.comparison.lines("answers"), sep="\n")
assert found.exact.mean() > 0.6

# %% tags=["row-82"]
from tf_models.tasks.question_answering.drawing import draw_answer

chosen = next(q for q, yes in zip(unseen, found.exact, strict=True) if yes and len(q.support) == 2)
figure = draw_answer(chosen, answerer.answer(chosen))
show(figure, "The facts of a story as rows; a column for the hop, then one for each word.")

# %% [markdown]
# The arrows mark the facts that the answer follows from. Answers have three words at most, so
# teacher forcing and free running differ less here: there is not much left to go wrong.
#
# ## Answers
#
# 1. One quarter. All scores are zero, and a softmax shares alike among equal scores.
# 2. 64. Only the network that reads backwards has met the last word when it comes to the first.
# 3. None. Until its first mistake the free decoder reads the right words too. So a sentence is
#    exact in both cases or in none; only what follows a mistake differs.

# %%
check_1(0.25)
check_2(64)
check_3(0)
