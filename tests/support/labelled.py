"""A small file of labelled sentences: do two nouns stand in alphabetical order?"""

NOUNS = ("bear", "cat", "dog", "fox", "wolf")
QUICK = [
    *("--num-layers", "1", "--d-model", "16", "--num-heads", "2", "--dff", "32"),
    *("--pieces", "60", "--positions", "16", "--batch-size", "16", "--epochs", "2"),
]


def write_labelled(path, verbs=("sees", "hears", "loves")):
    lines = [
        f"{'rising' if a < b else 'falling'}\tThe {a} {verb} the {b}."
        for verb in verbs
        for a in NOUNS
        for b in NOUNS
        if a != b
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
