import json
import re

import pytest

from tf_models.tasks.translation.page.document import WEB, join_modules, json_in_html, make_document

EVIL = "</script><script>alert(1)</script>"


def test_data_cannot_end_its_element():
    text = json_in_html({"sentence": EVIL})

    assert "<" not in text
    assert json.loads(text) == {"sentence": EVIL}


def test_only_this_script_and_this_style_are_allowed():
    html = make_document("a <title>", {"sentence": EVIL})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]

    assert policy.startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert re.findall(r"[\w-]*unsafe[\w-]*", policy) == ["wasm-unsafe-eval"]
    links = r'"https://(jalammar\.github\.io|data-science-blog\.com)/[^"]*"'  # a reader may follow
    assert "://" not in re.sub(rf"http://www\.w3\.org/\d+/svg|{links}", "", html)
    assert "<title>a &lt;title&gt;</title>" in html
    assert EVIL not in html


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


def test_circles_are_refused(write):
    folder = write(
        one='import { b } from "./two.js";\nexport const a = 1;\n',
        two='import { a } from "./one.js";\nexport const b = 1;\n',
    )
    with pytest.raises(ValueError, match="one -> two -> one"):
        join_modules("one", folder)


def test_no_module_lies_unused():
    script = join_modules("main")
    assert [path.stem for path in WEB.glob("*.js") if f"module_{path.stem} =" not in script] == []


def test_no_module_reads_text_as_html():
    for path in WEB.glob("*.js"):
        source = path.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in source, path.name
