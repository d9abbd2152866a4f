"""What a classifier must do better than: guessing, and words without their order."""

from collections import Counter
from collections.abc import Callable, Sequence

from tf_models.data.text.labelled import LabelledText

WORDS = r"\w+(?:['’]\w+)*|[.?!]"
STEPS = 300  # of the logistic regression, at most

Predictions = list[str]


def most_frequent_class(train: Sequence[LabelledText], test: Sequence[LabelledText]) -> Predictions:
    """The same class for all: the one that most training texts have."""
    ((label, _),) = Counter(one.label for one in train).most_common(1)
    return [label] * len(test)


def bag_of_words(train: Sequence[LabelledText], test: Sequence[LabelledText]) -> Predictions:
    """Logistic regression on how often each word and mark occurs."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    counts = CountVectorizer(token_pattern=WORDS)
    features = counts.fit_transform([one.text for one in train])  # (texts, words)
    regression = LogisticRegression(max_iter=STEPS)
    regression.fit(features, [one.label for one in train])
    return list(regression.predict(counts.transform([one.text for one in test])))


BASELINES: dict[str, Callable[[Sequence[LabelledText], Sequence[LabelledText]], Predictions]] = {
    "most frequent class": most_frequent_class,
    "bag of words": bag_of_words,
}
