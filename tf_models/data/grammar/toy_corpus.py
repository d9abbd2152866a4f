"""The embedded corpus: distinct English-German pairs, and splits that hold out what is tested.

Held out of training are a fifth of the noun pairs of the family by place, some of the combinations
of noun and adjective of the family by meaning, and a share of all names and numbers.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice

from tqdm import tqdm

from tf_models.data.grammar import names
from tf_models.data.grammar.lexicon import Noun
from tf_models.data.grammar.linearise import (
    Written,
    contracted,
    other_translations,
    write,
)
from tf_models.data.grammar.pronoun_families import (
    BY_MEANING,
    BY_PLACE,
    Reference,
    family_noun_pairs,
)
from tf_models.data.grammar.sampling import sentence_sampler
from tf_models.data.grammar.syntax import (
    Bare,
    Count,
    Phrase,
    PlaceName,
    ProperName,
    Sentence,
    nodes_of,
)
from tf_models.data.text.article_sentences import DIRECTOR, HOPKINS, IT_STANDS_FOR
from tf_models.data.text.room import check_memory_for
from tf_models.errors import InputError

_STATEMENTS = (DIRECTOR, *IT_STANDS_FOR)
HELD_OUT_SENTENCES = (
    *_STATEMENTS,
    HOPKINS,
    *(sentence.removesuffix(".") for sentence in _STATEMENTS),
)
"""The sentences the articles translate; they never stand in training or validation."""

_ARTICLE_NAMES = ("Anthony Hopkins", "Michael Bay")
_ARTICLE_NOUN_PAIR = ("animal", "street")
_WITHOUT_FULL_STOP = 0.04
_CONTRACTED = 0.35
COPIES = "unseen names and numbers"
OTHERS = "others"
# Kind of sentence -> its share of each split.
_SHARES = {BY_PLACE: 0.08, BY_MEANING: 0.06}
_SHARE_OF_COPIES = 0.15  # of validation and test
_SPLITS = ("train", "validation", "test")
# After so many without a new pair (some minutes) none is expected.
_MOST_FRUITLESS_DRAWS = 1_000_000


_LONG_FORMS = (
    *(("can't", "cannot"), ("won't", "will not"), ("n't", " not"), ("cannot", "can not")),
    *(("'m ", " am "), ("'re ", " are "), ("'ll ", " will "), ("'ve ", " have ")),
)


@dataclass(frozen=True)
class ToyPair:
    """An English sentence, its German translation and what the corpus knows about them.

    copies: the held-out names and numbers in it.
    reference: of a sentence of the two pronoun families.
    """

    source: str
    target: str
    construction: str
    nouns: frozenset[str]
    copies: frozenset[str]
    reference: Reference | None
    written: Written = field(repr=False, compare=False)
    tree: Sentence = field(repr=False, compare=False)

    @property
    def others(self) -> tuple[str, ...]:
        """Other translations that are as good, with a full stop where this one has it."""
        others = other_translations(self.tree)
        if self.target[-1] not in ".?!":
            others = tuple(sentence[:-1] for sentence in others)
        return tuple(sentence for sentence in others if sentence != self.target)

    @property
    def kind(self) -> str:
        """BY_PLACE, BY_MEANING, COPIES or OTHERS: what it is a test of."""
        return _kind_of(self.reference, self.copies)


def _kind_of(reference: Reference | None, copies: frozenset[str]) -> str:
    if reference is not None:
        return reference.family
    return COPIES if copies else OTHERS


@dataclass(frozen=True)
class ToySplits:
    """Training, validation and test pairs."""

    train: list[ToyPair] = field(default_factory=list)
    validation: list[ToyPair] = field(default_factory=list)
    test: list[ToyPair] = field(default_factory=list)


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """No search for garbage: it takes a third of the time, to find millions of living words."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_without_garbage_collection()
def generate_pairs(count: int, seed: int = 0) -> list[ToyPair]:
    """`count` pairs with sources that differ in more than a contraction.

    A longer list starts with the shorter one.
    """
    found: dict[str, ToyPair] = {}
    for drawn in _drawn(seed):
        if len(found) == count:
            break
        if drawn.key not in found:
            found[drawn.key] = drawn.pair
    return list(found.values())


@dataclass(frozen=True)
class Selection:
    """Sentences of some groups only, each group with the same share of each split.

    groups: their names.
    group_of: (tree, reference) -> the group of a sentence, None for one that is left out.
    constructions: how often each one is drawn (see `SentenceSampler.sentence`).
    """

    groups: tuple[str, ...]
    group_of: Callable[[Sentence, Reference | None], str | None]
    constructions: Mapping[str, float]


@_without_garbage_collection()
def toy_splits(
    train: int,
    validation: int,
    test: int,
    seed: int = 0,
    selection: Selection | None = None,
    progress: bool = False,
) -> ToySplits:
    """Splits of the given sizes that share no sentence.

    Validation and test have noun pairs, combinations of noun and adjective, names and numbers that
    no training sentence has (see the module). Their sentences are distinct; so are those of
    training but for the conventional ones, which recur as they do in life, and the two families.

    Args:
        train, validation, test: sizes.
        seed: of the sentences.
        selection: what they are of; everything, in the shares of the corpus, if left out.
        progress: whether to show a bar.

    Raises:
        InputError: there are fewer such sentences than a split would need, or memory has no room.
    """
    splits = ToySplits()
    sizes = {"train": train, "validation": validation, "test": test}
    check_memory_for(sum(sizes.values()))
    hidden = None if progress else True
    placed = _placed(sizes, seed, selection)
    for split, pair in tqdm(
        placed, "making sentences", sum(sizes.values()), unit=" pairs", disable=hidden
    ):
        getattr(splits, split).append(pair)
    return splits


@_without_garbage_collection()
def first_of_split(split: str, count: int, sizes: dict[str, int], seed: int = 0) -> list[ToyPair]:
    """The first `count` pairs of one of the `toy_splits` of these sizes.

    Raises:
        InputError: the split has fewer pairs, there are fewer such sentences, or memory has no
            room.
    """
    if count > sizes[split]:
        raise InputError(f"{split} has {sizes[split]} pairs; received {count}")
    check_memory_for(count)
    pairs = (pair for home, pair in _placed(sizes, seed) if home == split)
    return list(islice(pairs, count))


def _placed(
    sizes: dict[str, int], seed: int, selection: Selection | None = None
) -> Iterator[tuple[str, ToyPair]]:
    """Pairs with their split, in the order in which they are drawn, until all splits are full."""
    room = _even_rooms(sizes, selection.groups) if selection else _rooms(sizes)
    left, fruitless = sum(sizes.values()), 0
    home: dict[str, str] = {}
    stream = _drawn(seed, selection)
    while left:
        if fruitless == _MOST_FRUITLESS_DRAWS:
            raise InputError(_too_few(room, sizes))
        drawn, fruitless = next(stream), fruitless + 1
        split = _split_with_room(drawn, home, room)
        if split is None:
            continue
        home[drawn.key] = split
        room[split, drawn.group] -= 1
        left, fruitless = left - 1, 0
        yield split, drawn.pair


def _split_with_room(
    drawn: _Drawn, home: dict[str, str], room: Counter[tuple[str, str]]
) -> str | None:
    """Where it goes: training takes again what recurs, nothing else takes what is placed."""
    if not any(room[split, drawn.group] for split in _SPLITS):
        return None
    if drawn.key in home:
        split = "train" if drawn.recurs and home[drawn.key] == "train" else None
    else:
        split = _split_of(drawn, room)
    return split if split is not None and room[split, drawn.group] else None


def _too_few(room: Counter[tuple[str, str]], sizes: dict[str, int]) -> str:
    lacking = (f"{count} of {kind!r} in {split}" for (split, kind), count in room.items() if count)
    received = ", ".join(f"{split}={size}" for split, size in sizes.items())
    return (
        f"the grammar has too few sentences of a kind: still wanted {'; '.join(lacking)}; "
        f"received {received}; ask for fewer"
    )


@dataclass(frozen=True)
class _Drawn:
    """A sentence that is not written yet, since there may be no room for it."""

    tree: Sentence
    construction: str
    reference: Reference | None
    nodes: tuple[object, ...]
    is_contracted: bool
    has_stop: bool
    selection: Selection | None = None

    @cached_property
    def group(self) -> str | None:
        """What there is room for, or not: its kind, or the group of a selection."""
        if self.selection:
            return self.selection.group_of(self.tree, self.reference)
        return self.kind

    @cached_property
    def copies(self) -> frozenset[str]:
        return frozenset(filter(names.is_held_out, _copied_words(self.nodes)))

    @cached_property
    def kind(self) -> str:
        """The same as that of the pair."""
        return _kind_of(self.reference, self.copies)

    @cached_property
    def _plain(self) -> Written:
        return write(self.tree)

    @cached_property
    def key(self) -> str:
        """What a sentence has in common with its contracted form: "He's tired", "He is tired."

        It is read off the sentence before it is contracted, as "'s" is 'is', 'has' or a genitive.
        """
        return _spelling_key(self._plain.english)

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

    @cached_property
    def pair(self) -> ToyPair:
        """The two sentences; writing them takes most of the time."""
        written = contracted(self._plain) if self.is_contracted else self._plain
        if written.english.endswith(".") and not self.has_stop:
            written = Written(written.source[:-1], written.target[:-1])
        nouns = frozenset(node.english for node in self.nodes if isinstance(node, Noun))
        texts = written.english, written.german
        facts = self.construction, nouns, self.copies, self.reference
        return ToyPair(*texts, *facts, written, self.tree)


def _drawn(seed: int, selection: Selection | None = None) -> Iterator[_Drawn]:
    """An endless stream."""
    sampler = sentence_sampler(seed)
    constructions = selection.constructions if selection else None
    while True:
        tree, construction, reference = sampler.sentence(constructions)
        is_contracted = sampler.chance(_CONTRACTED)
        has_stop = not sampler.chance(_WITHOUT_FULL_STOP)
        nodes = tuple(nodes_of(tree))
        yield _Drawn(tree, construction, reference, nodes, is_contracted, has_stop, selection)


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


def _spelling_key(source: str) -> str:
    spelled = source.removesuffix(".")
    for short, long in _LONG_FORMS:
        spelled = spelled.replace(short, long)
    return spelled


@cache
def _article_keys() -> frozenset[str]:
    return frozenset(_spelling_key(sentence) for sentence in HELD_OUT_SENTENCES)


def _rooms(sizes: dict[str, int]) -> Counter[tuple[str, str]]:
    """How many pairs of each kind each split still takes."""
    rooms: Counter[tuple[str, str]] = Counter()
    for split, size in sizes.items():
        shares = _SHARES if split == "train" else _SHARES | {COPIES: _SHARE_OF_COPIES}
        for kind, share in shares.items():
            rooms[split, kind] = round(size * share)
        rooms[split, OTHERS] = size - sum(rooms[split, kind] for kind in shares)
    return rooms


def _even_rooms(sizes: dict[str, int], groups: tuple[str, ...]) -> Counter[tuple[str, str]]:
    """The same for all groups; the first ones take what is left over."""
    rooms: Counter[tuple[str, str]] = Counter()
    for split, size in sizes.items():
        whole, rest = divmod(size, len(groups))
        for i, group in enumerate(groups):
            rooms[split, group] = whole + (i < rest)
    return rooms


def _split_of(drawn: _Drawn, room: Counter[tuple[str, str]]) -> str | None:
    """The split a pair goes to, None if it fits nowhere."""
    for split in ("train",) if drawn.is_fixed else _candidates(drawn, room):
        if room[split, drawn.group] > 0 and not (split != "test" and _is_reserved(drawn)):
            return split
    return None


def _candidates(drawn: _Drawn, room: Counter[tuple[str, str]]) -> tuple[str, ...]:
    pair = drawn.pair
    if pair.kind == BY_PLACE:
        return (held_out_split(pair.reference.noun_pair) or "train",)
    if pair.kind == BY_MEANING:
        return _one_of_two(pair.source) if pair.reference.is_held_out else ("train",)
    if pair.kind == COPIES:
        return _one_of_two(pair.source)
    return () if _has_held_out_nouns(pair.nouns) else _by_hash(pair.source, drawn.group, room)


def _one_of_two(source: str) -> tuple[str, ...]:
    return ("test", "validation") if _stable_hash(source) % 3 else ("validation", "test")


def _by_hash(source: str, group: str, room: Counter[tuple[str, str]]) -> tuple[str, ...]:
    """A stable order of the splits in proportion to the room they have left for the group."""
    splits = [split for split in _SPLITS if room[split, group] > 0]
    if not splits:
        return ()
    total = sum(room[split, group] for split in splits)
    draw = _stable_hash(source) % total
    for split in splits:
        draw -= room[split, group]
        if draw < 0:
            return (split,)
    return ()


def _is_reserved(drawn: _Drawn) -> bool:
    """Whether the pair is (or gives away) a sentence of the articles."""
    has_names = all(name in drawn.pair.source for name in _ARTICLE_NAMES)
    return has_names or drawn.key in _article_keys()


def _stable_hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def held_out_split(noun_pair: tuple[str, str]) -> str | None:
    """'validation' or 'test' for the held-out fifth of the noun pairs, else None."""
    if noun_pair == _ARTICLE_NOUN_PAIR:
        return "test"
    bucket = _stable_hash("|".join(noun_pair)) % 10
    return {0: "validation", 1: "test"}.get(bucket)


@cache
def _held_out_partners() -> dict[str, frozenset[str]]:
    """For each noun of the family's subjects, the objects it is held out with."""
    partners: dict[str, set[str]] = {}
    for subject, other in family_noun_pairs():
        if held_out_split((subject, other)) is not None:
            partners.setdefault(subject, set()).add(other)
    return {subject: frozenset(others) for subject, others in partners.items()}


def _has_held_out_nouns(nouns: frozenset[str]) -> bool:
    partners = _held_out_partners()
    return any(not nouns.isdisjoint(partners.get(noun, frozenset())) for noun in nouns)
