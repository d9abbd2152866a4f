"""Print how tokenizers split a sentence, their sizes and special ids.

$ tf-models inspect-tokenizer "He admired her."
    both tokenizers of the translator of the package
$ tf-models inspect-tokenizer --bpemb en --pieces 10000 "Anthony Hopkins"
    a pretrained model of BPEmb: 10000 pieces, 10002 ids
"""

from pathlib import Path

import tyro

from tf_models.cli.command_line import parse, quiet_tensorflow
from tf_models.cli.translator_arguments import TranslatorArguments
from tf_models.training.run_directory import RunDirectory
from tf_models.training.settings import Size


class Arguments(TranslatorArguments):
    sentence: tyro.conf.Positional[str | None] = None
    """Sentence to split, and to join again."""
    bpemb: str | None = None
    """Language of a model of BPEmb, in place of a run: en, de, es …"""
    pieces: Size = 10_000
    """Subwords of the model of BPEmb."""
    data_dir: Path | None = None
    """Folder of downloads, such as BPEmb's."""


def main() -> None:
    arguments = parse(Arguments)
    with quiet_tensorflow():
        from tf_models.data.subword_models import pretrained_tokenizer
        from tf_models.data.tokenizers import TokenizerPair
        from tf_models.data.words import normalize_source
    if arguments.bpemb:
        tokenizers = [pretrained_tokenizer(arguments.bpemb, arguments.pieces, arguments.data_dir)]
    else:
        run = RunDirectory(arguments.chosen_run_dir)
        config = run.read_config("translator")
        languages = config["data"]["source_language"], config["data"]["target_language"]
        kind = config["tokenizer"]["tokenizer"]
        pair = TokenizerPair.load(run.tokenizers, languages, kind)
        tokenizers = [pair.source, pair.target]
    for i, tokenizer in enumerate(tokenizers):
        print(tokenizer.describe())
        if (sentence := arguments.sentence) is not None:
            is_source = i == 0 and not arguments.bpemb
            ids = tokenizer.encode(normalize_source(sentence) if is_source else sentence)
            print(f"  pieces  {' '.join(tokenizer.tokens(ids))}")
            print(f"  ids     {' '.join(map(str, ids))}")
            print(f"  decoded {tokenizer.decode(ids)}")
