"""Translate sentences with a trained translator; only translations go to standard output.

tf-models translate "He admired her as a great director."
tf-models translate < sentences.txt > translations.txt
    a line for each line; one that cannot be translated gives an empty line
tf-models translate
    a prompt
tf-models translate --run-dir runs/toy-toy "The old dog sleeps."
    with a translator of your own
tf-models translate --beam-size 4 --n-best 2 "The old dog sleeps."
    the two best translations and their scores, tab-separated
tf-models translate --show-steps "The old dog sleeps."
    greedy decoding, one line a step
tf-models translate --beam-size 2 --show-tree "The old dog sleeps."
    every hypothesis of the beam search
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.settings import NotNegative, Size
from tf_models.translation.arguments import TranslatorArguments

SENTENCES_AT_ONCE = 2048


class Arguments(TranslatorArguments):
    """All arguments."""

    sentences: tyro.conf.Positional[tuple[str, ...]] = ()
    """Sentences; if left out, standard input, line by line."""
    beam_size: Size | None = None
    """Hypotheses kept, 1 is greedy; if left out, the run's."""
    n_best: Size | None = None
    """Print so many translations and their scores."""
    length_penalty: NotNegative | None = None
    """Alpha of the beam search; if left out, the run's."""
    show_steps: bool = False
    """Print each step of decoding."""
    show_tree: bool = False
    """Print the tree of hypotheses."""
    quiet: bool = False
    """Name no unknown words."""


def main() -> int:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.runtime import use_cores_for_inference
        from tf_models.translation.translate import Translator
    use_cores_for_inference()
    translator = Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    good, first = True, 1
    for batch in sentence_batches(arguments.sentences):
        good &= translate_batch(translator, batch, first, arguments)
        first += len(batch)
    return 0 if good else 1


def sentence_batches(given: Sequence[str]) -> Iterator[list[str]]:
    """The sentences of the command line, or those of standard input, or what is typed."""
    from tf_models.data.text_files import iterate_lines

    if given:
        yield list(given)
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
    translator: Any, sentences: list[str], first: int, arguments: Arguments
) -> bool:
    """Print the translations, an empty line for a sentence that cannot be translated; False if
    there is one. `first` is the number of the first sentence.
    """
    from tf_models.translation.translate import LENGTH_PENALTY, WORTH_COMPILING

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
    translator: Any, sentence: str, length_penalty: float, arguments: Arguments
) -> None:
    """Print how the translation comes about, on standard error."""
    from tf_models.translation.search_trace import trace_greedy, tree_of_hypotheses

    if arguments.show_steps:
        print(*trace_greedy(translator, sentence), sep="\n", file=sys.stderr)
    if arguments.show_tree:
        tree = tree_of_hypotheses(translator, sentence, arguments.beam_size, length_penalty)
        print(*tree, sep="\n", file=sys.stderr)
