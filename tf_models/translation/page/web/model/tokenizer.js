// Byte pair encoding as sentencepiece does it, with the ids of this project: 0 is padding, 1
// unknown, and behind the pieces follow start and end.
import { Normalizer, WORD_START } from "./normalizer.js";
import { singleSpaced, withoutAccents } from "./sentences.js";

export const PADDING_ID = 0;
export const UNKNOWN_ID = 1;
const SENTENCEPIECE_UNKNOWN = 0;
const UNUSED_END = 2; // sentencepiece's own </s>, which no sentence has
const UNKNOWN_TEXT = " \u2047 "; // what sentencepiece writes for <unk>

export class Tokenizer {
  /** language: its two-letter code; pieces: by sentencepiece's ids, the earliest merges first. */
  constructor({ language, pieces, charsmap, lowercase, keepsSpaces }) {
    this.language = language;
    this.pieces = pieces;
    this.lowercase = lowercase;
    this.normalizer = new Normalizer(charsmap, keepsSpaces);
    this.ranks = new Map(pieces.map((piece, rank) => [piece, rank]).slice(UNUSED_END + 1));
    this.startId = pieces.length;
    this.endId = pieces.length + 1;
    this.vocabularySize = pieces.length + 2;
    this.words = new Map(); // pieces of the words met so far
  }

  /** Ids of a sentence, from start to end token. */
  encode(text) {
    return [this.startId, ...this.encodePieces(text), this.endId];
  }

  /** Ids of its pieces; unknown characters are read without accents, or left out. */
  encodePieces(text) {
    const ids = this.piecesOf(text);
    if (!ids.includes(SENTENCEPIECE_UNKNOWN)) return ids;
    const plain = [...text]
      .map((char) => (this.spells(char) ? char : withoutAccents(char)))
      .join("");
    return this.piecesOf(singleSpaced([...plain].filter((char) => this.spells(char)).join("")));
  }

  /** Whether there are pieces for all of a text. */
  spells(text) {
    return !this.piecesOf(text).includes(SENTENCEPIECE_UNKNOWN);
  }

  piecesOf(text) {
    return this.split(this.normalizer.normalize(this.prepare(text))).flatMap((word) =>
      this.wordIds(word),
    );
  }

  prepare(text) {
    return this.lowercase ? text.toLowerCase().replace(/\p{Nd}/gu, "0") : text;
  }

  /** Words, each with its opening sign: no piece goes from one word into the next. */
  split(normalized) {
    return normalized.match(new RegExp(`${WORD_START}+[^${WORD_START}]*`, "gu")) ?? [];
  }

  wordIds(word) {
    if (!this.words.has(word)) {
      const ids = this.merge([...word]).map((piece) => this.ranks.get(piece));
      this.words.set(
        word,
        ids.map((id) => id ?? SENTENCEPIECE_UNKNOWN),
      );
    }
    return this.words.get(word);
  }

  /** Join the two neighbours that make the earliest merge, the leftmost of equals, to the end. */
  merge(parts) {
    for (;;) {
      let best = Infinity;
      let place = -1;
      for (let i = 0; i + 1 < parts.length; i++) {
        const rank = this.ranks.get(parts[i] + parts[i + 1]) ?? Infinity;
        if (rank < best) [best, place] = [rank, i];
      }
      if (place < 0) return parts;
      parts.splice(place, 2, parts[place] + parts[place + 1]);
    }
  }

  /** Text of ids: padding and start are skipped, the first end token closes the sentence. */
  decode(ids) {
    const end = ids.indexOf(this.endId);
    const kept = (end < 0 ? ids : ids.slice(0, end)).filter(
      (id) => ![PADDING_ID, this.startId, UNUSED_END].includes(id),
    );
    let text = "";
    kept.forEach((id, i) => {
      const piece = id === UNKNOWN_ID ? UNKNOWN_TEXT : this.pieces[id];
      const first = this.normalizer.keepsSpaces ? i === 0 : text === "";
      const opens = first && piece.startsWith(WORD_START); // no space before the first word
      text += (opens ? piece.slice(1) : piece).replaceAll(WORD_START, " ");
    });
    return text;
  }

  /** One label for each id. */
  tokens(ids) {
    const special = new Map([
      [PADDING_ID, "<pad>"],
      [UNKNOWN_ID, "<unk>"],
      [this.startId, "<start>"],
      [this.endId, "<end>"],
    ]);
    return ids.map((id) => special.get(id) ?? this.pieces[id]);
  }
}
