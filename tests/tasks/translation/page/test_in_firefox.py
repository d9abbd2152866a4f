"""The page in a second browser: it computes what Keras did, and a head can be switched off."""

import shutil

import pytest

from tests.support.firefox import Firefox

pytestmark = pytest.mark.browser
PATH = shutil.which("firefox-esr") or shutil.which("firefox")
EMPTY_PROGRAM = "new window.Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])"
OUTPUTS = "[...document.querySelectorAll('#translation output')].map((one) => one.textContent)"


@pytest.mark.skipif(PATH is None, reason="no Firefox (apt install firefox-esr)")
def test_the_page_in_firefox(small_page, tmp_path):
    path, profile = tmp_path / "page.html", tmp_path / "profile"
    path.write_text(small_page.html, encoding="utf-8")
    profile.mkdir()
    firefox = Firefox(PATH, profile)
    try:
        firefox.open(path.as_uri())
        check = firefox.wait_for("document.querySelector('#self-check[data-good]')?.dataset.good")
        before = firefox.run(f"return {OUTPUTS}")
        firefox.run("document.getElementById('off-0').click()")
        after = firefox.wait_for(f"document.getElementById('changes') && {OUTPUTS}")
        off = firefox.run("return attentionPage.state.off")
        worker = firefox.run("return attentionPage.asking.computer.port instanceof Worker")
        program = firefox.run(f"return String(new window.WebAssembly.Module({EMPTY_PROGRAM}))")
        version = firefox.run("return navigator.userAgent")
    finally:
        firefox.close()
    assert check == "true"
    assert worker is True
    assert program == "[object WebAssembly.Module]"  # the page's policy allows it
    assert "Firefox/" in version
    assert len(off) == 1
    assert after[0] == before[0] != ""
    assert len(after) == 2  # the unchanged model's and the changed one's
