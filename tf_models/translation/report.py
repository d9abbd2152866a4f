"""The end of a translator's training: scores, translations, heads, figures."""

from collections.abc import Iterable, Iterator

from matplotlib.figure import Figure

from tf_models.data.corpora import EMBEDDED, Corpus
from tf_models.data.pairs import ARTICLE_SENTENCES, DIRECTOR, IT_STANDS_FOR
from tf_models.errors import Report
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_lengths
from tf_models.training.loop import TrainingLoop
from tf_models.translation.attention import heads_of_it, surest_head_of_it
from tf_models.translation.evaluate import score_corpora
from tf_models.translation.figures import FIGURES
from tf_models.translation.model import ATTENTION_KINDS
from tf_models.translation.translate import Translator

SHOWN_TRANSLATIONS = 10
# Names and a number that no training sentence of the embedded corpus has.
UNSEEN_NAMES = (
    "My name is Hermione Woolf.",
    "Clint Bogart lives in Fresno.",
    "Ernest Elgar has 1234 books.",
)


def report_training(training: TrainingLoop, corpus: Corpus, report: Report = print) -> None:
    """Score the trained model on the test pairs, show what it makes of sentences, and draw."""
    translator = Translator.load(training.run.path)
    report(f"\n{len(corpus.test)} test pairs, beam {translator.beam_size}:")
    scored = score_corpora(translator, corpus.parts, report)
    for label, part in corpus.parts.items():
        step = max(1, len(part.test) // SHOWN_TRANSLATIONS)  # evenly from the first to the last
        shown = list(zip(part.test, scored[label][1], strict=True))[::step][:SHOWN_TRANSLATIONS]
        for pair, translation in shown:
            report(f"\n  source       {pair.source}\n  translation  {translation}")
            report(f"  reference    {pair.target}")
    if corpus.source_language == "en":
        report_translations(translator, "the articles' sentences", ARTICLE_SENTENCES, report)
    if _is_embedded_english(corpus):
        report_translations(translator, "names that are not in the corpus", UNSEEN_NAMES, report)
        report_attention_of_it(translator, report)
    save_figures(dict(draw_figures(training, corpus, translator)), training.run.figures, report)


def report_translations(
    translator: Translator, title: str, sentences: Iterable[str], report: Report = print
) -> None:
    """Translate those sentences that the model can read, and name their unknown words."""
    report(f"\n{title}:")
    sentences = list(filter(translator.can_translate, sentences))
    for sentence, (best, *_) in zip(sentences, translator.translate(sentences), strict=True):
        report(f"\n  source       {sentence}\n  translation  {best.text}")
        if unknown := translator.unknown_words(sentence):
            report(f"  unknown      {' '.join(unknown)}")


def report_attention_of_it(translator: Translator, report: Report = print) -> None:
    """Which heads attend to the noun that "it" stands for, reading it and writing es or sie."""
    report("\nheads that attend most to the noun that it stands for:")
    kinds = [kind for kind in ("encoder", "cross") if kind in translator.model.attention_kinds]
    for sentence in filter(translator.can_translate, IT_STANDS_FOR):
        report(f"\n  {sentence}")
        for kind in kinds:
            for word, heads in heads_of_it(translator, sentence, kind):
                found = ", ".join(
                    f"layer {layer} head {head} ({w:.2f})" for layer, head, w in heads
                )
                name = f"{ATTENTION_KINDS[kind]}, {word} -> {IT_STANDS_FOR[sentence]}"
                report(f"    {name}: {found or 'none'}")


def draw_figures(
    training: TrainingLoop, corpus: Corpus, translator: Translator
) -> Iterator[tuple[str, Figure]]:
    """The figures of the end of training, each with its name."""
    draw = FIGURES.draw
    yield "training", draw("training", translator, run_dir=training.run.path)
    yield "lengths", plot_lengths(*training.batches.encoded.lengths)
    article = [DIRECTOR] if corpus.source_language == "en" else []
    candidates = (*article, *(pair.source for pair in corpus.test))
    shown = next(filter(translator.can_translate, candidates), None)
    for kind in translator.model.attention_kinds if shown else ():
        yield f"attention-{kind}", draw("maps", translator, sentence=shown, kind=kind, layer="all")
    if _is_embedded_english(corpus):
        for sentence in filter(translator.can_translate, IT_STANDS_FOR):
            if head := surest_head_of_it(translator, sentence):
                place = {"kind": head.kind, "layer": str(head.layer), "head": head.head}
                name = f"it-{IT_STANDS_FOR[sentence]}-{head.kind}-{head.layer}-{head.head}"
                yield name, draw("maps", translator, sentence=sentence, words=True, **place)


def _is_embedded_english(corpus: Corpus) -> bool:
    names = (part.name for part in corpus.parts.values())
    return corpus.source_language == "en" and any(name in EMBEDDED for name in names)
