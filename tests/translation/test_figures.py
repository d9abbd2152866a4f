import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

from tf_models.errors import InputError
from tf_models.transformer.masks import create_look_ahead_mask
from tf_models.translation import attention, figures
from tf_models.translation.attention import attention_maps
from tf_models.translation.figures import FIGURES, multi_head_stages
from tf_models.translation.figures_by_hand import (
    WORDS,
    draw_architecture,
    draw_decoder_mask,
    draw_masks,
    draw_michael,
    draw_positions,
    draw_six_steps,
    draw_target_grid,
    train_six_words,
)
from tf_models.translation.pronouns import PronounContrast
from tf_models.word_attention import is_mark

SENTENCE = "the dog sees the cat ."
TARGET = "der Hund sieht die Katze ."


@pytest.fixture
def draw(random_translator):
    """draw("lines", query="dog"): a figure of a random model and a short pair."""
    return lambda name, **given: FIGURES[name](random_translator, **given)


def maps(figure):
    return [axes.images[0].get_array() for axes in figure.axes if axes.images]


def title_of(figure):
    return " ".join(text.get_text() for text in figure.texts).replace("\n", " ")


def test_the_masks_are_those_of_the_article():
    encoder, combined, decoder = maps(draw_masks())
    assert (encoder.shape, combined.shape, decoder.shape) == ((12, 12), (13, 13), (13, 12))
    assert (encoder == (np.arange(12) >= 9)).all()
    assert (decoder == (np.arange(12) >= 9)).all()
    np.testing.assert_array_equal(combined[:10, :10], create_look_ahead_mask(10))
    assert combined[:, 10:].all()
    assert (combined[5] == 0).sum() == 6  # "als" sees six tokens


def test_the_last_output_of_the_encoder_goes_to_every_layer_of_the_decoder():
    (axes,) = draw_architecture().axes
    arrows = [arrow._posA_posB for arrow in axes.patches if isinstance(arrow, FancyArrowPatch)]
    across = [(tuple(start), tuple(end)) for start, end in arrows if start[0] != end[0]]
    assert len({start for start, _ in across}) == 1
    assert len({end for _, end in across}) == len(across) == 4


def test_michaels_weights_sum_to_0_99():
    figure = draw_michael()
    written = title_of(figure)
    assert "Sum of the weights: 0.99." in written
    assert "0.25·Michael + 0.18·Bay" in written
    assert "0.99 in all, not 1" in written


def test_the_scores_are_the_illustrated_transformers():
    figure = draw_six_steps()
    texts = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert texts == {"112", "96", "14", "12", "0.88", "0.12"}


def test_both_layouts_of_the_positions():
    shape = (20, 512)
    drawn = maps(draw_positions(sizes=shape))[:2]
    repeats = drawn[0].shape[0] // shape[0], drawn[0].shape[1] // shape[1]  # of each number
    interleaved, concatenated = (one[:: repeats[0], :: repeats[1]] for one in drawn)
    assert interleaved.shape == shape
    np.testing.assert_array_equal(concatenated[:, : shape[1] // 2], interleaved[:, ::2])


@pytest.mark.slow
def test_the_trained_grid_is_the_one_aimed_at():
    grids = train_six_words()
    assert [WORDS[i] for i in grids["target"].argmax(axis=1)] == [
        "i",
        "am",
        "a",
        "student",
        "<eos>",
    ]
    assert np.abs(grids["trained"] - grids["target"]).max() < 0.1
    (axes,) = (one for one in draw_target_grid().axes if one.get_title(loc="left") == "trained")
    assert "0" not in {text.get_text() for text in axes.texts}  # every word gets a little
    assert np.abs(grids["untrained"] - grids["target"]).max() > 0.5
    np.testing.assert_allclose(grids["trained"].sum(axis=1), 1, atol=1e-5)


def test_the_stages_of_multi_head_attention_are_the_models(random_translator):
    source = random_translator.source.encode(SENTENCE)
    stages = multi_head_stages(random_translator.model.network.encoder, source, 2)
    weights = attention_maps(random_translator, SENTENCE, TARGET, kind="encoder").weights[1]
    np.testing.assert_allclose(stages.weights, weights, atol=1e-5)
    bias = random_translator.model.network.encoder.enc_layers[1].mha.dense.bias
    np.testing.assert_allclose(stages.output, stages.concat @ stages.kernel + bias, atol=1e-4)


@pytest.mark.slow
def test_all_maps_of_the_encoder_on_one_page(draw, random_translator):
    drawn = maps(draw("32-maps", sentence=SENTENCE))
    weights = attention_maps(random_translator, SENTENCE, kind="encoder").weights
    assert len(drawn) == weights.shape[0] * weights.shape[1]
    np.testing.assert_allclose(drawn, weights.reshape(-1, *weights.shape[2:]), atol=1e-5)


def test_one_head_two_heads_and_all(draw):
    figure = draw("lines", sentence=SENTENCE, query="dog")
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.lines]
    assert [len(title.split(",")) for title in titles] == [1, 2, 4]


@pytest.fixture
def looking(random_translator, monkeypatch):
    """Let head 2 of the cross-attention of layer 1 look from "es" to "animal", others elsewhere."""
    rows, columns = ["das", "es", "<end>"], ["<start>", "animal", "it"]
    weights = np.full((2, 4, 3, 3), [0.9, 0.0, 0.1])
    weights[1, 3, 1] = 0.0, 0.0, 1.0
    weights[0, 1, 1] = 0.1, 0.8, 0.1
    labels = {"encoder": (["it", *rows[1:]], columns), "cross": (rows, columns)}

    def maps(translator, sentence, target=None, *, kind, **options):
        found = weights if kind == "cross" else np.full_like(weights, 1 / 3)
        return attention.AttentionMaps(found, *labels.get(kind, (rows, rows)))

    for module in (attention, figures):
        monkeypatch.setattr(module, "attention_maps", maps)
    of_noun = np.zeros((2, 4))
    of_noun[0, 1] = 0.8  # cross-attention, layer 1, head 2
    contrasts = {
        kind: PronounContrast(right, 0 * right, right, right, 0.5, right)
        for kind, right in {"encoder": np.roll(of_noun / 2, 3), "cross": of_noun}.items()
    }
    monkeypatch.setattr(figures, "pronoun_contrasts", lambda translator, pairs: contrasts)


@pytest.mark.usefixtures("looking")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "cross-attention, layer 1, head 2: what “es”"),
        ({"query": "es", "kind": "cross", "layer": "2"}, "layer 2, head 4: what “es”"),
        ({"kind": "cross", "query": "es", "head": 3}, "layer 2, head 3: what “es”"),
        ({"query": "it"}, "encoder self-attention, layer 2, head 1: what “it”"),
        ({"kind": "cross", "query": "es", "target": "Es."}, "layer 2, head 4: what “es”"),
    ],
)
def test_the_head_that_looks_is_drawn(draw, given, expected):
    written = title_of(draw("query", **given))
    assert f"{expected} attends to in “{figures.TIRED}”" in written


def test_the_kind_whose_rows_have_the_word_is_named(draw):
    with pytest.raises(InputError, match="received dog, .*--kind encoder"):
        draw("maps", sentence=SENTENCE, target=TARGET, query="dog", words=True)
    with pytest.raises(InputError, match="received bird$"):
        draw("maps", sentence=SENTENCE, target=TARGET, query="bird", words=True)


def test_there_is_no_head_0(draw):
    with pytest.raises(InputError, match="--head must be 1 to 4; received 0"):
        draw("query", sentence=SENTENCE, query="dog", head=0)


@pytest.mark.parametrize("layer", ["1", "all"])
def test_what_is_left_out_is_said(draw, random_translator, layer):
    figure = draw("maps", sentence=SENTENCE, target=TARGET, layer=layer, head=2, without_marks=True)
    pieces = attention_maps(random_translator, SENTENCE, TARGET, kind="cross")
    rows, columns = (
        [not is_mark(label) for label in labels] for labels in (pieces.rows, pieces.columns)
    )
    weights = pieces.weights[:1, 1] if layer == "1" else pieces.weights[:, 1]
    kept = weights[:, rows][..., columns].sum(axis=-1).mean()
    assert f"they had {1 - kept:.0%} of the attention" in title_of(figure)
    assert maps(figure)[0].shape == (sum(rows), sum(columns))


def test_the_decoders_maps_are_lower_triangular(draw):
    for shown in maps(draw("maps", sentence=SENTENCE, target=TARGET, kind="decoder"))[:4]:
        assert not np.triu(shown, k=1).any()


def test_the_decoder_mask_may_be_as_long_as_the_articles():
    masked, weights = maps(draw_decoder_mask(sizes=(42, 41)))[:2]
    assert masked.shape == weights.shape == (42, 41)
    np.testing.assert_array_equal(masked.mask, np.tile(np.arange(41) >= 9, (42, 1)))


def test_masks_are_at_least_as_long_as_their_sentences():
    with pytest.raises(InputError, match="--sizes must be at least 10 here; received 9"):
        draw_masks(sizes=(9, 12))
