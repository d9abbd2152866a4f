"""German inflection: articles, adjectives, nouns, pronouns and verbs.

Gender and number are one key here: 'm', 'f', 'n' or 'p' (the plural knows no gender). Cases are
'nom', 'acc', 'dat' and 'gen'.
"""

from __future__ import annotations

from research.grammar.entries import ABSENT, Adjective, Noun, Verb

CASES = ("nom", "acc", "dat", "gen")

DEFINITE_ARTICLES = {
    "m": dict(zip(CASES, ("der", "den", "dem", "des"), strict=True)),
    "f": dict(zip(CASES, ("die", "die", "der", "der"), strict=True)),
    "n": dict(zip(CASES, ("das", "das", "dem", "des"), strict=True)),
    "p": dict(zip(CASES, ("die", "die", "den", "der"), strict=True)),
}
# Endings of ein, kein and the possessives ('p' never with ein).
EIN_ENDINGS = {
    "m": dict(zip(CASES, ("", "en", "em", "es"), strict=True)),
    "f": dict(zip(CASES, ("e", "e", "er", "er"), strict=True)),
    "n": dict(zip(CASES, ("", "", "em", "es"), strict=True)),
    "p": dict(zip(CASES, ("e", "e", "en", "er"), strict=True)),
}
EIN_WORDS = {
    "indefinite": "ein",
    "no": "kein",
    "my": "mein",
    "your": "dein",
    "his": "sein",
    "her": "ihr",
    "our": "unser",
    "their": "ihr",
}
ADJECTIVE_ENDINGS = {
    "strong": {
        "m": dict(zip(CASES, ("er", "en", "em", "en"), strict=True)),
        "f": dict(zip(CASES, ("e", "e", "er", "er"), strict=True)),
        "n": dict(zip(CASES, ("es", "es", "em", "en"), strict=True)),
        "p": dict(zip(CASES, ("e", "e", "en", "er"), strict=True)),
    },
    "weak": {
        "m": dict(zip(CASES, ("e", "en", "en", "en"), strict=True)),
        "f": dict(zip(CASES, ("e", "e", "en", "en"), strict=True)),
        "n": dict(zip(CASES, ("e", "e", "en", "en"), strict=True)),
        "p": dict(zip(CASES, ("en", "en", "en", "en"), strict=True)),
    },
    "mixed": {
        "m": dict(zip(CASES, ("er", "en", "en", "en"), strict=True)),
        "f": dict(zip(CASES, ("e", "e", "en", "en"), strict=True)),
        "n": dict(zip(CASES, ("es", "es", "en", "en"), strict=True)),
        "p": dict(zip(CASES, ("en", "en", "en", "en"), strict=True)),
    },
}
RELATIVE_PRONOUNS = {
    "m": {"nom": "der", "acc": "den", "dat": "dem"},
    "f": {"nom": "die", "acc": "die", "dat": "der"},
    "n": {"nom": "das", "acc": "das", "dat": "dem"},
    "p": {"nom": "die", "acc": "die", "dat": "denen"},
}
# Endings of dieser, jeder and welcher.
DIESER_ENDINGS = {
    "m": dict(zip(CASES, ("er", "en", "em", "es"), strict=True)),
    "f": dict(zip(CASES, ("e", "e", "er", "er"), strict=True)),
    "n": dict(zip(CASES, ("es", "es", "em", "es"), strict=True)),
    "p": dict(zip(CASES, ("e", "e", "en", "er"), strict=True)),
}
DIESER_WORDS = {"this": "dies", "every": "jed", "which": "welch", "all": "all"}
UNINFLECTED = {"a few": "ein paar"}
# Behind these an adjective has the strong endings that they have themselves.
QUANTIFIERS = {"many": "viel", "some": "einig", "how many": "wie viel"}
_TO_NINETEEN = (
    *("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    *("elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn"),
    "neunzehn",
)
_TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
_BEFORE_TENS = ("ein", *_TO_NINETEEN[2:10])
NUMBER_WORDS = (
    *_TO_NINETEEN,
    *(number for ten in _TENS for number in (ten, *(f"{one}und{ten}" for one in _BEFORE_TENS))),
)
"""The numbers from 0 to 99."""
_PERSONS = {"somebody": "jemand", "someone": "jemand", "nobody": "niemand", "no one": "niemand"}
_THINGS = {"something": "etwas", "nothing": "nichts", "everything": "alles"}
SOMEBODY = (
    {word: {"nom": form, "acc": f"{form}en", "dat": f"{form}em"} for word, form in _PERSONS.items()}
    | {word: {"nom": "alle", "acc": "alle", "dat": "allen"} for word in ("everybody", "everyone")}
    | {word: dict.fromkeys(CASES, form) for word, form in _THINGS.items()}
)
_REFLEXIVES = {(1, False): "mich", (2, False): "dich", (1, True): "uns"}
# (person, plural, gender of the third person singular) -> forms
_PRONOUNS = {
    (1, False, ""): {"nom": "ich", "acc": "mich", "dat": "mir"},
    (2, False, ""): {"nom": "du", "acc": "dich", "dat": "dir"},
    (3, False, "m"): {"nom": "er", "acc": "ihn", "dat": "ihm"},
    (3, False, "f"): {"nom": "sie", "acc": "sie", "dat": "ihr"},
    (3, False, "n"): {"nom": "es", "acc": "es", "dat": "ihm"},
    (1, True, ""): {"nom": "wir", "acc": "uns", "dat": "uns"},
    (3, True, ""): {"nom": "sie", "acc": "sie", "dat": "ihnen"},
}
# The forms of ich, du, er/sie/es and of the plural (wir and sie agree).
_SEIN = {"present": ("bin", "bist", "ist", "sind"), "past": ("war", "warst", "war", "waren")}
_WERDEN = {
    "present": ("werde", "wirst", "wird", "werden"),
    "past": ("wurde", "wurdest", "wurde", "wurden"),
}
_HABEN = ("habe", "hast", "hat", "haben")
_MODALS = {
    ("können", "present"): ("kann", "kannst", "kann", "können"),
    ("können", "past"): ("konnte", "konntest", "konnte", "konnten"),
    ("müssen", "present"): ("muss", "musst", "muss", "müssen"),
    ("müssen", "past"): ("musste", "musstest", "musste", "mussten"),
    ("dürfen", "present"): ("darf", "darfst", "darf", "dürfen"),
    ("dürfen", "past"): ("durfte", "durftest", "durfte", "durften"),
    ("wollen", "present"): ("will", "willst", "will", "wollen"),
    ("wollen", "past"): ("wollte", "wolltest", "wollte", "wollten"),
    ("möchten", "present"): ("möchte", "möchtest", "möchte", "möchten"),
    # English 'should' is the German subjunctive, which looks like the past.
    ("sollen", "present"): ("sollte", "solltest", "sollte", "sollten"),
}
_CONTRACTIONS = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("an", "das"): "ans",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
}


def determiner(kind: str, gender: str, case: str) -> str:
    """The inflected determiner; empty for 'zero'."""
    if kind in ("zero", "generic", "job"):
        return ""
    if kind == "definite":
        return DEFINITE_ARTICLES[gender][case]
    if kind in UNINFLECTED:
        return UNINFLECTED[kind]
    if kind == "most":
        return f"{DEFINITE_ARTICLES[gender][case]} meisten"
    if kind in DIESER_WORDS:
        return DIESER_WORDS[kind] + DIESER_ENDINGS[gender][case]
    if kind in QUANTIFIERS:
        return QUANTIFIERS[kind] + ADJECTIVE_ENDINGS["strong"][gender][case]
    ending = EIN_ENDINGS[gender][case]
    stem = EIN_WORDS[kind]
    return stem + ending


def declension(kind: str) -> str:
    """The adjective declension that a determiner calls for."""
    if kind in ("zero", "generic") or kind in QUANTIFIERS or kind in UNINFLECTED:
        return "strong"
    return "weak" if kind in ("definite", "most") or kind in DIESER_WORDS else "mixed"


def adjective(entry: Adjective, degree: str, kind: str, gender: str, case: str) -> str:
    """An attributive adjective after a determiner of this kind."""
    stem = {
        "positive": entry.stem,
        "comparative": entry.german_comparative,
        "superlative": entry.german_superlative,
    }[degree]
    return stem + ADJECTIVE_ENDINGS[declension(kind)][gender][case]


def noun(entry: Noun, plural: bool, case: str, female: bool = False) -> str:
    """The noun in its case; `female` takes the feminine counterpart if the noun has one."""
    if female and entry.feminine != ABSENT:
        return entry.feminine + ("nen" if plural else "")
    if plural or entry.gender == "p":
        if not entry.classes.isdisjoint({"currency", "measure"}):
            return entry.german_plural
        return _plural(entry.german_plural, case)
    if case == "gen":
        return entry.german_genitive
    return entry.german if case == "nom" or entry.german_weak == ABSENT else entry.german_weak


def _plural(form: str, case: str) -> str:
    """The dative plural adds -n after -e, -el and -er: 'Hunden', but 'Autos', 'Euro'."""
    return form + "n" if case == "dat" and form.endswith(("e", "el", "er")) else form


def noun_gender(entry: Noun, plural: bool, female: bool = False) -> str:
    """The gender key of a noun form."""
    if plural or entry.gender == "p":
        return "p"
    return "f" if female and entry.feminine != ABSENT else entry.gender


def pronoun(person: int, plural: bool, gender: str, case: str) -> str:
    """A personal pronoun."""
    key = gender if person == 3 and not plural else ""
    return _PRONOUNS[person, plural, key][case]


def contracted(preposition: str, article: str) -> str | None:
    """Preposition and definite article in one, where German merges them: 'im'."""
    return _CONTRACTIONS.get((preposition, article))


def sein(tense: str, person: int, plural: bool) -> str:
    """A finite form of 'sein'."""
    return _SEIN[tense][_cell(person, plural)]


def title(gender: str, case: str) -> str:
    """'Herr' or 'Frau' before a last name."""
    if gender == "f":
        return "Frau"
    return "Herr" if case == "nom" else "Herrn"


def werden(tense: str, person: int, plural: bool) -> str:
    """A finite form of 'werden', of the future and of the passive."""
    return _WERDEN[tense][_cell(person, plural)]


def reflexive(person: int, plural: bool) -> str:
    """The reflexive pronoun of a subject."""
    return _REFLEXIVES.get((person, plural), "sich")


def count(number: int, spelled: bool) -> str:
    """In digits, or as a word."""
    return NUMBER_WORDS[number] if spelled else str(number)


def modal(infinitive: str, tense: str, person: int, plural: bool) -> str:
    """A finite form of a modal verb."""
    return _MODALS[infinitive, tense][_cell(person, plural)]


def _cell(person: int, plural: bool) -> int:
    return 3 if plural else person - 1


def auxiliary(infinitive: str, person: int, plural: bool) -> str:
    """The present of 'haben' or 'sein', as the perfect needs it."""
    forms = _SEIN["present"] if infinitive == "sein" else _HABEN
    return forms[_cell(person, plural)]


def finite(verb: Verb, tense: str, person: int, plural: bool) -> str:
    """A finite form of the base verb (without separable prefix) in 'present' or 'past'."""
    if tense == "past":
        return _past(verb.german_past, person, plural)
    if plural:
        return verb.infinitive
    return (_first(verb), verb.german_second, verb.german_third)[person - 1]


def _first(verb: Verb) -> str:
    """ich: the stem with -e; -eln drops an e (lächle), wissen has no ending (weiß)."""
    infinitive = verb.infinitive
    if infinitive in ("wissen", "mögen"):
        return verb.german_third
    if infinitive.endswith("eln"):
        return infinitive[:-3] + "le"
    return infinitive.removesuffix("n") + ("e" if infinitive.endswith("ern") else "")


def _past(form: str, person: int, plural: bool) -> str:
    """Weak pasts end in -e; strong ones have no ending for ich and er, sie, es."""
    if plural:
        return form + ("n" if form.endswith("e") else "en")
    if person != 2:
        return form
    return form + ("est" if form[-1] in "dtsßz" else "st")


def imperative(verb: Verb) -> str:
    """The imperative to du: 'mach', 'öffne', 'gib', 'fahr'; a separable prefix apart."""
    stem = verb.infinitive.removesuffix("n").removesuffix("e")
    ending = "t" if stem.endswith(("s", "ß", "z")) else "st"
    second = verb.german_second.removesuffix(ending)
    if _turns_e_to_i(stem, second):
        return second
    if verb.infinitive.endswith(("eln", "ern")):
        return _first(verb)
    return stem + ("e" if _needs_e(stem) else "")


def _turns_e_to_i(stem: str, second: str) -> bool:
    """'gibst', 'nimmst', 'liest', but not 'fährst'."""
    return _vowels(stem) == "e" and _vowels(second) in ("i", "ie")


def _vowels(form: str) -> str:
    """The last vowels of a stem."""
    found = ""
    for letter in reversed(form):
        if letter in "aeiouäöü":
            found = letter + found
        elif found:
            break
    return found


def _needs_e(stem: str) -> bool:
    """'arbeite', 'öffne', 'zeichne', 'entschuldige', 'reise': the bare stem is hard to say."""
    if stem.endswith(("t", "d", "ig", "chn")) or len(stem) < 3:
        return True
    if stem.endswith("s"):
        return not stem.endswith("ss")
    return stem[-1] in "mn" and stem[-2] not in "aeiouäöümnlrh"


def infinitive_with_zu(verb: Verb) -> str:
    """'zu lesen', but 'aufzuräumen'."""
    if verb.prefix == ABSENT:
        return f"zu {verb.infinitive}"
    glue = " " if verb.prefix.endswith(" ") else ""  # 'spazieren zu gehen'
    return f"{verb.prefix}zu{glue}{verb.infinitive}"
