import pytest

from research.heads.ablation import head_ablated, heads_of
from research.heads.quality import translation_quality, with_max_length


def test_the_search_sees_a_head_go_and_come_back(translator, sentences):
    brief, network = with_max_length(translator, sentences), translator.model.network
    source = [sentences[0].source]

    def written():
        (best,) = brief.translate(source)[0]
        return best.text, pytest.approx(best.score, abs=1e-3)

    whole = written()
    for head in heads_of(network)[::2]:
        with head_ablated(network, head):
            assert written() != whole
    assert written() == whole


def test_quality_of_perfect_and_of_wrong_pronouns(translator, sentences, monkeypatch):
    class Says:
        tokenizers = translator.tokenizers

        def __init__(self, texts):
            self.texts = texts

        def translate(self, sources, beam_size):
            return [[type("T", (), {"text": text})] for text in self.texts]

    references = [one.target for one in sentences]
    perfect = translation_quality(Says(references), sentences)
    assert perfect.exact_match == 100
    assert perfect.bleu == pytest.approx(100)
    assert perfect.pronouns == 100
    wrong = [text.replace(" es ", " sie ") for text in references]
    quality = translation_quality(Says(wrong), sentences)
    assert quality.pronouns == 50
    assert quality.exact_match == pytest.approx(200 / 3)


def test_a_with_max_length_stops(translator, sentences):
    assert with_max_length(translator, sentences[1:2]).max_length < translator.max_length
