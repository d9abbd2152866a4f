"""A translator against references: BLEU, chrF and exact match."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import sacrebleu

from tf_models.data.corpora import Corpus, CorpusMetric
from tf_models.data.corpus_files import read_aligned, read_references
from tf_models.data.pairs import SentencePair
from tf_models.data.tokenizers import TokenizerPair
from tf_models.errors import InputError, Report
from tf_models.files import check_writable, write_text
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.model import TranslationModel
from tf_models.translation.run import corpus_of_run, metrics_of_run
from tf_models.translation.translate import Translator

BUCKET_WIDTH = 5  # source words in a length bucket
NONE: Mapping[str, Sequence[str]] = MappingProxyType({})


@dataclass(frozen=True)
class Scores:
    """Agreement of hypotheses with references; BLEU, chrF and exact match run from 0 to 100.

    bleu, bleu_lowercased: sacreBLEU with the tokenizer that it has for the language, mostly 13a;
        signature: how they were computed.
    chrf: chrF2. exact_match: share of hypotheses that equal their reference; exact_match_of_any:
        that equal one of several, or None where no sentence has several.
    unknown_rate: share of source pieces that the tokenizer does not know, 0 to 1.
    bleu_by_length: BLEU of the sentences with 1-5, 6-10 … source words, and their number.
    of_corpus: figures of this corpus alone: a percentage, or None, and the number of sentences that
        it is of.
    """

    sentences: int
    bleu: float
    bleu_lowercased: float
    signature: str
    signature_lowercased: str
    chrf: float
    exact_match: float
    exact_match_of_any: float | None
    unknown_rate: float
    bleu_by_length: dict[str, tuple[float, int]]
    of_corpus: dict[CorpusMetric, tuple[float | None, int]]

    def as_dict(self) -> dict:
        """All of them by name, for JSON."""
        values = {**vars(self)}
        for metric, (value, count) in values.pop("of_corpus").items():
            values |= {metric.name: value, metric.counted: count}
        return values

    def lines(self) -> list[str]:
        """All of them, a line each."""
        of_any, of_corpus = self.exact_match_of_any, self.of_corpus.items()
        return [
            f"sentences       {self.sentences}",
            f"BLEU            {self.bleu:6.2f}  {self.signature}",
            f"BLEU lowercased {self.bleu_lowercased:6.2f}  {self.signature_lowercased}",
            f"chrF            {self.chrf:6.2f}",
            f"exact match     {self.exact_match:6.2f} %",
            *([] if of_any is None else [f"exact match of any reference {of_any:.2f} %"]),
            f"unknown source pieces {100 * self.unknown_rate:.2f} %",
            *(
                f"{m.label:15} {value:6.2f} % of {count}"
                for m, (value, count) in of_corpus
                if count
            ),
            "BLEU by source words:",
            *(
                f"  {w:>7}  {bleu:6.2f}  ({n} sentences)"
                for w, (bleu, n) in self.bleu_by_length.items()
            ),
        ]

    def row(self) -> str:
        """The most important ones on one line."""
        figures = [
            f"{self.sentences} sentences",
            f"BLEU {self.bleu:.2f}",
            f"chrF {self.chrf:.2f}",
            f"exact match {self.exact_match:.2f} %",
        ]
        of_corpus = self.of_corpus.items()
        return ", ".join([*figures, *(f"{m.label} {v:.2f} %" for m, (v, n) in of_corpus if n)])


def score_translations(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    unknown_rate: float,
    language: str,
    metrics: Sequence[CorpusMetric] = (),
    others: Mapping[str, Sequence[str]] = NONE,
) -> Scores:
    """Score translations into a language, sentence for sentence beside their references.

    Args:
        sources, hypotheses, references: as many of each.
        unknown_rate: of the source pieces, 0 to 1.
        language: two-letter code.
        metrics: further figures of the corpus.
        others: further references, by source.

    Raises:
        InputError: BLEU of that language needs a package that is not installed.
    """
    cased, lowercased = make_bleu(language), make_bleu(language, lowercase=True)
    several = any(source in others for source in sources)
    of_any = [
        reference if hypothesis not in others.get(source, ()) else hypothesis
        for source, hypothesis, reference in zip(sources, hypotheses, references, strict=True)
    ]
    computed = {metric: metric.compute(sources, hypotheses, references) for metric in metrics}
    return Scores(
        sentences=len(references),
        bleu=cased.corpus_score(hypotheses, [references]).score,
        bleu_lowercased=lowercased.corpus_score(hypotheses, [references]).score,
        signature=str(cased.get_signature()),
        signature_lowercased=str(lowercased.get_signature()),
        chrf=sacrebleu.CHRF().corpus_score(hypotheses, [references]).score,
        exact_match=exact_match(hypotheses, references),
        exact_match_of_any=exact_match(hypotheses, of_any) if several else None,
        unknown_rate=unknown_rate,
        bleu_by_length=_bleu_by_length(sources, hypotheses, references, cased),
        of_corpus={
            metric: (None if share is None else 100 * share, count)
            for metric, (share, count) in computed.items()
        },
    )


def make_bleu(language: str, lowercase: bool = False) -> sacrebleu.BLEU:
    """BLEU of translations into a language, given as its code: "de"; an InputError if it needs a
    package that is not installed.
    """
    try:
        return sacrebleu.BLEU(lowercase=lowercase, trg_lang=language)
    except RuntimeError as error:
        raise InputError(
            f"BLEU of {language} needs to know its words; pip install 'sacrebleu[{language}]'"
        ) from error


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percentage of hypotheses that equal their reference to the letter."""
    return 100 * float(np.mean([h == r for h, r in zip(hypotheses, references, strict=True)]))


def _bleu_by_length(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    bleu: sacrebleu.BLEU,
) -> dict[str, tuple[float, int]]:
    buckets = defaultdict(list)
    for source, *texts in zip(sources, hypotheses, references, strict=True):
        buckets[max(len(source.split()) - 1, 0) // BUCKET_WIDTH].append(texts)
    scores = {}
    for bucket, members in sorted(buckets.items()):
        written, right = zip(*members, strict=True)
        words = f"{bucket * BUCKET_WIDTH + 1}-{(bucket + 1) * BUCKET_WIDTH}"
        scores[words] = (bleu.corpus_score(written, [right]).score, len(members))
    return scores


def evaluate_translator(
    translator: Translator,
    pairs: Sequence[SentencePair],
    *,
    metrics: Sequence[CorpusMetric] = (),
    others: Mapping[str, Sequence[str]] = NONE,
    **decoding: Any,
) -> tuple[Scores, list[str]]:
    """Translate the sources of `pairs` and score them (see `score_translations`).

    A source that cannot be translated (too long for the model) counts as an empty translation.
    Pairs with an empty side do not count. How to decode is said as to `Translator.translate`:
    beam_size, length_penalty, progress. Returns the scores, and the translation of each pair.
    Raises InputError: there is no pair, or BLEU of the target language needs a package that is not
    installed.
    """
    scored = [i for i, pair in enumerate(pairs) if all(map(str.strip, pair))]
    if not scored:
        raise InputError("there are no sentence pairs to evaluate on")
    language = translator.tokenizers.target.language
    make_bleu(language)  # refused before minutes are spent
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    possible = [i for i, source in enumerate(sources) if translator.can_translate(source)]
    hypotheses = [""] * len(sources)
    found = translator.translate([sources[i] for i in possible], **decoding)
    for i, (best, *_) in zip(possible, found, strict=True):
        hypotheses[i] = best.text
    read, written, right = ([side[i] for i in scored] for side in (sources, hypotheses, references))
    unknown_rate = translator.tokenizers.source.unknown_rate(read)
    scores = score_translations(read, written, right, unknown_rate, language, metrics, others)
    return scores, hypotheses


def validation_bleu(
    model: TranslationModel,
    tokenizers: TokenizerPair,
    max_length: int,
    pairs: Sequence[SentencePair],
) -> Callable[[], dict[str, float]]:
    """BLEU (cased) of greedy translations of `pairs`, with the weights that `model` has then."""
    translator = Translator(model, tokenizers, max_length)  # greedy by default
    return lambda: {"val_bleu": evaluate_translator(translator, pairs)[0].bleu}


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
        for line in found[label][0].lines():
            report(line)
    for label, (scores, _) in found.items() if several else ():
        report(f"{label}: {scores.row()}")
    return found


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
    scored = score_corpora(Translator.load(run_dir, checkpoint), parts, report, **decoding)
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
