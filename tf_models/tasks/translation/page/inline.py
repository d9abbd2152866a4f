"""The page inside a notebook."""

from html import escape


class InlinePage:
    """A page that a notebook shows as the last value of a cell: a frame, no widget.

    Args:
        html: the document.
        height: of the frame in pixels.
    """

    def __init__(self, html: str, height: int = 900):
        self.html, self.height = html, height

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="attention page" srcdoc="{escape(self.html)}" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )
