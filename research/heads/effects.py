"""Losses of a translator without one of its heads, or with one attention edge masked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from research.heads.forced_attention import padded
from research.heads.interventions import KINDS, Head, masked_states
from research.heads.sentences import RELATIONS, GoldSentence
from research.heads.word_alignment import words_of_pieces
from tf_models.data.annotated_pairs import BY_MEANING, BY_PLACE, pronoun_of
from tf_models.data.pairs import join_words, split_words
from tf_models.transformer.model import Transformer
from tf_models.translation.evaluate import exact_match, make_bleu
from tf_models.translation.translate import Translator

PRONOUNS = ("er", "sie", "es")
MARGIN = 10  # beyond the longest reference; a model without a head may never come to an end
_NOUN = RELATIONS["reference"]


class Quality(NamedTuple):
    """Of greedy translations, 0 to 100; None where no sentence can show it.

    pronouns: er, sie or es is right, in the sentences of both families; then in each of them.
    """

    pronouns: float | None
    pronouns_by_place: float | None
    pronouns_by_meaning: float | None
    exact_match: float
    bleu: float


def with_max_length(translator: Translator, sentences: Sequence[GoldSentence]) -> Translator:
    """The same model, which stops a little after the longest sentence."""
    sides = (translator.source, translator.target)
    texts = ([one.source for one in sentences], [one.target for one in sentences])
    lengths = [len(side.encode(t)) for side, of in zip(sides, texts, strict=True) for t in of]
    max_length = min(translator.max_length, max(lengths) + MARGIN)
    return Translator(translator.model, translator.tokenizers, max_length)


def translation_quality(translator: Translator, sentences: Sequence[GoldSentence]) -> Quality:
    """Translate the sentences with the weights that the model has now, and score them."""
    sources = [one.source for one in sentences]
    references = [one.target for one in sentences]
    hypotheses = [best.text for (best, *_) in translator.translate(sources, beam_size=1)]

    def accuracy(kinds: Sequence[str]) -> float | None:
        right = [
            pronoun_of(hypothesis) == pronoun_of(one.target)
            for hypothesis, one in zip(hypotheses, sentences, strict=True)
            if one.kind in kinds
        ]
        return 100 * sum(right) / len(right) if right else None

    bleu = make_bleu(translator.tokenizers.target.language)
    return Quality(
        *(accuracy(kinds) for kinds in ((BY_PLACE, BY_MEANING), (BY_PLACE,), (BY_MEANING,))),
        exact_match(hypotheses, references),
        bleu.corpus_score(hypotheses, [references]).score,
    )


@dataclass(frozen=True)
class PronounExamples:
    """Sentences up to the moment at which er, sie or es is written.

    inp: (n, inp_len). tar: what is read, (n, tar_len). rows: which of its tokens is read last, (n,)
    candidates: ids of `PRONOUNS`, (n, 3). right: which of them it is, (n,).
    noun: by kind of attention, 1 where the attending word meets the noun that it stands for,
        (n, rows, columns). other_word: the same with a random word in place of the noun.
    """

    inp: tf.Tensor
    tar: tf.Tensor
    rows: np.ndarray
    candidates: np.ndarray
    right: np.ndarray
    noun: Mapping[str, tf.Tensor]
    other_word: Mapping[str, tf.Tensor]


class Choice(NamedTuple):
    """How the right one of er, sie and es is chosen after the reference's own words.

    right: share of the sentences in which it is the likeliest of the three, 0 to 100.
    probability: that it has among the three, mean, 0 to 100.
    """

    right: float
    probability: float


class PronounChoice:
    """Chooses er, sie or es, with attention edges of some heads masked.

    Args:
        network: built.
        examples: of ids that it knows.
    """

    def __init__(self, network: Transformer, examples: PronounExamples):
        self._network, self._examples = network, examples
        self._compiled = tf.function(self._probabilities, reduce_retracing=True)

    def measure(
        self, masked: Collection[Head] = (), edges: Mapping[str, tf.Tensor] | None = None
    ) -> Choice:
        """Choose while these edges of the heads are masked (`PronounExamples.noun` if left out)."""
        shape = self._network.encoder.num_layers, self._network.encoder.num_heads
        heads = {kind: np.zeros(shape, np.float32) for kind in KINDS}
        for head in masked:
            heads[head.kind][head.layer - 1, head.number - 1] = 1
        of_heads = {kind: tf.constant(values) for kind, values in heads.items()}
        found = self._compiled(of_heads, dict(edges or self._examples.noun)).numpy()  # (n, 3)
        right = self._examples.right
        chosen = found[np.arange(len(right)), right]
        return Choice(
            100 * float(np.mean(found.argmax(axis=-1) == right)), 100 * float(chosen.mean())
        )

    def _probabilities(self, heads, edges) -> tf.Tensor:
        examples = self._examples
        masked = {  # (n, layers, heads, rows, columns)
            kind: heads[kind][:, :, tf.newaxis, tf.newaxis] * edges[kind][:, tf.newaxis, tf.newaxis]
            for kind in KINDS
        }
        states = masked_states(self._network, examples.inp, examples.tar, masked)
        last = tf.gather(states, examples.rows[:, np.newaxis], batch_dims=1)  # (n, 1, d_model)
        logits = self._network.final_layer(last)[:, 0]  # (n, vocabulary)
        return tf.nn.softmax(tf.gather(logits, examples.candidates, batch_dims=1))  # (n, 3)


def pronoun_examples(
    translator: Translator, sentences: Sequence[GoldSentence], random: np.random.Generator
) -> PronounExamples | None:
    """The sentences whose pronoun stands for a noun of theirs; None if there are none.

    Args:
        translator: whose tokenizers cut them into pieces.
        sentences: those without such a pronoun are left out.
        random: chooses the other words.
    """
    found = [
        example
        for sentence in sentences
        if sentence.edges["cross"][_NOUN]
        and (example := _example(translator, sentence, random)) is not None
    ]
    if not found:
        return None
    inp, tar = (padded([getattr(one, side) for one in found]) for side in ("inp", "tar"))
    lengths = {"encoder": (inp, inp), "decoder": (tar, tar), "cross": (tar, inp)}
    masks = [
        {
            kind: _mask([one.edges[kind][i] for one in found], *(ids.shape[1] for ids in sides))
            for kind, sides in lengths.items()
        }
        for i in (0, 1)
    ]
    numbers = (np.array([getattr(one, name) for one in found]) for name in _Example._fields[2:5])
    return PronounExamples(inp, tar, *numbers, *masks)


Edge = tuple[list[int], list[int]]  # rows and columns


class _Example(NamedTuple):
    """One of `PronounExamples`; `edges`: for each kind one to the noun, one to another word."""

    inp: list[int]
    tar: list[int]
    row: int
    candidates: list[int]
    right: int
    edges: dict[str, tuple[Edge, Edge]]


def _example(
    translator: Translator, sentence: GoldSentence, random: np.random.Generator
) -> _Example | None:
    """None if the pronoun is another one, or its first piece does not tell which one it is."""
    words = split_words(sentence.target)
    place, noun = sentence.edges["cross"][_NOUN][0]
    if words[place] not in PRONOUNS:
        return None
    tokenizers = translator.tokenizers
    inp, tar = translator.source.encode(sentence.source), translator.target.encode(sentence.target)
    read = words_of_pieces(tokenizers.source.tokens(inp), split_words(sentence.source))
    written = words_of_pieces(tokenizers.target.tokens(tar), words)
    if place not in written or noun not in read:
        return None
    first = written.index(place)
    with_each = [join_words([*words[:place], one, *words[place + 1 :]]) for one in PRONOUNS]
    candidates = [tokenizers.target.encode(text)[first] for text in with_each]
    if len(set(candidates)) < len(PRONOUNS):
        return None
    row = first - 1  # the token before is read when it is written
    columns = {"encoder": read, "decoder": written[: row + 1], "cross": read}
    edges = {}
    for kind in KINDS:
        query, of_noun = (sentence.edges[kind][_NOUN] or ((None, None),))[0]
        rows = _places(read, query) if kind == "encoder" else [row]
        others = sorted({*columns[kind]} - {None, query, of_noun}, key=str)
        other = others[random.integers(len(others))] if others else None
        edges[kind] = tuple((rows, _places(columns[kind], word)) for word in (of_noun, other))
    return _Example(inp, tar[:-1], row, candidates, PRONOUNS.index(words[place]), edges)


def _places(words: Sequence[int | None], wanted: int | None) -> list[int]:
    """The pieces of a word; none for no word."""
    return [i for i, word in enumerate(words) if word == wanted and word is not None]


def _mask(edges: Sequence[Edge], rows: int, columns: int) -> tf.Tensor:
    """(n, rows, columns), 1 on the edges."""
    mask = np.zeros((len(edges), rows, columns), np.float32)
    for i, edge in enumerate(edges):
        mask[(i, *np.ix_(*edge))] = 1
    return tf.constant(mask)
