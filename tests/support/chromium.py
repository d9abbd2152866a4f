"""A browser for tests."""

import shutil
import warnings

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium; without one the tests that need it are skipped, aloud."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if path is None or sync_playwright is None:
        missing = "no Chromium (apt install chromium)" if path is None else "no Playwright"
        warnings.warn(f"NO PAGE IS TESTED IN A BROWSER: {missing}", stacklevel=1)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
