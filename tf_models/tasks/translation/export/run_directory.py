"""A trained translator as a small run directory: what translating needs, nothing of training."""

import json
from dataclasses import replace
from pathlib import Path

from tf_models.errors import check_choice
from tf_models.files import write_text
from tf_models.tasks.translation.translator import Translator
from tf_models.training.checkpoints import save_model
from tf_models.training.run_directory import EXPORTED, RunDirectory

QUANTIZATIONS = ("float32", "float16")


def export_run_directory(
    translator: Translator, folder: Path, run_dir: Path, quantization: str = "float32"
) -> None:
    """Write a run directory that every command takes, but that cannot be trained further.

    It has the weights of the loaded checkpoint of run_dir without the optimizer's state, the
    tokenizers, words.json.xz, config.json and decoding.json. The folder exists, empty. With the
    quantization "float16", in place of "float32", it has half of the size. Raises InputError:
    another quantization, or weights that are not finite.
    """
    check_choice("--quantization", quantization, QUANTIZATIONS)
    made, run = RunDirectory(Path(run_dir)), RunDirectory(folder)
    config = {**made.read_config("translator"), EXPORTED: True}
    write_text(run.config_file, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
    translator.tokenizers.copy_to(run.tokenizers)
    translator.training.save(run)
    model = translator.model
    outputs = getattr(model, "outputs", None)
    save_model(model.network, run, half=quantization == "float16", outputs=outputs)
    replace(translator.decoding, checkpoint="best").save(run)
