import pytest

from tf_models.tasks.translation.page.modules import WEB, join_modules


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
