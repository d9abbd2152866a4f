"""The page reads and writes characters of all kinds as the package does."""

import pytest
from tf_models.data.text.alphabet import PLAIN_MARKS, Alphabet, describe_lacking

from tests.data.text.test_tokenizer import TEXT_OF_ALL_KINDS
from tf_models.data.text.tokenizer import SubwordTokenizer, train_tokenizer

pytestmark = pytest.mark.browser

# Every character up to Unicode's general punctuation and symbols, each within words and at an end.
ALL_CHARACTERS = [f"a {chr(code)} dog{chr(code)}" for code in range(1, 0x3100) if chr(code) != "▁"]
TEXTS = [
    *TEXT_OF_ALL_KINDS,
    *(
        "🙂 It’s a dog…",
        "a🙂 dog. 🙂🙂",
        "do猫g (🙂) !",
        "👨\u200d👩\u200d👧❤️ naïve ½ €5",
        "",
        "猫",
    ),
    *("“l'ami” – «a»，。", "  two\u3000\tspaces\u2028 ", "猫 \ufeff a \ufeff"),
]


@pytest.fixture(scope="module")
def page(open_page, small_page):
    return open_page(small_page.html)


@pytest.mark.parametrize(
    ("letters", "never_met"),
    [("abcdefghijklmnopqrstuvwxyzé .,'-!¿1/", ""), ("adgilmost’'\"«-?？ΣΩ", "'-?"), ("", "")],
)
def test_what_an_alphabet_lacks_is_read_alike(page, letters, never_met):
    script = """([plainMarks, letters, neverMet, texts]) => {
        const Alphabet = attentionPage.training.alphabet.constructor;
        const spells = (text) => [...text].every((char) => letters.includes(char));
        const alphabet = new Alphabet(plainMarks, spells, neverMet);
        return texts.map((text) =>
            [alphabet.read(text), alphabet.plainer(text), alphabet.lacking(text).join("; ")]);
    }"""
    alphabet = Alphabet(frozenset(letters).issuperset, never_met)
    texts = [*TEXTS, *ALL_CHARACTERS]

    found = page.evaluate(script, [PLAIN_MARKS, letters, never_met, texts])
    for text, (read, plainer, said) in zip(texts, found, strict=True):
        expected = alphabet.read(text), alphabet.plainer(text)
        assert (read, plainer) == expected, ascii(text)
        assert said == describe_lacking(alphabet.lacking(text)), ascii(text)


@pytest.mark.parametrize("lowercase", [False, True])
def test_text_of_all_kinds_is_split_and_written_alike(page, tmp_path, lowercase):
    model = train_tokenizer(TEXT_OF_ALL_KINDS * 2, "zh", 300, tmp_path / "all.model").model_file
    tokenizer = SubwordTokenizer(model, "en", lowercase)
    pieces = [tokenizer.tokens([0, i])[1] for i in range(2, tokenizer.pieces)]
    script = """([pieces, lowercase, plainMarks, texts]) => {
        const Tokenizer = attentionPage.tokenizers.source.constructor;
        const charsmap = new Uint8Array();
        const tokenizer = new Tokenizer({ pieces, charsmap, lowercase, plainMarks });
        return texts.map((text) => {
            const ids = tokenizer.encode(text);
            return [ids, tokenizer.decode(ids), tokenizer.normalize(text)];
        });
    }"""
    found = page.evaluate(script, [["<unk>", "<s>", *pieces], lowercase, PLAIN_MARKS, TEXTS])
    for text, (ids, decoded, normalized) in zip(TEXTS, found, strict=True):
        expected = tokenizer.encode(text)
        assert ids == expected, text
        assert (decoded, normalized) == (tokenizer.decode(expected), tokenizer.normalize(text))
