"""Time epochs of a dense VAE beside the same model in PyTorch."""

import argparse
import tempfile
from pathlib import Path

from benchmarks.comparison import Plan
from benchmarks.options import add_options, plan_from, publish, say
from tf_models.command_line import Parser, numbers, quiet_tensorflow
from tf_models.errors import InputError
from tf_models.tasks.autoencoding.vae_settings import VAESettings

EXAMPLES = """\
  python scripts/benchmark_autoencoders.py
      on the embedded digits, in seconds
  python scripts/benchmark_autoencoders.py --dataset mnist --data-dir data --json speed.json
      on MNIST
PyTorch comes with: pip install -e ".[benchmark]\""""


def make_parser() -> Parser:
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("--dataset", help="as train_vae.py takes it; default: digits")
    parser.add_argument("--data-dir", type=Path, help="folder of TFDS data sets")
    parser.add_argument("--latents", type=int, metavar="N", help="default: 50")
    parser.add_argument("--units", type=numbers, metavar="N,N", help="default: 200,200")
    parser.add_argument("--batch-size", type=int, metavar="B", help="default: 100")
    add_options(parser)
    return parser


def main(arguments: argparse.Namespace) -> None:
    from benchmarks.vae_comparison import report_vaes

    results = measure(arguments, plan_from(arguments))
    machine = results["machine"]
    text = f"{machine['processor']}, {results['threads']} threads for each rival; {machine['date']}"
    publish(results, f"{text}\n\n{report_vaes(results)}", arguments.json)


def measure(arguments: argparse.Namespace, plan: Plan) -> dict:
    from benchmarks.machine import describe_machine
    from benchmarks.vae_comparison import PYTORCH, compare_vaes, vae_rivals_here
    from benchmarks.vae_systems import VaeTask

    if arguments.units == ():
        raise InputError("--units must name the width of one hidden layer at least")
    settings = VAESettings().changed(
        latents=arguments.latents, units=arguments.units, batch_size=arguments.batch_size
    )
    with quiet_tensorflow():
        from tf_models.data.images.loading import EMBEDDED, load_images
    images = load_images(arguments.dataset or EMBEDDED, data_dir=arguments.data_dir)
    names = vae_rivals_here()
    if PYTORCH not in names:
        say('pytorch is left out: torch not installed (pip install -e ".[benchmark]")')
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        results = compare_vaes(VaeTask(images, settings, Path(folder)), names, plan)
    machine = describe_machine()
    return {"machine": machine, "threads": plan.threads, "rounds": plan.rounds, **results}
