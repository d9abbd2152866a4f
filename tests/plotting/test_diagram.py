from itertools import combinations

import pytest
from matplotlib.patches import FancyBboxPatch

from tf_models.plotting import diagram

DIAGRAMS = {
    "attention_head": {"len_q": 9, "len_k": 7, "d_model": 512, "depth": 64},
    "transformer_layers": {"inp_len": 7, "tar_len": 9, "d_model": 512, "dff": 2048},
    "bahdanau_decoder": {"inp_len": 7, "units": 128, "embedding": 64, "vocab": 1002},
    "answering": {"facts": 6, "hops": 3, "units": 64, "lstm_units": 128, "answers": 20},
    "vae": {"pixels": 784, "hidden": 500, "latents": 20},
    "hierarchical_vae": {"image": "28 × 28", "latents": ["4 × 4", "4 × 5", "7 × 7", "7 × 8"]},
}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_sizes_stand_in_boxes_that_touch_nowhere(name, drawn_texts):
    sizes = DIAGRAMS[name]
    figure = getattr(diagram, f"plot_{name}")(**sizes)
    texts = "\n".join(text for text, _ in drawn_texts(figure))
    for size in sizes.values():
        assert all(part in texts for part in (size if isinstance(size, list) else [str(size)]))
    patches = figure.axes[0].patches
    boxes = [patch.get_bbox() for patch in patches if isinstance(patch, FancyBboxPatch)]
    assert not any(box.overlaps(other) for box, other in combinations(boxes, 2))
