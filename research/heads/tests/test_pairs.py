from contextlib import ExitStack
from pathlib import Path

import keras
import numpy as np
import pytest

from research.heads.ablation import Head, head_ablated
from research.heads.pairs import effect, further_pairs, other_pairs, two_heads
from tf_models.data.annotated import IT_STANDS_FOR, embedded_file, read_annotated
from tf_models.translation.pronouns import PronounContrast, pronoun_contrasts, pronoun_pairs
from tf_models.translation.translate import ready_made

FIRST, SECOND = Head("encoder", 1, 2), Head("encoder", 2, 1)


def test_the_two_heads_with_the_largest_contrast():
    right, nothing = np.array([[0.1, 0.9, 0.5], [0.7, 0.2, 0.3]]), np.zeros((2, 3))
    other = np.array([[0.0, 0.0, 0.5], [0.0, 0.2, 0.3]])
    found = PronounContrast(right, other, nothing, nothing, 0.5, other)
    assert two_heads(found.ranking) == (FIRST, SECOND)
    assert two_heads(found.ranking_by_adjective)[0] == Head("encoder", 1, 3)


def test_a_control_has_neither_head_and_both_layers():
    found = other_pairs(FIRST, SECOND, 3)
    assert len(found) == len({*found}) == 2 * 2
    assert {head.layer for pair in found for head in pair} == {1, 2}
    assert not {FIRST, SECOND} & {head for pair in found for head in pair}
    assert len(other_pairs(FIRST, FIRST._replace(number=3), 4)) == 1  # of one layer: 1 and 4


def test_what_changes_and_where_it_begins():
    pairs = [pair for pair in pronoun_pairs() if ", weil es " in pair.target][:4]
    whole = [pair.target for pair in pairs]
    ablated = [
        whole[0],
        whole[1].replace(", weil es ", ", weil sie "),
        whole[2].replace(", weil es ", ", weil er ").replace(" war.", " ist."),
        "So " + whole[3].replace(", weil es ", ", weil er "),
    ]
    found = effect(pairs, whole, ablated)
    assert (found.right, found.pronouns, found.same_rest, found.pronoun_first) == (0.25, 3, 2, 2)
    assert np.isnan(found.by_place)


@pytest.mark.slow
def test_further_pairs_are_of_sentences_that_the_corpus_does_not_have():
    known = {pair.source.casefold() for pair in read_annotated(embedded_file("everyday"))[1]}
    further = further_pairs(ready_made(), "everyday")
    assert len(further) == 60
    assert not known & {pair.source.casefold() for pair in further}


@pytest.mark.slow
def test_without_both_heads_es_falls_as_readme_says():
    translator = ready_made()
    first, second = two_heads(pronoun_contrasts(translator, pronoun_pairs())["encoder"].ranking)
    source = translator.source.encode(next(iter(IT_STANDS_FOR)))
    target = translator.greedy_ids(source)
    (es,) = translator.tokenizers.target.encode("es")[1:-1]

    def share(*ablated):
        with ExitStack() as stack:
            for head in ablated:
                stack.enter_context(head_ablated(translator.model.network, head))
            logits, _ = translator.model.network(np.array([source]), np.array([target]))
        return f"{keras.ops.softmax(logits[0])[target.index(es) - 1, es]:.0%}".replace("%", " %")

    before, after = share(), share(first, second)
    readme, page = (Path(name).read_text("utf-8") for name in ("README.md", "docs/heads.md"))
    assert f"*es* falls from {before} to {after}" in readme
    alone = f"({share(first)} without 3.1, {share(second)} without 4.7)"
    assert f"*es* falls from {before} to {after} without both {alone}" in page
