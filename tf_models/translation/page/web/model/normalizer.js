// sentencepiece's normalisation: its own table of replacements (NFKC and a few more), one space
// between words (if it is not to keep texts as they are), and the sign U+2581 in place of each space.

export const WORD_START = "\u2581";
const TRAILING_SIGNS = new RegExp(`${WORD_START}+$`, "u"); // a text may hold the sign itself

/**
 * Replacements of character sequences, as sentencepiece stores them: a double-array trie over UTF-8
 * whose values say where in a list of texts, each ended by a zero, the replacement begins.
 */
class Replacements {
  constructor(charsmap) {
    const view = new DataView(charsmap.buffer, charsmap.byteOffset, charsmap.byteLength);
    const trieBytes = view.getUint32(0, true);
    this.units = new Uint32Array(trieBytes / 4);
    for (let i = 0; i < this.units.length; i++) this.units[i] = view.getUint32(4 + 4 * i, true);
    this.texts = charsmap.subarray(4 + trieBytes);
  }

  /** Length in bytes of the longest key that `bytes` has at `start`, and its replacement. */
  longest(bytes, start) {
    let found = { length: 0, at: 0 };
    let node = offset(this.units[0]);
    for (let i = start; i < bytes.length; i++) {
      node ^= bytes[i];
      const unit = this.units[node];
      if ((unit & 0x800000ff) >>> 0 !== bytes[i]) break;
      node ^= offset(unit);
      if ((unit >>> 8) & 1) found = { length: i + 1 - start, at: this.units[node] & 0x7fffffff };
    }
    if (!found.length) return null;
    const end = this.texts.indexOf(0, found.at);
    return { length: found.length, text: decodeUtf8(this.texts.subarray(found.at, end)) };
  }
}

function offset(unit) {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

function decodeUtf8(bytes) {
  return new TextDecoder().decode(bytes);
}

/** Length in bytes of the character whose first byte is given. */
function characterLength(byte) {
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

export class Normalizer {
  /** charsmap: bytes of the table; empty for none. keepsSpaces: whether a text keeps all its spaces. */
  constructor(charsmap, keepsSpaces) {
    this.keepsSpaces = keepsSpaces;
    this.replacements = charsmap.length ? new Replacements(charsmap) : null;
  }

  /** The text that is cut into pieces: "The  dog" becomes "▁The▁dog". */
  normalize(text) {
    const words = this.replace(text).split(" ");
    if (this.keepsSpaces) return text && WORD_START + words.join(WORD_START);
    const joined = words.filter((word) => word !== "").map((word) => WORD_START + word);
    return joined.join("").replace(TRAILING_SIGNS, "");
  }

  replace(text) {
    if (!this.replacements) return text;
    const bytes = new TextEncoder().encode(text);
    let replaced = "";
    for (let i = 0; i < bytes.length;) {
      const found = this.replacements.longest(bytes, i);
      const length = found ? found.length : characterLength(bytes[i]);
      replaced += found ? found.text : decodeUtf8(bytes.subarray(i, i + length));
      i += length;
    }
    return replaced;
  }
}
