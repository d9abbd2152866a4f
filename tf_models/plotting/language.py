"""The words that figures have of their own, in the reader's language: the one place for them.

English words are the keys. What a caller passes (titles, names of classes) stays as it is.
"""

from tf_models.errors import InputError

ENGLISH, GERMAN = "en", "de"
LANGUAGES = (ENGLISH, GERMAN)

_GERMAN_WORDS = {
    # training curves
    "training": "Training",
    "spike": "Sprung",
    "validation": "Validierung",
    "epoch": "Epoche",
    "loss": "Verlust",
    "accuracy": "Genauigkeit",
    "BLEU": "BLEU",
    "reconstruction (nats)": "Rekonstruktion (Nats)",
    "KL (nats)": "KL (Nats)",
    # codes
    "{title}, {lowest} (light) to {highest}": "{title}, {lowest} (hell) bis {highest}",
    "codes": "Codes",
    "codes of {count} test images": "Codes von {count} Testbildern",
    "first number of the code": "erste Zahl des Codes",
    "second number of the code": "zweite Zahl des Codes",
    "component {number} ({share} of the variance)": "Komponente {number} ({share} der Varianz)",
    "one latent moves, the others keep their mean": (
        "eine Zahl des Codes ändert sich, die anderen behalten ihren Mittelwert"
    ),
    # images
    "image": "Bild",
    "reconstruction": "Rekonstruktion",
    "reconstructions": "Rekonstruktionen",
    "clean": "sauber",
    "noisy": "verrauscht",
    "restored": "entrauscht",
    "denoising ({amount})": "Entrauschen ({amount})",
    "masking noise {value}": "auf 0 gesetzt mit Wahrscheinlichkeit {value}",
    "Gaussian noise std {value}": "Gauß-Rauschen mit Standardabweichung {value}",
    "samples at temperature {value}": "Stichproben bei Temperatur {value}",
    # fading
    "linear": "linear",
    "cubic": "kubisch",
    "bilinear": "bilinear",
    "bicubic": "bikubisch",
    "{method}, codes": "{method}, Codes",
    "{method}, pixels": "{method}, Pixel",
    "from {first} to {last}, codes of {size}": "von {first} nach {last}, Codes aus {size} Zahlen",
    # beside PCA
    "PCA": "Hauptkomponenten",
    "linear autoencoder": "linearer Autoencoder",
    "dense autoencoder": "vollvernetzter Autoencoder",
    "convolutional autoencoder": "faltender Autoencoder",
    "stacked autoencoder": "gestapelter Autoencoder",
    "squared error {error}, PCA's {pca_error}{more}; largest angle between the subspaces {angle}": (
        "quadratischer Fehler {error}, der Hauptkomponenten {pca_error}{more}; größter Winkel "
        "zwischen den Unterräumen {angle}"
    ),
    "numbers in a code": "Zahlen in einem Code",
    "squared error of a test image": "quadratischer Fehler eines Testbilds",
    "what the bottleneck costs": "was der Flaschenhals kostet",
    # anomalies
    "area {area}": "Fläche {area}",
    "other classes taken for anomalies": "andere Klassen, für Anomalien gehalten",
    "images of class {name} found": "gefundene Bilder der Klasse {name}",
    "class {name} was never trained on: found by its reconstruction error": (
        "Klasse {name} kam im Training nie vor: gefunden am Rekonstruktionsfehler"
    ),
}


def check_language(language: str) -> None:
    """Refuse a language that figures do not speak.

    Raises:
        InputError: it is none of `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise InputError(
            f"figures speak one of {', '.join(LANGUAGES)}; received language {language!r}"
        )


def in_language(words: str, language: str, **parts: object) -> str:
    """What a figure says, in a language.

    Args:
        words: in English, as in the table above; with names of parts in braces.
        language: "en" or "de".
        parts: what stands for these names.

    Raises:
        InputError: another language.
        KeyError: the table lacks the words.
    """
    check_language(language)
    translated = _GERMAN_WORDS[words]  # in every language, so that none is forgotten
    return (words if language == ENGLISH else translated).format(**parts)


def number_in_language(value: float, form: str, language: str) -> str:
    """A number as a figure shows it, with a decimal comma in German.

    Args:
        value: the number.
        form: format specification, such as ".2f".
        language: "en" or "de".

    Raises:
        InputError: another language.
    """
    return written_number(format(value, form), language)


def written_number(text: str, language: str) -> str:
    """A number that is text already: 0.5 and 30% become 0,5 and 30 % in German.

    Raises:
        InputError: another language.
    """
    check_language(language)
    if language == ENGLISH:
        return text
    return text.translate({ord("."): ",", ord(","): "."}).replace("%", "\N{NO-BREAK SPACE}%")
