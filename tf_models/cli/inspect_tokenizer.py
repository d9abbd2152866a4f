"""Print how tokenizers split a sentence, their sizes and their special ids.

tf-models inspect-tokenizer "He admired her."
    both tokenizers of the translator of the package
tf-models inspect-tokenizer --run-dir runs/toy-toy "He admired her."
    those of a run
tf-models inspect-tokenizer --bpemb en --pieces 10000 "Anthony Hopkins"
    a pretrained model of BPEmb: 10000 pieces, 10002 ids
"""

from pathlib import Path
from typing import Any

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import Size
from tf_models.translation.arguments import TranslatorArguments


class Arguments(TranslatorArguments):
    """All arguments."""

    sentence: tyro.conf.Positional[str | None] = None
    """Split it, and join it again."""
    bpemb: str | None = None
    """Language of a model of BPEmb, in place of a run: en, de, es …"""
    pieces: Size = 10_000
    """Subwords of the model of BPEmb."""
    data_dir: Path | None = None
    """Folder of downloads, such as BPEmb's."""


def main() -> None:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.data.tokenizers import pretrained_tokenizer
        from tf_models.translation.run import load_settings
    if arguments.bpemb:
        options = arguments.bpemb, arguments.pieces, arguments.data_dir
        tokenizers = [pretrained_tokenizer(*options)]
    else:
        _, pair = load_settings(RunDirectory(arguments.chosen_run_dir))
        tokenizers = [pair.source, pair.target]
    for tokenizer in tokenizers:
        print(tokenizer.describe())
        if arguments.sentence is not None:
            print_split(tokenizer, arguments.sentence)


def print_split(tokenizer: Any, sentence: str) -> None:
    """Pieces and ids of a sentence, what they are together, and what was left out."""
    from tf_models.data.tokenizers import check_sentence

    check_sentence(sentence)
    ids = tokenizer.encode(sentence)
    print(f"  pieces  {' '.join(tokenizer.tokens(ids))}")
    print(f"  ids     {' '.join(map(str, ids))}")
    print(f"  decoded {tokenizer.decode(ids)}")
    if unknown := tokenizer.unknown_characters(sentence):
        print(f"  unknown {' '.join(unknown)}")
