import json
import re

import pytest

from tf_models.translation.page.page import WEB, join_modules, make_document

EVIL = "</script><script>alert(1)</script>"


def test_data_cannot_end_its_element():
    html = make_document("a <title>", {"sentence": EVIL})

    assert EVIL not in html
    assert json.loads(re.search(r'id="data">(.*?)</script>', html)[1]) == {"sentence": EVIL}


def test_the_document_loads_nothing_and_escapes_its_title():
    html = make_document("a <title>", {})

    assert "content=\"default-src 'none'; script-src 'unsafe-inline'" in html
    assert "<title>a &lt;title&gt;</title>" in html
    assert html.lower().count("</script") == 2  # of the data and of the script


@pytest.fixture
def write(tmp_path):
    def write_modules(**modules):
        for name, text in modules.items():
            (tmp_path / f"{name}.js").write_text(text)
        return tmp_path

    return write_modules


def test_a_module_comes_after_what_it_imports_and_once(write):
    folder = write(
        main='import { a } from "./one.js";\nimport { b } from "./two.js";\na(b);\n',
        two='import { a } from "./one.js";\nexport const b = a;\n',
        one="export function a() {}\n",
    )
    script = join_modules("main", folder)

    assert script.count("function a()") == 1
    assert script.index("module_one =") < script.index("module_two =") < script.index("a(b)")
    assert "import " not in script
    assert "export " not in script
    assert "const { a } = module_one;" in script
    assert "return { b };" in script


def test_no_module_lies_unused_and_none_reads_text_as_html():
    script = join_modules("main")
    for path in WEB.glob("*.js"):
        assert f"module_{path.stem} =" in script
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in script
