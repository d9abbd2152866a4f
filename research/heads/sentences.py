"""Sentences of the embedded corpus with their alignment and relations."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from research.heads.word_alignment import Link
from tf_models.data.annotated import OTHERS, AnnotatedPair, link, read_annotated
from tf_models.data.corpora import EMBEDDED
from tf_models.errors import InputError
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.evaluate import corpus_names
from tf_models.translation.translate import Translator

# Kinds of relations (see `AnnotatedPair`), and the word that a head attends to if it follows them.
RELATIONS = {
    "reference": "noun_of_it",
    "subject": "subject_of_verb",
    "attribute": "noun_of_adjective",
}
Edges = Mapping[str, tuple[tuple[int, int], ...]]  # by relation: attending word, attended word


@dataclass(frozen=True)
class GoldSentence:
    """A pair, its word alignment, and its attention edges: which word would attend to which.

    alignment: (English word, German word).
    edges: by kind of attention. In the encoder a word is read, and attends to English words; in
        cross-attention a German word is written, and attends to English ones; in the decoder a
        German word is written, and attends to German ones that are written already.
    kind: what the sentence is a test of (see `AnnotatedPair`).
    """

    source: str
    target: str
    alignment: tuple[Link, ...]
    edges: Mapping[str, Edges]
    kind: str = OTHERS


def gold_sentence(pair: AnnotatedPair) -> GoldSentence:
    """Alignment and attention edges of a pair, its words counted as `split_words` does."""
    alignment = tuple(pair.links)
    english, german = (
        [(RELATIONS[kind], *link(words)) for kind, words in _relations(column)]
        for column in (pair.source_relations, pair.target_relations)
    )
    # "it's" is two words in German, of which one is the pronoun.
    pronouns = {word for name, word, _ in german if name == RELATIONS["reference"]}
    crossing = [
        (name, j, head)
        for name, word, head in english
        for i, j in alignment
        if i == word and (name != RELATIONS["reference"] or j in pronouns)
    ]
    written_already = [(name, word, head) for name, word, head in german if head < word]
    found = {"encoder": english, "decoder": written_already, "cross": crossing}
    edges = {kind: _by_name(links) for kind, links in found.items()}
    return GoldSentence(pair.source, pair.target, alignment, edges, pair.kind)


def _relations(column: str) -> list[list[str]]:
    """Kind, and word and its head, of each relation: ["subject", "2-1"]."""
    return [relation.split(":") for relation in column.split()]


def _by_name(links: list[tuple[str, int, int]]) -> Edges:
    names = RELATIONS.values()
    return {name: tuple((word, head) for one, word, head in links if one == name) for name in names}


def embedded_corpus_of(run_dir: Path) -> str:
    """The embedded corpus that a run was trained on; toy if it was another one."""
    names = corpus_names(RunDirectory(run_dir).read_config("translator"))
    return next(filter(EMBEDDED.__contains__, names), "toy")


def gold_sentences(
    translator: Translator, split: str, count: int, corpus: str = "toy"
) -> list[GoldSentence]:
    """The first sentences of a split of an embedded corpus, as far as the translator knows them.

    Args:
        translator: from English to German.
        split: "train", "validation" or "test".
        count: of the sentences; those that are too long for the model are left out.
        corpus: of `EMBEDDED`.

    Raises:
        InputError: the split has fewer, the translator is of other languages, or it can read none.
    """
    languages = translator.source.tokenizer.language, translator.target.tokenizer.language
    if languages != ("en", "de"):
        raise InputError(
            "the embedded sentences are English and German; "
            "received a translator from {} to {}".format(*languages)
        )
    pairs = [pair for pair in read_annotated(EMBEDDED[corpus])[1] if pair.split == split]
    if not 1 <= count <= len(pairs):
        raise InputError(f"{split} has {len(pairs)} sentences; received {count}")
    known = [
        pair
        for pair in map(gold_sentence, pairs[:count])
        if translator.source.can_encode(pair.source) and translator.target.can_encode(pair.target)
    ]
    if not known:
        raise InputError(f"the model can read none of the {count} sentences: they are too long")
    return known
