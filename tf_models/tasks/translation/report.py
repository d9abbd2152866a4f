"""What the end of a translator's training shows: scores, translations, heads, figures."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast

from matplotlib.figure import Figure

from tf_models.data.sentences import ARTICLE_SENTENCES, DIRECTOR, IT_STANDS_FOR
from tf_models.data.text.corpora import EMBEDDED, Corpus
from tf_models.data.text.corpus_files import read_aligned, read_references
from tf_models.data.text.pairs import SentencePair
from tf_models.errors import InputError, Report
from tf_models.files import check_writable, write_text
from tf_models.plotting.files import save_figures
from tf_models.plotting.lines import plot_lengths
from tf_models.tasks.translation.attention import heads_of_it, surest_head_of_it
from tf_models.tasks.translation.evaluation import Scores, evaluate_translator
from tf_models.tasks.translation.figures import FIGURES
from tf_models.tasks.translation.protocol import ATTENTION_KINDS
from tf_models.tasks.translation.run import corpus_of_run, metrics_of_run
from tf_models.tasks.translation.translator import Translator
from tf_models.training.loop import TrainingLoop
from tf_models.training.run_directory import RunDirectory

SHOWN_TRANSLATIONS = 10
LOW_BLEU = 15.0  # nothing to use
# Names and a number that no training sentence of the embedded corpus has.
UNSEEN_NAMES = (
    "My name is Hermione Woolf.",
    "Clint Bogart lives in Fresno.",
    "Ernest Elgar has 1234 books.",
)


def report_training(training: TrainingLoop, corpus: Corpus, report: Report = print) -> None:
    """Score the trained model on the test pairs, show what it makes of sentences, and draw."""
    translator = Translator.load(training.run.path)
    chosen = translator.decoding
    report(
        f"\n{len(corpus.test)} test pairs, checkpoint {chosen.checkpoint}, beam {chosen.beam_size}:"
    )
    scored = score_corpora(translator, corpus.parts, report)
    for label, part in corpus.parts.items():
        # A few test pairs, evenly from the first to the last.
        hypotheses, step = scored[label][1], max(1, len(part.test) // SHOWN_TRANSLATIONS)
        for i in range(0, min(step * SHOWN_TRANSLATIONS, len(hypotheses)), step):
            pair = part.test[i]
            _report_translation(pair.source, hypotheses[i], report, pair.target)
    if corpus.source_language == "en":
        report_translations(translator, "the articles' sentences", ARTICLE_SENTENCES, report)
        if any(part.name in EMBEDDED for part in corpus.parts.values()):
            report_translations(translator, "names that it has never met", UNSEEN_NAMES, report)
            report_attention_of_it(translator, report)
    save_figures(draw_figures(training, corpus, translator), training.run.figures, report)
    for label, (scores, _) in scored.items():
        if scores.bleu < LOW_BLEU:
            of_part = f" of {label}" if len(scored) > 1 else ""
            report(f"\nfew test sentences{of_part} came out right; {what_to_try(training, corpus)}")


def what_to_try(training: TrainingLoop, corpus: Corpus) -> str:
    """What may help a training that came to little, as words for the reader."""
    history = training.history
    advice = ["more sentences, or --preset best"]
    if history.epochs_since_best("val_loss") == 0:  # it still learns
        advice.insert(0, f"--epochs {4 * len(history.rows)}")
    if (corpus.source_language, corpus.target_language) == ("en", "de"):
        advice.append("or --start-from ready-made")
    return f"try {', '.join(advice)}, in another --run-dir"


def score_corpora(
    translator: Translator, corpora: Mapping[str, Corpus], report: Report = print, **options: Any
) -> dict[str, tuple[Scores, list[str]]]:
    """Score a translator on the test pairs of corpora, by short names; of several, a row for each
    ends it. Options are those of `evaluate_translator`. Returns scores, and the translation of each
    test pair, by these names.
    """
    several, found = len(corpora) > 1, {}
    for label, corpus in corpora.items():
        if several:
            report(f"\n{label}:")
        known: dict[str, Any] = {"metrics": corpus.metrics, "others": corpus.others}
        found[label] = evaluate_translator(
            translator, corpus.test, **known, **options, progress=True
        )
        report_scores(found[label][0], report)
    for label, (scores, _) in found.items() if several else ():
        report(f"{label}: {_row(scores)}")
    return found


def _row(scores: Scores) -> str:
    figures = [
        f"{scores.sentences} sentences",
        f"BLEU {scores.bleu:.2f}",
        f"chrF {scores.chrf:.2f}",
        f"exact match {scores.exact_match:.2f} %",
    ]
    of_corpus = scores.of_corpus.items()
    figures += [f"{metric.label} {value:.2f} %" for metric, (value, count) in of_corpus if count]
    return ", ".join(figures)


def evaluate_run(
    run_dir: Path,
    *,
    corpus: Sequence[str] | None = None,
    data_dir: Path | None = None,
    checkpoint: str | None = None,
    source: Path | None = None,
    reference: Path | None = None,
    references: Path | None = None,
    output: Path | None = None,
    report: Report = print,
    **decoding: Any,
) -> dict:
    """Score a translator against references: those of files, or of the test pairs of corpora.

    Args:
        corpus, data_dir: see `corpus_of_run`.
        checkpoint: see `Translator.load`.
        source, reference: files, line by line beside each other.
        references: in place of these, a file of a sentence and its references in each line.
        output: a file for the translations.
        decoding: beam_size and length_penalty, see `Translator.translate`.

    Returns:
        the scores by name; of several corpora, these by the corpora's short names.

    Raises:
        InputError: a file, a corpus or a run cannot be read, or the options contradict each other.
    """
    if output:
        check_writable(output)  # refused before minutes are spent
    run, files = RunDirectory(run_dir), (source, reference, references)
    if any(path is not None for path in files):
        if corpus is not None:
            raise InputError("name files or --corpus, not both")
        parts = _of_files(run, *files)
    else:
        parts = corpus_of_run(run, corpus, data_dir).parts
    translator = Translator.load(run_dir, checkpoint)
    scored = score_corpora(translator, parts, report, **decoding)
    if output:
        lines = chain.from_iterable(hypotheses for _, hypotheses in scored.values())
        write_text(output, "".join(f"{line}\n" for line in lines))
    figures = {label: scores.as_dict() for label, (scores, _) in scored.items()}
    return figures if len(figures) > 1 else next(iter(figures.values()))


def _of_files(
    run: RunDirectory, source: Path | None, reference: Path | None, references: Path | None
) -> dict[str, Corpus]:
    """Test pairs in files, with all references of each source where there are several."""
    if (source is None) != (reference is None) or (source is None) == (references is None):
        raise InputError("name --source and --reference, or --references alone")
    if source:
        pairs, others = read_aligned(source, cast(Path, reference)), {}
    else:
        others = read_references(cast(Path, references))
        pairs = [SentencePair(source, first) for source, (first, *_) in others.items()]
    metrics = metrics_of_run(run)
    return {"files": Corpus("files", "", "", [], [], pairs, others=others, metrics=metrics)}


def report_scores(scores: Scores, report: Report = print) -> None:
    """All scores, a line each."""
    report(f"sentences       {scores.sentences}")
    report(f"BLEU            {scores.bleu:6.2f}  {scores.signature}")
    report(f"BLEU lowercased {scores.bleu_lowercased:6.2f}  {scores.signature_lowercased}")
    report(f"chrF            {scores.chrf:6.2f}")
    report(f"exact match     {scores.exact_match:6.2f} %")
    if scores.exact_match_of_any is not None:
        report(f"exact match of any reference {scores.exact_match_of_any:.2f} %")
    report(f"unknown source pieces {100 * scores.unknown_rate:.2f} %")
    for metric, (value, count) in scores.of_corpus.items():
        if count:
            report(f"{metric.label:15} {value:6.2f} % of {count}")
    report("BLEU by source words:")
    for words, (bleu, sentences) in scores.bleu_by_length.items():
        report(f"  {words:>7}  {bleu:6.2f}  ({sentences} sentences)")


def report_translations(
    translator: Translator, title: str, sentences: Iterable[str], report: Report = print
) -> None:
    """Translate those sentences that the model can read, and say what training did not have."""
    report(f"\n{title}:")
    for sentence in filter(translator.can_translate, sentences):
        ((best, *_),) = translator.translate([sentence])
        _report_translation(sentence, best.text, report)
        if said := str(best.remarks):
            report(f"  remark       {said}")


def _report_translation(
    source: str, translation: str, report: Report, reference: str | None = None
) -> None:
    report(f"\n  source       {source}\n  translation  {translation}")
    if reference is not None:
        report(f"  reference    {reference}")


def report_attention_of_it(translator: Translator, report: Report = print) -> None:
    """Which heads attend to the noun that "it" stands for, reading it and writing es or sie."""
    report("\nheads that attend most to the noun that it stands for:")
    kinds = [kind for kind in ("encoder", "cross") if kind in translator.model.attention_kinds]
    for sentence in filter(translator.can_translate, IT_STANDS_FOR):
        report(f"\n  {sentence}")
        for kind in kinds:
            found_words = heads_of_it(translator, sentence, kind)
            if not found_words:
                report(f"    {ATTENTION_KINDS[kind]}: neither es nor sie in its translation")
            for word, heads in found_words:
                found = ", ".join(
                    f"layer {layer} head {head} ({w:.2f})" for layer, head, w in heads
                )
                name = f"{ATTENTION_KINDS[kind]}, {word} -> {IT_STANDS_FOR[sentence]}"
                report(f"    {name}: {found or 'none'}")


def draw_figures(
    training: TrainingLoop, corpus: Corpus, translator: Translator
) -> dict[str, Figure]:
    """The figures of the end of training, by name."""
    draw = FIGURES.draw
    figures = {
        "training": draw("training", translator, run_dir=training.run.path),
        "lengths": plot_lengths(*training.batches.encoded.lengths),
    }
    english = corpus.source_language == "en"
    tests = (pair.source for pair in corpus.test)
    shown = next(filter(translator.can_translate, (*([DIRECTOR] if english else []), *tests)), None)
    for kind in translator.model.attention_kinds if shown else ():
        options = {"sentence": shown, "kind": kind, "layer": "all"}
        figures[f"attention-{kind}"] = draw("maps", translator, **options)
    if english and any(part.name in EMBEDDED for part in corpus.parts.values()):
        for sentence in filter(translator.can_translate, IT_STANDS_FOR):
            head = surest_head_of_it(translator, sentence)
            if head is not None:
                place = {"kind": head.kind, "layer": str(head.layer), "head": head.head}
                name = f"it-{IT_STANDS_FOR[sentence]}-{head.kind}-{head.layer}-{head.head}"
                figures[name] = draw("maps", translator, sentence=sentence, words=True, **place)
    return figures
