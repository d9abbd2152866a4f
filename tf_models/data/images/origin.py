"""The images of a run: what its config.json says of them, and how they are found again."""

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tf_models.data.images.dataset import ImageSet, show_shape
from tf_models.data.images.loading import (
    ONE_HOT,
    is_of_any_size,
    load_images,
    one_hot_images,
    read_npz,
)
from tf_models.errors import InputError

KEPT_BYTES = 1 << 23  # of training and of test images each, for figures: all tests of MNIST


def describe(images: ImageSet) -> dict:
    """What config.json says of the images that a run is trained on."""
    return {
        "images": images.name,
        "source": images.source,
        "shape": images.shape,
        "maximum": images.maximum,
        "left_out_class": images.left_out,
        "training_images": len(images.train),
        "validation_images": len(images.validation),
        "test_images": len(images.test),
        "fingerprint": images.fingerprint(),
    }


@dataclass(frozen=True)
class ImageOrigin:
    """Where a run has its images from.

    run_dir: of the run, for messages.
    data: what `describe` said of them.
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
        """The images that the run was trained on, or others by their name, which `check` lets pass.

        Those of a folder or of TFDS are brought to the size that it was trained on. Raises
        InputError: they are no longer there, or cannot be used.
        """
        source = name or self.data["source"]
        if name is None and Path(source).is_absolute() and not Path(source).exists():
            raise InputError(
                f"{source}, which {self.run_dir} was trained on, is no longer there; put it back, "
                "or name its new place where a command takes --dataset"
            )
        if source == ONE_HOT:
            images = one_hot_images()
        else:
            size = tuple(self.data["shape"][:2]) if is_of_any_size(source) else None
            images = load_images(source, data_dir=data_dir, seed=self.seed, image_size=size)
        if self.left_out_class is not None:
            images = self._without_left_out(images)
        self.check(images)
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
            self.data["images"],
            train,
            train[:0],
            test,
            self.data["maximum"],
            self.data["source"],
            class_names,
            self.left_out_class,
        )

    def _without_left_out(self, images: ImageSet) -> ImageSet:
        """As the run was trained on them, if they are those images, be it from another place."""
        try:
            without = images.without_class(cast(int, self.left_out_class))
        except InputError:
            return images
        return without if without.fingerprint() == self.data["fingerprint"] else images

    def check(self, images: ImageSet) -> None:
        """Raise an InputError for images of another size or depth than the run's, or that have
        changed (see `changed`).
        """
        trained = tuple(self.data["shape"])
        if images.shape != trained:
            raise InputError(
                f"{self.run_dir} was trained on images of {show_shape(trained)}; {images.name} has "
                f"{show_shape(images.shape)}"
            )
        if self.changed(images):
            raise InputError(
                f"the images in {images.source} are no longer those that {self.run_dir} was "
                "trained on; train again, or pass others with --dataset"
            )

    def changed(self, images: ImageSet) -> bool:
        """Whether images come from where the run's came from and are not the same any more:
        training images could be among the test images then.
        """
        same_place = images.source == self.data["source"]
        return same_place and images.fingerprint() != self.data["fingerprint"]
