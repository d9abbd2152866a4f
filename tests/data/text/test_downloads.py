"""Downloads from a small server on this machine: whole, broken off, repeated, damaged."""

import gzip
import hashlib
import io
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from tf_models.data.text import downloads
from tf_models.data.text.downloads import RemoteFile, cached_corpus, fetch
from tf_models.errors import InputError

CONTENT = bytes(range(256)) * 2000  # 512,000 bytes, several chunks
REMEDY = "put it there by hand"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class FileServer(ThreadingHTTPServer):
    """Serves `files`; notes each request's headers; may break off."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {"/data.bin": CONTENT}
        self.break_after = []  # bytes to send before each of the next answers breaks off
        self.leads_to = None  # an address for whoever asks
        self.content_type = "application/octet-stream"
        self.tells_length = True
        self.requests = []

    def url(self, path="/data.bin"):
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append(dict(self.headers))
        if self.server.leads_to:
            self.send_response(302)
            self.send_header("Location", self.server.leads_to)
            self.end_headers()
            return
        content = self.server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", self.server.content_type)
        if self.server.tells_length:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        breaks = self.server.break_after
        self.wfile.write(content[: breaks.pop(0) if breaks else None])

    def log_message(self, *arguments):
        pass


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    """A download that failed is tried again at once."""
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with FileServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_whole_file(server, tmp_path):
    fetch(RemoteFile(server.url(), SHA256), tmp_path / "new" / "data.bin", REMEDY)

    assert (tmp_path / "new" / "data.bin").read_bytes() == CONTENT
    assert names(tmp_path / "new") == ["data.bin"]
    assert "Mozilla" in server.requests[0]["User-Agent"]
    assert server.requests[0]["Accept-Encoding"] == "identity"


def test_file_in_the_cache_needs_no_network(tmp_path):
    path = tmp_path / "data.bin"
    path.write_bytes(b"as it was")
    fetch(RemoteFile("http://127.0.0.1:1/data.bin"), path, REMEDY)

    assert path.read_bytes() == b"as it was"


def test_a_broken_connection_is_tried_again(server, tmp_path):
    server.break_after = [200_000, 100_000]
    fetch(RemoteFile(server.url(), SHA256), tmp_path / "data.bin", REMEDY)

    assert (tmp_path / "data.bin").read_bytes() == CONTENT
    assert len(server.requests) == 3
    assert names(tmp_path) == ["data.bin"]


@pytest.mark.parametrize("sha256", [None, SHA256])
def test_a_server_that_always_breaks_off_is_given_up(server, tmp_path, sha256):
    server.break_after = [100_000] * 10
    with pytest.raises(InputError, match=f"it broke.*; {REMEDY}"):
        fetch(RemoteFile(server.url(), sha256), tmp_path / "data.bin", REMEDY)
    assert names(tmp_path) == []
    assert len(server.requests) == 1 + downloads.RETRIES


def test_wrong_checksum_removes_the_file(server, tmp_path):
    with pytest.raises(InputError, match=f"expected {'0' * 64} but got {SHA256}"):
        fetch(RemoteFile(server.url(), "0" * 64), tmp_path / "data.bin", REMEDY)
    assert names(tmp_path) == []


def test_error_status_is_no_file(server, tmp_path):
    with pytest.raises(InputError, match="HTTP status 404"):
        fetch(RemoteFile(server.url("/gone")), tmp_path / "gone", REMEDY)
    assert names(tmp_path) == []


def test_no_network_says_what_to_put_where(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    url = "http://127.0.0.1:1/deu-eng.zip"
    monkeypatch.setitem(downloads.DOWNLOADS, "tatoeba", (RemoteFile(url, member="deu.txt"),))
    with pytest.raises(InputError) as caught:
        cached_corpus("tatoeba", tmp_path)

    message = str(caught.value)
    assert url in message
    assert str(tmp_path / "tatoeba" / "deu-eng.zip") in message
    assert "--data-dir" in message
    assert "\n" not in message


def test_slow_server_is_given_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(Handler, "do_GET", lambda self: threading.Event().wait(1))
    with pytest.raises(InputError, match="no answer in time"):
        fetch(RemoteFile(server.url()), tmp_path / "data.bin", REMEDY)


def test_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot write"):
        fetch(RemoteFile("http://127.0.0.1:1/x"), tmp_path / "file" / "x", REMEDY)


def test_progress_goes_to_stderr(server, tmp_path, capsys):
    fetch(RemoteFile(server.url()), tmp_path / "shown.bin", REMEDY)
    output, errors = capsys.readouterr()
    assert output == ""
    assert "100%" in errors


def zip_of(**members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for stem, text in members.items():
            archive.writestr(f"{stem}.txt", text)
    return file.getvalue()


@pytest.fixture
def tatoeba(server, monkeypatch):
    """Let `tatoeba` come from `server`."""
    remote = RemoteFile(server.url("/deu-eng.zip"), member="deu.txt")
    monkeypatch.setitem(downloads.DOWNLOADS, "tatoeba", (remote,))
    server.files["/deu-eng.zip"] = zip_of(_about="license", deu="Go.\tGeh.\n" * 1000)
    return server


def test_member_of_an_archive(tatoeba, tmp_path):
    folder = cached_corpus("tatoeba", tmp_path)

    assert folder == tmp_path / "tatoeba"
    assert (folder / "deu.txt").read_text() == "Go.\tGeh.\n" * 1000
    assert names(folder) == ["deu.txt"]
    cached_corpus("tatoeba", tmp_path)
    assert len(tatoeba.requests) == 1


def test_archive_put_there_by_hand(tatoeba, tmp_path):
    (tmp_path / "tatoeba").mkdir()
    (tmp_path / "tatoeba" / "deu-eng.zip").write_bytes(zip_of(deu="Hi.\tHallo!\n"))
    folder = cached_corpus("tatoeba", tmp_path)

    assert (folder / "deu.txt").read_text() == "Hi.\tHallo!\n"
    assert tatoeba.requests == []


def damaged_archives(whole: bytes) -> dict[str, bytes]:
    text = whole.index(b"deu.txt") + len("deu.txt") + 3  # a byte of the packed text
    flags = [whole.index(b"PK\3\4") + 6, whole.rindex(b"PK\1\2") + 8]

    def changed(*places, to):
        content = bytearray(whole)
        for place in places:
            content[place] = to
        return bytes(content)

    return {
        "flipped byte": changed(text, to=whole[text] ^ 0xFF),
        "no deu.txt": zip_of(spa="Go.\tVe.\n"),
        "encrypted": changed(*flags, to=1),
        "packed in an unknown way": changed(*(flag + 2 for flag in flags), to=99),
    }


DAMAGES = tuple(damaged_archives(zip_of(deu="Go.\tGeh.\n" * 1000)))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_archive_that_was_downloaded_is_removed(tatoeba, tmp_path, damage):
    whole = zip_of(deu="Go.\tGeh.\n" * 1000)
    tatoeba.files["/deu-eng.zip"] = damaged_archives(whole)[damage]
    with pytest.raises(InputError, match="zip is damaged or holds no deu.txt.*removed: run again"):
        cached_corpus("tatoeba", tmp_path)
    assert names(tmp_path / "tatoeba") == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_archive_that_was_put_there_stays(tatoeba, tmp_path, damage):
    content = damaged_archives(zip_of(deu="Go.\tGeh.\n" * 1000))[damage]
    (tmp_path / "tatoeba").mkdir()
    (tmp_path / "tatoeba" / "deu-eng.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"is damaged or holds no deu\.txt.*put another one there"):
        cached_corpus("tatoeba", tmp_path)

    assert (tmp_path / "tatoeba" / "deu-eng.zip").read_bytes() == content
    assert names(tmp_path / "tatoeba") == ["deu-eng.zip"]


@pytest.mark.parametrize("name", ["deu-eng.zip", "train.en.gz", "vs1000.model"])
@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "application/octet-stream"])
def test_a_login_page_is_never_cached(server, tmp_path, name, content_type):
    server.files[f"/{name}"] = b"<!doctype html><html>Please log in</html>"
    server.content_type = content_type
    said = "perhaps to log in" if "html" in content_type else "came damaged or not to its end"
    with pytest.raises(InputError, match=said):
        fetch(RemoteFile(server.url(f"/{name}")), tmp_path / name, REMEDY)
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["deu-eng.zip", "train.en.gz", "vs1000.model"])
def test_a_body_that_was_cut_is_never_cached(server, tmp_path, name):
    """The server does not say how long it is, as a proxy may not."""
    content = {"deu-eng.zip": zip_of(deu="Go.\tGeh.\n"), "train.en.gz": gzip.compress(CONTENT)}
    server.files[f"/{name}"] = content.get(name, CONTENT)
    server.tells_length, server.break_after = False, [60]
    with pytest.raises(InputError, match="not to its end|does not say how long the file is"):
        fetch(RemoteFile(server.url(f"/{name}")), tmp_path / name, REMEDY)
    assert names(tmp_path) == []


def test_a_redirect_without_https_is_not_followed(server, tmp_path):
    server.leads_to = "http://login.example/data.bin"
    with pytest.raises(InputError, match="redirected to http://login.example/data.bin, without"):
        fetch(RemoteFile(server.url()), tmp_path / "data.bin", REMEDY)
    assert names(tmp_path) == []


def test_two_at_once(server, tmp_path):
    remote, path = RemoteFile(server.url(), SHA256), tmp_path / "data.bin"
    both = threading.Barrier(2)

    def fetched(_):
        both.wait()
        fetch(remote, path, REMEDY)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(fetched, range(2)))

    assert path.read_bytes() == CONTENT
    assert names(tmp_path) == ["data.bin"]


def test_the_known_files_come_by_https_and_have_their_checksums(shared_data):
    for remote in (one for files in downloads.DOWNLOADS.values() for one in files):
        assert remote.url.startswith("https://")
        if remote.sha256:
            content = (shared_data / "multi30k" / remote.name).read_bytes()
            assert hashlib.sha256(content).hexdigest() == remote.sha256
    assert all(one.sha256 for one in downloads.DOWNLOADS["multi30k"])


def test_default_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert downloads.default_cache() == tmp_path / "cache" / "tf_models"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert downloads.default_cache() == tmp_path / ".cache" / "tf_models"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert downloads.default_cache() == tmp_path / ".cache" / "tf_models"
