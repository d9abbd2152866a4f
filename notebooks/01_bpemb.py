# %% [markdown]
# # 01 BPEmb and the sentence pairs
#
# Read with section 1, "The datasets", of
# [How to make a toy English-German translator with multi-head attention heat maps](https://data-science-blog.com/blog/2021/05/10/constructing-transformer-model-little-by-little/)
# by Yasuto Tamura. The article's code turns sentences into integers and stacks them
# into batches. This notebook looks at each step.
#
# You will see
#
# 1. sentences that become 10,002 possible ids and come back with their umlauts,
# 2. the batches (64, 41) and (64, 42), and how much of them is zeros,
# 3. what padding and a vocabulary of 30,000 cost, in parameters and in seconds a step.
#
# **Before**: notebook 00, or nothing but a little Python.
#
# **Time**: about 30 seconds on two cores of a laptop, without a network.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Previous: [00 Start here](00_start_here.ipynb).
# Next: [02 Attention by hand](02_attention_by_hand.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %% [markdown] tags=["row-1"]
# ## Pieces of two languages
#
# BPEmb offers subword models for 275 languages. Each one was trained on Wikipedia by byte-pair
# encoding: start from single letters, and again and again join the two neighbours that stand
# together most often. The article takes the English and the German model of 10,000 pieces.
#
# They must be downloaded once, and this notebook works without a network. So it trains two models
# of the same size on sentences of the package's own corpus, and loads them with the same `BPEmb`
# class. Everything below holds for the real ones too, unless the text says otherwise.

# %% tags=["row-1"]
import tempfile
from pathlib import Path

import numpy as np

from tf_models import load_corpus
from tf_models.data.subword_models import train_tokenizer
from tf_models.data.tokenizers import SubwordTokenizer

corpus = load_corpus("everyday", max_pairs=6000)
english_sentences, german_sentences = zip(*corpus.train, strict=True)
with tempfile.TemporaryDirectory() as folder:
    english = train_tokenizer(english_sentences, "en", 10_000, Path(folder) / "en.model")
    german = train_tokenizer(german_sentences, "de", 10_000, Path(folder) / "de.model")
    as_in_bpemb = SubwordTokenizer(english.model_file, "en", lowercase=True)
for source, target in corpus.train[:5]:
    print(f"{source:65}{target}")

# %% [markdown] tags=["row-1"]
# `encode` gives a list of ids, and `decode` gives the sentence back. Nothing is simplified:
# *ä*, *ö*, *ü* and *ß* stay as they are. `▁` marks a piece that begins a word.
# **Change** the sentence.

# %% tags=["row-1"]
sentence = "Die Bäckerin begrüßt die müden Gäste."
ids = german.encode(sentence)
print(ids)
print(german.tokens(ids))
print(german.decode(ids))
assert german.decode(ids) == sentence

changed = [target for _, target in corpus.test if german.decode(german.encode(target)) != target]
letters = set("".join(german_sentences))
print(f"{len(changed)} of {len(corpus.test)} German test sentences come back changed, such as")
print(changed[0])
print("each has letters that no training sentence had; here:", sorted(set(changed[0]) - letters))
assert all(set(sentence) - letters for sentence in changed)

# %% [markdown] tags=["row-1"]
# The real models lose something on this way: BPEmb writes everything in lower case and each digit
# as 0. So a translator that uses them can learn neither capitals nor numbers. The same class does
# it with our pieces:

# %% tags=["row-1"]
lossy = as_in_bpemb.decode(as_in_bpemb.encode("Anna has 101 dogs."))
print(lossy)
assert lossy == "anna has 000 dogs."

# %% [markdown]
# To work with the real models, fetch them once:
#
# ```python
# from tf_models.data.subword_models import pretrained_tokenizer
#
# english = pretrained_tokenizer("en", 10_000)  # 0.4 MB, kept in ~/.cache/bpemb
# ```
#
# or train with `python scripts/train_translator.py --preset article --tokenizer bpemb`.

# %% [markdown] tags=["row-2"]
# ## Ten thousand and two ids
#
# The article has $|\mathcal{V}_\mathcal{X}| = |\mathcal{V}_\mathcal{Y}| = 10002$. These are 10,000
# pieces, and two ids more: one opens each sentence, one closes it.

# %% tags=["row-2"]
print(english.describe())
print(german.describe())
special = [0, 1, german.start_id, german.end_id]
print(dict(zip(special, german.tokens(special), strict=True)))
assert special[2:] == [10_000, 10_001]
assert english.vocabulary_size == german.vocabulary_size == 10_002

# %% [markdown]
# Id 0 needs care. In a BPEmb model it means "unknown", but the article fills short sentences with
# zeros, and masks hide zeros. An unknown character would be hidden as well. So this package gives
# "unknown" the id 1, which BPEmb never uses, and 0 is padding and nothing else.

# %% [markdown] tags=["row-22", "row-39"]
# ## Unknown words and names
#
# In the article on multi-head attention the author says that the translator cannot handle names
# such as "Anthony". The tokenizer is only half of the reason. A list of whole words has no id for a
# new word. Pieces can spell any word; only a character that the model has never seen is left out.

# %% tags=["row-22", "row-39"]
from tf_models.data.annotated import HOPKINS
from tf_models.data.words import WordVocabulary

words = HOPKINS.removesuffix(".").split()
whole_words = WordVocabulary.of(sentence.rstrip(".?!").split() for sentence in english_sentences)
print("no id in a list of whole words:", whole_words.unknown(words))
pieces = english.tokens(english.encode(HOPKINS))[1:-1]
print("pieces:", pieces)
print("left out:", english.unknown_characters("Anthony 😀 visited 東京"))
unknown = english.unknown_rate([source for source, _ in corpus.test])
print(f"share of unknown pieces in the test: {unknown:.2%}")
assert "Hopkins" in whole_words.unknown(words)
assert not english.unknown_characters(HOPKINS)
assert len(pieces) > 9

# %% [markdown] tags=["row-22", "row-39"]
# So a name falls into several short pieces. Each has an embedding, but the name as a whole has
# none. A translator must copy its pieces one after the other, and that has to be learnt.
#
# The article counts 9 tokens in this sentence: its words. For a tokenizer there are more, with the
# full stop and the pieces of the names. The figures of the articles count words, to stay legible.

# %% [markdown] tags=["row-17"]
# ## Targets are offset by one
#
# At position $i$ the decoder reads the target up to $i$ and must predict what comes next. So one
# row of ids serves twice: without its last id it is the input, without its first one the labels.

# %% tags=["row-17"]
ids = german.encode("Er bewunderte sie als großartige Regisseurin.")
read, labels = german.tokens(ids[:-1]), german.tokens(ids[1:])
print(f"{'the decoder reads':22}it must write")
for one, following in zip(read, labels, strict=True):
    print(f"{one:22}{following}")
assert read[0] == "<start>"
assert labels[-1] == "<end>"
assert read[1:] == labels[:-1]

# %% [markdown] tags=["row-3"]
# ## Batches of 41 and 42 columns
#
# A batch has 64 sentences. Its tensors are as wide as the longest sentence that is allowed: 41
# tokens in the source and 42 in the target, start and end included. Zeros fill what is left.

# %% tags=["row-3"]
from tf_models import encode_pairs
from tf_models.data.batches import BucketedBatches
from tf_models.data.tokenizers import TokenizerPair

encoded = encode_pairs(corpus.train, TokenizerPair(english, german), (41, 42))
batches = BucketedBatches(encoded, 64, seed=1, padded_lengths=(41, 42))
inp, tar = next(iter(batches.epoch(0)))
print(inp.shape, tar.shape)
print(inp[0].numpy())
print(english.decode(inp[0].numpy()))
assert (inp.shape, tar.shape) == ((64, 41), (64, 42))

# %% [markdown]
# A detail in the text: it says that maps of the decoder are 42 high. In training the decoder reads
# the target without its last column, so it works on 41 positions, and both of its maps are
# $41 \times 41$.

# %%
decoder_input = tar[:, :-1]
print(decoder_input.shape)
assert decoder_input.shape == (64, 41)

# %% [markdown] tags=["row-3"]
# ## A histogram of lengths
#
# How many tokens do the sentences have? The dotted lines are the limits, 41 and 42. **Change**
# `encode_pairs` so that it drops sentences of more than 15 tokens.

# %% tags=["row-3"]
from tf_models.plotting.lines import plot_lengths
from tf_models.plotting.notebook import show

figure = plot_lengths(*encoded.lengths, limits=(41, 42))
both = np.concatenate(encoded.lengths)
usual, longest = np.mean((both >= 5) & (both <= 15)), both.max()
show(figure, f"{usual:.0%} of the sentences have 5 to 15 tokens, the longest has {longest}.")
assert encoded.dropped == 0
assert 0.85 < usual < 0.92
assert longest == 20

# %% [markdown]
# Nearly nine of ten sentences have 5 to 15 tokens, and the longest has 20. So more than half of the
# 41 columns hold nothing but zeros.

# %% [markdown]
# ## What padding costs
#
# The model computes on zeros as if they were words. A mask hides the results, but the time is
# spent. Batches of sentences of like length, each as wide as its own longest sentence, avoid most
# of it. How large is the share of zeros in both?


# %%
def padding(batch):
    return 1 - sum(tf.math.count_nonzero(ids).numpy() for ids in batch) / sum(map(tf.size, batch))


alike = list(BucketedBatches(encoded, 64, seed=1).epoch(0))
alike = sorted(alike, key=lambda batch: batch[0].shape[1])[len(alike) // 2]  # of middling length
share, share_alike = float(padding((inp, tar))), float(padding(alike))
print(f"padded to 41 and 42: {share:.0%} zeros")
print(f"of like length, {alike[0].shape} and {alike[1].shape}: {share_alike:.0%} zeros")
tokens = sum(tf.math.count_nonzero(ids).numpy() for ids in (inp, tar)) / (2 * 64)
print(f"a sentence of the padded batch has {tokens:.1f} tokens on average")
assert 0.75 < share < 0.82
assert share_alike < 0.2
assert tokens < 41 / 4

# %% [markdown]
# Nearly four of five ids of the padded batch are zeros, and about one of ten in the other. What
# does that mean in seconds? The tutorial's training step, of the article's model with 1 of its 4
# layers to save time. We count the seconds of the processor, all cores together: other programs do
# not disturb them.

# %%
import time

from tf_models import Transformer, loss_function

sizes = {"num_layers": 1, "d_model": 128, "num_heads": 8, "dff": 512}
ids = tf.TensorSpec((None, None), tf.int32)


# %%
def training_of(vocabulary):
    both = {"input_vocab_size": vocabulary, "target_vocab_size": vocabulary}
    network = Transformer(pe_input=41, pe_target=42, **sizes, **both)
    network.build()
    optimizer = keras.optimizers.Adam()

    @tf.function(input_signature=[ids, ids])
    def train_step(inp, tar):
        with tf.GradientTape() as tape:
            logits, _ = network(inp, tar[:, :-1], training=True)
            loss = loss_function(tar[:, 1:], logits)
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

    return network, train_step


# %%
def seconds(*tries):
    times = [[] for _ in tries]
    for _ in range(4):  # the first one compiles
        for (train_step, batch), found in zip(tries, times, strict=True):
            start = time.process_time()
            train_step(*batch)
            found.append(time.process_time() - start)
    return [min(found) for found in times]


# %%
small, small_step = training_of(10_002)
padded, compact = seconds((small_step, (inp, tar)), (small_step, alike))
print(f"64 pairs: {padded:.2f} s padded, {compact:.2f} s of like length")
assert padded > 2 * compact

# %% [markdown]
# The padded step takes more than twice as long, for the same sentences' worth of words.
#
# The tutorial computes 10,002 logits at each of the 41 positions, and throws most of them away.
# (This package's own training computes them at real tokens only.)
#
# Why does the article pad like this? It is simple, and each batch has the same shape. The preset
# `article` does it too; the others sort by length.

# %% [markdown]
# ## A vocabulary of 30000
#
# The Illustrated Transformer calls 30,000 or 50,000 words realistic. Each further id has a row of
# $d_{model}$ numbers in both embedding tables, and a column with a bias in the output layer:
# $3\,|\mathcal{V}|\,d_{model} + |\mathcal{V}|$ parameters, if both vocabularies have the same size.

# %%
large, large_step = training_of(30_002)
parameters = {10_002: small.count_params(), 30_002: large.count_params()}
for vocabulary, count in parameters.items():
    share = (3 * vocabulary * 128 + vocabulary) / count
    print(f"{vocabulary} ids: {count:,} parameters, {share:.0%} of them in the vocabulary")
assert parameters[30_002] - parameters[10_002] == 20_000 * (3 * 128 + 1)
fast, slow = seconds((small_step, alike), (large_step, alike))
print(f"a step: {fast:.2f} s with 10,002 ids, {slow:.2f} s with 30,002 ids")
assert slow > 1.05 * fast

# %% [markdown]
# In a small model most parameters belong to the vocabulary, and three times the vocabulary makes a
# step slower, too. On the other hand, the more pieces
# there are, the fewer a sentence needs. The package's own translator has 10,000 pieces for both
# languages together, and one table for them all.

# %% [markdown]
# ## Summary
#
# - BPE cuts text into 10,000 pieces; start and end make it 10,002 ids. A new name becomes several
#   short pieces.
# - BPEmb's own models write lower case and turn digits into 0: they lose something.
# - The decoder reads a target without its last id, and its labels are the target without the first.
# - Batches of 41 and 42 columns are mostly zeros. Sentences of like length side by side avoid that.
#
# **Two sentences to remember**: A model sees ids, not words, and can spell what its pieces can
# spell. Padding is free of errors, but not of cost.

# %% [markdown]
# ## Exercises
#
# **1.** A BPEmb model has 3,000 pieces. What is the id of its end token?


# %%
def check_1(answer):
    """Against a tokenizer of that size."""
    with tempfile.TemporaryDirectory() as folder:
        smaller = train_tokenizer(english_sentences, "en", 3000, Path(folder) / "en.model")
    assert answer == smaller.end_id, "the first piece has the id 0"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The ids 0 to 2999 belong to the pieces, 3000 is the start, 3001 the end.
#
# ```python
# check_1(3001)
# ```
#
# </details>
#
# **2.** What share of zeros, 0 to 1, have the same 64 pairs if they are padded to 21 and 21?


# %%
def check_2(answer):
    """Against the batch, of which 21 columns are kept: no sentence is longer."""
    shorter = inp[:, :21], tar[:, :21]
    assert abs(answer - float(padding(shorter))) < 0.1, "how long is a sentence on average?"


# check_2(0.0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# What is left of 21 columns beside the average number of tokens, which stands above.
#
# ```python
# check_2(1 - tokens / 21)
# ```
#
# </details>
#
# **3.** How many parameters has one embedding table of 50,000 pieces, start and end, with
# $d_{model} = 512$?


# %%
def check_3(answer):
    """Against a table of Keras."""
    table = keras.layers.Embedding(50_002, 512)
    table.build((None, None))
    assert answer == table.count_params(), "how many rows, and how many numbers in each?"


# check_3(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# The six encoder layers of the first Transformer have fewer in all.
#
# ```python
# from tf_models import EncoderLayer
#
# check_3(50_002 * 512)
# layer = EncoderLayer(512, 8, 2048)
# layer.build()
# assert 6 * layer.count_params() < 50_002 * 512
# ```
#
# </details>
#
# **4.** Write `padded_to`, which makes a tensor of rows of ids: zeros behind each row, up to
# `length`.


# %%
def padded_to(length, rows):
    return np.array(rows)  # your code: rows of different lengths fail here


def check_4(function):
    """Against Keras, for three sentences."""
    rows = [english.encode(sentence) for sentence in english_sentences[:3]]
    expected = keras.utils.pad_sequences(rows, maxlen=41, padding="post")
    np.testing.assert_array_equal(function(41, rows), expected)


# check_4(padded_to)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def padded_to(length, rows):
#     return np.array([row + [0] * (length - len(row)) for row in rows])
#
#
# check_4(padded_to)
# ```
#
# </details>
