"""The command lines: a module for each command.

Each has its arguments, a class, and `main()`, which parses them and calls its task. It returns the
exit status where that is not 0.
"""

COMMANDS = (
    *("train-translator", "translate", "plot-attention", "view-attention", "plot-figures"),
    *("train-autoencoder", "train-vae", "train-classifier", "train-image-classifier", "classify"),
    *("train-question-answering", "answer", "evaluate", "inspect-tokenizer", "export"),
)
"""The commands, as they are typed, in the order in which they are listed."""
