"""What MkDocs asks while it makes the site: which pages there are, and what they look like.

Pages have the paths that they have in the repository, so that every link leads to the same place
there and on the site. Notebooks and the reference become pages here.
"""

import html
import posixpath
import re
from pathlib import Path

import latex2mathml.converter
import notebook_pages
import reference_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

ROOT = Path(__file__).resolve().parents[2]
SHOWN = (
    *("*.md", "LICENSE", "docs/*.md", "docs/*.html", "docs/images/*", "docs/site/*.*s"),
    *("notebooks/README.md", "notebooks/*.ipynb", "research/README.md", "research/*/*.md"),
)
GALLERY = "docs/gallery.md"
LOOK_INSIDE = "look-inside.md"
ATTENTION_PAGE = "docs/attention-page.html"
EMBEDDED = f"""---
hide: [navigation, toc]
---

# A whole translator on one page

[Open it alone]({ATTENTION_PAGE})

<iframe src="{ATTENTION_PAGE}" title="A whole translator" class="embedded"></iframe>
"""
MISSING = f"""# A whole translator on one page

`python scripts/view_attention.py --output {ATTENTION_PAGE}` makes it; then build the site again.
"""
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
CALLIGRAPHIC = re.compile(r"(\\mathcal) (\w)")  # latex2mathml draws it so only with braces

as_on_github = slugify(case="lower")


class NotebookFile(File):
    """A notebook is a page, though its name does not say so."""

    def is_documentation_page(self) -> bool:
        return True


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the repository in place of those of docs/ alone, and what is generated."""
    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for path in sorted(path for pattern in SHOWN for path in ROOT.glob(pattern)):
        uri = path.relative_to(ROOT).as_posix()
        kind = NotebookFile if is_notebook(uri) else File
        files.append(kind(uri, str(ROOT), config.site_dir, config.use_directory_urls))
    for uri, content in generated(files).items():
        files.append(File.generated(config, uri, content=content))
    config.nav = [complete(entry, files) for entry in config.nav]
    return files


def is_notebook(uri: str) -> bool:
    return uri.endswith(".ipynb")


def generated(files: Files) -> dict[str, str | bytes]:
    """Pages of the reference, the one with the translator, and the notebooks' pictures."""
    pictures = {
        posixpath.join(posixpath.dirname(file.src_uri), name): picture
        for file in files
        if is_notebook(file.src_uri)
        for name, picture in notebook_pages.pictures(Path(file.abs_src_path)).items()
    }
    look_inside = EMBEDDED if ATTENTION_PAGE in files.src_uris else MISSING
    return {LOOK_INSIDE: look_inside, **reference_pages.pages(ROOT), **pictures}


def complete(entry: dict, files: Files) -> dict:
    """An entry of the navigation, with all notebooks or the tree of the reference, if it asks."""
    trees = {
        "notebooks/": sorted(filter(is_notebook, files.src_uris)),
        "reference/": reference_pages.nav(files.src_uris),
    }
    ((title, inside),) = entry.items()
    if isinstance(inside, str):
        return entry
    return {title: [page for one in inside for page in trees.get(one, [one])]}


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    if is_notebook(page.file.src_uri):
        return notebook_pages.as_markdown(Path(page.file.abs_src_path))
    return None


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Headings get the anchors that links to them have: Jupyter's or GitHub's."""
    notebook = is_notebook(page.file.src_uri)
    config.mdx_configs["toc"]["slugify"] = notebook_pages.slug if notebook else as_on_github


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    content = FORMULA.sub(as_mathml, content).replace("<img ", '<img loading="lazy" ')
    return f'<div class="gallery">{content}</div>' if page.file.src_uri == GALLERY else content


def as_mathml(formula: re.Match) -> str:
    """Browsers draw MathML themselves: no script and no font has to come with the site."""
    tag, tex = formula[1], CALLIGRAPHIC.sub(r"\1{\2}", html.unescape(formula[2]))
    display = "block" if tag == "div" else "inline"
    drawn = latex2mathml.converter.convert(tex, display=display)
    return f'<{tag} class="formula">{drawn}</{tag}>'
