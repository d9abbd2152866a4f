// Sentences as the model reads them, and their words; as tf_models/data has them.

const SPACES = /[\p{White_Space}\x1c-\x1f]+/u;
const LETTER = "[\\p{L}\\p{Nl}\\p{No}]";
const WORD = new RegExp(
  "(?:Mrs?|Dr)\\.|\\p{Nd}+(?:[.,:]\\p{Nd}+)*|" +
    `${LETTER}+(?:['’-]${LETTER}+)*(?:(?<=s)'(?![\\p{L}\\p{N}_]))?|` +
    "[^\\p{L}\\p{N}_\\s]|[\\p{L}\\p{N}_]+",
  "gu",
);
const POSSESSIVE = /(?<=[\p{L}\p{N}_])['’]s?$/u;

/** A sentence in Unicode's NFC, with one space between words. */
export function singleSpaced(sentence) {
  return sentence.normalize("NFC").split(SPACES).filter(Boolean).join(" ");
}

/** The same with plain marks in place of those that typographers use; plainMarks: by those. */
export function normalizeSource(sentence, plainMarks) {
  return [...singleSpaced(sentence)].map((char) => plainMarks[char] ?? char).join("");
}

/** The plain letters of a character: e for é, fi for the ligature ﬁ. */
export function withoutAccents(char) {
  return char.normalize("NFKD").replace(/\p{M}/gu, "");
}

/** Words of a sentence that are not among the known ones, each once; none if no word is known. */
export function unknownWords(sentence, known) {
  const words = known.size ? (sentence.match(WORD) ?? []) : [];
  return [...new Set(words)].filter((word) => !known.has(formOf(word)));
}

function formOf(word) {
  const stem = word.replace(POSSESSIVE, "").replace(/\p{Nd}/gu, "0");
  return stem.length > 1 && /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u.test(stem) ? stem : stem.toLowerCase();
}
