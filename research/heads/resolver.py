"""A translator whose encoder is trained to find what "it" stands for.

With the loss of a translator alone the decoder of a large model finds it, while it writes er, sie
or es. Here the encoder has to as well (docs/heads.md says what else was tried).
"""

import argparse
from pathlib import Path
from typing import Any

import tensorflow as tf

from research.command import run
from tf_models.data.corpora import load_corpora
from tf_models.losses import next_token_sums
from tf_models.training.run_directory import READY_MADE, RUN_DIR, RunDirectory, run_dir_of
from tf_models.training.step import LossSums
from tf_models.transformer.masks import create_masks
from tf_models.transformer.model import Transformer
from tf_models.translation.settings import fine_tuning
from tf_models.translation.train import train
from tf_models.translation.translate import load_settings

FINE_TUNING = {"peak": 0.002, "warmup_steps": 100, "weight_decay": 0.3, "epochs": 3}
PRONOUN_WEIGHT = 12.0  # of the cross-entropy of one pronoun, beside that of one written token


class Resolver(Transformer):
    """The article's model with an auxiliary loss, and after the training the article's model.

    Where a source has one "it" and its target one of er, sie and es, the encoder's output at "it"
    must tell which one, through the model's own output layer: 12 times that cross-entropy is added.
    Weights and arguments are those of `Transformer`, ids those of the ready-made translator.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        _, tokenizers = load_settings(RunDirectory(RUN_DIR))
        self.it_id = tokenizers.source.encode("it")[1]  # the first one is <start>
        self.pronoun_ids = [tokenizers.target.encode(word)[1] for word in ("er", "sie", "es")]

    def loss_sums(self, inp: tf.Tensor, tar: tf.Tensor, training: bool) -> LossSums:
        enc_mask, look_ahead_mask, dec_mask = create_masks(inp, tar[:, :-1])
        enc_output, _ = self.encoder(inp, training=training, padding_mask=enc_mask)
        masks = {"look_ahead_mask": look_ahead_mask, "padding_mask": dec_mask}
        states, _ = self.decoder(tar[:, :-1], enc_output, training=training, **masks)
        sums = next_token_sums(self.final_layer, states, tar, training, self.label_smoothing)
        if not training:
            return sums
        pronouns = self.pronoun_loss(inp, tar, enc_output)
        return LossSums(sums.loss + PRONOUN_WEIGHT * pronouns, sums.metrics)

    def pronoun_loss(self, inp: tf.Tensor, tar: tf.Tensor, enc_output: tf.Tensor) -> tf.Tensor:
        """Cross-entropy of er, sie or es given the encoder's output at "it": a sum over sentences.

        Args:
            inp, tar: ids, (batch, inp_len) and (batch, tar_len).
            enc_output: (batch, inp_len, d_model).
        """
        is_it = tf.equal(inp, self.it_id)  # (batch, inp_len)
        is_pronoun = tf.reduce_any(tf.equal(tar[..., tf.newaxis], self.pronoun_ids), axis=-1)
        counts = [tf.reduce_sum(tf.cast(found, tf.int32), axis=1) for found in (is_it, is_pronoun)]
        clear = tf.reduce_all(tf.equal(counts, 1), axis=0)[:, tf.newaxis]  # (batch, 1)
        states = tf.boolean_mask(enc_output, is_it & clear)  # (sentences, d_model)
        pronouns = tf.boolean_mask(tar, is_pronoun & clear)  # (sentences,)
        return self.final_layer.cross_entropy(states, tf.cast(pronouns, tf.int32)).loss


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    help = "run directory of a translator from English to German; default: ready-made"
    parser.add_argument("--start-from", default=READY_MADE, metavar="RUN", help=help)
    parser.add_argument("--corpus", nargs="+", default=["everyday"], metavar="CORPUS")
    parser.add_argument("--run-dir", type=Path, default=Path("runs/it"), metavar="PATH")
    parser.add_argument("--seed", type=int, default=0, help="of noise and order; default: 0")
    return parser


def main(arguments: argparse.Namespace) -> None:
    settings, _ = load_settings(RunDirectory(run_dir_of(arguments.start_from)))
    # Split as for the first training, whose test pairs stay unseen.
    corpus = load_corpora(arguments.corpus, languages=("en", "de"), seed=0)
    train(
        RunDirectory(arguments.run_dir),
        corpus,
        fine_tuning(settings).changed(**FINE_TUNING),
        arguments.seed,
        start_from=arguments.start_from,
        kind=Resolver,
    )


if __name__ == "__main__":
    run(make_parser(), main)
