"""Train a translator whose encoder finds what "it" stands for, as the ready-made one was trained.

Settings and tokenizers are those of the ready-made translator; its loss: `auxiliary_loss.py`.
"""

import argparse
from pathlib import Path

from research.command import add_settings, new_parser, run
from tf_models.cli.command_line import quiet_tensorflow
from tf_models.data.corpora import load_corpora
from tf_models.training.run_directory import RunDirectory
from tf_models.translation.settings import RUN_DIR


def make_parser() -> argparse.ArgumentParser:
    parser = new_parser("research.heads.resolver", __doc__)
    help = "names or files, from English to German; default: everyday"
    parser.add_argument("--corpus", nargs="+", default=["everyday"], metavar="CORPUS", help=help)
    help = "default: runs/it"
    parser.add_argument("--run-dir", type=Path, default=Path("runs/it"), metavar="PATH", help=help)
    parser.add_argument("--seed", type=int, default=0, help="of weights, noise, order; default: 0")
    add_settings(parser, "epochs=10")
    return parser


def main(arguments: argparse.Namespace) -> None:
    with quiet_tensorflow():
        from research.heads.auxiliary_loss import Resolver
        from tf_models.transformer.model import Transformer
        from tf_models.translation.load import load_settings
        from tf_models.translation.train import train_translator
    settings, tokenizers = load_settings(RunDirectory(RUN_DIR))
    corpus = load_corpora(arguments.corpus, languages=("en", "de"))  # one split for all seeds
    train_translator(
        arguments.run_dir,
        corpus,
        settings.changed(**dict(arguments.set)),
        arguments.seed,
        tokenizers=tokenizers,
        transformer_class=Resolver,
        inference_class=Transformer,  # the loss alone is another
    )


if __name__ == "__main__":
    run(make_parser(), main)
