// From subword pieces to words, as tf_models/word_attention.py has it.
import { WORD_START } from "./normalizer.js";

const SPECIAL = /^<(?!unk>)[^<>\s]+>$/; // <start>, <end>; <unk> may be a part of a word
const PUNCTUATION = /^[\p{P}\p{S}]*$/u;

export function isSpecial(token) {
  return SPECIAL.test(token);
}

/** Whether a piece or a word is punctuation, or a token such as <start>. */
export function isMark(text) {
  const word = text.startsWith(WORD_START) ? text.slice(1) : text;
  return isSpecial(text) || PUNCTUATION.test(word);
}

/** A label as people read it: the sign of a space is a plain line. */
export function printable(token) {
  return token.replaceAll(WORD_START, "_");
}

/** Groups of tokens to be shown as one: [{label, mark, start, end}]; pieces are groups of one. */
export function groupsOf(tokens, merge) {
  const starts = merge ? wordStarts(tokens) : tokens.map((_, i) => i);
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? tokens.length;
    const text = tokens.slice(start, end).join("");
    const word = text.startsWith(WORD_START) ? text.slice(1) : text;
    const label = printable(merge ? word || text : text);
    return { label, mark: isMark(text), start, end };
  });
}

function wordStarts(tokens) {
  const opened = tokens.flatMap((_, i) => (opens(tokens, i) ? [i] : []));
  return opened.flatMap((first, i) => splitSpan(tokens, first, opened[i + 1] ?? tokens.length));
}

function opens(tokens, i) {
  if (i === 0 || tokens[i].startsWith(WORD_START)) return true;
  return isSpecial(tokens[i]) || isSpecial(tokens[i - 1]);
}

/** Starts of the words between two spaces: punctuation before, the word, punctuation after. */
function splitSpan(tokens, first, end) {
  const letters = (i) => (tokens[i].startsWith(WORD_START) ? tokens[i].slice(1) : tokens[i]);
  const spoken = [];
  for (let i = first; i < end; i++) if (!PUNCTUATION.test(letters(i))) spoken.push(i);
  if (!spoken.length) return [first];
  let begin = spoken[0];
  const before = tokens.slice(first, begin).join("").replaceAll(WORD_START, "");
  if (!before) begin = first; // nothing stands before the word but the sign that opens it
  const starts = new Set([first, begin, spoken.at(-1) + 1]);
  starts.delete(end);
  return [...starts].sort((a, b) => a - b);
}
