"""Diagrams of the articles' networks, with sizes or symbols as arguments.

Each is a list of boxes and arrows. Data flows upwards, or from left to right.
"""

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.figure import Figure

from tf_models.plotting.architecture import Arrow, Box, plot_architecture

SizeOrSymbol = int | str


def _chain(*names: str) -> list[Arrow]:
    """Arrows from each box to the next."""
    return [Arrow(*ends) for ends in pairwise(names)]


def plot_attention_head(
    *,
    len_q: SizeOrSymbol = "len_q",
    len_k: SizeOrSymbol = "len_k",
    d_model: SizeOrSymbol = "d_model",
    depth: SizeOrSymbol = "d_k",
) -> Figure:
    """One head: three projections, scores, softmax, weighted sum of values."""
    boxes = {
        "queries": Box(f"words that ask\n{len_q} × {d_model}", (0, 0)),
        "keys": Box(f"words that are asked\n{len_k} × {d_model}", (1.5, 0)),
        "Q": Box(f"Q: times W_Q\n{len_q} × {depth}", (0, 1), "encoder"),
        "K": Box(f"K: times W_K\n{len_k} × {depth}", (1, 1), "encoder"),
        "V": Box(f"V: times W_V\n{len_k} × {depth}", (2, 1), "decoder"),
        "scores": Box(f"scores Q Kᵀ\n{len_q} × {len_k}", (0.5, 2)),
        "scaled": Box(f"divided by √{depth}\n{len_q} × {len_k}", (0.5, 3)),
        "masked": Box("plus mask · (−10⁹)\n1 = blocked", (0.5, 4)),
        "weights": Box(f"softmax: weights\n{len_q} × {len_k}", (0.5, 5), "code"),
        "output": Box(f"weights times V\n{len_q} × {depth}", (2, 5), "decoder"),
    }
    arrows = [
        *_chain("queries", "Q", "scores", "scaled", "masked", "weights", "output"),
        *_chain("keys", "K", "scores"),
        *_chain("keys", "V", "output"),
    ]
    caption = (
        "Every query is multiplied with every key; each row of weights sums to 1 and says how much "
        "of each value the output has. In self-attention the same words ask and are asked."
    )
    title = "one head of scaled dot-product attention"
    return plot_architecture(boxes, arrows, title=title, caption=caption)


def plot_transformer_layers(
    *,
    inp_len: SizeOrSymbol = "inp_len",
    tar_len: SizeOrSymbol = "tar_len",
    d_model: SizeOrSymbol = "d_model",
    dff: SizeOrSymbol = "dff",
    num_heads: SizeOrSymbol = "h",
) -> Figure:
    """An encoder layer beside the decoder layer that reads its output."""
    source, target = f"{inp_len} × {d_model}", f"{tar_len} × {d_model}"
    ffn = f"ffn\n{d_model} → {dff} → {d_model}"
    boxes = {
        "source": Box(f"x: source words\n{source}", (0, 0)),
        "mha": Box(f"mha: {num_heads} heads of\n{inp_len} × {inp_len} weights", (0, 1), "encoder"),
        "source norm 1": Box(f"add, layernorm1\n{source}", (0, 2)),
        "source ffn": Box(ffn, (0, 3), "code"),
        "source norm 2": Box(f"add, layernorm2\n{source}", (0, 4)),
        "target": Box(f"x: target words\n{target}", (1.4, 0)),
        "mha1": Box(
            f"mha1, masked: {num_heads} heads\nof {tar_len} × {tar_len} weights",
            (1.4, 1),
            "decoder",
        ),
        "target norm 1": Box(f"add, layernorm1\n{target}", (1.4, 2)),
        "mha2": Box(
            f"mha2: {num_heads} heads of\n{tar_len} × {inp_len} weights", (1.4, 3), "decoder"
        ),
        "target norm 2": Box(f"add, layernorm2\n{target}", (1.4, 4)),
        "target ffn": Box(ffn, (1.4, 5), "code"),
        "target norm 3": Box(f"add, layernorm3\n{target}", (1.4, 6)),
    }
    sublayers = ["target", "target norm 1", "target norm 2", "target norm 3"]
    arrows = [
        *_chain("source", "mha", "source norm 1", "source ffn", "source norm 2"),
        *_chain("target", "mha1", "target norm 1", "mha2", "target norm 2", "target ffn"),
        Arrow("target ffn", "target norm 3"),
        Arrow("source norm 2", "mha2", "keys, values"),
        *(Arrow(*ends, detour=0.6) for ends in pairwise(sublayers)),
        Arrow("source", "source norm 1", detour=-0.6),
        Arrow("source norm 1", "source norm 2", detour=-0.6),
    ]
    caption = (
        "The input of each sublayer also goes around it, and is added to its output. The keys and "
        "values of mha2 come from the last encoder layer, its queries from the decoder."
    )
    title = "an encoder layer (left) and a decoder layer"
    return plot_architecture(boxes, arrows, title=title, caption=caption)


def plot_bahdanau_decoder(
    *,
    inp_len: SizeOrSymbol = "n",
    units: SizeOrSymbol = "units",
    embedding: SizeOrSymbol = "d",
    vocab: SizeOrSymbol = "vocabulary",
) -> Figure:
    """One step of a GRU decoder with additive attention."""
    boxes = {
        "annotations": Box(f"annotations h_j\n{inp_len} × 2 · {units}", (0, 0), "encoder"),
        "scores": Box(f"V tanh(W1 s + W2 h_j)\n{inp_len} scores", (0, 1), "code"),
        "weights": Box(f"softmax: weights α_ij\n{inp_len}", (0, 2), "code"),
        "context": Box(f"c_i = Σ α_ij h_j\n2 · {units}", (0, 3), "encoder"),
        "state": Box(f"state s_(i−1)\n{units}", (1, 0), "decoder"),
        "gru": Box(f"GRU: state s_i\n{units}", (1, 3), "decoder"),
        "word": Box(f"word y_(i−1)\n{embedding}", (2, 0)),
        "logits": Box(f"logits of y_i\n{vocab}", (1, 4)),
    }
    arrows = [
        *_chain("annotations", "scores", "weights", "context", "gru", "logits"),
        *_chain("state", "scores"),
        *_chain("state", "gru"),
        *_chain("word", "gru"),
        *_chain("context", "logits"),
        Arrow("annotations", "context", detour=-0.55),
        Arrow("word", "logits", detour=0.55),
    ]
    caption = (
        "The state asks, the annotations answer. The context c_i is a new mean of them at each "
        "word, so that a long sentence need not fit into one vector."
    )
    title = "one step of Bahdanau's decoder"
    return plot_architecture(boxes, arrows, title=title, caption=caption)


def plot_answering(
    *,
    facts: SizeOrSymbol = "n",
    hops: SizeOrSymbol = "K",
    units: SizeOrSymbol = "units",
    lstm_units: SizeOrSymbol = "units",
    answers: SizeOrSymbol = "vocabulary",
) -> Figure:
    """Two networks that answer: an LSTM alone, and attention to facts."""
    answer = f"answer: logits\n{answers}"
    boxes = {
        "words": Box("words of all facts,\nthen of the question", (0, 0)),
        "lstm": Box(f"LSTM\n{lstm_units}", (0, 1), "encoder"),
        "last": Box(f"last state h_n, c_n\n2 × {lstm_units}", (0, 2), "code"),
        "writer": Box(f"LSTM decoder\n{lstm_units}", (0, 4), "decoder"),
        "first answer": Box(answer, (0, 5)),
        "facts": Box(f"{facts} facts", (1, 0)),
        "annotations": Box(f"a vector for each fact\n{facts} × 2 · {units}", (1, 1), "encoder"),
        "question": Box("question", (2, 0)),
        "query": Box(f"state z_0\n{units}", (2, 1), "encoder"),
        "attention": Box(f"attention and GRU,\n{hops} times {facts} weights", (2, 2), "code"),
        "hop": Box(f"state z_{hops}\n{units}", (2, 3), "code"),
        "reader": Box(f"GRU decoder with\nattention, {units}", (1, 4), "decoder"),
        "second answer": Box(answer, (1, 5)),
    }
    arrows = [
        *_chain("words", "lstm", "last", "writer", "first answer"),
        *_chain("facts", "annotations", "reader", "second answer"),
        *_chain("question", "query", "attention", "hop", "reader"),
        *_chain("question", "annotations", "attention"),
    ]
    caption = (
        "Left, everything that was read must fit into one state. Right, each fact keeps a vector "
        "of its own, and attention takes what the question needs."
    )
    title = "two networks that answer a question about a story"
    return plot_architecture(boxes, arrows, title=title, caption=caption)


def plot_vae(
    *, pixels: SizeOrSymbol = "D", hidden: SizeOrSymbol = "hidden", latents: SizeOrSymbol = "K"
) -> Figure:
    """A variational autoencoder with both terms of its loss."""
    boxes = {
        "x": Box(f"image x\n{pixels}", (0, 1)),
        "encoder": Box(f"encoder\n{hidden}", (0.8, 1), "encoder"),
        "q": Box(f"means μ, deviations σ\n2 × {latents}", (1.6, 1), "code"),
        "noise": Box(f"noise ε ~ N(0, 1)\n{latents}", (2.4, 0)),
        "z": Box(f"z = μ + σ ε\n{latents}", (2.4, 1), "code"),
        "decoder": Box(f"decoder\n{hidden}", (3.2, 1), "decoder"),
        "y": Box(f"image x̂\n{pixels}", (4, 1)),
        "KL": Box("KL of N(μ, σ²)\nfrom N(0, 1)", (1.6, 2)),
        "reconstruction": Box("reconstruction:\n−log p(x | z)", (4, 2)),
    }
    arrows = [
        *_chain("x", "encoder", "q", "z", "decoder", "y"),
        *_chain("noise", "z"),
        Arrow("q", "KL", dashed=True),
        Arrow("y", "reconstruction", dashed=True),
    ]
    caption = (
        "Dashed: the two terms of the loss. The encoder gives a distribution of codes, not a code. "
        "For a new image one draws z from N(0, 1) and runs the decoder alone."
    )
    title = "a variational autoencoder"
    return plot_architecture(boxes, arrows, title=title, caption=caption)


def plot_hierarchical_vae(
    *, image: SizeOrSymbol = "image", latents: Sequence[SizeOrSymbol] = ("latents",) * 3
) -> Figure:
    """Features upwards, groups of `latents` downwards."""
    groups = range(1, len(latents) + 1)
    boxes = {
        "x": Box(f"image x\n{image}", (0, 0)),
        "state 0": Box("a learnt constant", (2, len(latents) + 1)),
        "y": Box(f"image x̂\n{image}", (2, 0)),
    }
    arrows = [
        *_chain("x", *(f"features {i}" for i in reversed(groups))),
        *_chain("state 0", *(f"state {i}" for i in groups), "y"),
    ]
    for i, size in enumerate(latents, start=1):
        row = len(latents) + 1 - i
        boxes |= {
            f"features {i}": Box(f"features for group {i}", (0, row), "encoder"),
            f"group {i}": Box(f"z_{i}: given x and\nthe state, {size}", (1, row), "code"),
            f"state {i}": Box(f"state + z_{i},\ndecoder cells", (2, row), "decoder"),
        }
        arrows += _chain(f"features {i}", f"group {i}", f"state {i}")
        arrows += _chain(f"state {i - 1}", f"group {i}")
    caption = (
        "Left, upwards: features of the image. Right, downwards: each group of latents is drawn "
        "given the state, which knows the groups before. For a new image each group is drawn from "
        "its prior, which sees the state alone."
    )
    title = f"a hierarchical VAE of {len(latents)} groups of latents"
    return plot_architecture(boxes, arrows, title=title, caption=caption)
