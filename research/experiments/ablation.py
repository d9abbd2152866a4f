"""The worth of each ingredient of the preset best: one at a time as the article has it."""

from argparse import ArgumentParser
from collections.abc import Mapping

from research.experiments.recipe import Run, Values, chosen
from research.experiments.translators import TranslatorRecipe
from tf_models.translation.evaluate import evaluate_translator
from tf_models.translation.settings import TranslatorSettings, preset
from tf_models.translation.translate import Translator

WHOLE = "all ingredients"
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
    "averaging": ("average_last_n",),
    "beam search": ("beam_size",),
}


class Ablation(TranslatorRecipe):
    name = "ablation"
    question = "what is each ingredient of a translator's training worth?"
    examples = """\
  python -m research.experiments ablation --corpus multi30k --max-pairs 10000 --seeds 0,1 \\
      --set epochs=30 precision=mixed_bfloat16 --output ingredients.png
  python -m research.experiments ablation --corpus deu.txt --without dropout "joint BPE"
An ingredient that is taken out is as the article has it: dropout 0.1 in place of 0.3, and so on."""
    preset = "best"
    changes = {"epochs": 20}  # the preset's own would take days, all runs together

    @classmethod
    def add_options(cls, parser: ArgumentParser) -> None:
        super().add_options(parser)
        help = f"only these of {', '.join(INGREDIENTS)}"
        parser.add_argument("--without", nargs="+", metavar="INGREDIENT", help=help)

    def settings(self) -> dict[str, TranslatorSettings]:
        whole, article = self.preset_settings(), preset("article").flat()
        found = {WHOLE: whole}
        for ingredient in chosen("--without", self.arguments.without, INGREDIENTS):
            names = INGREDIENTS[ingredient]
            changed = whole.changed(**{name: article[name] for name in names})
            if changed != whole:
                found[f"without {ingredient}"] = changed
        return found

    def measure(self, run: Run) -> Mapping[str, Values]:
        settings = self.settings()[run.label]
        # Not the best checkpoint: it was chosen by the very score that is measured here.
        checkpoint = "average" if settings.training.average_last_n else "latest"
        translator = Translator.load(run.path, checkpoint)
        beam_size = settings.decoding.beam_size
        scores, _ = evaluate_translator(translator, self.corpus.validation, beam_size=beam_size)
        return {run.label: {"validation BLEU": scores.bleu}}
