"""Preparing a corpus that is larger than memory for a translator's training."""

from pathlib import Path

from tf_models.data.large.prepare import CorpusSource, prepare
from tf_models.data.text.corpora import Corpus
from tf_models.data.text.tokenizer import TokenizerPair
from tf_models.errors import Report
from tf_models.tasks.translation.run import make_tokenizers
from tf_models.tasks.translation.settings import BatchingSettings, TokenizerSettings
from tf_models.training.run_directory import RunDirectory


def prepare_corpus(
    folder: Path,
    source: CorpusSource,
    tokenizer: TokenizerSettings,
    batching: BatchingSettings,
    report: Report = print,
) -> None:
    """Clean, split and tokenise a corpus into a folder that `load_prepared` opens.

    Args:
        folder: new, empty, or left by a preparation that did not end.
        tokenizer: how to tokenise.
        batching: its limits of length.

    Raises:
        InputError: see `prepare`.
    """

    def make(work: Path, sample: Corpus) -> TokenizerPair:
        return make_tokenizers(RunDirectory(work), sample, tokenizer, source.data_dir)

    prepare(folder, source, tokenizer, batching.max_lengths, make, report)
