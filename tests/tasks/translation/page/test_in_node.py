"""What of the page's script needs no browser, in Node: it is tested without Chromium, too."""

import json
import shutil
import subprocess

import numpy as np
import pytest

from tf_models.tasks.translation.page.document import join_modules

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node (apt install nodejs)")
# A model that spells 3 4 5 and then ends (2), whatever it reads, and likes 6 second best.
SPELLING = """
const END = 2;
const model = {
    emptyCaches: () => [0],
    step(id, [length]) {
        const logits = new Float32Array(8).fill(-9);
        logits[[3, 4, 5, END][Math.min(length, 3)]] = 4;
        logits[6] = 2;
        return { logits, caches: [length + 1], records: {} };
    },
};
const ends = { startId: 1, endId: END, maxLength: 10 };
const { finish } = module_work;
"""


@pytest.fixture
def run():
    """run(modules, expression): the value of a JavaScript expression, with these modules."""

    def in_node(modules, expression, before=""):
        joined = {}
        for module in modules:
            for part in join_modules(module).split("\nconst module_")[1:]:
                joined.setdefault(part.split(" ", 1)[0], f"const module_{part}\n")
        script = "\n".join([*joined.values(), before, f"console.log(JSON.stringify({expression}))"])
        done = subprocess.run(
            [NODE, "-"], input=script, capture_output=True, text=True, encoding="utf-8", check=True
        )
        return json.loads(done.stdout)

    return in_node


def test_vectors_are_those_of_numpy(run):
    random = np.random.default_rng(0)
    x, kernel, bias = random.normal(size=5), random.normal(size=(5, 7)), random.normal(size=7)
    found = run(
        ["vectors"],
        f"""(({{ x, kernel, bias }}) => {{
            const {{ dense, denseTransposed, softmax }} = module_vectors;
            const {{ layerNorm, logSumExp, topK }} = module_vectors;
            const floats = (list) => new Float32Array(list);
            const ones = floats(x.map(() => 1)), zeros = floats(x.map(() => 0));
            const table = floats(kernel[0].flatMap((_, j) => kernel.map((row) => row[j])));
            return [
                [...dense(floats(x), {{ kernel: floats(kernel.flat()), bias: floats(bias) }})],
                [...denseTransposed(floats(x), {{ table, bias: floats(bias) }})],
                [...softmax(x)],
                [...layerNorm(floats(x), {{ gamma: ones, beta: zeros }})],
                logSumExp(x),
                topK(x, 3),
            ];
        }})({json.dumps({"x": x.tolist(), "kernel": kernel.tolist(), "bias": bias.tolist()})})""",
    )
    product = x @ kernel + bias
    powers = np.exp(x)
    for one, expected in zip(
        found,
        [
            product,
            product,
            powers / powers.sum(),
            (x - x.mean()) / np.sqrt(x.var() + 1e-6),
            np.log(powers.sum()),
            np.argsort(-x)[:3],
        ],
        strict=True,
    ):
        np.testing.assert_allclose(one, expected, atol=1e-5)


def test_searches_spell_what_the_model_says(run):
    found = run(
        ["search", "work"],
        """[
            finish(module_search.greedySearch(model, null, ends)).ids,
            finish(module_search.greedySearch(model, null, ends, { forced: [6] })).ids,
            finish(module_search.beamSearch(model, null, ends, { beam: 2, alpha: 0.6 }))
                .hypotheses[0].ids,
            finish(module_search.greedySearch(model, null, ends, {
                choose: module_search.sampling({ temperature: 0.01, count: 8, seed: 1 }),
            })).ids,
        ]""",
        SPELLING,
    )
    assert found == [[1, 3, 4, 5, 2], [1, 6, 4, 5, 2], [3, 4, 5, 2], [1, 3, 4, 5, 2]]


def test_work_can_be_done_in_parts(run):
    found = run(
        ["work"],
        """(() => {
            function* work() { for (let i = 0; i < 5; i++) yield 10; return "made"; }
            const { begin, finish } = module_work;
            const half = work();
            return [finish(work()), begin(work(), 100), begin(half, 25).done, finish(half)];
        })()""",
    )
    assert found == ["made", {"done": True, "value": "made"}, False, "made"]


def test_a_state_survives_its_address(run):
    state = {"source": "a & b = „ü“ #1", "off": ["cross 0 1"], "row": 3, "words": False, "tour": 2}
    expression = f"""(() => {{
        const {{ stateOf, hashOf }} = module_address;
        const state = {{ ...stateOf(""), ...{json.dumps(state)} }};
        return [stateOf(hashOf(state)), state, hashOf(stateOf("")), stateOf("#row=[]&off=1&x=2")];
    }})()"""
    again, before, nothing, damaged = run(["address"], expression)
    assert again == before
    assert nothing == "#"
    assert (damaged["row"], damaged["off"]) == (None, [])


def test_changed_rows_and_common_words(run):
    found = run(
        ["changes", "alignment"],
        """[
            [...module_changes.rescaledRow([0.5, 0.25, 0.25], 0, 0.8)],
            [...module_changes.rescaledRow([1, 0, 0], 0, 0.4)],
            module_changes.rescaledRow([1], 0, 0.4),
            module_alignment.commonItems(["a", "b", "c"], ["a", "x", "c"]),
        ]""",
    )
    np.testing.assert_allclose(found[0], [0.8, 0.1, 0.1], atol=1e-6)
    np.testing.assert_allclose(found[1], [0.4, 0.3, 0.3], atol=1e-6)
    assert found[2] == [1]
    assert found[3] == [[0, 0], [2, 2]]


def test_measured_heads_in_words(run):
    csv = (
        "kind,layer,head,start_and_end,previous,noun_of_it,pronouns_ablated,exact_match_ablated\n"
        "any,,none,,,,100.0,90.7\ncross,1,1,0.1,,0.51,67.8,90.0\nencoder,2,1,0.9,0.1,0.0,100,91\n"
    )
    found = run(
        ["measured"],
        f"""(() => {{
            const heads = new module_measured.MeasuredHeads({json.dumps(csv)});
            const nothing = new module_measured.MeasuredHeads("");
            return [
                heads.label("cross", 0, 0), heads.cost("cross", 0, 0),
                heads.label("encoder", 1, 0), heads.cost("encoder", 1, 0),
                heads.label("cross", 3, 3), nothing.none, nothing.cost("cross", 0, 0),
            ];
        }})()""",
    )
    assert found == [
        "the noun that “it” stands for (51 %)",
        "68 % of er, sie, es right, not 100 %",
        "start and end: it rests (90 %)",
        "nothing is lost",
        *("", True, ""),
    ]
