import shutil

import numpy as np
import pytest

from tf_models.data import bpemb as bpemb_models
from tf_models.data.tokenizers import pretrained_tokenizer, pretrained_vectors, train_tokenizer
from tf_models.errors import InputError


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


def test_what_bpemb_does_not_have(tmp_path):
    with pytest.raises(InputError, match="no 'de' model of 1234 pieces; it has 1000, "):
        pretrained_tokenizer("de", 1234, tmp_path)
    with pytest.raises(InputError, match="knows no language 'xx'"):
        pretrained_tokenizer("xx", 1000, tmp_path)
    with pytest.raises(InputError, match="no 'de' vectors of 26 dimensions; it has 25, "):
        pretrained_vectors("de", 1000, 26, tmp_path)


def test_files_are_fetched_from_bpembs_host(tmp_path, monkeypatch):
    vectors = tmp_path / "unpacked.bin"
    rows = (b"w%d " % i + np.full(25, i, "<f4").tobytes() + b"\n" for i in range(3))
    vectors.write_bytes(b"3 25\n" + b"".join(rows))

    def fetch(url, path, processor):
        assert url.endswith("/de/de.wiki.bpe.vs1000.d25.w2v.bin.tar.gz")
        assert path == tmp_path / "bpemb" / "de" / "de.wiki.bpe.vs1000.d25.w2v.bin.tar.gz"
        return [vectors]

    monkeypatch.setattr(bpemb_models, "fetch", fetch)
    assert pretrained_vectors("de", 1000, 25, tmp_path)[:, 0].tolist() == [0, 0, 2]


def test_a_local_model_of_any_size_in_the_cache_is_used(tmp_path):
    folder = tmp_path / "bpemb" / "es"
    folder.mkdir(parents=True)
    small = train_tokenizer(["hola mundo", "el perro"], "es", 30, tmp_path / "m")
    shutil.copy(small.model_file, folder / "es.wiki.bpe.vs1000.model")

    tokenizer = pretrained_tokenizer("es", 1000, tmp_path)
    assert tokenizer.lowercase
    assert tokenizer.decode(tokenizer.encode("HOLA")) == "hola"
