"""The toy corpus: distinct English-German pairs and splits that hold out pairs of nouns."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from tf_models.data.grammar.english import english
from tf_models.data.grammar.german import german
from tf_models.data.grammar.pronoun_family import family_noun_pairs
from tf_models.data.grammar.sampling import sentence_sampler
from tf_models.data.grammar.syntax import nouns_of
from tf_models.data.text.article_sentences import DIRECTOR, HOPKINS, IT_STANDS_FOR

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
_FAMILY_SHARE = 0.12
_FAMILY = "pronoun"
_SUBJECT = r"(?:Der|Die|Das|Meine?|Deine?|Seine?|Ihre?|Unsere?) [^,]+"
_FAMILY_FORM = re.compile(
    rf"^{_SUBJECT}, (?:weil|obwohl) (er|sie|es) (?:zu |sehr )?\w+(?: weg)? (?:war|ist)\.?$"
)
_CLAUSE_PRONOUN = re.compile(r", (?:weil|obwohl) (er|sie|es)\b")


@dataclass(frozen=True)
class ToyPair:
    """An English sentence, its German translation and what the corpus knows about it."""

    source: str
    target: str
    construction: str
    nouns: frozenset[str]
    noun_pair: tuple[str, str] | None


@dataclass(frozen=True)
class ToySplits:
    """Training, validation and test pairs."""

    train: list[ToyPair] = field(default_factory=list)
    validation: list[ToyPair] = field(default_factory=list)
    test: list[ToyPair] = field(default_factory=list)


def generate_pairs(count: int, seed: int = 0) -> list[ToyPair]:
    """`count` pairs with distinct sources; a longer list starts with the shorter one."""
    return list(islice(_distinct_pairs(seed), count))


def toy_splits(train: int, validation: int, test: int, seed: int = 0) -> ToySplits:
    """Splits of the given sizes that share no sentence.

    A fifth of the noun pairs of the pronoun family is held out: validation and test each have
    their own, and no training sentence of any construction contains both nouns of such a pair.
    """
    sizes = {"train": train, "validation": validation, "test": test}
    room = _rooms(sizes)
    splits = ToySplits()
    for pair in _distinct_pairs(seed):
        split = _split_of(pair, room)
        if split is not None:
            room[split, pair.construction == _FAMILY] -= 1
            getattr(splits, split).append(pair)
        if not any(room.values()):
            break
    return splits


def pronoun_of(german_sentence: str) -> str | None:
    """The pronoun of a family sentence ('..., weil sie zu breit war.'), None for any other."""
    found = _FAMILY_FORM.match(german_sentence.strip())
    return found[1] if found else None


def pronoun_accuracy(hypotheses: list[str], references: list[str]) -> tuple[float | None, int]:
    """The share of the family's references whose hypothesis has their pronoun, and their number.

    A hypothesis may go wrong elsewhere; only the pronoun after weil or obwohl counts.
    """
    outcomes = [
        _clause_pronoun(hypothesis) == pronoun_of(reference)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
        if pronoun_of(reference) is not None
    ]
    if not outcomes:
        return None, 0
    return sum(outcomes) / len(outcomes), len(outcomes)


def _clause_pronoun(sentence: str) -> str | None:
    found = _CLAUSE_PRONOUN.search(sentence)
    return found[1] if found else None


def _distinct_pairs(seed: int) -> Iterator[ToyPair]:
    """An endless stream. Spellings of one sentence (didn't, did not; no full stop) count once."""
    sampler = sentence_sampler(seed)
    seen: set[str] = set()
    while True:
        tree, construction, noun_pair = sampler.sentence()
        source, target = english(tree), german(tree)
        drops_stop = source.endswith(".") and sampler.chance(_WITHOUT_FULL_STOP)
        if _spelling_key(source) in seen:
            continue
        seen.add(_spelling_key(source))
        if drops_stop:
            source, target = source[:-1], target[:-1]
        yield ToyPair(source, target, construction, nouns_of(tree), noun_pair)


def _spelling_key(source: str) -> str:
    spelled = source.removesuffix(".").replace("can't", "cannot").replace("n't", " not")
    return spelled.replace("cannot", "can not")


@cache
def _article_keys() -> frozenset[str]:
    return frozenset(_spelling_key(sentence) for sentence in HELD_OUT_SENTENCES)


def _rooms(sizes: dict[str, int]) -> Counter[tuple[str, bool]]:
    """How many pairs each split still takes, inside and outside the pronoun family."""
    rooms: Counter[tuple[str, bool]] = Counter()
    for split, size in sizes.items():
        rooms[split, True] = round(size * _FAMILY_SHARE)
        rooms[split, False] = size - rooms[split, True]
    return rooms


def _split_of(pair: ToyPair, room: Counter[tuple[str, bool]]) -> str | None:
    """The split a pair goes to, None if it fits nowhere."""
    is_family = pair.construction == _FAMILY
    if is_family:
        candidates = (held_out_split(pair.noun_pair) or "train",)
    elif _has_held_out_nouns(pair.nouns):
        candidates = ()
    else:
        candidates = _by_hash(pair.source, room)
    for split in candidates:
        if room[split, is_family] > 0 and not (split != "test" and _is_reserved(pair)):
            return split
    return None


def _by_hash(source: str, room: Counter[tuple[str, bool]]) -> tuple[str, ...]:
    """A stable order of the splits in proportion to the room they have left."""
    splits = [split for split in ("train", "validation", "test") if room[split, False] > 0]
    if not splits:
        return ()
    total = sum(room[split, False] for split in splits)
    draw = _stable_hash(source) % total
    for split in splits:
        draw -= room[split, False]
        if draw < 0:
            return (split,)
    return ()


def _is_reserved(pair: ToyPair) -> bool:
    """Whether the pair is (or gives away) a sentence of the articles."""
    has_names = all(name in pair.source for name in _ARTICLE_NAMES)
    return has_names or _spelling_key(pair.source) in _article_keys()


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
