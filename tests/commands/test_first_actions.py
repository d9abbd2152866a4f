"""What somebody types first, who has read README's first screen and nothing else.

Each does what was meant, or says in one line what to do instead.
"""

import sys

import pytest

from tf_models.__main__ import main


@pytest.fixture
def typed(monkeypatch, capfd):
    """typed("translate", …): exit status of `tf-models translate …`, and what it complains of."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tf-models", *map(str, words)])
        capfd.readouterr()
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        return status, capfd.readouterr().err

    return run


# What is typed, and what is said.
INSTEAD = {
    # of the commands
    "train": "no command train; did you mean train-translator, train-autoencoder, train-vae, ",
    "attention": "no command attention; did you mean plot-attention or view-attention?",
    "bleu": "no command bleu; did you mean evaluate?",
    "trian-vae": "no command trian-vae; did you mean train-vae?",
    # one's own data
    "train-translator --data my.tsv": "unknown option --data; did you mean --corpus?",
    "train-translator --file my.tsv": "unknown option --file; did you mean --corpus?",
    "train-translator my.tsv": "my.tsv belongs to no option; did you mean --corpus my.tsv?",
    "train-translator --corpus my.tsv": "no corpus, file or folder 'my.tsv'; expected toy, ",
    "train-translator --corpus a.tsv --source-language en": "did you mean --languages?",
    "train-translator --languages en de": "--languages: must be as en-de; received 'en'",
    "train-classifier texts.tsv": "did you mean --train texts.tsv?",
    "train-classifier --data texts.tsv": "unknown option --data; did you mean --train?",
    "train-image-classifier photos": "did you mean --dataset photos?",
    "train-image-classifier --patch-size 4": "did you mean --patch?",
    "train-vae photos": "photos belongs to no option; did you mean --dataset photos?",
    "train-vae --images photos": "unknown option --images; did you mean --dataset?",
    "train-vae --dataset photos": "received 'photos', which is no file and no folder here",
    "train-vae --dataset photos --resize 32": "did you mean --image-size?",
    # settings
    "train-translator --epoch 3": "unknown option --epoch; did you mean --epochs?",
    "train-translator --heads 2": "unknown option --heads; did you mean --num-heads?",
    "train-translator --layers=2": "unknown option --layers; did you mean --num-layers?",
    "train-translator --num_layers 2": "did you mean --num-layers?",
    "train-translator --lr 0.001": "unknown option --lr; did you mean --peak?",
    "train-translator --learning-rate 0.001": "did you mean --peak?",
    "train-vae --lr 0.001": "unknown option --lr; did you mean --learning-rate?",
    "train-translator --batch 64": "did you mean --batch-size or --batch-tokens?",
    "train-translator --vocab-size 8000": "did you mean --pieces?",
    "train-translator --activation gelu": "did you mean --network?",
    "train-translator --output mine": "unknown option --output; did you mean --run-dir?",
    "train-translator --epochs ten": "argument --epochs: invalid int value: 'ten'",
    "train-translator --preset large": "preset must be one of toy, article, best; received ",
    "train-translator --gpu 0": "there is no --gpu: a GPU that TensorFlow sees is used",
    "train-translator --resume": "there is no --resume: the same command goes on where it stopped",
    "train-vae --latent 10": "unknown option --latent; did you mean --latents?",
    "train-vae --units 200 100": "--units takes its numbers with commas: --units 200,100",
    # a trained model
    "translate --model runs/mine Hi.": "unknown option --model; did you mean --run-dir?",
    "translate --run-dir runs/mine Hi.": "no run directory at runs/mine",
    "translate --beam 4 Hi.": "unknown option --beam; did you mean --beam-size?",
    "translate --input text.txt": "there is no --input: < FILE reads a file's lines",
    "translate --sentence Hi.": "there is no --sentence: write the text itself, in quotes",
    "evaluate {run}": "did you mean --run-dir {run}?",
    "plot-attention --sentence The dog. --output x.png": '--sentence "The dog."',
    "plot-attention The_dog. --output x.png": "did you mean --sentence The_dog.?",
    "plot-attention --sentence Hi. --out x.png": "did you mean --output?",
    "plot-attention --sentence Hi.": "the following arguments are required: --output",
    "plot-attention --sentence Hi. --output heads": "saved as .png, .pdf or .svg; received 'no s",
    "inspect-tokenizer The dog.": 'text with spaces needs quotes around it: "The dog."',
    "plot-figures masks --output x.png": "did you mean --figure masks?",
    "plot-figures --figure mask --output x.png": "received mask; did you mean masks, ",
    "export --format onnx --output x": "invalid choice: 'onnx' (choose from ",
}


@pytest.mark.parametrize("words", INSTEAD)
def test_one_line_says_what_to_do_instead(words, typed, run_dir, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, said = typed(*words.format(run=run_dir).split(" "))
    assert status == 2
    (complaint,) = said.splitlines()
    assert INSTEAD[words].format(run=run_dir) in complaint
    assert complaint.startswith("tf-models")
    assert list(tmp_path.iterdir()) == []
