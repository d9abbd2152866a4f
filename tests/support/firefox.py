"""A headless Firefox, driven by Marionette, its own protocol: JSON over a socket."""

import json
import socket
import subprocess
import time

PATIENCE = 60  # seconds


class Firefox:
    def __init__(self, path, profile):
        """path: of the program; profile: an empty folder."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        settings = f'user_pref("marionette.port", {port});\n'
        (profile / "user.js").write_text(settings, encoding="utf-8")
        self.process = subprocess.Popen(
            [path, "--headless", "--no-remote", "--marionette", "--profile", str(profile)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.socket = wait_for(lambda: connected(port))
        self.answers = self.socket.makefile("rb")
        self.receive()  # it says its name
        self.ask("WebDriver:NewSession")

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            size += self.answers.read(1)
        return json.loads(self.answers.read(int(size[:-1])))

    def ask(self, command, **parameters):
        message = json.dumps([0, 1, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        assert error is None, error
        return result

    def open(self, url):
        self.ask("WebDriver:Navigate", url=url)

    def run(self, script):
        """What a script returns in the page."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def wait_for(self, condition):
        """Wait until an expression is true in the page; what it is then."""
        return wait_for(lambda: self.run(f"return {condition}"))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(PATIENCE)


def connected(port):
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    except ConnectionRefusedError:
        return None


def wait_for(find):
    """What `find` finds, once it is true."""
    end = time.monotonic() + PATIENCE
    while not (found := find()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)
    return found
