"""Train a variational autoencoder, then measure it and draw what it makes.

$ tf-models train-vae
    the embedded digits, in seconds
$ tf-models train-vae --model hierarchical --dataset photos --image-size 32
    a deep hierarchical VAE after NVAE, of a folder of PNG or JPEG files of any sizes
"""

from pathlib import Path

from tf_models.autoencoding.settings import ImageRunSettings, Likelihood, VAEPreset, preset
from tf_models.cli.command_line import ImageArguments, parse_known, parse_training, quiet_tensorflow


class Model(ImageArguments):
    """Arguments that decide which settings there are."""

    model: VAEPreset | None = None
    """Preset to start from; it decides which other options there are; photos is a VAE of coloured
    pictures; if left out, vae, or photos where the data set is a folder."""

    @property
    def preset(self) -> VAEPreset:
        """The preset of the model or of the images."""
        return self.model or ("photos" if Path(self.images).is_dir() else "vae")


class Defaults(Model):
    """Arguments that decide which settings there are."""

    likelihood: Likelihood | None = None


class Arguments(Model):
    start_from: Path | None = None
    """Run directory whose best weights to start from."""
    settings: ImageRunSettings


def main() -> None:
    defaults = parse_known(Defaults)
    settings = preset(defaults.preset, defaults.likelihood)
    arguments = parse_training(Arguments, settings)
    with quiet_tensorflow():
        from tf_models.autoencoding.train import train_image_model
        from tf_models.data.images import load_images
    images = load_images(
        arguments.images,
        data_dir=arguments.data_dir,
        seed=arguments.seed,
        image_size=arguments.height_and_width,
    )
    run_dir = arguments.run_in(f"{images.label}-{arguments.preset}")
    train_image_model(
        run_dir,
        images,
        arguments.settings,
        seed=arguments.seed,
        start_from=arguments.start_from,
        minutes=arguments.minutes,
    )
