"""The splits of the corpus, which hold out of training what is tested.

Held out of training are a fifth of the noun pairs of the family by place, some of the combinations
of noun and adjective of the family by meaning, and a share of all names and numbers.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tqdm import tqdm

from research.grammar.pairs import Pair, spelling_key, stream
from research.grammar.pronoun_families import Reference, family_noun_pairs
from research.grammar.syntax import Sentence
from research.grammar.tables import weights
from research.grammar.vocabulary import Vocabulary
from tf_models.data.embedded.annotated_pairs import BY_MEANING, BY_PLACE, OTHERS, SPLITS, UNSEEN
from tf_models.data.sentences import ARTICLE_SENTENCES
from tf_models.errors import InputError

_ARTICLE_NAMES = ("Anthony Hopkins", "Michael Bay")
_ARTICLE_NOUN_PAIR = ("animal", "street")
# After so many without a new pair (some minutes) none is expected.
_MAX_FRUITLESS_DRAWS = 1_000_000

Room = Counter[tuple[str, str]]  # (split, group) -> how many pairs it still takes


@dataclass(frozen=True)
class Selection:
    """Which sentences a corpus has: all of the grammar in the shares of `odds.toml`, if not else.

    constructions: how often each one is drawn (see `draw_sentence`).
    vocabulary: the words that they are of.
    groups: names of groups that have the same share of each split.
    group_of: (tree, reference) -> the group of a sentence, None for one that is left out.
    """

    constructions: Mapping[str, float] | None = None
    vocabulary: Vocabulary | None = None
    groups: tuple[str, ...] = ()
    group_of: Callable[[Sentence, Reference | None], str | None] | None = None


EVERYTHING = Selection()


def make_splits(
    sizes: Mapping[str, int],
    seed: int = 0,
    selection: Selection = EVERYTHING,
    progress: bool = False,
) -> dict[str, list[Pair]]:
    """Splits of the given sizes that share no sentence.

    Validation and test have noun pairs, combinations of noun and adjective, names and numbers that
    no training sentence has (see the module). Their sentences are distinct; so are those of
    training but for the conventional ones, which recur as they do in life, and the two families.

    Args:
        sizes: of "train", "validation" and "test".
        seed: of the sentences.
        selection: which sentences.
        progress: whether to show a bar.

    Raises:
        InputError: there are fewer such sentences than a split would need.
    """
    splits: dict[str, list[Pair]] = {split: [] for split in SPLITS}
    placed = placed_pairs(sizes, seed, selection)
    bar = {"desc": "making sentences", "total": sum(sizes.values()), "unit": " pairs"}
    for split, pair in tqdm(placed, **bar, disable=None if progress else True):
        splits[split].append(pair)
    return splits


def placed_pairs(
    sizes: Mapping[str, int], seed: int = 0, selection: Selection = EVERYTHING
) -> Iterator[tuple[str, Pair]]:
    """Pairs with their split, in the order in which they are drawn, until all splits are full.

    Args, raises: see `make_splits`.
    """
    room = _even_room(sizes, selection.groups) if selection.groups else _room(sizes)
    left, fruitless = sum(sizes.values()), 0
    home: dict[str, str] = {}
    pairs = stream(seed, selection.constructions, selection.vocabulary)
    while left:
        if fruitless == _MAX_FRUITLESS_DRAWS:
            raise InputError(_too_few(room, sizes))
        pair, fruitless = next(pairs), fruitless + 1
        is_grouped = selection.group_of is not None
        group = selection.group_of(pair.tree, pair.reference) if is_grouped else pair.kind
        split = _split_with_room(pair, group, home, room)
        if split is None:
            continue
        home[pair.key] = split
        room[split, group] -= 1
        left, fruitless = left - 1, 0
        yield split, pair


def _split_with_room(
    pair: Pair, group: str | None, home: Mapping[str, str], room: Room
) -> str | None:
    """The split of a pair: training takes again what recurs, no split takes what is placed."""
    if not any(room[split, group] for split in SPLITS):
        return None
    if pair.key not in home:
        return _split_of(pair, group, room)
    is_welcome = pair.recurs and home[pair.key] == "train" and room["train", group]
    return "train" if is_welcome else None


def _too_few(room: Room, sizes: Mapping[str, int]) -> str:
    lacking = (f"{n} of {group!r} in {split}" for (split, group), n in room.items() if n)
    received = ", ".join(f"{split}={size}" for split, size in sizes.items())
    return (
        f"the grammar has too few sentences of a kind: still wanted {'; '.join(lacking)}; "
        f"received {received}; ask for fewer"
    )


def _room(sizes: Mapping[str, int]) -> Room:
    """How many pairs of each kind each split takes."""
    room: Room = Counter()
    for split, size in sizes.items():
        shares = dict(weights("splits"))
        if split == "train":
            del shares[UNSEEN]
        for kind, share in shares.items():
            room[split, kind] = round(size * share)
        room[split, OTHERS] = size - sum(room[split, kind] for kind in shares)
    return room


def _even_room(sizes: Mapping[str, int], groups: tuple[str, ...]) -> Room:
    """How many pairs of each group, all alike; the first groups take what is left over."""
    room: Room = Counter()
    for split, size in sizes.items():
        whole, rest = divmod(size, len(groups))
        for i, group in enumerate(groups):
            room[split, group] = whole + (i < rest)
    return room


def _split_of(pair: Pair, group: str, room: Room) -> str | None:
    """The split a new pair goes to, None if it fits nowhere."""
    for split in ("train",) if pair.is_fixed else _candidates(pair, group, room):
        if room[split, group] > 0 and not (split != "test" and _is_reserved(pair)):
            return split
    return None


def _candidates(pair: Pair, group: str, room: Room) -> tuple[str, ...]:
    if pair.kind == BY_PLACE:
        return (held_out_split(pair.reference.noun_pair) or "train",)
    if pair.kind == BY_MEANING:
        return _one_of_two(pair.source) if pair.reference.is_held_out else ("train",)
    if pair.kind == UNSEEN:
        return _one_of_two(pair.source)
    return () if _has_held_out_nouns(pair.nouns) else _by_hash(pair.source, group, room)


def _one_of_two(source: str) -> tuple[str, ...]:
    return ("test", "validation") if _stable_hash(source) % 3 else ("validation", "test")


def _by_hash(source: str, group: str, room: Room) -> tuple[str, ...]:
    """A stable order of the splits in proportion to the room they have left for the group."""
    splits = [split for split in SPLITS if room[split, group] > 0]
    if not splits:
        return ()
    draw = _stable_hash(source) % sum(room[split, group] for split in splits)
    for split in splits:
        draw -= room[split, group]
        if draw < 0:
            return (split,)
    return ()


def _is_reserved(pair: Pair) -> bool:
    """Whether the pair is (or gives away) a sentence of the articles."""
    return all(name in pair.source for name in _ARTICLE_NAMES) or pair.key in _article_keys()


@cache
def _article_keys() -> frozenset[str]:
    return frozenset(map(spelling_key, ARTICLE_SENTENCES))


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
