"""The words of first lessons are in the sentences, often enough to be learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from research.grammar import lexicon
from research.grammar.write import EVERYDAY
from tf_models.data.embedded.annotated_pairs import embedded_file, read_annotated
from tf_models.data.sentences import split_words

LONGEST = 4  # words, as in "nice to meet you"


def words_in(sentence: str) -> list[str]:
    return [word for word in split_words(sentence.lower()) if word not in {".", ",", "!", "?"}]


def sentences_with(sentences: Iterable[str]) -> Counter[str]:
    """In how many sentences each word, and each few words in a row, stand."""
    found: Counter[str] = Counter()
    for sentence in sentences:
        words = words_in(sentence)
        starts = range(len(words))
        found.update(
            {" ".join(words[i : i + size]) for i in starts for size in range(1, LONGEST + 1)}
        )
    return found


def forms_of(word: str) -> set[str]:
    """The word itself, its plural, or its forms as a verb."""
    forms = {word, f"{word}s"}
    if word in lexicon.nouns():
        forms.add(lexicon.nouns()[word].english_plural)
    for verb in lexicon.verbs():
        if verb.english == word:
            forms |= {verb.third, verb.past, verb.participle, verb.ing}
    return {" ".join(words_in(form)) for form in forms}


def test_each_is_said_often():
    """In training, where conventional sentences recur; the grammar writes the file (test_write)."""
    pairs = read_annotated(embedded_file(EVERYDAY))[1]
    found = sentences_with(pair.source for pair in pairs if pair.split == "train")
    first_words = [row["word"] for row in lexicon._rows("first_words")]
    times = {word: sum(found[form] for form in forms_of(word)) for word in first_words}
    assert {word: number for word, number in times.items() if number < 20} == {}


def test_a_word_is_counted_in_all_its_forms():
    found = sentences_with(["Two cats sleep.", "The cat slept. A cat sleeps.", "Excuse me, cat!"])
    assert sum(found[form] for form in forms_of("cat")) == 3
    assert sum(found[form] for form in forms_of("sleep")) == 2 + 1
    assert found["excuse me"] == 1
