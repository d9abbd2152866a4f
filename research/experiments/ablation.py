"""What each ingredient of the preset best is worth: one at a time as the article has it."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from research.experiments.recipe import Run, Values, chosen
from research.experiments.translators import TranslatorRecipe
from tf_models.command_line import Parser
from tf_models.commands.train_translator import settings_from
from tf_models.tasks.translation.presets import preset
from tf_models.tasks.translation.settings import TranslatorSettings

WHOLE = "all ingredients"
EPOCHS = 20  # a preset's own would take days, all runs together
# The settings that make up an ingredient. Without a common tokenizer there is no common table.
INGREDIENTS = {
    "dropout": ("dropout",),
    "label smoothing": ("label_smoothing",),
    "tied embeddings": ("tie_embeddings",),
    "joint BPE": ("tokenizer", "tie_embeddings"),
    "small initial kernels": ("branch_scale",),
    "Muon": ("optimizer",),
    "weight decay": ("weight_decay",),
    "warm-up and peak": ("schedule", "warmup_steps", "peak"),
    "batches by tokens": ("batch_size", "batch_tokens", "max_lengths", "padded"),
}


class Ablation(TranslatorRecipe):
    name = "ablation"
    question = "what is each ingredient of a translator's training worth?"
    examples = """\
  python -m research.experiments ablation --corpus multi30k --data-dir data --seeds 0,1
      validation BLEU of the preset best without each of its ingredients, two seeds; hours
  python -m research.experiments ablation --corpus multi30k --max-pairs 10000 --epochs 30 \\
      --precision mixed_bfloat16 --seeds 0,1,2 --jobs 2 --output ingredients.png
  python -m research.experiments ablation --corpus deu.txt --without dropout "joint BPE"
An ingredient that is taken out is as the article has it: dropout 0.1 in place of 0.3, and so on."""

    def make_parser(self) -> Parser:
        parser = super().make_parser()
        parser.set_defaults(preset="best", epochs=EPOCHS)
        parser.add_argument(
            "--without",
            nargs="+",
            metavar="INGREDIENT",
            help=f"only these of {', '.join(INGREDIENTS)}",
        )
        parser.common["--without"] = ""
        return parser

    def settings(self, arguments: Namespace) -> dict[str, TranslatorSettings]:
        whole = settings_from(arguments)
        article = preset("article", whole.architecture).flat()
        found = {WHOLE: whole}
        for ingredient in chosen("--without", arguments.without, INGREDIENTS):
            names = INGREDIENTS[ingredient]
            changed = whole.changed(**{name: article[name] for name in names if name in article})
            if changed != whole:
                found[f"without {ingredient}"] = changed
        return found

    def measurement(self, arguments: Namespace) -> Callable[[Run], Mapping[str, Values]]:
        from tf_models.tasks.translation.evaluation import evaluate_translator
        from tf_models.tasks.translation.translator import Translator

        pairs, settings = self.corpus(arguments).validation, self.settings(arguments)

        def measure(run: Run) -> dict[str, Values]:
            """Of the whole one also without what belongs to decoding."""
            own = settings[run.label]
            averaged, beam_size = own.training.average_last_n, own.decoding.beam_size
            checkpoint = "average" if averaged else "latest"
            rows = {run.label: (checkpoint, beam_size)}
            if run.label == WHOLE and beam_size > 1:
                rows["without beam search"] = (checkpoint, 1)
            if run.label == WHOLE and averaged:
                # Not the best one: it was chosen by the very score that is measured here.
                rows["without averaging"] = ("latest", beam_size)
            return {row: {"validation BLEU": bleu(run.path, *how)} for row, how in rows.items()}

        def bleu(run_dir: Path, checkpoint: str, beam_size: int) -> float:
            translator = Translator.load(run_dir, checkpoint)
            return evaluate_translator(translator, pairs, beam_size=beam_size)[0].bleu

        return measure
