import gzip
import shutil
import tarfile
from types import SimpleNamespace

import numpy as np
import pytest

from tf_models.data.text import bpemb as bpemb_models
from tf_models.data.text.bpemb import pretrained_tokenizer, pretrained_vectors
from tf_models.data.text.tokenizer import train_tokenizer
from tf_models.errors import InputError

NO_HOST = "http://127.0.0.1:1/"


def test_the_articles_vocabulary(shared_data):
    """Rows 1 and 2: 10000 pieces and 10002 ids."""
    tokenizer = pretrained_tokenizer("en", 10_000, shared_data)

    assert tokenizer.describe() == (
        "en: 10000 pieces, 10002 ids; padding 0, unknown 1, start 10000, end 10001"
    )
    text = "Anthony Hopkins admired Michael Bay as a great director."
    assert tokenizer.decode(tokenizer.encode(text)) == text.lower()
    assert tokenizer.decode(tokenizer.encode("101 Dalmatians")) == "000 dalmatians"


def test_neither_padding_nor_the_unknown_piece_is_read_with_a_real_model(shared_data):
    tokenizer = pretrained_tokenizer("en", 1000, shared_data)
    ids = tokenizer.encode("a 😀 b")

    assert ids == tokenizer.encode("a b")
    assert not {0, 1} & set(ids)


def test_vectors_follow_the_ids(shared_data):
    from bpemb import BPEmb

    vectors = pretrained_vectors("en", 1000, 25, shared_data)
    original = BPEmb(lang="en", vs=1000, dim=25, cache_dir=shared_data / "bpemb").vectors

    assert vectors.shape == (1000, 25)
    np.testing.assert_array_equal(vectors[2:], original[2:])
    np.testing.assert_array_equal(vectors[1], original[0])
    np.testing.assert_array_equal(vectors[0], np.zeros(25))


def test_without_a_network_it_says_which_file_and_where(tmp_path, monkeypatch):
    monkeypatch.setattr(bpemb_models, "HOST", NO_HOST)
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))
    with pytest.raises(InputError) as error:
        pretrained_tokenizer("de", 10_000, tmp_path)

    message = str(error.value)
    assert "\n" not in message
    assert "de/de.wiki.bpe.vs10000.model" in message
    assert str(tmp_path / "bpemb" / "de") in message
    assert "--data-dir" in message


def test_sizes_that_bpemb_does_not_have(tmp_path):
    with pytest.raises(InputError, match="no 'de' model of 1234 pieces; it has 1000, "):
        pretrained_tokenizer("de", 1234, tmp_path)
    with pytest.raises(InputError, match="knows no language 'xx'"):
        pretrained_tokenizer("xx", 1000, tmp_path)


def test_vectors_are_unpacked(tmp_path, monkeypatch):
    """BPEmb's host packs vectors as .tar.gz."""

    def fetch(remote, path, remedy):
        assert remote.url.endswith("de/de.wiki.bpe.vs1000.d25.w2v.bin.tar.gz")
        path.parent.mkdir(parents=True)
        words = tmp_path / "words.txt"
        words.write_bytes(b"3 25\n" + b"".join(b"w%d " % i + bytes(100) + b"\n" for i in range(3)))
        with tarfile.open(path, "w:gz") as archive:
            archive.add(words, "data/de/de.wiki.bpe.vs1000.d25.w2v.bin")
        return True

    monkeypatch.setattr(bpemb_models, "fetch", fetch)
    with pytest.raises(InputError, match=r"holds \(3, 25\) vectors, not \(1000, 25\)"):
        pretrained_vectors("de", 1000, 25, tmp_path)
    assert [path.name for path in (tmp_path / "bpemb" / "de").iterdir()] == [
        "de.wiki.bpe.vs1000.d25.w2v.bin"
    ]


def odd_archives(folder):
    """A broken checksum, and archives of a folder, a link and another file by that name."""
    data = bytearray(gzip.compress(bytes(10_000)))
    data[-6] ^= 1  # in the checksum
    yield data
    for kind in (tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, None):
        name = "de.wiki.bpe.vs1000.d25.w2v.bin" if kind else "other.bin"
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind or tarfile.REGTYPE, "/etc/passwd"
        with tarfile.open(folder / "odd", "w:gz") as archive:
            archive.addfile(member)
        yield (folder / "odd").read_bytes()


@pytest.mark.parametrize("fetched", [True, False])
def test_odd_archives_are_noticed(tmp_path, monkeypatch, fetched):
    """What was downloaded is removed; what somebody put there stays."""
    folder = tmp_path / "bpemb" / "de"
    folder.mkdir(parents=True)
    for content in odd_archives(tmp_path):

        def fetch(remote, path, remedy, content=content):
            path.write_bytes(content)
            return fetched

        monkeypatch.setattr(bpemb_models, "fetch", fetch)
        with pytest.raises(InputError, match="is damaged or holds no de.wiki"):
            pretrained_vectors("de", 1000, 25, tmp_path)
        assert len(list(folder.iterdir())) == (0 if fetched else 1)


def test_a_local_model_of_any_size_in_the_cache_is_used(tmp_path):
    folder = tmp_path / "bpemb" / "es"
    folder.mkdir(parents=True)
    small = train_tokenizer(["hola mundo", "el perro"], "es", 30, tmp_path / "m")
    shutil.copy(small.model_file, folder / "es.wiki.bpe.vs1000.model")

    tokenizer = pretrained_tokenizer("es", 1000, tmp_path)
    assert tokenizer.lowercase
    assert tokenizer.decode(tokenizer.encode("HOLA")) == "hola"
