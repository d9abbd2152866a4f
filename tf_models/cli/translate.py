"""Translate sentences with a trained translator; notes go to stderr.

$ tf-models translate "He admired her as a great director."
$ tf-models translate < sentences.txt > translations.txt
    a line for each line; one that cannot be translated gives an empty line
$ tf-models translate
    what you type, line by line
$ tf-models translate --beam-size 2 --show-tree "The old dog sleeps."
    every hypothesis of the beam search
"""

import os
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from itertools import islice

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.cli.translator_arguments import SearchArguments
from tf_models.errors import InputError
from tf_models.training.settings import Size

SENTENCES_AT_ONCE = 2048


class Arguments(SearchArguments):
    sentences: tyro.conf.Positional[tuple[str, ...]] = ()
    """Sentences; if left out, standard input, line by line."""
    n_best: Size | None = None
    """Print so many translations and their scores."""
    show_steps: bool = False
    """Print each step of greedy decoding."""
    show_tree: bool = False
    """Print the tree of hypotheses."""


def main() -> int:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.translation import tracing
        from tf_models.translation.translate import Translator
    translator = Translator.load(arguments.chosen_run_dir, arguments.checkpoint)
    search = arguments.model_dump(include={"beam_size", "length_penalty"}, exclude_none=True)
    first = 1
    status = 0
    for sentences in batches_of(arguments.sentences):
        possible = {}
        for number, sentence in enumerate(sentences, first):
            try:
                check_utf8(sentence)
                translator.source.encode(sentence)
            except InputError as error:
                print(f"sentence {number}: {error}", file=sys.stderr)
                status = 1
                continue
            possible[number] = sentence
            notes = []
            if os.path.isfile(sentence):
                notes += [
                    f"sentence {number}: {sentence} is a file; for its lines type < {sentence}"
                ]
            if unknown := translator.unknown_words(sentence):
                notes += [f"sentence {number}: unknown words: {' '.join(unknown)}"]
            if arguments.show_steps:
                if (arguments.beam_size or translator.beam_size) > 1:
                    notes += ["steps of greedy decoding; the translation is a beam search's:"]
                notes += tracing.trace_greedy(translator, sentence)
            if arguments.show_tree:
                notes += tracing.tree_of_hypotheses(translator, sentence, **search)
            print("".join(f"{note}\n" for note in notes), end="", file=sys.stderr)
        results = translator.translate(possible.values(), n_best=arguments.n_best or 1, **search)
        translations = dict(zip(possible, results, strict=True))
        for number in range(first, first + len(sentences)):
            for best in translations.get(number, ()):
                print(f"{best.score:.4f}\t{best.text}" if arguments.n_best else best.text)
            if number not in translations:
                print()
        first += len(sentences)
    return status


def check_utf8(sentence: str) -> None:
    """Raise an InputError for a byte that is not UTF-8."""
    try:
        sentence.encode()
    except UnicodeEncodeError as error:
        raw = sentence.encode("utf-8", "surrogateescape")
        place = len(sentence[: error.start].encode())
        raise InputError(f"byte 0x{raw[place]:02x} at position {place + 1} is not UTF-8") from error


def batches_of(sentences: Sequence[str]) -> Iterator[Sequence[str]]:
    """Batches of sentences, of the command line or of standard input."""
    if sentences:
        yield sentences
    elif sys.stdin.isatty():
        print("Type a sentence; an empty line ends.", file=sys.stderr)
        while sentence := typed_line():
            yield [sentence]
    else:
        lines = TextIOWrapper(sys.stdin.buffer, "utf-8-sig", "surrogateescape", "\n")
        while batch := [line.rstrip("\r\n") for line in islice(lines, SENTENCES_AT_ONCE)]:
            yield batch


def typed_line() -> str:
    """A line from a terminal, behind a prompt."""
    print("> ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().rstrip("\n")
