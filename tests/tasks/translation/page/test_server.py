import threading
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tf_models.errors import InputError
from tf_models.tasks.translation.page.server import HOST, make_server


def test_the_page_is_served_on_this_machine_alone():
    with make_server("<p>é</p>") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        assert urlopen(address).read().decode() == "<p>é</p>"
        with pytest.raises(HTTPError, match="404"):
            urlopen(address + "other")
        server.shutdown()
        assert HOST == server.server_address[0] == "127.0.0.1"


def test_a_port_that_is_taken():
    with make_server("") as server, pytest.raises(InputError, match="pass another --port"):
        make_server("", server.server_port)
