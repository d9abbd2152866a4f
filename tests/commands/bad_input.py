"""What people pass by mistake or on purpose, all given to a process with little memory.

Run as a program it makes the files in a folder, calls each script with each of `CASES`, and prints
a line of JSON for each: exit status, what came on standard error, seconds.
"""

import contextlib
import importlib
import io
import json
import shutil
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import NamedTuple

from tests.support.bad_files import (
    ARRAYS,
    CHECKPOINTS,
    CONFIGS,
    FOLDERS,
    HISTORIES,
    TEXT_FILES,
    TOKENIZERS,
    write_files,
)

MEMORY = 2 << 30  # bytes, beyond what Python and TensorFlow take to start
SECONDS = 120  # for one case, on a busy machine
DIGITS = "1" + "0" * 21  # no 64 bits hold it
GREAT = "3000000000"  # 32 bits do not

MINUTES = "research.experiments.__main__"


class Case(NamedTuple):
    """A script, its arguments with {files}, and what it reads on standard input."""

    script: str
    arguments: tuple[str, ...]
    stdin: bytes = b""


def cases(script, *lines):
    return [Case(script, tuple(line.split(" "))) for line in lines]


def options(script, before, **values):
    """A case for each value of each option."""
    return [
        Case(script, (*before, f"--{name.replace('_', '-')}={value}"))
        for name, bad in values.items()
        for value in bad.split(" ")
    ]


TEXT = ("--corpus", "{good.txt}", "--run-dir", "{new}")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/proc/self/mem", "a,b,c", ",")
NO_TEXTS = ("{empty.txt}", "{no-tab.txt}", "{nul.txt}", "{latin.txt}", "/dev/zero", "{folder}")

CASES = [
    *options(
        "train_translator",
        TEXT,
        pieces=f"x nan ② {DIGITS} {GREAT} 1000000000000 2147483647",
        batch_size=f"1.5 {DIGITS} {GREAT}",
        epochs=f"inf {DIGITS}",
        max_length=f"2 {DIGITS} {GREAT} 50000000",
        d_model=f"-8 {DIGITS} {GREAT} 1048576",
        dff="2000000000",
        num_layers="100000000",
        num_heads=f"3 {GREAT}",
        dropout="1e400 nan",
        peak="nan inf",
        seed=f"-1 ² {GREAT}000 {DIGITS}",
        minutes="nan",
        schedule="x\ny",
        languages="xx1 de-de en-de-fr",
        average_last_n=DIGITS,
        label_smoothing="nan",
        start_from="/dev/null {folder} {good.txt}",
    ),
    *(
        Case("train_translator", ("--corpus", name, "--run-dir", "{new}"))
        for name in (*(f"{{{name}}}" for name in TEXT_FILES), *DEVICES)
    ),
    *cases(
        "train_translator",
        "--corpus {good.txt},{missing.txt} --run-dir {new}",
        "--corpus {good.txt},{short.txt} --run-dir {new}",
        "--corpus {long-word.txt} --languages en-de --run-dir {new}",
        "--corpus {good.txt} {good.txt} --run-dir {new}",
        "--corpus toy {empty.txt} --run-dir {new}",
        "--corpus {good.txt} --run-dir {good.txt}",
        "--corpus {good.txt} --run-dir {good.txt}/run",
        "--corpus {good.txt} --run-dir {folder}",
        "--corpus {good.txt} --run-dir {a[b]}",
        "--corpus {good.txt} --run-dir /dev/null",
        "--corpus {good.txt} --run-dir /proc/run",
        "--corpus {good.txt} --run-dir {readymade}",
        "--corpus {good.txt} --run-dir",
        "--corpus tfds:nothing/of/this --run-dir {new}",
    ),
    *(Case("train_vae", ("--dataset", f"{{{name}.npz}}", "--run-dir", "{new}")) for name in ARRAYS),
    *(
        Case("train_autoencoder", ("--dataset", f"{{images-{name}}}", "--run-dir", "{new}"))
        for name in FOLDERS
    ),
    *options(
        "train_vae",
        ("--run-dir", "{new}"),
        latents=f"{DIGITS} {GREAT} 2000000000",
        beta="nan 1e400",
        kl_warmup_epochs="1e308",
        units=f"{DIGITS} {','.join(['1'] * 3000)}",
        importance_samples=DIGITS,
        dataset="mnist.gz /dev/zero",
        start_from="/dev/null {folder}",
    ),
    *cases(
        "train_classifier",
        *(f"--train {name} --test {{labelled.tsv}} --run-dir {{new}}" for name in NO_TEXTS),
        *(f"--train {{labelled.tsv}} --test {name} --run-dir {{new}}" for name in NO_TEXTS),
    ),
    *cases(
        "train_question_answering",
        *(f"--train {name} --test {name} --run-dir {{new}}" for name in NO_TEXTS),
    ),
    *(Case("translate", ("--run-dir", f"{{config-{name}}}", "Hello.")) for name in CONFIGS),
    *(Case("translate", ("--run-dir", f"{{tokenizer-{name}}}", "Hello.")) for name in TOKENIZERS),
    *(Case("translate", ("--run-dir", f"{{checkpoint-{name}}}", "Hi.")) for name in CHECKPOINTS),
    *(
        Case(MINUTES, ("minutes", "--run-dir", f"{{history-{name}}}", "--metric", "val_loss"))
        for name in HISTORIES
    ),
    *(
        Case("translate", ("--run-dir", "{readymade}"), stdin)
        for stdin in (b"\xff", b"\0", b"Hi.\n\0\n", b"a" * (2 << 20))
    ),
    *cases(
        "translate",
        f"--run-dir {{readymade}} --beam-size {DIGITS} Hello.",
        "--run-dir {readymade} --length-penalty nan Hello.",
        "--run-dir {readymade} --length-penalty 1e400 Hello.",
        "--run-dir {readymade} --checkpoint ../../x Hello.",
        "--run-dir {good.txt} Hello.",
        "--run-dir {readymade} --run-dir {folder} Hello.",
        "--run {readymade} Hello.",
        "--run-dir /dev/null Hello.",
    ),
    *cases(
        "plot_attention",
        "--run-dir {readymade} --sentence Hello. --output {new.exe}",
        "--run-dir {readymade} --sentence Hello. --output {folder}",
        f"--run-dir {{readymade}} --sentence Hello. --layer {DIGITS} --output {{new.png}}",
        f"--run-dir {{readymade}} --sentence Hello. --head {DIGITS} --output {{new.png}}",
        "--run-dir {readymade} --sentence  --output {new.png}",
        "--run-dir {readymade} --sentence Hello. --layer ² --output {new.png}",
    ),
    *(
        Case("inspect_tokenizer", ("--run-dir", "{readymade}", sentence))
        for sentence in ("", "\udcff", "\0")
    ),
    *cases(
        MINUTES,
        "minutes --run-dir {loop} --metric val_loss",
        "minutes --run-dir {readymade} {loop} --metric val_loss",
    ),
    *cases("evaluate", f"--run-dir {{new}} --importance-samples {DIGITS}"),
    *cases("view_attention", "--run-dir {readymade} --sentences {many.txt} --output {new.html}"),
    *cases("view_attention", "--run-dir {loop} --sentence Hello. --output {new.html}"),
    *cases("train_translator", "--corpus {loop}"),
    *cases("train_question_answering", "--training-questions 2147483647 --run-dir {new}"),
    *cases("evaluate", *(f"--run-dir {{config-{name}}}" for name in ("list", "kind-list"))),
    *cases("classify", *(f"--run-dir {{config-{name}}} Hi." for name in ("cut", "nothing-else"))),
]


def call(case, folder):
    """Exit status and standard error of a script in this process; "traceback" is no status."""
    from tf_models import command_line

    def place(argument):
        for name in ("{", "}"):
            if name not in argument:
                return argument
        start, rest = argument.split("{", 1)
        name, end = rest.split("}", 1)
        return f"{start}{folder / name}{place(end)}"

    def too_long(number, frame):
        raise TimeoutError(f"nothing came of it in {SECONDS} s")

    script = case.script
    module = importlib.import_module(script if "." in script else f"tf_models.commands.{script}")
    sys.argv = [f"{case.script}.py", *map(place, case.arguments)]
    sys.stdin = io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8")
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        try:
            command_line.run(module.make_parser(), module.main)
        except SystemExit as end:
            status = end.code
        except BaseException:
            status = "traceback"
            traceback.print_exc()
    signal.alarm(0)
    return status, err.getvalue()


def limit_memory():
    import resource

    from tf_models.command_line import quiet_tensorflow

    with quiet_tensorflow():
        import tensorflow as tf

        tf.zeros(1).numpy()
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main(folder, chosen):
    write_files(folder)
    limit_memory()
    for number in chosen or range(len(CASES)):
        started = time.perf_counter()
        status, errors = call(CASES[number], folder)
        seconds = round(time.perf_counter() - started, 1)
        result = {"number": number, "status": status, "errors": errors, "seconds": seconds}
        print(json.dumps(result), flush=True)
        for left in folder.glob("new*"):
            shutil.rmtree(left, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(number) for number in sys.argv[2:]])
