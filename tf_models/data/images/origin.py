"""The images of a run: their description in config.json, and the way back to them."""

from dataclasses import dataclass
from pathlib import Path

from tf_models.data.images.dataset import ImageSet, show_shape
from tf_models.data.images.loading import EMBEDDED, ONE_HOT, load_images, one_hot_images, read_npz
from tf_models.errors import InputError

KEPT_BYTES = 1 << 23  # of training and of test images each, for figures: all tests of MNIST


def describe(images: ImageSet) -> dict:
    """Entry in config.json about the images that a run is trained on."""
    return {
        "images": images.name,
        "source": images.source,
        "shape": images.shape,
        "maximum": images.maximum,
        "left_out_class": images.left_out,
        "training_images": len(images.train),
        "validation_images": len(images.validation),
        "test_images": len(images.test),
    }


@dataclass(frozen=True)
class ImageOrigin:
    """Provenance of a run's images.

    run_dir: of the run, for messages.
    data: its entry of config.json, from `describe`.
    seed: of the run.
    kept: the file in which it keeps images for figures.
    """

    run_dir: Path
    data: dict
    seed: int
    kept: Path

    @property
    def left_out_class(self) -> int | None:
        """The class that the run was not trained on, if there is one."""
        return self.data["left_out_class"]

    def load(self, name: str | None = None, data_dir: Path | None = None) -> ImageSet:
        """The images that the run was trained on, or others by their name.

        Those of a folder or of TFDS are brought to the size that it was trained on.

        Raises:
            InputError: they cannot be loaded, or are of another shape than the run's.
        """
        source, shape = name or self.data["source"], tuple(self.data["shape"])
        if source == ONE_HOT:
            images = one_hot_images()
        else:
            size = None if source == EMBEDDED or source.endswith(".npz") else shape[:2]
            images = load_images(source, data_dir=data_dir, seed=self.seed, image_size=size)
        self.check(images)
        left_out = self.left_out_class
        if left_out is not None and left_out in images.classes(images.train).values():
            return images.without_class(left_out)
        return images

    def load_kept(self, data_dir: Path | None = None) -> ImageSet:
        """Training and test images that the run keeps, all or many of them; those of `load` if it
        keeps none.
        """
        if not self.kept.exists():
            return self.load(data_dir=data_dir)
        splits, class_names = read_npz(self.kept)
        train, test = splits["train"], splits["test"]
        return ImageSet(
            *(self.data["images"], train, train[:0], test, self.data["maximum"]),
            *(self.data["source"], class_names, self.left_out_class),
        )

    def check(self, images: ImageSet) -> None:
        """Raise an InputError for images of another shape than the run's."""
        trained = tuple(self.data["shape"])
        if images.shape != trained:
            raise InputError(
                f"{self.run_dir} was trained on images of {show_shape(trained)}; {images.name} has "
                f"{show_shape(images.shape)}"
            )
