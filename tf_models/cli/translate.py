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
from collections.abc import Iterator
from itertools import islice
from typing import Any

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.training.settings import NotNegative, Size
from tf_models.translation.ready_made import TranslatorArguments

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
        from tf_models.data.text_files import iterate_lines
        from tf_models.runtime import use_cores_for_inference
        from tf_models.translation import translate
    use_cores_for_inference()
    translator = translate.Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    penalty = arguments.length_penalty
    options: dict[str, Any] = {
        "beam_size": arguments.beam_size,
        "length_penalty": translate.LENGTH_PENALTY if penalty is None else penalty,
    }

    def translate_batch(sentences: list[str], first: int) -> bool:
        """Print translations, an empty line where there is none; False if one is missing."""
        possible = readable(translator, sentences, first, arguments.quiet)
        for sentence in possible.values():
            if arguments.show_steps:
                print(*translate.trace_greedy(translator, sentence), sep="\n", file=sys.stderr)
            if arguments.show_tree:
                tree = translate.tree_of_hypotheses(translator, sentence, **options)
                print(*tree, sep="\n", file=sys.stderr)
        found = translator.translate(
            possible.values(), n_best=1 if arguments.n_best is None else arguments.n_best, **options
        )
        translations = dict(zip(possible, found, strict=True))
        for number in range(first, first + len(sentences)):
            for best in translations.get(number, ()):
                print(best.text if arguments.n_best is None else f"{best.score:.4f}\t{best.text}")
            if number not in translations:
                print()
        return len(possible) == len(sentences)

    if arguments.sentences:
        batches = iter([list(arguments.sentences)])
    elif sys.stdin.isatty():
        batches = typed_sentences()
    else:
        batches = in_batches(iterate_lines(sys.stdin.buffer, "standard input"))
    good, first = True, 1
    for batch in batches:
        good &= translate_batch(batch, first)
        first += len(batch)
    return 0 if good else 1


def readable(translator: Any, sentences: list[str], first: int, quiet: bool) -> dict[int, str]:
    """The sentences that can be translated, by their numbers; complain about others."""
    possible = {}
    for number, sentence in enumerate(sentences, first):
        try:
            translator.source.encode(sentence)
        except InputError as error:
            print(f"sentence {number}: {error}", file=sys.stderr)
            continue
        possible[number] = sentence
        unknown = [] if quiet else translator.unknown_words(sentence)
        if unknown:
            print(f"sentence {number}: unknown words: {' '.join(unknown)}", file=sys.stderr)
    return possible


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
