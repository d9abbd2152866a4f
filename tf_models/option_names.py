"""What people type in place of an option or a command, and which one they mean."""

import difflib
from collections.abc import Collection, Mapping

# Name -> other words for it. Where a parser has several of the names, the first one is meant.
OPTIONS = {
    "output": "out o save save-to to filename figure-file png",
    "corpus": "data data-file dataset file train input path csv tsv text texts pairs sentences",
    "dataset": "data data-file file train input path corpus images folder image-dir image-folder",
    "train": "data data-file dataset file input path corpus csv tsv texts tfds",
    "test": "texts test-file data file",
    "source": "input src file",
    "run-dir": "model model-dir model-path run dir folder path load weights translator output out "
    "o save save-dir output-dir logdir checkpoint-dir name",
    "sentence": "text input src source sentences words query",
    "fact": "story context",
    "learning-rate": "lr rate peak peak-lr max-lr eta",
    "peak": "lr rate learning-rate peak-learning-rate peak-lr max-lr eta",
    "network": "activation attention variant norm position-embedding",
    "num-layers": "depth blocks",
    "num-heads": "n-head nhead",
    "d-model": "dim hidden hidden-size emb-dim embedding-dim width model-size",
    "dff": "ffn ff d-ff feed-forward intermediate-size",
    "latents": "latent z z-dim latent-dim code-size dim",
    "code-size": "latents latent latent-dim z-dim bottleneck dim",
    "pieces": "vocab vocab-size vocabulary n-tokens",
    "batch-size": "bs b",
    "epochs": "e num-epochs iterations",
    "minutes": "time time-limit duration timeout",
    "beam-size": "beams num-beams k",
    "length-penalty": "alpha",
    "query": "word token row",
    "start-from": "finetune fine-tune pretrained init init-from from resume-from load",
    "languages": "lang language pair source-language target-language src tgt",
    "model": "architecture arch type rnn",
    "figure": "plot kind type name draw",
    "format": "type to",
    "count": "num samples n-samples",
    "importance-samples": "samples k iwae",
    "patch": "patch-size",
    "shift": "augment augmentation",
    "masking-noise": "noise denoising",
    "seed": "random-seed random-state",
    "kind": "type block encoder decoder cross",
    "image-size": "size resize width height shape",
    "help-all": "all help-full full-help usage man",
}
COMMANDS = {
    "train-translator": "fit transformer learn train-transformer",
    "translate": "predict infer decode translator generate",
    "plot-attention": "heads heatmap draw draw-attention maps",
    "view-attention": "page web serve html view browser demo app",
    "plot-figures": "figure draw plot-figure figures",
    "train-vae": "vae",
    "train-image-classifier": "vit train-vit vision-transformer",
    "classify": "predict",
    "answer": "predict ask question",
    "evaluate": "bleu score test eval measure",
    "inspect-tokenizer": "tokenize split bpe bpemb encode",
}
# What there is in place of an option.
INSTEAD = {
    **dict.fromkeys(("resume", "continue", "restart"), "the same command goes on where it stopped"),
    **dict.fromkeys(("gpu", "cuda", "device"), "a GPU that TensorFlow sees is used"),
    "cpu": "CUDA_VISIBLE_DEVICES=-1 in the environment leaves a GPU alone",
}
# The same, where texts are no option.
INSTEAD_OF_TEXTS = {
    **dict.fromkeys(("file", "input", "input-file", "sentences"), "< FILE reads a file's lines"),
    **dict.fromkeys(("sentence", "text", "source"), "write the text itself, in quotes"),
}
FEW = 5  # names to suggest


def meant(typed: str, known: Collection[str], synonyms: Mapping[str, str]) -> list[str]:
    """The known names that somebody means who typed another one, the likeliest first.

    These are, whatever comes first: the one that it is a synonym of; those that it begins or is a
    part of ("heads" of "num-heads"); the one that is spelt nearly alike.
    """
    typed = typed.strip("-").replace("_", "-").lower()
    if typed in known:
        return [typed]
    of_synonym = (name for name, words in synonyms.items() if typed in words.split())
    for name in of_synonym:
        if name in known:
            return [name]
    if len(typed) > 2:
        parts = [one for one in known if one.startswith(typed) or typed in one.split("-")]
        if parts:
            return parts[:FEW]
    return difflib.get_close_matches(typed, known, n=1)


def suggestion(names: Collection[str]) -> str:
    """What to add to a complaint: "; did you mean a or b?"; nothing for no names."""
    *most, last = names or [""]
    both = f"{', '.join(most)} or {last}" if most else last
    return f"; did you mean {both}?" if both else ""
