"""Files that no script can use, of every kind that came up: texts, images, damaged runs."""

import gzip
import os
import re
import shutil
import zipfile
from pathlib import Path

import numpy as np

NESTED = "[" * 100_000
TEXT_FILES = [
    "empty.txt",
    "one-column.txt",
    "four-columns.txt",
    "latin.txt",
    "utf16.txt",
    "nul.txt",
    "long-line.txt",
    "png.txt",
    "sparse.txt",
    "broken.gz",
    "cut.gz",
    "bomb.gz",
    "no.gz",
    "blank.txt",
    "one-side.txt",
    "dangling.txt",
    "missing.txt",
    "pipe.txt",
    "folder",
]
ARRAYS = [
    "strings",
    "dates",
    "structs",
    "complex",
    "objects",
    "huge",
    "negative",
    "fractions",
    "nan",
    "infinite",
    "flat",
    "five-channels",
    "empty",
    "one-key",
    "no-key",
    "nan-labels",
    "text-labels",
    "few-labels",
    "float-labels",
    "negative-labels",
    "great-labels",
    "claimed",
    "cut",
    "no-zip",
    "no-npy",
    "two-sizes",
    "encrypted",
    "packed-oddly",
    "a-pipe",
    "a-folder",
    "header-bomb",
]
FOLDERS = [
    "pipe",
    "bomb",
    "text",
    "no-bytes",
    "cut-png",
    "directory",
    "cmyk",
    "deep",
    "sizes",
    "depths",
    "no-images",
    "both",
    "postscript",
    "dangling-link",
]
CONFIGS = {
    "empty": "",
    "cut": "{",
    "list": "[]",
    "number": "7",
    "nested": NESTED,
    "no-kind": '{"format": 2}',
    "no-format": '{"kind": "translator"}',
    "kind-number": '{"format": 2, "kind": 7}',
    "kind-list": '{"format": 2, "kind": ["translator"]}',
    "newer": '{"format": 99, "sort": "translator"}',
    "older": '{"format": 1, "kind": "translator"}',
    "format-text": '{"format": "2", "kind": "translator"}',
    "nothing-else": '{"format": 2, "kind": "translator"}',
    "not-utf8": "\udcff",
}
TOKENIZERS = {
    "none": None,
    "empty-model": b"",
    "garbage-model": b"\x0agarbage" * 99,
    "zeros": bytes(9),
}
CHECKPOINTS = (
    *("index-cut", "index-empty", "data-cut", "data-gone", "data-pipe"),
    *("odd-alone", "folder-alone"),
)
HISTORIES = {
    "empty": "",
    "words": "epoch,loss\n1,x\n",
    "out-of-range": "epoch,seconds,val_loss\n1,2,1e400\n",
    "epoch-out-of-range": "epoch,seconds,val_loss\n1e400,2,3\n",
    "no-seconds": "epoch,val_loss\n1,2\n",
    "nothing-measured": "epoch,seconds,loss\n1,2,3\n",
    "short-row": "epoch,seconds,val_loss\n1\n",
    "nul": "epoch\0",
    "a-pipe": None,
    "not-utf8": "\udcff",
}


def write_files(folder):
    """Everything that {names} stand for."""
    good = "".join(f"The {n} sleeps.\tDer {n} schläft.\n" for n in ("cat", "dog", "fox", "ox") * 50)
    texts = {
        "good.txt": good,
        "short.txt": "One line.\n",
        "empty.txt": "",
        "blank.txt": "\n\n\n",
        "long-word.txt": "".join(f"{'x' * 70_000} {n}.\tNur {n}.\n" for n in range(9)),
        "many.txt": "The dog sleeps.\n" * 3000,
        "one-side.txt": "The cat.\t\nThe dog.\t\n",
        "no-tab.txt": "No number and no tab.\n",
        "one-column.txt": "The cat sleeps.\n" * 9,
        "four-columns.txt": "a\tb\tc\td\n" * 9,
        "labelled.tsv": "yes\tThe cat sleeps.\nno\tThe dog barks.\n" * 20,
    }
    contents = {
        **{name: text.encode() for name, text in texts.items()},
        "latin.txt": good.encode("latin-1"),
        "utf16.txt": good.encode("utf-16"),
        "nul.txt": b"The cat\0.\tDer Kater.\n",
        "long-line.txt": b"a" * (2 << 20) + b"\tb\n",
        "png.txt": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "broken.gz": gzip.compress(good.encode())[:-30] + b"x" * 30,
        "cut.gz": gzip.compress(good.encode())[:60],
        "no.gz": good.encode(),
        "bomb.gz": gzip.compress(b"a" * (256 << 20), 1) * 16,  # 4 GiB without a line feed
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    with open(folder / "sparse.txt", "wb") as file:
        file.truncate(8 << 30)
    (folder / "dangling.txt").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.txt")
    (folder / "loop").symlink_to("loop")
    (folder / "folder").mkdir()
    (folder / "folder" / "thesis.txt").write_text("mine")
    write_arrays(folder)
    write_images(folder)
    write_runs(folder)


def write_arrays(folder):
    images = np.zeros((60, 4, 4), np.uint8)
    labels = np.zeros(60, np.int64)
    x = {
        "strings": np.full(images.shape, "a"),
        "dates": np.full(images.shape, "2020-01-01", "datetime64[D]"),
        "structs": np.zeros(60, [("a", "i4"), ("b", "f4")]),
        "complex": images + 1j,
        "objects": np.array([None] * 60, object),
        "huge": np.full(images.shape, 2**63, np.uint64),
        "negative": images.astype(int) - 1,
        "fractions": images + 0.5,
        "nan": np.full(images.shape, np.nan),
        "infinite": np.full(images.shape, np.inf),
        "flat": images[0],
        "five-channels": np.zeros((60, 4, 4, 5), np.uint8),
        "empty": images[:0],
    }
    y = {
        "nan-labels": np.full(60, np.nan),
        "text-labels": np.full(60, "cat"),
        "few-labels": labels[:3],
        "float-labels": labels + 0.5,
        "negative-labels": labels - 1,
        "great-labels": labels + 2**40,
    }
    for name, values in x.items():
        save(folder / f"{name}.npz", values, labels)
    for name, values in y.items():
        save(folder / f"{name}.npz", images, values)
    np.savez(folder / "no-key.npz", images=images)
    np.savez(folder / "one-key.npz", x_train=images, y_train=labels)
    np.savez(folder / "two-sizes.npz", x_train=images, x_test=np.zeros((9, 5, 5), np.uint8))
    good = (folder / "few-labels.npz").read_bytes()
    (folder / "cut.npz").write_bytes(good[: len(good) // 2])
    (folder / "no-zip.npz").write_bytes(b"no zip at all")
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000, 1000, 1000), }"
    claimed = b"\x93NUMPY\x01\x00v\x00" + header.ljust(117).encode() + b"\n"
    for name, content in (("claimed", claimed), ("no-npy", b"no array")):
        with zipfile.ZipFile(folder / f"{name}.npz", "w") as archive:
            for split in ("train", "test"):
                archive.writestr(f"x_{split}.npy", content)
    write_odd_archives(folder)


def write_odd_archives(folder):
    whole = folder / "no-npy.npz"
    for name, place, value in (("encrypted", 8, 1), ("packed-oddly", 10, 99)):
        content = bytearray(whole.read_bytes())
        for entry in (found.start() for found in re.finditer(b"PK\x01\x02", content)):
            content[entry + place] |= value  # general purpose flags, compression method
        (folder / f"{name}.npz").write_bytes(content)
    os.mkfifo(folder / "a-pipe.npz")
    (folder / "a-folder.npz").mkdir()
    with zipfile.ZipFile(folder / "header-bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x_train.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + b"(" * 100_000)


def save(path, images, labels):
    np.savez(path, x_train=images, y_train=labels, x_test=images, y_test=labels)


def write_images(folder):
    from PIL import Image

    places = {name: folder / f"images-{name}" for name in FOLDERS}
    for place in places.values():
        place.mkdir()
    grey = Image.fromarray(np.zeros((4, 4), np.uint8))
    os.mkfifo(places["pipe"] / "a.png")
    Image.new("1", (30_000, 30_000)).save(places["bomb"] / "a.png")
    (places["text"] / "a.png").write_text("no image")
    (places["no-bytes"] / "a.png").write_bytes(b"")
    grey.save(places["cut-png"] / "a.png")
    whole = (places["cut-png"] / "a.png").read_bytes()
    (places["cut-png"] / "a.png").write_bytes(whole[:50])
    (places["directory"] / "a.png").mkdir()
    grey.convert("CMYK").save(places["cmyk"] / "a.jpg")
    Image.fromarray(np.zeros((4, 4), np.uint16)).save(places["deep"] / "a.png")
    for number, size in enumerate((4, 5)):
        Image.new("L", (size, size)).save(places["sizes"] / f"{number}.png")
    for mode in ("L", "RGB"):
        Image.new(mode, (4, 4)).save(places["depths"] / f"{mode}.png")
    (places["no-images"] / "a.txt").write_text("no image")
    (places["both"] / "class").mkdir()
    for place in (places["both"], places["both"] / "class"):
        grey.save(place / "a.png")
    (places["postscript"] / "a.png").write_text("%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n")
    (places["dangling-link"] / "a.png").symlink_to("nowhere")


def write_runs(folder):
    """Copies of the translator of the package, each damaged in another way."""
    from tf_models.tasks.translation.ready_made import RUN_DIR

    def copy(name):
        return Path(shutil.copytree(RUN_DIR, folder / name, copy_function=os.symlink))

    def replace(path, content):
        path.unlink(missing_ok=True)
        path.write_bytes(content)

    copy("readymade")
    for name, text in CONFIGS.items():
        (folder / f"config-{name}").mkdir()
        (folder / f"config-{name}" / "config.json").write_bytes(
            text.encode(errors="surrogateescape")
        )
    for name, text in HISTORIES.items():
        run = copy(f"history-{name}")
        if text is None:
            os.mkfifo(run / "history.csv")
        else:
            (run / "history.csv").write_bytes(text.encode(errors="surrogateescape"))
    for name, content in TOKENIZERS.items():
        model = copy(f"tokenizer-{name}") / "tokenizer" / "source.model"
        model.unlink()
        if content is not None:
            model.write_bytes(content)
    best = {name: copy(f"checkpoint-{name}") / "checkpoints" / "best" for name in CHECKPOINTS}
    index, data = "ckpt-1.index", "ckpt-1.data-00000-of-00001"
    replace(best["index-cut"] / index, (RUN_DIR / "checkpoints/best" / index).read_bytes()[:99])
    replace(best["index-empty"] / index, b"")
    replace(best["data-cut"] / data, b"too few bytes")
    for name in ("data-gone", "data-pipe"):
        (best[name] / data).unlink()
    os.mkfifo(best["data-pipe"] / data)
    for name in ("odd-alone", "folder-alone"):
        (best[name] / index).unlink()
    (best["odd-alone"] / "ckpt-x.index").write_text("odd")
    (best["folder-alone"] / "ckpt-7.index").mkdir()
