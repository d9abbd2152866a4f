"""What follows from the images that an autoencoder is trained on."""

import argparse
from collections.abc import Mapping

from tf_models.command_line import given_settings
from tf_models.data.images.dataset import ImageSet
from tf_models.image_options import report_suited
from tf_models.tasks.autoencoding.settings import ImageRunSettings, suited


def suited_to(
    images: ImageSet,
    settings: ImageRunSettings,
    arguments: argparse.Namespace,
    chosen: Mapping[str, object] | None = None,
) -> ImageRunSettings:
    """The settings, with what suits the images better where the command line says nothing; a line
    names that, and what else was `chosen` for them.
    """
    given = given_settings(arguments, settings)
    better = suited(settings, given, images.shape[-1], len(images.train))
    report_suited({**(chosen or {}), **better})
    return settings.changed(**better)
