"""A small own corpus, as a newcomer has one: short regular sentences, English to Spanish."""

import itertools
import random
from pathlib import Path

# English, Spanish, and whether the noun is feminine.
NOUNS = (
    ("cat", "gato", False),
    ("dog", "perro", False),
    ("boy", "niño", False),
    ("girl", "niña", True),
    ("teacher", "maestra", True),
    ("doctor", "médico", False),
    ("friend", "amigo", False),
    ("sister", "hermana", True),
    ("brother", "hermano", False),
    ("neighbour", "vecina", True),
    ("bird", "pájaro", False),
    ("horse", "caballo", False),
)
THINGS = (
    ("book", "libro", False),
    ("house", "casa", True),
    ("apple", "manzana", True),
    ("bread", "pan", False),
    ("letter", "carta", True),
    ("car", "coche", False),
    ("flower", "flor", True),
    ("chair", "silla", True),
    ("milk", "leche", True),
    ("cheese", "queso", False),
)
VERBS = (
    ("sees", "ve"),
    ("has", "tiene"),
    ("buys", "compra"),
    ("wants", "quiere"),
    ("looks for", "busca"),
    ("brings", "trae"),
    ("finds", "encuentra"),
    ("needs", "necesita"),
)
ADJECTIVES = (
    ("small", "pequeño", "pequeña"),
    ("new", "nuevo", "nueva"),
    ("old", "viejo", "vieja"),
    ("red", "rojo", "roja"),
    ("expensive", "caro", "cara"),
    ("white", "blanco", "blanca"),
)
OWNERS = (("the", "el", "la"), ("my", "mi", "mi"), ("our", "nuestro", "nuestra"))
TIMES = (("", ""), (" today", " hoy"), (" every day", " todos los días"), (" now", " ahora"))


def _phrases(nouns, adjectives):
    """English and Spanish noun phrases: "my red book", "mi libro rojo"."""
    for (noun, spanish, feminine), owner in itertools.product(nouns, OWNERS):
        yield f"{owner[0]} {noun}", f"{owner[1 + feminine]} {spanish}"
        for adjective in adjectives:
            words = owner[1 + feminine], spanish, adjective[1 + feminine]
            yield f"{owner[0]} {adjective[0]} {noun}", " ".join(words)


def pairs(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """So many different pairs, drawn at random of some 250,000."""
    draw = random.Random(seed)
    subjects, objects = list(_phrases(NOUNS, ADJECTIVES[:3])), list(_phrases(THINGS, ADJECTIVES))
    found = {}
    while len(found) < count:
        parts = [draw.choice(of) for of in (subjects, VERBS, objects, TIMES)]
        english, spanish = ("{} {} {}{}.".format(*side) for side in zip(*parts, strict=True))
        found[english[0].upper() + english[1:]] = spanish[0].upper() + spanish[1:]
    return list(found.items())


def write_pairs(path: Path, count: int) -> Path:
    """Write so many pairs as a tab-separated file."""
    path.write_text("".join(f"{a}\t{b}\n" for a, b in pairs(count)), encoding="utf-8")
    return path
