import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.site
def test_the_site_builds_strictly_and_has_every_page(tmp_path):
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([*command, "--site-dir", tmp_path], cwd=ROOT, env=quiet, check=True)

    for source in [*ROOT.glob("docs/*.md"), *ROOT.glob("notebooks/*.ipynb")]:
        assert (tmp_path / source.relative_to(ROOT).with_suffix(".html")).is_file(), source
