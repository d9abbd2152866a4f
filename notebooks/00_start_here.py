# %% [markdown]
# # 00 Start here
#
# Read with any of the articles below, such as
# [The Illustrated Transformer](https://jalammar.github.io/illustrated-transformer/), or before
# them: ten minutes from a sentence to its translation, and from one digit to another.
#
# You will see
#
# 1. a sentence that is translated, and what one head of attention looks at meanwhile,
# 2. a network that is trained before your eyes, and a zero that becomes a seven,
# 3. where to go on, and what the words of the field mean.
#
# **Before**: a little Python. Nothing about neural networks.
#
# **Time**: about 20 seconds on two cores of a laptop; ten minutes to read.
#
# **How it works**: the first cell installs the package if it is missing: from a wheel in this
# folder, from a package index, or from the checkout that this folder is in. If none of them is
# there, run `pip install .` in the folder of tf-models.
# **See** says what to look at, **Change** what to try; if a cell then stops at an `assert`, put `#`
# before it. The exercises stand at the end: put your answer into the last line of a cell, take away
# its `#`, and run it. The answer unfolds below.
#
# Next: [01 BPEmb and the sentence pairs](01_bpemb.ipynb)

# %%
# %pip install -q -f . "tf-models>=2.0.dev0" || pip install -q ..
from tf_models.backend import keras, tf

# %%
keras.utils.set_random_seed(1)

# %% [markdown]
# ## Your article
#
# The first cell for each, and where it goes on:
#
# - How to make a toy English-German translator with multi-head attention heat maps:
#   [Pieces of two languages](01_bpemb.ipynb#Pieces-of-two-languages), then 03 to 06
# - Multi-head attention mechanism: "queries", "keys", and "values," over and over again:
#   [The weights of Michael](02_attention_by_hand.ipynb#The-weights-of-Michael), then 06
# - The Illustrated Transformer:
#   [Six steps for one word](02_attention_by_hand.ipynb#Six-steps-for-one-word), then 03 to 06
# - The Illustrated Transformer（翻译）:
#   [中文摘要](02_attention_by_hand.ipynb#中文摘要), then 03 to 06
# - Variational Autoencoders:
#   [Images and training](11_vae.ipynb#Images-and-training)
# - Einführung in die Welt der Autoencoder:
#   [Encoder und Decoder](09_autoencoder_einfuehrung.ipynb#Encoder-und-Decoder), then 11
# - ML Lecture 7, autoencoders:
#   [PCA and a linear autoencoder](10_lecture_7.ipynb#PCA-and-a-linear-autoencoder)
# - ML Lecture 7, attention and Transformers:
#   [The attention of Bahdanau by
#   hand](07_before_the_transformer.ipynb#The-attention-of-Bahdanau-by-hand), then 02, 04 and 08
#
# [A table](README.md#from-the-articles-to-the-place) leads from every line of the articles to a
# cell, a command or a figure.

# %% [markdown]
# ## A sentence is translated
#
# The package holds a trained Transformer from English to German. **Change** the sentence: it knows
# the words of a first year of lessons.

# %%
from tf_models import ready_made

translator = ready_made()
for sentence in ("Good morning!", "The old dog sleeps.", "I would like to buy a new car tomorrow."):
    print(f"{sentence:42}{translator.translate([sentence])[0][0].text}")

# %% [markdown]
# ## What one head looks at
#
# "The animal didn't cross the street because it was too tired." German has three words for "it",
# and the right one depends on who is tired. While the encoder reads the sentence, each of its heads
# gives each word a weight, and so tells what belongs to "it". We take the head that gives the right
# noun most; [it was trained to](../docs/heads.md#it-in-the-encoder).

# %%
from tf_models.data.annotated import IT_STANDS_FOR
from tf_models.plotting.notebook import show
from tf_models.plotting.query import plot_query_in_map
from tf_models.translation.attention import attention_maps
from tf_models.translation.pronouns import pronoun_contrasts, pronoun_pairs

tired, wide = IT_STANDS_FOR  # two sentences that differ in one word
for sentence in (tired, wide):
    print(f"{sentence}\n    {translator.translate([sentence])[0][0].text}")

# %%
layer, head = pronoun_contrasts(translator, pronoun_pairs())["encoder"].best  # over 60 sentences
for sentence in (wide, tired):
    maps = attention_maps(translator, sentence, kind="encoder", words=True)
    weights = maps.weights[layer, head]  # (words, words)
    row = maps.rows.index("it")
    shares = {noun: weights[row, maps.columns.index(noun)] for noun in ("animal", "street")}
    print(sentence, {noun: f"{share:.2f}" for noun, share in shares.items()})
    assert (shares["animal"] > 0.9) == (sentence == tired) != (shares["street"] > 0.9)
title = f"encoder, layer {layer + 1}, head {head + 1}: what “it” looks at"
figure = plot_query_in_map(weights, maps.rows, maps.columns, row, title=title)
show(figure, f"A row for each word; the framed one gives “animal” {shares['animal']:.2f}.")

# %% [markdown]
# One word decides: with "wide" the head looks at "street" and the translation says *sie*, with
# "tired" it looks at "animal" and the translation says *es*. The bars are the framed row of the
# map. This is all that attention is: weights that sum to 1, and that say how much of each word is
# mixed into the next step.
#
# Two sentences are an example: [notebook 06](06_attention_maps.ipynb) asks many, and shows all
# heads; [one page](../docs/decoding.md#interactive-page) shows everything at once, for any
# sentence.

# %% [markdown]
# ## A zero becomes a seven
#
# An autoencoder squeezes an image through a few numbers, its code, and paints it again. Here are
# 1,259 handwritten digits of 8 x 8 pixels, and 16 numbers for each. We train one, and look at ten
# digits that it was not trained on: after the first of 40 epochs, and after the last one.

# %%
import numpy as np

from tf_models import (
    Autoencoder,
    ReconstructionLoss,
    convolutional_decoder,
    convolutional_encoder,
    load_images,
)
from tf_models.plotting.images import plot_image_grid, plot_image_rows

digits = load_images("digits")
train, ten = digits.pixels(digits.train), digits.pixels(digits.test)[:10]
model = Autoencoder(convolutional_encoder((8, 8, 1), 16), convolutional_decoder((8, 8, 1), 16))
model.compile(optimizer=keras.optimizers.Adam(0.003), loss=ReconstructionLoss("mse"))
painted, errors = {"a digit": ten}, []
for name, epochs in (("after 1 epoch", 1), ("after 40 epochs", 39)):
    model.fit(train, train, batch_size=50, epochs=epochs, verbose=0)
    painted[name] = model(ten).numpy()
    errors.append(float(((painted[name] - ten) ** 2).sum(axis=(1, 2, 3)).mean()))
show(
    plot_image_rows(painted, "ten digits that training has not seen"),
    "Above the digits; in the middle grey clouds; below, ten digits that one can read.",
)
print(f"squared error of a digit: {errors[0]:.1f} after 1 epoch, {errors[1]:.1f} after 40")
assert errors[1] < errors[0] / 3
spread = [pixels.std(axis=0).mean() for pixels in painted.values()]  # from digit to digit
assert spread[1] < 0.2 * spread[0]
assert spread[2] > 0.8 * spread[0]

# %% [markdown]
# After one epoch the network paints the same cloud for all, about the mean of all digits. After 40
# it paints each digit from 16 numbers in place of 64, and the error has fallen to less than a
# third.
#
# Between the codes of two images lie other codes, and each of them is an image, too. Larger images
# show it better: a VAE for 28 x 28 pixels, with codes of 50 numbers, comes with the package.
# **Change** the 7 into another digit.

# %%
from tf_models import ImageModel

ready = ImageModel.ready_made("vae")
mnist = ready.origin.load_kept()
pixels, labels = mnist.pixels(mnist.test), mnist.test.labels
zero, seven = (pixels[labels == number][0] for number in (0, 7))
start, end = ready.encode(np.stack([zero, seven]))  # (50,) each
steps = np.linspace(0, 1, 9)[:, np.newaxis]
codes = start * (1 - steps) + end * steps  # (9, 50)

# %%
mixed = [zero * (1 - share) + seven * share for share in steps.ravel()]  # pixel by pixel
rows = np.stack([ready.decode(codes), mixed])
figure = plot_image_grid(rows, row_names=["codes", "pixels"], title="from a zero to a seven")
show(
    figure,
    "Above, the decoder paints each code on the way; below, one digit shines through the other.",
)
grey = ((rows[:, 4] > 0.2) & (rows[:, 4] < 0.8)).mean(axis=(1, 2, 3))  # in the middle of the way
print(f"grey pixels halfway: {grey[0]:.0%} with codes, {grey[1]:.0%} with pixels")
assert grey[0] < 0.5 * grey[1]

# %% [markdown]
# Halfway, the decoder paints one black stroke, and the mixture of pixels shows two pale digits at
# once: more than twice as many of its pixels are grey.

# %% [markdown]
# ## Three paths
#
# - **An hour on attention**: [02 Attention by hand](02_attention_by_hand.ipynb), then
#   [03 Positions and masks](03_positions_and_masks.ipynb),
#   [04 The Transformer, class by class](04_transformer.ipynb) and
#   [06 Attention maps](06_attention_maps.ipynb).
# - **Autoencoders**: [09 Einführung](09_autoencoder_einfuehrung.ipynb) (in German),
#   [10 Lecture 7](10_lecture_7.ipynb), [11 The variational autoencoder](11_vae.ipynb).
# - **All of it**: 01 to 12, in order, a weekend.
#
# Without notebooks: `python scripts/train_translator.py` trains a translator in five to eleven
# minutes, and [the README](../README.md#quick-start) says what you then see.

# %% [markdown]
# ## Words of the field
#
# | word | what it means here |
# |---|---|
# | token | what a text is cut into: a word, a piece of one, or a mark |
# | piece | a token of a subword model, such as "Hop" and "kins"; ▁ begins a word |
# | id | the number of a token in the vocabulary; 0 is padding |
# | embedding | the learnt vector of a token |
# | batch | the examples that are computed together |
# | step, epoch | one update of the weights; once through all training examples |
# | loss | the number that training makes small |
# | gradient | how the loss changes with each weight |
# | logit, softmax | a score; what turns scores into probabilities that sum to 1 |
# | query, key, value | what a token asks; what each token answers to; what it then hands over |
# | attention | weights from comparing a query with keys; the values are summed with them |
# | self-attention, cross-attention | within one sentence; from the translation to its source |
# | head | one attention with its own queries, keys and values; several work side by side |
# | layer | attention and a small network; a stack of layers is an encoder or a decoder |
# | encoder, decoder | what reads and makes vectors or a code; what writes or paints from them |
# | mask | which keys must not be looked at |
# | beam search | decoding that keeps the best few beginnings in place of one |
# | BLEU | how many short runs of words a translation shares with a human's, 0 to 100 |
# | code, latent | the few numbers between encoder and decoder; those that a VAE draws at random |
# | VAE | an autoencoder whose codes are distributions, so that it can make new images |
# | nat | the unit of information with natural logarithms: 1 nat is 1.44 bits |
# | KL | how far one distribution is from another, in nats |

# %% [markdown]
# ## Summary
#
# - A translator writes one token after the other; its attention says which source words each token
#   is made from.
# - A row of an attention map sums to 1. One head of the package looks from "it" at the noun that
#   "it" stands for.
# - An autoencoder learns to paint an image from a short code. A code between two codes gives one
#   image; a mean of two images shows both. A VAE turns an image into a distribution of codes, and a
#   code that is drawn at random becomes a new image.
#
# **Two sentences to remember**: Attention is a weighted mean whose weights the model computes from
# the words themselves. A code is what is left of an image when only a few numbers may pass.

# %% [markdown]
# ## Exercises
#
# **1.** Each row of an attention map is a row of weights. What is the sum of all the weights in the
# map above?


# %%
def check_1(answer):
    """The sum of all cells of the map."""
    assert abs(answer - weights.sum()) < 0.01, "count the rows"


# check_1(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# Every row sums to 1, so it is the number of rows, the English tokens.
#
# ```python
# check_1(len(maps.rows))
# ```
#
# </details>
#
# **2.** How many times smaller is the code of the VAE than its image?


# %%
def check_2(answer):
    """Numbers of an image for each number of its code."""
    assert abs(answer - zero.size / start.size) < 0.01, "an image has 28 rows of 28 pixels"


# check_2(0)

# %% [markdown]
# <details><summary>Answer</summary>
#
# 784 pixels, 50 numbers.
#
# ```python
# check_2(784 / 50)
# ```
#
# </details>
#
# **3.** Write `fade`, which returns the code that lies at `share` of the way from code `a` to code
# `b`: `a` itself at 0, `b` at 1.


# %%
def fade(a, b, share):
    return a  # your code


def check_3(function):
    """Against the nine codes above."""
    for share, code in zip(np.linspace(0, 1, 9), codes, strict=True):
        np.testing.assert_allclose(function(start, end, share), code, atol=1e-5)


# check_3(fade)

# %% [markdown]
# <details><summary>Answer</summary>
#
# ```python
# def fade(a, b, share):
#     return a + share * (b - a)
#
#
# check_3(fade)
# ```
#
# </details>
