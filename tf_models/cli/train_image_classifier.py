"""Train a Vision Transformer on images, score it and draw its attention.

$ tf-models train-image-classifier
    the embedded digits, in a minute
$ tf-models train-image-classifier --dataset photos --image-size 32
    images of your own: a folder with a subfolder of PNG or JPEG files for each class
"""

from tf_models.classification.settings import ImageClassifierSettings, image_preset
from tf_models.cli.command_line import ImageArguments, parse_known, parse_training, quiet_tensorflow


class Arguments(ImageArguments):
    settings: ImageClassifierSettings


def main() -> None:
    settings = image_preset(parse_known(ImageArguments).images)
    arguments = parse_training(Arguments, settings)
    with quiet_tensorflow():
        from tf_models.classification.train import train_image_classifier
        from tf_models.data.images import load_images
    images = load_images(
        arguments.images,
        data_dir=arguments.data_dir,
        seed=arguments.seed,
        image_size=arguments.height_and_width,
    )
    print(images.describe())
    run_dir = arguments.run_in(f"{images.label}-classifier")
    train_image_classifier(
        run_dir, images, arguments.settings, seed=arguments.seed, minutes=arguments.minutes
    )
