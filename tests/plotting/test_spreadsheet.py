import itertools
import math
import re

import numpy as np
from openpyxl import load_workbook

from tf_models.plotting.spreadsheet import head_as_sheet, save_sheet
from tf_models.transformer.attention import scaled_dot_product_attention

WORDS = ["Anthony", "<Hopkins>", "&"]
Q, K = np.random.default_rng(1).normal(size=(2, 3, 30))  # columns beyond Z
V = np.random.default_rng(2).normal(size=(3, 4))


def evaluated(path):
    """Name of each cell -> its text or number, as a spreadsheet program finds it."""
    found = {}

    def row_of(match):
        (row,) = {name.strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for name in match.groups()}
        first, last = (list(found).index(name) for name in match.groups())
        return repr([found[name] for name in list(found)[first : last + 1] if name.endswith(row)])

    for cell in itertools.chain.from_iterable(load_workbook(path).active.iter_rows()):
        value = cell.value
        if cell.data_type == "f":
            text = re.sub(r"([A-Z]+\d+):([A-Z]+\d+)", row_of, value.removeprefix("="))
            text = re.sub(r"\b[A-Z]+\d+\b", lambda name: repr(found[name.group()]), text)
            functions = {"SUMPRODUCT": np.dot, "SQRT": math.sqrt, "EXP": math.exp, "SUM": sum}
            value = float(eval(text, functions))
        if value is not None:
            found[cell.coordinate] = value
    return found


def test_the_formulas_are_attention(tmp_path):
    found = evaluated(save_sheet(head_as_sheet(WORDS, Q, K, V), tmp_path / "head.xlsx"))
    titles = {
        text: int(name[1:]) for name, text in found.items() if name[0] == "A" and name[1:].isdigit()
    }
    z, weights = scaled_dot_product_attention(*(one.astype(np.float32) for one in (Q, K, V)))
    for title, expected in (
        ("weights: divided by the sum of the row", weights),
        ("Z: weights times V", z),
    ):
        rows = [
            [found[f"{column}{titles[title] + i}"] for column in "BCDE"[: expected.shape[1]]]
            for i in (1, 2, 3)
        ]
        np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert [found[f"A{titles['Q'] + i}"] for i in (1, 2, 3)] == WORDS
