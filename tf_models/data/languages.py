"""Languages of a corpus, from names of files and columns."""

import re
from collections.abc import Sequence
from pathlib import Path

from tf_models.data.text_files import name_in_zip, plain_name
from tf_models.errors import InputError

LANGUAGES = """
ara ar Arabic, bul bg Bulgarian, ces cs Czech, cmn zh Chinese, dan da Danish, deu de German,
ell el Greek, eng en English, est et Estonian, fin fi Finnish, fra fr French, heb he Hebrew,
hin hi Hindi, hun hu Hungarian, ind id Indonesian, isl is Icelandic, ita it Italian,
jpn ja Japanese, kor ko Korean, lat la Latin, lit lt Lithuanian, nld nl Dutch, nob nb Norwegian,
pes fa Persian, pol pl Polish, por pt Portuguese, ron ro Romanian, rus ru Russian, slk sk Slovak,
slv sl Slovenian, spa es Spanish, srp sr Serbian, swe sv Swedish, tha th Thai, tur tr Turkish,
ukr uk Ukrainian, vie vi Vietnamese
"""  # codes of ISO 639-3, which manythings.org uses, codes of ISO 639-1, and names in headers
TWO_LETTER_CODES = {
    name.lower(): code
    for long_code, code, english in map(str.split, LANGUAGES.split(","))
    for name in (long_code, english)
}


Languages = tuple[str | None, str | None]


def header_languages(header: Sequence[str]) -> dict[int, str]:
    """Two-letter codes by column, if a header names two languages or more."""
    known = {*TWO_LETTER_CODES.values()}
    codes: dict[int, str] = {}
    for column, name in enumerate(header):
        code = None if name == "id" else language_code(name)
        if code in known and code not in codes.values():
            codes[column] = code
    return codes if len(codes) >= 2 else {}


def pick(codes: Sequence[str], wanted: Languages, name: str) -> tuple[str, str]:
    """Source and target language of a corpus: as wanted, or the first two."""
    source = wanted[0] or next(code for code in codes if code != wanted[1])
    target = wanted[1] or next(code for code in codes if code != source)
    if source not in codes or target not in codes:
        raise InputError(f"{name} has no {source} or no {target}; it has {', '.join(codes)}")
    return source, target


def file_languages(path: Path) -> Languages:
    """Languages of both columns by the file name, or None; without regions.

    `en-es.tsv`, `Deu_eng.txt`, `en-pt-br.tsv`; manythings.org's `deu.txt` is English and German.
    """
    name = name_in_zip(path) if path.suffix.lower() == ".zip" else plain_name(path)
    label = Path(name).stem.lower()
    codes = [TWO_LETTER_CODES.get(part, part) for part in re.split("[-_]", label)]
    if len(codes) == 1 and codes[0] != label and len(label) == 3:
        codes = ["en", *codes]
    known = [code for code in dict.fromkeys(codes) if code in TWO_LETTER_CODES.values()]
    if len(known) == 2 and codes[0] == known[0] and all(len(code) == 2 for code in codes):
        return known[0], known[1]
    return None, None


def language_code(label: str) -> str | None:
    """Two-letter code of a language label: `de` for `deu`, `pt` for `pt_br`."""
    label = re.split("[-_]", label.lower())[0]
    return label if re.fullmatch("[a-z]{2}", label) else TWO_LETTER_CODES.get(label)
