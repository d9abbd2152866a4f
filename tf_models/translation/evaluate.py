"""Evaluation of a translator: BLEU, chrF and exact match."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import sacrebleu

from tf_models.data.annotated import BY_MEANING, BY_PLACE, UNSEEN, AnnotatedPair, pronoun_of
from tf_models.data.corpora import Corpus, corpus_list, load_corpus, mix
from tf_models.data.pairs import SentencePair, read_aligned, read_references
from tf_models.data.words import split_words
from tf_models.errors import InputError, Report, StrPath, counted
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.translate import LENGTH_PENALTY, Translator

BUCKET_WIDTH = 5  # source words in a length bucket
ENOUGH = 30  # test pairs for which BLEU means something
PAIR_KINDS = {  # kind of annotated pairs -> label of the share that is right
    BY_PLACE: '"it" by place right',
    BY_MEANING: '"it" by meaning right',
    UNSEEN: f"{UNSEEN} kept",
}


@dataclass(frozen=True)
class Scores:
    """Agreement with references: BLEU, chrF and exact match, 0 to 100.

    bleu, bleu_lowercased: sacreBLEU; their signatures say how they were computed.
    exact_match_of_any: hypotheses that equal one of several references, or None without these.
    unknown_rate: share of source pieces that the tokenizer does not know, 0 to 1.
    bleu_by_length: BLEU of the sentences with 1-5, 6-10 … source words, and their number.
    by_kind: shares of annotated pairs (see `right_of_kinds`).
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
    by_kind: dict[str, tuple[float | None, int]]

    def lines(self) -> list[str]:
        """All scores as lines of text; without BLEU for less than `ENOUGH` pairs."""
        if self.sentences < ENOUGH:
            right = round(self.exact_match * self.sentences / 100)
            few = f"{counted(self.sentences, 'test pair')}: too few for BLEU"
            return [few, f"exact match     {right} of {self.sentences}"]
        lines = [
            f"sentences       {self.sentences}",
            f"BLEU            {self.bleu:6.2f}  {self.signature}",
            f"BLEU lowercased {self.bleu_lowercased:6.2f}  {self.signature_lowercased}",
            f"chrF            {self.chrf:6.2f}",
            f"exact match     {self.exact_match:6.2f} %",
        ]
        if self.exact_match_of_any is not None:
            lines.append(f"exact match of any reference {self.exact_match_of_any:.2f} %")
        lines.append(f"unknown source pieces {100 * self.unknown_rate:.2f} %")
        for kind, (share, count) in self.by_kind.items():
            if count:
                lines.append(f"{PAIR_KINDS[kind]:15} {share:6.2f} % of {count}")
        lines.append("BLEU by source words:")
        for words, (bleu, count) in self.bleu_by_length.items():
            lines.append(f"  {words:>7}  {bleu:6.2f}  ({counted(count, 'sentence')})")
        return lines


def score_translations(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    unknown_rate: float,
    language: str,
    others: Mapping[str, Sequence[str]] | None = None,
    annotated: Mapping[str, AnnotatedPair] | None = None,
) -> Scores:
    """Score translations into `language`, each against its reference.

    `others` are further references, `annotated` annotated pairs, both by source. Raises InputError:
    BLEU of that language needs a package that is not installed.
    """
    cased, lowercased = make_bleu(language), make_bleu(language, lowercase=True)
    others = others or {}
    annotated = annotated or {}
    of_any = [
        hypothesis if hypothesis in others.get(source, ()) else reference
        for source, hypothesis, reference in zip(sources, hypotheses, references, strict=True)
    ]
    has_others = any(source in others for source in sources)
    return Scores(
        sentences=len(references),
        bleu=cased.corpus_score(hypotheses, [references]).score,
        bleu_lowercased=lowercased.corpus_score(hypotheses, [references]).score,
        signature=str(cased.get_signature()),
        signature_lowercased=str(lowercased.get_signature()),
        chrf=sacrebleu.CHRF().corpus_score(hypotheses, [references]).score,
        exact_match=exact_match(hypotheses, references),
        exact_match_of_any=exact_match(hypotheses, of_any) if has_others else None,
        unknown_rate=unknown_rate,
        bleu_by_length=_bleu_by_length(sources, hypotheses, references, cased),
        by_kind=right_of_kinds(sources, hypotheses, annotated) if language == "de" else {},
    )


def make_bleu(language: str, lowercase: bool = False) -> sacrebleu.BLEU:
    """sacreBLEU for a language ("de"); InputError if a package is missing."""
    try:
        return sacrebleu.BLEU(lowercase=lowercase, trg_lang=language)
    except RuntimeError as error:
        raise InputError(
            f"BLEU of {language} needs to know its words; pip install 'sacrebleu[{language}]'"
        ) from error


def right_of_kinds(
    sources: Sequence[str], hypotheses: Sequence[str], annotated: Mapping[str, AnnotatedPair]
) -> dict[str, tuple[float | None, int]]:
    """Accuracy on annotated pairs in percent, and their number, by kind.

    Right is a German translation with the reference's pronoun in its second clause, or with all
    unseen names and numbers. None for a kind without pairs; empty if no pair is annotated.
    """
    right: dict[str, list[bool]] = {kind: [] for kind in PAIR_KINDS} if annotated else {}
    for source, text in zip(sources, hypotheses, strict=True):
        pair = annotated.get(source)
        if pair and pair.unseen:
            right[UNSEEN].append({*pair.unseen.split()} <= {*split_words(text)})
        elif pair and pair.kind in right:
            right[pair.kind].append(pronoun_of(text) == pronoun_of(pair.target))
    return {
        kind: (100 * sum(results) / len(results) if results else None, len(results))
        for kind, results in right.items()
    }


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percentage of hypotheses that equal their reference exactly."""
    equal = sum(h == r for h, r in zip(hypotheses, references, strict=True))
    return 100 * (equal / len(references))


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
    others: Mapping[str, Sequence[str]] | None = None,
    annotated: Mapping[str, AnnotatedPair] | None = None,
    beam_size: int | None = None,
    length_penalty: float = LENGTH_PENALTY,
) -> tuple[Scores, list[str]]:
    """Translate and score sentence pairs (see `score_translations`).

    A source that cannot be translated (too long for the model) counts as an empty translation;
    pairs with an empty side do not count. Beam size and length penalty: see
    `Translator.translate`.

    Returns:
        the scores, and the translation of each pair.

    Raises:
        InputError: there is no pair, or BLEU of the target language needs a further package.
    """
    scored = [i for i, pair in enumerate(pairs) if all(map(str.strip, pair))]
    if not scored:
        raise InputError("there are no sentence pairs to evaluate on")
    language = translator.tokenizers.target.language
    make_bleu(language)  # refused before minutes are spent
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    possible = [i for i, source in enumerate(sources) if translator.can_translate(source)]
    hypotheses = [""] * len(sources)
    translations = translator.translate(
        [sources[i] for i in possible], beam_size=beam_size, length_penalty=length_penalty
    )
    for i, (best, *_) in zip(possible, translations, strict=True):
        hypotheses[i] = best.text
    read, written, right = ([side[i] for i in scored] for side in (sources, hypotheses, references))
    unknown_rate = translator.tokenizers.source.unknown_rate(read)
    texts = read, written, right
    return score_translations(*texts, unknown_rate, language, others, annotated), hypotheses


def score_corpora(
    translator: Translator, corpora: Mapping[str, Corpus], report: Report = print, **search: Any
) -> dict[str, tuple[Scores, list[str]]]:
    """Score a translator on the test pairs of corpora, and report scores.

    `search` are beam size and length penalty (see `Translator.translate`). Returns scores, and the
    translation of each test pair, by the short name of the corpus.
    """
    results = {}
    for label, corpus in corpora.items():
        if len(corpora) > 1:
            report(f"\n{label}:")
        results[label] = evaluate_translator(
            translator, corpus.test, others=corpus.others, annotated=corpus.annotated, **search
        )
        report("\n".join(results[label][0].lines()))
    return results


def evaluate_run(
    run_dir: StrPath,
    *,
    corpus: str | Sequence[str] | None = None,
    data_dir: StrPath | None = None,
    checkpoint: str | None = None,
    source: StrPath | None = None,
    reference: StrPath | None = None,
    references: StrPath | None = None,
    beam_size: int | None = None,
    length_penalty: float = LENGTH_PENALTY,
    report: Report = print,
) -> dict[str, Scores]:
    """Score a translator on reference files, or on test pairs of corpora.

    Args:
        run_dir, checkpoint: see `Translator.load`.
        corpus: names that `load_corpora` takes, with `data_dir`; by default the run's own, which
            are cut and split as for its training.
        source, reference: files, line by line beside each other.
        references: in place of these, a file with a sentence and its references in each line.
        beam_size, length_penalty: see `Translator.translate`.
        report: takes the lines that are shown.

    Returns:
        the scores of each corpus by its short name, or those of "files".
    """
    config = RunDirectory(run_dir).read_config("translator")
    if source or reference or references:
        if corpus is not None:
            raise InputError("name files or --corpus, not both")
        parts = {"files": _of_files(source, reference, references)}
    else:
        parts = _of_run(config, corpus, data_dir).parts
    translator = Translator.load(run_dir, checkpoint)
    report(describe_search(beam_size or translator.beam_size))
    results = score_corpora(
        translator, parts, report, beam_size=beam_size, length_penalty=length_penalty
    )
    return {label: scores for label, (scores, _) in results.items()}


def describe_search(beam_size: int) -> str:
    """Name of a search, by its hypotheses."""
    return "greedy decoding" if beam_size == 1 else f"beam search, {beam_size} hypotheses"


def corpus_names(config: Mapping) -> list[str]:
    """Names of the corpora in config.json."""
    return _as_list(config["data"]["corpus"])


def _as_list(value: Any) -> list:
    return value if isinstance(value, list) else [value]


def _of_run(config: Mapping, names: str | Sequence[str] | None, data_dir: StrPath | None) -> Corpus:
    """Corpora that a run was trained on, or others in its languages."""
    data = config["data"]
    trained = corpus_names(config)
    languages = data["source_language"], data["target_language"]
    selections = dict(zip(trained, _as_list(data.get("selection")), strict=False))
    corpora = []
    for name in corpus_list(names or trained):
        # A corpus of another name has none, nor have older runs.
        selection = selections.get(name) or {"seed": config["seed"]}
        corpora.append(load_corpus(name, languages=languages, data_dir=data_dir, **selection))
    corpus = mix(corpora)
    prints = [part.fingerprint() for part in corpus.parts.values()]
    if names is None and prints != _as_list(data["fingerprint"]):
        raise InputError(
            f"{corpus.name} has other pairs than the run was trained on; name files, or --corpus "
            "if you know that its test pairs are the same"
        )
    return corpus


def _of_files(
    source: StrPath | None, reference: StrPath | None, references: StrPath | None
) -> Corpus:
    """Test pairs in files, with one reference a source or with several."""
    if (source is None) != (reference is None) or (source is None) == (references is None):
        raise InputError("name --source and --reference, or --references alone")
    if source:
        pairs = read_aligned(Path(source), Path(cast(str, reference)))
        others = {}
    else:
        others = read_references(Path(cast(str, references)))
        pairs = [SentencePair(source, first) for source, (first, *_) in others.items()]
    return Corpus("files", "", "", [], [], pairs, others=others)
