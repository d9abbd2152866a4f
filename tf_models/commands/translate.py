"""Translate sentences with a trained translator; only translations go to standard output."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from tf_models.command_line import Parser, doubts, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.tasks.translation.ready_made import add_translator_arguments, chosen_run_dir

EXAMPLES = """\
  tf-models translate "He admired her as a great director."
  tf-models translate < sentences.txt > translations.txt
      a line for each line; one that cannot be translated gives an empty line
  tf-models translate
      a prompt
  tf-models translate --run-dir runs/toy-toy "The old dog sleeps."
      with a translator of your own"""
MORE = """\
  tf-models translate --quiet "This statue is petrified."
      names no unknown words
  tf-models translate --beam-size 4 --n-best 2 "The old dog sleeps."
      the two best translations and their scores, tab-separated
  tf-models translate --show-steps "The old dog sleeps."
      greedy decoding, one line a step
  tf-models translate --beam-size 2 --show-tree "The old dog sleeps."
      every hypothesis of the beam search"""
COMMON = dict.fromkeys(("--run-dir", "--beam-size", "--n-best", "--show-steps", "--quiet"), "")

SENTENCES_AT_ONCE = 2048


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES, MORE, COMMON)
    parser.add_argument(
        "sentences", nargs="*", metavar="SENTENCE", help="default: standard input, line by line"
    )
    add_translator_arguments(parser)
    parser.add_argument(
        "--beam-size", type=int, metavar="N", help="1 is greedy; default: the run's"
    )
    parser.add_argument("--n-best", type=int, metavar="N", help="print N translations and scores")
    parser.add_argument("--length-penalty", type=float, metavar="ALPHA", help="default: 0.6")
    parser.add_argument("--show-steps", action="store_true", help="print each step of decoding")
    parser.add_argument("--show-tree", action="store_true", help="print the tree of hypotheses")
    parser.add_argument("--quiet", action="store_true", help="name no unknown words")
    return parser


def main(arguments: argparse.Namespace) -> int:
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.tasks.translation.translator import Translator
    use_cores_for_inference()
    if not arguments.quiet:
        for doubt in doubts(arguments.sentences):
            print(doubt, file=sys.stderr)
    translator = Translator.load(chosen_run_dir(arguments), arguments.checkpoint)
    good, first = True, 1
    for batch in sentence_batches(arguments.sentences):
        good &= translate_batch(translator, batch, first, arguments)
        first += len(batch)
    return 0 if good else 1


def sentence_batches(given: list[str]) -> Iterator[list[str]]:
    """The sentences of the command line, or those of standard input, or what is typed."""
    from tf_models.data.text_files import iterate_lines

    if given:
        yield given
    elif sys.stdin.isatty():
        yield from typed_sentences()
    else:
        yield from in_batches(iterate_lines(sys.stdin.buffer, "standard input"))


def in_batches(lines: Iterator[str]) -> Iterator[list[str]]:
    """Some lines at a time; what stands before a line that cannot be read comes before its error.

    Raises:
        InputError: that of `lines`.
    """
    while True:
        batch: list[str] = []
        try:
            batch.extend(islice(lines, SENTENCES_AT_ONCE))
        except InputError:
            if batch:
                yield batch
            raise
        if not batch:
            return
        yield batch


def typed_sentences() -> Iterator[list[str]]:
    print("Type a sentence; an empty line ends.", file=sys.stderr)
    while True:
        print("> ", end="", file=sys.stderr, flush=True)
        sentence = sys.stdin.readline().rstrip("\n")
        if not sentence:
            return
        yield [sentence]


def translate_batch(
    translator: Any, sentences: list[str], first: int, arguments: argparse.Namespace
) -> bool:
    """Print the translations, an empty line for a sentence that cannot be translated; False if
    there is one. `first` is the number of the first sentence.
    """
    from tf_models.tasks.translation.translator import LENGTH_PENALTY, WORTH_COMPILING

    possible = {}
    for number, sentence in enumerate(sentences, first):
        try:
            translator.source.encode(sentence)
        except InputError as error:
            print(f"sentence {number}: {error}", file=sys.stderr)
            continue
        possible[number] = sentence
        unknown = [] if arguments.quiet else translator.unknown_words(sentence)
        if unknown:
            print(f"sentence {number}: unknown words: {' '.join(unknown)}", file=sys.stderr)
    penalty = LENGTH_PENALTY if arguments.length_penalty is None else arguments.length_penalty
    for sentence in possible.values():
        show_search(translator, sentence, penalty, arguments)
    found = translator.translate(
        possible.values(),
        beam_size=arguments.beam_size,
        n_best=1 if arguments.n_best is None else arguments.n_best,
        length_penalty=penalty,
        compiled=len(possible) > WORTH_COMPILING,
    )
    translations = dict(zip(possible, found, strict=True))
    for number in range(first, first + len(sentences)):
        if number in translations:
            print_translations(translations[number], with_scores=arguments.n_best is not None)
        else:
            print()
    return len(possible) == len(sentences)


def print_translations(translations: Iterable, with_scores: bool) -> None:
    for one in translations:
        print(f"{one.score:.4f}\t{one.text}" if with_scores else one.text)


def show_search(
    translator: Any, sentence: str, length_penalty: float, arguments: argparse.Namespace
) -> None:
    """Print the steps of the search, or its tree, on standard error."""
    from tf_models.tasks.translation.search_trace import trace_greedy, tree_of_hypotheses

    if arguments.show_steps:
        print(*trace_greedy(translator, sentence), sep="\n", file=sys.stderr)
    if arguments.show_tree:
        tree = tree_of_hypotheses(translator, sentence, arguments.beam_size, length_penalty)
        print(*tree, sep="\n", file=sys.stderr)
