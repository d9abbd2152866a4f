"""translate.py of each LiteRT export: it needs neither TensorFlow nor this package.

pip install ai-edge-litert sentencepiece
python translate.py "The old dog sleeps."     or     python translate.py < sentences.txt
"""

import json
import re
import sys
from pathlib import Path
from typing import Any
from unicodedata import category, normalize

try:
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter
    from sentencepiece import SentencePieceProcessor
except ImportError as error:
    sys.exit(f"{error}; run: pip install ai-edge-litert sentencepiece")

LEFT_OUT = "\uffff"  # no character of Unicode


class Translator:
    """Sentences in, translations out; folder: of the model; threads: of the interpreter."""

    def __init__(self, folder: Path = Path(__file__).parent, threads: int = 1):
        self.about = json.loads((folder / "translator.json").read_text("utf-8"))
        self.source = SentencePieceProcessor(model_file=str(folder / "source.model"))
        self.target = SentencePieceProcessor(model_file=str(folder / "target.model"))
        interpreter = Interpreter(str(folder / "model.tflite"), num_threads=threads)
        self.encode = interpreter.get_signature_runner("encode")
        self.step = interpreter.get_signature_runner("step")

    def ids(self, sentence: str) -> list[int]:
        """From start to end id; what the tokenizer cannot spell is read as something plainer, or
        left out."""
        language, text = self.about["source"], normalize("NFC", sentence)
        if language["lowercase"]:
            text = re.sub(r"\d", "0", text.lower())
        text = "".join(map(self.read, " ".join(text.split())))
        text = re.sub(f" {LEFT_OUT}+(?=\\W|$)", "", text).replace(LEFT_OUT, "")
        pieces = self.source.encode(" ".join(text.split()))
        if not pieces:
            raise ValueError(f"nothing to translate in {sentence!r}")
        if len(pieces) + 2 > self.about["max_source_length"]:
            raise ValueError(f"the sentence is too long, {len(pieces)} pieces: {sentence[:40]!r}")
        return [language["start_id"], *pieces, language["end_id"]]

    def read(self, character: str) -> str:
        """It, or an equal mark, or its compatible form, or it without accents."""
        bare = "".join(c for c in normalize("NFD", character) if category(c)[0] != "M")
        known = (self.about["marks"].get(character, character), normalize("NFKC", character), bare)
        return next((text for text in known if 0 not in self.source.encode(text)), LEFT_OUT)

    def translate(self, sentence: str, beam_size: int | None = None) -> str:
        """Its translation; without a beam size, with that of translator.json."""
        beam_size = beam_size or self.about["beam_size"]
        found = self.encode(ids=np.array([self.ids(sentence)], np.int32))
        ids = self.greedy(found) if beam_size == 1 else self.beam_search(found, beam_size)
        # sentencepiece's own id of an unknown piece is 0
        return self.target.decode([0 if i == self.about["unknown_id"] else i for i in ids])

    def greedy(self, found: dict[str, np.ndarray]) -> list[int]:
        """Always the most probable next id."""
        ids: list[int] = []
        while len(ids) < self.about["max_target_length"]:
            newest = int(found.pop("logits").argmax())  # (1, 1, vocabulary)
            if newest == self.about["target"]["end_id"]:
                break
            ids.append(newest)
            found.update(self.step(ids=np.array([[newest]], np.int32), **found))
        return ids

    def beam_search(self, found: dict[str, np.ndarray], beam_size: int) -> list[int]:
        """The best of the hypotheses that end, by log-probability over the length penalty."""
        alive: list[list[int]] = [[]]
        log_probs, ended = np.zeros((1, 1)), []
        for length in range(1, self.about["max_target_length"] + 1):
            penalty = ((5 + length) / 6) ** self.about["length_penalty"]
            totals = log_probs + log_softmax(found.pop("logits")[0])  # (n, vocabulary)
            best = np.argpartition(-totals, 2 * beam_size, axis=None)[: 2 * beam_size]
            best = best[np.argsort(-totals.flat[best])]
            parents, newest = np.divmod(best, totals.shape[1])
            ends = newest == self.about["target"]["end_id"]
            for i in np.flatnonzero(ends[:beam_size]):
                ended.append((totals.flat[best[i]] / penalty, alive[parents[i]]))
            ended = sorted(ended, reverse=True)[:beam_size]
            kept = np.flatnonzero(~ends)[:beam_size]
            alive = [[*alive[parents[i]], int(newest[i])] for i in kept]
            log_probs = totals.flat[best[kept]][:, None]  # (n, 1)
            if len(ended) == beam_size and ended[-1][0] >= log_probs[0, 0] / penalty:
                break
            for name in found:
                if name.startswith("state"):  # (1, n, ...)
                    found[name] = found[name][:, parents[kept]]
            found.update(self.step(ids=newest[None, kept].astype(np.int32), **found))
        return ended[0][1] if ended else alive[0]


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities, in nats, over the last axis."""
    logits = logits - logits.max(axis=-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def main() -> None:
    streams: tuple[Any, ...] = (sys.stdin, sys.stdout)
    for stream in streams:
        stream.reconfigure(encoding="utf-8")
    translator = Translator()
    for sentence in sys.argv[1:] or sys.stdin:
        try:
            print(translator.translate(sentence), flush=True)
        except ValueError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
