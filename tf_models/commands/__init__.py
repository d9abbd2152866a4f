"""The command lines: a module for each command, with its parser and one call of a task."""

GROUPS = {
    "everyday": (
        *("train-translator", "translate", "plot-attention", "view-attention", "plot-figures"),
        *("train-autoencoder", "train-vae", "train-classifier", "classify"),
        *("train-question-answering", "answer", "evaluate"),
    ),
    "more": ("inspect-tokenizer", "export", "prepare-corpus"),
}
"""The commands, as they are typed, in the groups and the order in which they are listed."""
