"""Provenance of the images that a run is trained on."""

from dataclasses import dataclass
from pathlib import Path

from tf_models.data.images import ImageSet, load_images, read_npz, show_shape
from tf_models.errors import InputError, StrPath
from tf_models.files import fingerprint


def describe(images: ImageSet) -> dict:
    """Entry in config.json about the images that a run is trained on."""
    return {
        "images": images.name,
        "source": images.source,
        "shape": images.shape,
        "maximum": images.maximum,
        "class_names": images.class_names,
        "left_out_class": images.left_out,
        "training_images": len(images.train),
        "validation_images": len(images.validation),
        "test_images": len(images.test),
        "fingerprint": _fingerprint(images),
    }


def _fingerprint(images: ImageSet) -> str:
    parts = []
    for split in (images.train, images.validation, images.test):
        parts.append(split.images.tobytes())
        if split.labels is not None:
            parts.append(split.labels.tobytes())
    return fingerprint(parts)


@dataclass(frozen=True)
class ImageOrigin:
    """Provenance of the images that a run is trained on.

    `data` is what `describe` wrote into config.json, `kept` the file of images for figures.
    """

    run_dir: Path
    data: dict
    seed: int
    kept: Path

    @property
    def left_out_class(self) -> int | None:
        """The class that the run was not trained on, if there is one."""
        return self.data["left_out_class"]

    def load(self, name: str | None = None, data_dir: StrPath | None = None) -> ImageSet:
        """Images of the run, or others by name, with the run's class numbers.

        Raises:
            InputError: they cannot be loaded, or are of another shape or class than the run's.
        """
        source = name or self.data["source"]
        left_out = self.left_out_class
        size = tuple(self.data["shape"][:2])
        images = load_images(source, data_dir=data_dir, seed=self.seed, image_size=size)
        self.check(images)
        if "classes" in self.data or left_out is not None:  # the model knows them by number
            images = images.renumbered(self.data["class_names"])
        if left_out is not None:
            images = images.without_class(images.class_names[left_out])
        return images

    def load_kept(self, data_dir: StrPath | None = None) -> ImageSet:
        """Training and test images that the run keeps, or else those of `load`."""
        if not self.kept.exists():
            return self.load(data_dir=data_dir)
        splits, class_names = read_npz(self.kept)
        return ImageSet(
            name=self.data["images"],
            train=splits["train"],
            validation=splits["train"][:0],
            test=splits["test"],
            maximum=self.data["maximum"],
            source=self.data["source"],
            class_names=class_names,
            left_out=self.left_out_class,
        )

    def check(self, images: ImageSet) -> None:
        """Raise an InputError for images of another shape than the run's."""
        shape = tuple(self.data["shape"])
        if images.shape != shape:
            raise InputError(
                f"{self.run_dir} was trained on images of {show_shape(shape)}; {images.name} has "
                f"{show_shape(images.shape)}"
            )
