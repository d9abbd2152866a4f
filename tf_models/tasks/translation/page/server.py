"""Shows a page to the browsers of this machine, and to no other."""

import contextlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tf_models.errors import InputError

HOST = "127.0.0.1"


def make_server(html: str, port: int = 0) -> ThreadingHTTPServer:
    """A server with the page at `/`; `serve_forever` starts it.

    Args:
        html: the document.
        port: 0 takes one that is free; `server_port` says which.

    Raises:
        InputError: the port is taken, or may not be used.
    """
    page = html.encode("utf-8")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/":
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # a tab that was closed meanwhile
                self.wfile.write(page)

        def log_message(self, *_):
            """Say nothing: the terminal is the reader's."""

    try:
        return ThreadingHTTPServer((HOST, port), Handler)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot serve at {HOST}:{port}: {error}; pass another --port") from error
