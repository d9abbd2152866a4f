from tf_models.data.annotated_pairs import CorpusMetric, embedded_file, read_annotated
from tf_models.data.pairs import split_words
from tf_models.translation.evaluate import score_translations
from tf_models.translation.train import UNSEEN_NAMES, report_translations
from tf_models.translation.translate import Translator


def test_shown_names_are_never_trained_on():
    trained = {
        word
        for corpus in ("toy", "everyday")
        for pair in read_annotated(embedded_file(corpus))[1]
        if pair.split == "train"
        for word in split_words(pair.source)
    }
    for sentence in UNSEEN_NAMES:
        unseen = [word for word in split_words(sentence) if word not in trained]
        assert len(unseen) >= 2


def test_a_metric_of_the_corpus_has_its_line():
    metric = CorpusMetric("right", "counted", "right of all", lambda *_: (0.75, 4))
    sentences = ["ja", "nein", "doch"]
    scores = score_translations(sentences, sentences, sentences, 0.0, "de", [metric])
    assert "right of all     75.00 % of 4" in scores.lines()


def test_unknown_words_are_named(tiny_run):
    lines = []
    translator = Translator.load(tiny_run("translator"))
    translator.known_words = frozenset(["the", "dog", "sees", "fox"])
    sentences = ["the dog sees the fox", "the dog sees the zebra"]
    report_translations(translator, sentences, lines.append)
    assert [line for line in lines if "unknown" in line] == ["  unknown      zebra"]
