"""Every documented command runs, in a form that takes seconds; every name in the text exists."""

import ast
import contextlib
import importlib
import io
import itertools
import lzma
import pkgutil
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PIL import Image

from research.experiments.__main__ import RECIPES
from tests.docs.conftest import ROOT
from tests.docs.test_pages import FENCED, INLINE, PAGES, text_of
from tests.support.commands import SIZES, call, graphs, printed_by, understand  # noqa: F401 - a fixture
from tests.support.images import write_folder, write_npz
from tests.support.language import PAIRS, write_labelled, write_pairs
from tests.support.tiny_runs import FOLDER as TINY_RUNS
from tf_models.data import annotated, corpora
from tf_models.training.settings import Settings

CLI = sorted((ROOT / "tf_models" / "cli").glob("*.py"))
EXAMPLE = re.compile(r"^\$ (.+)$", re.MULTILINE)  # in a command's docstring
TYPED = re.compile(r"(python3?|tf-models|pip|apt|mkdocs|npm) [^…]+")
REDIRECTIONS = ("<", ">", "|", "#")

# What the reader's machine needs, and what .ci/run runs as it stands.
ELSEWHERE = (
    *("python3 -m venv", "source ", "pip install", "apt install", "npm ", "jupyter lab"),
    *("ruff ", "python -m mypy", "mkdocs ", "python -m pytest", "python notebooks/"),
    "python -m tests.make_tiny_runs",  # tests/test_tiny_runs.py makes each
)
MNIST = "images.npz"
# Words of commands that stand for what is downloaded, or takes long: what stands for them here.
WORDS = {
    "tatoeba": "deu.txt",
    "multi30k": "deu.txt",
    "tfds:ted_hrlr_translate/pt_to_en": "por.txt",
    "mnist": MNIST,
    "research/benchmarks/beginners/held_out.tsv": "held_out.tsv",
    "~/.cache/tf_models/multi30k/test_2016_flickr.en.gz": "test.en",
    "~/.cache/tf_models/multi30k/test_2016_flickr.de.gz": "test.de",
    "test_2016_flickr.en.gz": "test.en",
    "test_2016_flickr.de.gz": "test.de",
}
# Options that make a command long, where it has them.
LONG = "--minutes 0.001 --max-pairs 100 --importance-samples 2 --gradient-samples 1 --seeds 0"
# Run directories that the pages presume: those of tests/tiny_runs, and ENGLISH, trained here.
TOY, ENGLISH = "runs/toy-toy", "runs/english"
RUNS = {
    ENGLISH: "",
    TOY: "translator",
    "runs/multi30k-best": "translator",
    "runs/own-fine-tuned": "translator",
    "runs/toy-toy-rnn-attention": "recurrent",
    "runs/digits-dense": "autoencoder",
    "runs/digits-stacked": "autoencoder",
    "runs/digits-vae": "vae",
    "runs/mnist-vae": "vae",
    "runs/digits-hierarchical": "hierarchical",
    "runs/digits-classifier": "images",
    "runs/reference-classifier": "classifier",
    "runs/stories": "questions",
}
BABI = "1 Anna went to the kitchen.\n2 Where is Anna?\tkitchen\t1\n" * 10


class Cheap(NamedTuple):
    """A form of some commands that takes seconds.

    commands: expression that a command's words begin with; the first form that fits counts.
    options: in place of the command's own, and besides.
    slow: more than three seconds, or so many of a kind that they are long together.
    compiled: with graphs, as users run it; eagerly many small steps take longer.
    needs: a package that not everyone has.
    """

    commands: str
    options: str = ""
    slow: bool = True
    compiled: bool = False
    needs: str = "tf_models"


SENTENCE = "The dog sees the fox."  # of the language of the tiny runs
ONE = f"--run-dir {TOY} --sentence '{SENTENCE}'"
TRANSFORMER = " ".join(SIZES)
TEXT = "--pieces 200 --epochs 1 --max-length 32 --batch-size 64 --batch-tokens 0 --patience 0"
ADAM = "--optimizer adam"  # eagerly Muon takes seconds a step
SETTINGS = (
    "optimizer=adam pieces=200 epochs=1 d_model=16 dff=32 num_layers=1 num_heads=2 "
    "positions=32 max_lengths=(32,32)"
)
TOKENS = f"{SETTINGS} batch_tokens=4096"  # few steps an epoch
BENCHMARK = "--rounds 1 --threads 1"
FORMS = (
    Cheap(r"train_translator .*--model rnn", f"{TEXT} --d-model 8 --units 8"),
    Cheap(
        r"train_translator .*--start-from", f"--start-from {TOY} --epochs 1 --beam-size 1 {ADAM}"
    ),
    Cheap(r"train_translator", f"{TEXT} {TRANSFORMER} --average-last-n 1 --beam-size 1 {ADAM}"),
    Cheap(r"train_classifier", f"{TRANSFORMER} --pieces 200 --max-texts 60 --epochs 1"),
    Cheap(r"train_image_classifier", f"{TRANSFORMER} --epochs 1"),
    Cheap(r"train_autoencoder .*--model (bi-)?lstm", "--code-size 8 --pieces 200 --epochs 1"),
    Cheap(
        r"train_vae .*--start-from",
        "--dataset rows.npz --units 8 --latents 3 --activation tanh --epochs 1",
    ),
    Cheap(r"train_vae .*photos", "--epochs 1"),
    Cheap(
        r"train_vae .*--model hierarchical",
        f"--dataset {MNIST} --epochs 1 --groups 1 --channels 4 --patch 2",
    ),
    Cheap(r"train_vae", f"--dataset {MNIST} --epochs 1"),
    Cheap(r"train_autoencoder .*one-hot", "--epochs 1"),
    Cheap(r"train_autoencoder .*stacked", f"--dataset {MNIST} --epochs 1 --pretrain-epochs 1"),
    Cheap(r"train_autoencoder", f"--dataset {MNIST} --epochs 1"),
    Cheap(
        r"train_question_answering",
        "--epochs 1 --units 8 --embedding-dim 8 --training-questions 50",
    ),
    Cheap(r"translate .*rnn", slow=False),
    Cheap(r"translate .*--show", f"--run-dir {TOY}"),
    Cheap(r"translate", f"--run-dir {TOY}", slow=False),
    Cheap(r"inspect_tokenizer .*--bpemb", "--data-dir .", slow=False),
    Cheap(r"plot_attention .*--query"),
    Cheap(r"plot_attention .*rnn", f"--sentence '{SENTENCE}'", slow=False),
    Cheap(r"plot_attention", f"{ONE} --target 'Der Hund sieht.'", slow=False),
    Cheap(r"view_attention .*--target", f"{ONE} --target 'Der Hund sieht.'", slow=False),
    Cheap(r"view_attention", ONE, slow=False),
    Cheap(r"plot_figures .*(sharpness|samples|traversal)", "--run-dir runs/digits-vae", slow=False),
    Cheap(r"plot_figures .*(forced|32|lines|mask|statistics|pipeline|classes)"),
    Cheap(r"plot_figures .*target-grid", compiled=True),
    Cheap(r"evaluate --run-dir runs/toy-toy", f"--run-dir {ENGLISH}"),
    Cheap(r"evaluate .*--corpus", f"--run-dir {ENGLISH}"),
    Cheap(r"evaluate .*--references?", f"--run-dir {TOY}", slow=False),
    Cheap(r"export .*ctranslate2", f"--run-dir {TOY}", needs="ctranslate2"),
    Cheap(r"export", f"--run-dir {TOY}"),
    Cheap(r"(answer|classify|evaluate|inspect_tokenizer|plot_figures)", slow=False),
    Cheap(r"research\S* --help", slow=False),
    Cheap(r"research.heads.names", slow=False),
    Cheap(
        r"research.heads.resolver",
        f"--corpus deu.txt --set {TOKENS} num_layers=3 patience=0 average_last_n=1 beam_size=1",
    ),
    Cheap(r"research.heads .*--it", f"--run-dir {ENGLISH}", compiled=True),
    Cheap(r"research.heads", f"--run-dir {ENGLISH} --max-sentences 2", compiled=True),
    Cheap(r"research.experiments majority", slow=False),
    Cheap(r"research.experiments seconds", "--lengths 2"),
    Cheap(r"research.experiments codes", "--counts 20 --steps 10"),
    Cheap(r"research.experiments code-sizes", f"--sizes 1 --set epochs=1 --dataset {MNIST}"),
    Cheap(
        r"research.experiments transfer", "--counts 20 --set epochs=1 --encoder-from runs/toy-toy"
    ),
    Cheap(r"research.experiments repeat .*train_vae", f"--epochs 1 --dataset {MNIST}"),
    Cheap(
        r"research.experiments repeat",
        f"{TEXT} {TRANSFORMER} --average-last-n 1 --beam-size 1 {ADAM}",
    ),
    Cheap(
        r"research.experiments comparison", f"--corpus deu.txt --models transformer --set {TOKENS}"
    ),
    Cheap(r"research.experiments claims", f"--claims positions --max-pairs 100 --set {TOKENS}"),
    Cheap(
        r"research.experiments variants",
        f"--max-pairs 100 --networks original --set {TOKENS} epochs=2",
    ),
    Cheap(
        r"research.benchmarks.training",
        f"--systems tf-models-float32 --seconds 0.1 {BENCHMARK} "
        f"--corpus deu.txt --max-pairs 100 --set {SETTINGS} batch_size=16",
    ),
    Cheap(
        r"research.benchmarks.decoding",
        f"--systems tf-models --run-dir {TOY} --corpus deu.txt --sentences 2 {BENCHMARK}",
    ),
    Cheap(
        r"research.benchmarks.vae",
        f"--systems tf-models --dataset {MNIST} {BENCHMARK} --set units=(8,) latents=2",
    ),
    Cheap(r"docs.make_images", "--only fading"),
)


class Command(NamedTuple):
    """A documented command: module and options of its cheap form."""

    documented: str
    module: str
    options: tuple[str, ...]
    form: Cheap


# --- what is documented


def documented_commands() -> list[str]:
    """Commands of fenced blocks, of inline code and of docstrings, each once."""
    found = []
    for page in PAGES:
        text = text_of(page)
        for language, block in FENCED.findall(text):
            found += lines_of(block) if language == "bash" else []
        found += [span for span in INLINE.findall(FENCED.sub("", text)) if TYPED.fullmatch(span)]
    for path in CLI:
        docstring = ast.get_docstring(ast.parse(text_of(path))) or ""
        found += EXAMPLE.findall(joined(docstring))
    single = (part.strip() for command in found for part in command.split("&&"))
    return list(dict.fromkeys(shlex.join(shlex.split(part, comments=True)) for part in single))


def joined(text: str) -> str:
    """A command that goes on behind a backslash stands on one line."""
    return re.sub(r"\\\n\s*", "", text)


def lines_of(block: str) -> list[str]:
    return [line for line in joined(block).splitlines() if line and not line.startswith("#")]


def before_redirection(words: Sequence[str]) -> list[str]:
    return list(itertools.takewhile(lambda word: word not in REDIRECTIONS, words))


# --- cheap forms


def module_and_options(command: str) -> tuple[str, list[str]]:
    """What a command calls: a script, a command of research, a module with `main`."""
    first, *words = shlex.split(command)
    if first == "tf-models":
        return words[0].replace("-", "_"), words[1:]
    if words[0] == "-m":
        module = words[1]
        package = importlib.util.find_spec(module).submodule_search_locations is not None
        return f"{module}.__main__" if package else module, words[2:]
    path = Path(words[0])
    return path.stem if path.parts[0] == "scripts" else f"docs.{path.stem}", words[1:]


def with_options(words: list[str], options: str, only_present: bool = False) -> list[str]:
    """The words with other options: in place of the same ones, or else at the end."""
    changed = list(words)
    for group in re.findall(r"--\S+(?: (?!--)\S+)*", options):
        option, *values = shlex.split(group)
        if option in changed:
            start = changed.index(option)
            after = (i for i in range(start + 1, len(changed)) if changed[i].startswith("--"))
            changed[start : next(after, len(changed))] = [option, *values]
        elif not only_present:
            changed += [option, *values]
    return changed


def cheap_form(command: str) -> Command | None:
    """The cheap form of a command; None if it runs elsewhere.

    Raises:
        LookupError: no form fits.
    """
    if command.startswith(ELSEWHERE):
        return None
    module, words = module_and_options(command)
    short = " ".join((module.removesuffix(".__main__"), *words))
    form = next((form for form in FORMS if re.match(form.commands, short)), None)
    if form is None:
        raise LookupError(command)
    words = with_options([WORDS.get(word, word) for word in words], LONG, only_present=True)
    if module == "translate":
        words = [SENTENCE if " " in word else word for word in words]
    return Command(command, module, tuple(with_options(words, form.options)), form)


def essence(options: tuple[str, ...]) -> frozenset[str]:
    """What distinguishes a command from others: not the names of what it writes, nor any order."""
    new = "|".join(map(re.escape, RUNS))
    names = rf"--(output|data-dir) \S+|--run-dir (?!{new})\S+"
    return frozenset(re.sub(names, "", " ".join(options)).split())


def commands_to_run() -> list:
    """Each cheap form once: commands may differ in what it leaves out."""
    forms: dict[tuple, Command] = {}
    for documented in documented_commands():
        with contextlib.suppress(LookupError):
            if command := cheap_form(documented):
                forms.setdefault((command.module, essence(command.options)), command)
    return [
        pytest.param(one, marks=[pytest.mark.slow] * one.form.slow, id=one.documented)
        for one in forms.values()
    ]


# --- what the commands read


@pytest.fixture(scope="module")
def few_sentences(tmp_path_factory):
    """The embedded files with a few lines of each split and kind."""
    folder = tmp_path_factory.mktemp("data") / "embedded"
    folder.mkdir()
    for path in Path(annotated.__file__).with_name("embedded").glob("*.xz"):
        seen, kept = {}, []
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            header = next(lines)
            names = header.rstrip("\n").split("\t")
            for line in lines:
                row = dict(zip(names, line.split("\t"), strict=False))
                key = row["split"], row["kind"]
                seen[key] = seen.get(key, 0) + 1
                most = 20 if row["split"] == "train" else 3
                kept += [line] if seen[key] <= most else []
        with lzma.open(folder / path.name, "wt", encoding="utf-8") as file:
            file.writelines([header, *kept])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annotated, "__file__", str(folder.with_name("annotated.py")))
        for name in corpora.EMBEDDED:
            patch.setitem(corpora.EMBEDDED, name, folder / f"{name}.tsv.xz")
        yield


@pytest.fixture(scope="module")
def english_run(few_sentences, tmp_path_factory):
    """A translator that reads English: one epoch old, of a part of its corpus."""
    run_dir = tmp_path_factory.mktemp("runs") / "english"
    options = shlex.split(f"{TEXT} {TRANSFORMER} {ADAM} --max-pairs 20 --max-length 60")
    printed_by("train_translator", "--run-dir", run_dir, *options)
    return run_dir


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Files that the pages speak of, and those in place of downloads."""
    folder = tmp_path_factory.mktemp("inputs")
    for name in ("deu.txt", "spa.txt", "por.txt", "own.tsv", "names.tsv"):
        write_pairs(folder / name)
    for name, side in (("test.en", 0), ("test.de", 1)):
        (folder / name).write_text("\n".join(pair[side] for pair in PAIRS[:3]), "utf-8")
    (folder / "held_out.tsv").write_text("He sleeps.\tEr schläft.\tSchläft er.\n", "utf-8")
    (folder / "sentences.txt").write_text("\n".join(pair.source for pair in PAIRS), "utf-8")
    (folder / "story.txt").write_text("Anna went to the kitchen.\n", "utf-8")
    for name in ("qa1_train.txt", "qa2_train.txt", "qa1_test.txt", "qa2_test.txt"):
        (folder / name).write_text(BABI, "utf-8")
    write_labelled(folder / "train.tsv", "sees", "hears", "loves")
    write_labelled(folder / "test.tsv", "knows")
    random, labels = np.random.default_rng(0), np.arange(60) % 10
    pixels = random.integers(0, 256, (60, 8, 8), np.uint8)
    splits = {"x_train": pixels, "y_train": labels, "x_test": pixels, "y_test": labels}
    np.savez(folder / MNIST, **splits)
    write_npz(folder / "rows.npz")  # what the tiny runs were trained on
    for name in ("photos/cat", "photos/dog", "your-photos/cat", "your-photos/dog"):
        write_folder(folder / name, shape=(8, 8, 3), count=20)
    Image.fromarray(np.full((8, 8), 90, np.uint8)).save(folder / "seven.png")
    bpemb = folder / "bpemb" / "en" / "en.wiki.bpe.vs10000.model"
    bpemb.parent.mkdir(parents=True)
    shutil.copy(TINY_RUNS / "translator" / "tokenizer" / "source.model", bpemb)
    return folder


# --- what the text names

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
DOTTED = re.compile(r"\btf_models(?:\.\w+)+")
IMPORTED = re.compile(r"from (tf_models[\w.]*) import ([\w, ]+)")
RESEARCH = [path for path in sorted((ROOT / "research").rglob("*.py")) if "tests" not in path.parts]
PARSERS = [
    *(f"research.benchmarks.{name}" for name in ("training", "decoding", "vae")),
    *("research.heads.__main__", "research.heads.names", "research.heads.resolver"),
    *("research.experiments.__main__", "docs.make_images"),
]


def written() -> dict[str, str]:
    """Texts by their place: pages, docstrings of research, cells of text in notebooks."""
    texts = {page.relative_to(ROOT).as_posix(): text_of(page) for page in PAGES}
    for path in RESEARCH:
        tree = ast.parse(text_of(path))
        nodes = [node for node in ast.walk(tree) if isinstance(node, DOCUMENTED)]
        docstrings = [ast.get_docstring(node) or "" for node in nodes]
        texts[path.relative_to(ROOT).as_posix()] = "\n".join(docstrings)
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.py")):
        comments = [line for line in text_of(path).splitlines() if line.startswith("# ")]
        texts[path.relative_to(ROOT).as_posix()] = "\n".join(comments)
    return texts


def options_of_commands(capsys: pytest.CaptureFixture) -> set[str]:
    """All options of scripts, of research and of docs/, in one set."""
    # Of all, of tf-models, another name of --model, of evaluate, and of TensorBoard.
    names = {"help", "version", "network", "json", "logdir"}
    for path in CLI:
        importlib.import_module(f"tf_models.cli.{path.stem}")
    kinds = [Settings]
    for kind in kinds:
        kinds += kind.__subclasses__()
        names.update(kind.model_fields)
    options = {f"--{name.replace('_', '-')}" for name in names}
    for module in PARSERS:
        recipes = [[recipe.name] for recipe in RECIPES] if "experiments" in module else [[]]
        for words in recipes:
            with pytest.raises(SystemExit):
                importlib.import_module(module).make_parser().parse_args([*words, "--help"])
            options |= set(OPTION.findall(capsys.readouterr().out))
    return options


def exists(dotted: str) -> bool:
    """Whether a module, or something in one, has this name."""
    try:
        pkgutil.resolve_name(dotted)
    except (ImportError, AttributeError):
        return False
    return True


# --- tests


def test_every_command_has_a_form_and_is_understood_as_it_stands(capsys):
    for documented in documented_commands():
        if command := cheap_form(documented):
            words = before_redirection(shlex.split(documented))
            module = importlib.import_module(command.module) if "." in command.module else None
            try:
                if module is None:
                    understand(words)
                elif hasattr(module, "make_parser"):
                    module.make_parser().parse_args(module_and_options(shlex.join(words))[1])
            except SystemExit as end:
                if end.code:  # --help ends without one
                    pytest.fail(documented)


@pytest.mark.usefixtures("few_sentences")
@pytest.mark.parametrize("command", commands_to_run())
def test_command_runs(command, inputs, tiny_run, call, request, monkeypatch, tmp_path):  # noqa: F811
    pytest.importorskip(command.form.needs)
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for name in RUNS.keys() & set(command.options):
        source = tiny_run(RUNS[name]) if RUNS[name] else request.getfixturevalue("english_run")
        shutil.copytree(source, tmp_path / name)
    if command.module == "docs.make_images":
        monkeypatch.setattr("docs.make_images.IMAGES", tmp_path)
        monkeypatch.setattr("docs.make_images.write_text", lambda path, text: None)
    typed = io.TextIOWrapper(io.BytesIO(b"He sleeps.\n"), "utf-8")
    monkeypatch.setattr(sys, "stdin", typed)
    with graphs() if command.form.compiled else contextlib.nullcontext():
        result = call(command.module, *before_redirection(command.options))
    assert result.status == 0, result.err


def test_every_option_in_the_text_exists(capsys):
    known = options_of_commands(capsys)
    unknown = {}
    for place, text in written().items():
        for command in (span for block in FENCED.findall(text) for span in lines_of(block[1])):
            text = text.replace(command, "") if command.startswith(ELSEWHERE) else text
        spans = (span for span in INLINE.findall(text) if span.startswith(ELSEWHERE))
        for span in spans:
            text = text.replace(f"`{span}`", "")
        if missing := set(OPTION.findall(text)) - known:
            unknown[place] = missing
    assert unknown == {}


def test_every_name_of_the_package_in_the_text_exists():
    for place, text in written().items():
        imported = [
            f"{module}.{name.strip()}"
            for module, names in IMPORTED.findall(text)
            for name in names.split(",")
        ]
        for name in (*DOTTED.findall(text), *imported):
            assert exists(name), (place, name)
