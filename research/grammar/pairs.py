"""The endless stream of English-German pairs, and what each tells of itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from research.grammar import names
from research.grammar.entries import Noun
from research.grammar.even_random import EvenRandom
from research.grammar.linearise import Written, contracted, other_translations, typed, write
from research.grammar.pronoun_families import Reference
from research.grammar.sampling import draw_sentence
from research.grammar.syntax import Bare, Count, Phrase, PlaceName, ProperName, Sentence, nodes_of
from research.grammar.vocabulary import Vocabulary
from tf_models.data.embedded.annotated_pairs import OTHERS, UNSEEN

_LONG_FORMS = (
    *(("can't", "cannot"), ("won't", "will not"), ("n't", " not"), ("cannot", "can not")),
    *(("'m ", " am "), ("'re ", " are "), ("'ll ", " will "), ("'ve ", " have ")),
)


@dataclass(frozen=True)
class Pair:
    """A tree that is read out in both languages when it is asked to: that takes most of the time.

    reference: of a sentence of the two pronoun families.
    is_contracted: whether it says "I'm" for 'I am'. has_stop: whether its full stop is written.
    in_small_letters: as one types: 'i am a student'.
    """

    tree: Sentence
    construction: str
    reference: Reference | None
    is_contracted: bool
    has_stop: bool
    in_small_letters: bool = False

    @cached_property
    def _plain(self) -> Written:
        return write(self.tree)

    @cached_property
    def written(self) -> Written:
        """Both sentences, word by word."""
        written = contracted(self._plain) if self.is_contracted else self._plain
        if self.in_small_letters:
            written = typed(written, self._names)
        if written.english.endswith(".") and not self.has_stop:
            return Written(written.source[:-1], written.target[:-1])
        return written

    @cached_property
    def source(self) -> str:
        """The English sentence."""
        return self.written.english

    @cached_property
    def target(self) -> str:
        """Its German translation."""
        return self.written.german

    @cached_property
    def key(self) -> str:
        """What a sentence has in common with its contracted form: "He's tired", "He is tired."

        It is read off the sentence before it is contracted, as "'s" is 'is', 'has' or a genitive.
        """
        return spelling_key(self._plain.english)

    @property
    def others(self) -> tuple[str, ...]:
        """Other translations that are as good, with a full stop where this one has it."""
        others = other_translations(self.tree)
        if self.target[-1] not in ".?!":
            others = tuple(sentence[:-1] for sentence in others)
        return tuple(sentence for sentence in others if sentence != self.target)

    @cached_property
    def _nodes(self) -> tuple[object, ...]:
        return tuple(nodes_of(self.tree))

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words of names of people and places."""
        named = (node for node in self._nodes if isinstance(node, ProperName | PlaceName))
        names_of = (getattr(node, "english", None) or node.name for node in named)
        return frozenset(word for name in names_of for word in name.split())

    @cached_property
    def nouns(self) -> frozenset[str]:
        """English lemmas of its nouns."""
        return frozenset(node.english for node in self._nodes if isinstance(node, Noun))

    @cached_property
    def held_out_tokens(self) -> frozenset[str]:
        """The held-out names and numbers in it."""
        return frozenset(filter(names.is_held_out, _copied_words(self._nodes)))

    @cached_property
    def kind(self) -> str:
        """BY_PLACE, BY_MEANING, UNSEEN or OTHERS: what it is a test of."""
        if self.reference is not None:
            return self.reference.family
        return UNSEEN if self.held_out_tokens else OTHERS

    @property
    def recurs(self) -> bool:
        """Whether training may say it again: 'Good morning!', or one of the families of 'it'.

        Of the families there are no more than some 100,000 sentences, and the last ones would be
        long in coming.
        """
        return isinstance(self.tree, Phrase) or self.reference is not None

    @property
    def is_fixed(self) -> bool:
        """Whether it can only be learnt by heart."""
        return isinstance(self.tree, Phrase) and not self.tree.fillers


def stream(
    seed: int,
    constructions: Mapping[str, float] | None = None,
    vocabulary: Vocabulary | None = None,
) -> Iterator[Pair]:
    """An endless stream, in which sentences recur.

    Args:
        seed: of the sentences.
        constructions: see `draw_sentence`.
        vocabulary: of which all words are; the whole lexicon's if left out.
    """
    rng = EvenRandom(seed, vocabulary)
    while True:
        tree, construction, reference = draw_sentence(rng, constructions)
        if vocabulary and not vocabulary.has_all(tree):
            continue
        is_contracted = rng.chance("written.contracted")
        has_stop = not rng.chance("written.without_full_stop")
        is_typed = rng.chance("written.in_small_letters")
        has_stop = has_stop and not is_typed
        yield Pair(tree, construction, reference, is_contracted, has_stop, is_typed)


def distinct_pairs(count: int, seed: int = 0) -> list[Pair]:
    """`count` pairs with sources that differ in more than a contraction.

    A longer list starts with the shorter one.
    """
    found: dict[str, Pair] = {}
    for pair in stream(seed):
        if len(found) == count:
            break
        found.setdefault(pair.key, pair)
    return list(found.values())


def _copied_words(nodes: Iterable[object]) -> Iterator[str]:
    """Names and numbers of a sentence, which are the same in both languages."""
    for node in nodes:
        if isinstance(node, ProperName):
            yield from node.name.split()
        elif isinstance(node, PlaceName | Bare) and node.english == node.german:
            # "golden" is the same in both languages, too, but no name.
            yield from (word for word in node.english.split() if not word[0].islower())
        elif isinstance(node, Count) and not node.spelled:
            yield str(node.number)


def spelling_key(source: str) -> str:
    """An English sentence in its long forms, without a full stop."""
    spelled = source.removesuffix(".")
    for short, long in _LONG_FORMS:
        spelled = spelled.replace(short, long)
    return spelled
