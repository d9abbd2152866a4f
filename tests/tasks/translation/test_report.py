from tf_models.data.grammar import names
from tf_models.data.text.corpora import CorpusMetric
from tf_models.data.words import split_words
from tf_models.tasks.translation.metrics import score_translations
from tf_models.tasks.translation.report import UNSEEN_NAMES, report_scores


def test_shown_names_are_never_trained_on():
    for sentence in UNSEEN_NAMES:
        assert sum(map(names.is_held_out, split_words(sentence))) >= 2


def test_a_score_stands_beside_what_guessing_reaches():
    metric = CorpusMetric("right", "counted", "right of all", lambda *_: (0.75, 4))
    sentences = ["ja", "nein", "doch"]
    scores = score_translations(sentences, sentences, sentences, 0.0, "de", [metric])
    lines = []
    report_scores(scores, lines.append, {"right": {"nothing": 25.0, "verb": 50.04}})
    first = lines.index("right of all     75.00 % of 4")
    assert lines[first + 1] == "  guessed from a table of: nothing 25.0; verb 50.0"
