"""Which language stands in which column, and in which direction the corpus is to be read."""

import re

from tf_models.errors import InputError


class UnknownLanguagesError(InputError):
    """Neither a corpus nor whoever asks for it says its languages."""


CODES = """
ara ar, bul bg, ces cs, cmn zh, dan da, deu de, ell el, eng en, est et, fin fi, fra fr,
heb he, hin hi, hun hu, ind id, isl is, ita it, jpn ja, kor ko, lat la, lit lt, nld nl,
nob nb, pes fa, pol pl, por pt, ron ro, rus ru, slk sk, slv sl, spa es, srp sr, swe sv,
tha th, tur tr, ukr uk, vie vi
"""  # of ISO 639-3, as manythings.org names its files, and of ISO 639-1
TWO_LETTER_CODES = dict(pair.split() for pair in CODES.split(","))


def language_of(label: str) -> str | None:
    """Return the language code that part of a file name stands for: `deu` -> `de`, `de` -> `de`."""
    label = label.lower()
    if re.fullmatch("[a-z]{2}", label):
        return label
    return TWO_LETTER_CODES.get(label)


def direction(
    columns: tuple[str | None, str | None], source: str | None, target: str | None, name: str
) -> tuple[str, str, bool]:
    """Decide the source and target language of a corpus of two columns.

    Args:
        columns: language of the first and second column, None where it is not known.
        source: wanted source language; None: whatever the target leaves, else the first column.
        target: wanted target language, likewise.
        name: the corpus, for messages.

    Returns:
        Source language, target language, and whether the columns must be swapped.

    Raises:
        InputError: the wanted languages are not those of the columns, or a language is unknown.
    """
    _refuse_same(source, target)
    for swapped, (first, second) in ((False, columns), (True, columns[::-1])):
        one, other = _fill(first, source), _fill(second, target)
        if one and other and one != other:
            return one, other, swapped
    received = f"received {source or 'no source'} and {target or 'no target'} language"
    if None in columns:
        raise UnknownLanguagesError(
            f"cannot tell the languages of {name} by its name; pass --languages in "
            f"the order of its columns, such as en-es; {received}"
        )
    raise InputError(f"{name} holds {columns[0]} and {columns[1]}; {received}")


def pick(codes: list[str], source: str | None, target: str | None, name: str) -> tuple[str, str]:
    """Choose the direction within a corpus of the languages `codes`.

    Of two languages, the first is the source by default. Of more, English is the source and German
    the target, or English the target of another source. Raises InputError: the corpus lacks a
    wanted language; the message lists the codes it has.
    """
    if len(codes) == 2:
        return direction((codes[0], codes[1]), source, target, name)[:2]
    _refuse_same(source, target)
    source = source or ("de" if target == "en" else "en")
    target = target or ("de" if source == "en" else "en")
    missing = " and ".join(code for code in (source, target) if code not in codes)
    if missing:
        raise InputError(f"{name} has no {missing}; its languages: {', '.join(codes) or 'none'}")
    return source, target


def _refuse_same(source: str | None, target: str | None) -> None:
    """Raise InputError when both languages are given and are the same."""
    if source is not None and source == target:
        raise InputError(f"source and target language must differ; received {source} twice")


def _fill(column: str | None, wanted: str | None) -> str | None:
    """Language of a column that is to be `wanted`; None when it is unknown or another one."""
    if column is None or wanted is None:
        return column or wanted
    return column if column == wanted else None
