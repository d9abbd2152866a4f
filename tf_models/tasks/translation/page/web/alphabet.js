// Characters that a tokenizer's alphabet lacks: each is read as a plainer one, or left out; as
// tf_models/data/text/alphabet.py has it.

const OUT = "\uffff"; // stands before a character that is left out; no character of Unicode
const LEFT_OUT = new RegExp(`(?:${OUT}.)+`, "gsu");
const GAP = new RegExp(` *(?:${OUT}. *)+`, "gsu");
const SPACES = /[\p{White_Space}\x1c-\x1f]+/u;

/** A sentence as every model reads it: in Unicode's NFC, with one space between words. */
export function singleSpaced(sentence) {
  return sentence.normalize("NFC").split(SPACES).filter(Boolean).join(" ");
}

export class Alphabet {
  /**
   * plainMarks: by the marks that they stand for; spells: whether there are pieces for a text;
   * neverMet: marks that no training sentence had, though there may be pieces for them.
   */
  constructor(plainMarks, spells, neverMet = "") {
    this.plainMarks = plainMarks;
    this.spells = spells;
    this.neverMet = neverMet;
    this.readings = new Map(); // of the characters met so far
  }

  /** The text without what is left out, which takes a space along. */
  read(text) {
    const marked = this.mark(text);
    return marked.includes(OUT) ? marked.replace(GAP, close).replace(/^ | $/gu, "") : marked;
  }

  /** The text as `read` has it, but with what is left out. */
  plainer(text) {
    return this.mark(text).replaceAll(OUT, "");
  }

  /** Lines for the reader: what is left out of a text, and letters that lose their accents. */
  lacking(text) {
    const leftOut = this.mark(text).match(LEFT_OUT) ?? [];
    const accented = [...singleSpaced(text)].filter(
      (char) => this.reading(char) === withoutAccents(char) && this.reading(char) !== char,
    );
    const list = (parts) => [...new Set(parts)].join(" ").replaceAll(OUT, "");
    return [
      leftOut.length && `not in the tokenizer's alphabet, so left out: ${list(leftOut)}`,
      accented.length && `read without accents: ${list(accented)}`,
    ].filter(Boolean);
  }

  /** The text as it is read, with `OUT` before each character that is left out. */
  mark(text) {
    return [...singleSpaced(text)].map((char) => this.reading(char)).join("");
  }

  reading(char) {
    if (!this.readings.has(char)) this.readings.set(char, this.findReading(char));
    return this.readings.get(char);
  }

  findReading(char) {
    const spelled = this.spells(char);
    if (spelled && !this.neverMet.includes(char)) return char;
    const plain = this.plainMarks[char] ?? char;
    const candidates = [
      plain,
      ...Object.keys(this.plainMarks).filter((mark) => this.plainMarks[mark] === plain),
      char.normalize("NFKC"),
      withoutAccents(char),
    ];
    const isMet = (text) => ![...text].some((one) => this.neverMet.includes(one));
    const found = candidates.find(
      (one) => one !== "" && one !== char && isMet(one) && this.spells(one),
    );
    const unseen = /[\p{Cc}\p{Cf}]/u.test(char);
    return found ?? (spelled ? char : unseen ? "" : OUT + char);
  }
}

function withoutAccents(char) {
  return char.normalize("NFD").replace(/\p{M}/gu, "");
}

/** The space that remains where something was left out; none before a mark or the end. */
function close(gap, at, text) {
  const following = text.slice(at + gap.length);
  const goesOn = following !== "" && !/^\p{P}/u.test(following);
  return gap.endsWith(" ") || (goesOn && gap.includes(" ")) ? " " : "";
}
