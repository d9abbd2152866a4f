"""Train a Transformer translator, then score it, translate with it and draw its attention."""

import argparse
from pathlib import Path

from tf_models.command_line import (
    INTERRUPTED,
    Parser,
    add_training_arguments,
    quiet_tensorflow,
    run,
)
from tf_models.tasks.translation.settings import TranslatorSettings, preset

EXAMPLES = """\
  python scripts/train_translator.py
      the embedded corpus, in minutes
  python scripts/train_translator.py --corpus deu.txt --run-dir runs/deu --epochs 10
      sentence pairs from manythings.org
  python scripts/train_translator.py --corpus multi30k --data-dir data --preset article
      Multi30k, with the settings of the article
  python scripts/train_translator.py --corpus multi30k --preset best --minutes 60
      the same as well as it can be translated after an hour
  python scripts/train_translator.py --corpus tfds:ted_multi_translate --target-language de
      a translation set of TensorFlow Datasets
Ctrl-C saves; the same command goes on where it stopped."""

SHOWN_TRANSLATIONS = 10
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}
ARTICLE_SENTENCES = (
    "He admired her as a great director.",
    "Anthony Hopkins admired Michael Bay as a great director.",
    *IT_STANDS_FOR,
)
# Names that the embedded corpus does not hold: a small model cannot copy what it has never read.
UNSEEN_NAMES = ("Grace Kelly admired Alfred Hitchcock as a great director.",)


def make_parser() -> Parser:
    return translator_parser(__doc__, EXAMPLES, "runs/CORPUS-PRESET")


def translator_parser(description: str, examples: str, run_dir: str) -> Parser:
    """A parser of everything that a translator's training can be told."""
    parser = Parser(description, examples)
    add_data_arguments(parser)
    training = add_training_arguments(parser, run_dir, "sentence pairs")
    training.add_argument(
        "--preset",
        default="toy",
        help="settings to start from: toy (for the embedded corpus), article, or best (for real "
        "sentences); default: %(default)s",
    )
    training.add_argument("--patience", type=int, metavar="N", help="epochs without better BLEU")
    training.add_argument("--averaged", type=int, metavar="N", help="average the last N epochs")
    training.add_argument(
        "--beam-size", type=int, metavar="N", help="to translate with, once trained"
    )
    training.add_argument("--precision", choices=("float32", "mixed_bfloat16"))
    training.add_argument("--label-smoothing", type=float, metavar="SHARE")
    training.add_argument(
        "--r-drop",
        type=float,
        metavar="A",
        help="read each batch twice, as R-Drop does; 5 is usual",
    )
    training.add_argument(
        "--both-directions",
        type=int,
        metavar="N",
        help="learn to translate back as well in the first N epochs; needs --joint",
    )
    training.add_argument("--schedule", choices=("inverse_sqrt", "cosine"), help="learning rate")
    training.add_argument("--warmup-steps", type=int, metavar="N")
    training.add_argument("--peak", type=float, metavar="RATE", help="greatest learning rate")
    training.add_argument("--batching", choices=("bucketed", "tokens", "article"))
    training.add_argument("--batch-tokens", type=int, metavar="N", help="for --batching tokens")
    training.add_argument("--longest-source", type=int, metavar="TOKENS")
    training.add_argument("--longest-target", type=int, metavar="TOKENS")
    add_model_arguments(parser)
    add_tokenizer_arguments(parser)
    return parser


def add_data_arguments(parser: Parser) -> None:
    data = parser.add_argument_group("data")
    data.add_argument(
        "--corpus",
        default="toy",
        help="toy (default), tatoeba, multi30k, a tab-separated file, SOURCE,TARGET files, "
        "a folder in Multi30k's layout, or tfds:NAME/CONFIG",
    )
    data.add_argument("--source-language", metavar="CODE", help="en, de, es …")
    data.add_argument("--target-language", metavar="CODE")
    data.add_argument("--data-dir", type=Path, help="folder of downloads and TFDS data sets")
    data.add_argument("--max-pairs", type=int, metavar="N", help="train on at most N pairs")


def add_model_arguments(parser: Parser) -> None:
    model = parser.add_argument_group("model")
    model.add_argument("--num-layers", type=int, metavar="N")
    model.add_argument("--d-model", type=int, metavar="N")
    model.add_argument("--num-heads", type=int, metavar="N")
    model.add_argument("--dff", type=int, metavar="N")
    model.add_argument("--dropout", type=float, dest="rate", metavar="RATE")
    model.add_argument(
        "--word-dropout",
        type=float,
        dest="word_rate",
        metavar="RATE",
        help="share of the tokens read in training that become unknown",
    )
    model.add_argument("--positions", type=int, metavar="TOKENS", help="longest sentence ever")
    model.add_argument(
        "--residual-gain", type=float, metavar="G", help="factor on initial kernels, up to 1"
    )


def add_tokenizer_arguments(parser: Parser) -> None:
    tokens = parser.add_argument_group("tokenizer")
    tokens.add_argument("--tokenizer", choices=("corpus", "bpemb"))
    tokens.add_argument("--pieces", type=int, metavar="N", help="subword pieces of each side")
    yes_or_no = {"action": argparse.BooleanOptionalAction, "default": None}
    tokens.add_argument("--joint", **yes_or_no, help="one for both sides")
    tokens.add_argument("--tie-embeddings", **yes_or_no, help="one table for all; needs --joint")
    tokens.add_argument(
        "--bpe-dropout", type=float, metavar="P", help="leave out merges, so words are cut anew"
    )
    tokens.add_argument("--bpemb-cache", type=Path, help="folder of BPEmb's files")
    tokens.add_argument(
        "--pretrained-vectors",
        action="store_true",
        default=None,
        help="start from BPEmb's vectors of size --d-model",
    )


def settings_from(arguments: argparse.Namespace) -> TranslatorSettings:
    names = TranslatorSettings.__dataclass_fields__
    return preset(arguments.preset).changed(
        **{name: value for name, value in vars(arguments).items() if name in names}
    )


def default_run_dir(corpus: str, preset_name: str) -> Path:
    if corpus.startswith("tfds:"):
        name = corpus.removeprefix("tfds:").replace("/", "-")
    else:
        name = Path(corpus.split(",")[0]).resolve().name.split(".")[0]
    return Path("runs") / f"{name}-{preset_name}"


def main(arguments: argparse.Namespace) -> int | None:
    settings = settings_from(arguments)
    run_dir = arguments.run_dir or default_run_dir(arguments.corpus, arguments.preset)
    corpus = load(arguments)
    with quiet_tensorflow():
        from tf_models.tasks.translation.train import prepare_training
        from tf_models.training.run_directory import RunDirectory
    run_directory = RunDirectory(run_dir)
    training = prepare_training(
        run_directory, corpus, settings, arguments.seed, bpemb_cache=arguments.bpemb_cache
    )
    source, target = next(iter(training.batches.epoch(0)))
    print(f"first batch: source {tuple(source.shape)}, target {tuple(target.shape)}")
    print(f"model: {training.model.count_params():,} parameters; run directory {run_dir}")
    if not fit(training, corpus, settings, arguments.minutes):
        print(f"interrupted and saved in {run_dir}; the same command goes on from here")
        return INTERRUPTED
    if settings.beam_size > 1:
        choose_how_to_decode(training, corpus, settings)
    else:
        training.run.decoding_file.unlink(missing_ok=True)  # an earlier start may have had a beam
    return show_results(training, corpus)


def load(arguments: argparse.Namespace):
    """The corpus of the command line."""
    with quiet_tensorflow():
        from tf_models.data.text.corpora import load_corpus
    print(f"loading corpus {arguments.corpus}")
    return load_corpus(
        arguments.corpus,
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        data_dir=arguments.data_dir,
        max_pairs=arguments.max_pairs,
        seed=arguments.seed,
    )


def fit(training, corpus, settings: TranslatorSettings, minutes: float) -> bool:
    from tf_models.tasks.translation.evaluation import validation_bleu

    metric = None
    if settings.patience:
        metric = validation_bleu(
            training.model, training.tokenizers, settings.positions, corpus.validation
        )
    return training.loop.fit(
        settings.epochs,
        settings.checkpoint_every,
        metric=metric,
        patience=settings.patience,
        minutes=minutes,
    )


def choose_how_to_decode(training, corpus, settings: TranslatorSettings) -> None:
    from tf_models.tasks.translation.decoding_options import choose_decoding
    from tf_models.tasks.translation.evaluation import bleu_of_run

    checkpoints = ["best", "average"] if settings.averaged else ["best"]
    bleu = bleu_of_run(training.run.path, corpus.validation)
    print(f"\nchoosing how to decode on {len(corpus.validation)} validation pairs:")
    choose_decoding(bleu, checkpoints, settings.beam_size).save(training.run)


def show_results(training, corpus) -> None:
    from evaluate_translator import print_scores

    from tf_models.tasks.translation.evaluation import evaluate_translator
    from tf_models.tasks.translation.translator import Translator

    translator = Translator.load(training.run.path)
    chosen = translator.decoding
    print(
        f"\n{len(corpus.test)} test pairs, checkpoint {chosen.checkpoint}, beam {chosen.beam_size}:"
    )
    scores, hypotheses = evaluate_translator(translator, corpus.test, progress=True)
    print_scores(scores)
    step = max(1, len(corpus.test) // SHOWN_TRANSLATIONS)
    for i in range(0, step * SHOWN_TRANSLATIONS, step):
        if i < len(hypotheses):
            print_translation(corpus.test[i].source, hypotheses[i], corpus.test[i].target)
    if corpus.source_language == "en":
        show_translations(translator, "the articles' sentences", ARTICLE_SENTENCES)
        show_translations(translator, "names that it has hardly met", UNSEEN_NAMES)
    if corpus.name == "toy" and corpus.source_language == "en":
        print_where_it_looks(translator)
    draw_figures(training, translator, corpus)


def show_translations(translator, title: str, sentences) -> None:
    print(f"\n{title}:")
    for sentence in filter(translator.can_translate, sentences):
        print_translation(sentence, translator.translate([sentence])[0][0].text)


def print_translation(source: str, translation: str, reference: str | None = None) -> None:
    print(f"\n  source       {source}\n  translation  {translation}")
    if reference is not None:
        print(f"  reference    {reference}")


def print_where_it_looks(translator) -> None:
    """Which heads look at the noun that "it" stands for, reading it and writing es or sie."""
    from plot_attention import KINDS, attention_maps

    from tf_models.plotting.head_statistics import heads_looking_at

    print("\nheads that look most at the noun that it stands for:")
    for sentence, noun in IT_STANDS_FOR.items():
        if not translator.can_translate(sentence):
            continue
        print(f"\n  {sentence}")
        for kind in ("encoder", "cross"):
            weights, rows, columns = attention_maps(translator, sentence, kind=kind, words=True)
            word = (
                "it" if kind == "encoder" else next((r for r in rows if r in ("es", "sie")), None)
            )
            if word is None:
                continue
            heads = heads_looking_at(weights, rows.index(word), columns.index(noun))
            found = ", ".join(f"layer {layer} head {head} ({w:.2f})" for layer, head, w in heads)
            print(f"    {KINDS[kind][0]}, {word} -> {noun}: {found or 'none'}")


def draw_figures(training, translator, corpus) -> None:
    from plot_attention import KINDS, draw_attention

    from tf_models.plotting.files import save_figure
    from tf_models.plotting.lengths import plot_lengths
    from tf_models.plotting.training_curves import plot_training_curves

    figures = {
        "training.png": plot_training_curves(training.loop.history.columns()),
        "lengths.png": plot_lengths(*training.pairs.lengths),
    }
    sentences = ARTICLE_SENTENCES if corpus.source_language == "en" else ()
    tests = (pair.source for pair in corpus.test)
    shown = next(filter(translator.can_translate, (*sentences[:1], *tests)), None)
    for kind in KINDS if shown else ():
        figures[f"attention-{kind}.png"] = draw_attention(translator, shown, kind=kind, layer="all")
    if corpus.name == "toy" and sentences:
        for sentence in filter(translator.can_translate, IT_STANDS_FOR):
            figures[f"it-{IT_STANDS_FOR[sentence]}.png"] = draw_attention(
                translator, sentence, kind="cross", words=True
            )
    print("\nfigures:")
    for name, figure in figures.items():
        path = training.run.figures / name
        save_figure(figure, path)
        print(f"  {path}")


if __name__ == "__main__":
    run(make_parser(), main)
