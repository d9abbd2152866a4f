// What a sentence has that the training sentences did not have; as tf_models/data/sentences.py,
// tf_models/data/text/word_list.py and tf_models/tasks/translation/remarks.py have it.

import { Alphabet } from "./alphabet.js";

const LETTER = "[\\p{L}\\p{Nl}\\p{No}]";
const WORD = new RegExp(
  "(?:Mrs?|Dr)\\.|\\p{Nd}+(?:[.,:]\\p{Nd}+)*|" +
    `${LETTER}+(?:['’-]${LETTER}+)*(?:(?<=s)'(?![\\p{L}\\p{N}_]))?|` +
    "[^\\p{L}\\p{N}_\\s]|[\\p{L}\\p{N}_]+",
  "gu",
);
const POSSESSIVE = /(?<=[\p{L}\p{N}_])['’][sS]?$/u;
const END = /(?:(?<!\.)\.|[!?])["')\]]*$/u;
const OPENING = /^["'([]*/u;
const ABBREVIATION =
  /^(?:Mrs?|Ms|Dr|Prof|St|Mt|Jr|Sr|Hr|Fr|vs|etc|bzw|ca|(?!I\.)(?:[\p{L}\p{Nl}\p{No}]\.)*[\p{L}\p{Nl}\p{No}])\.$/u;
const BEFORE_NUMBER = /^(?:No|Nr)\.$/u;
const ORDINAL = /^\p{Nd}{1,2}\.$/u;

const isUpper = (text) => text === text.toUpperCase() && text !== text.toLowerCase();
const isLower = (text) => text === text.toLowerCase() && text !== text.toUpperCase();
const formOf = (word) => word.replace(/\p{Nd}/gu, "0");
const wordsOf = (sentence) => sentence.match(WORD) ?? [];

export class TrainingSentences {
  /**
   * longest: tokens; neverMet, plainMarks: see `Alphabet`; words: with spaces between them, or null;
   * tokenizer: of the source.
   */
  constructor({ longest, neverMet, plainMarks }, words, tokenizer) {
    this.tokenizer = tokenizer;
    this.longest = longest;
    this.words = words === null ? null : new Set(words.split(" "));
    this.byLowerCase = new Map([...(this.words ?? [])].map((word) => [word.toLowerCase(), word]));
    this.alphabet = new Alphabet(plainMarks, (text) => tokenizer.spells(text), neverMet);
  }

  knows(word) {
    const form = formOf(word);
    const lower = form.toLowerCase();
    const has = (text) => Boolean(this.words?.has(text));
    if (has(form) || (isUpper([...form][0]) && has(lower))) return true;
    if (isUpper(form) && this.byLowerCase.has(lower)) return true;
    const base = form.replace(POSSESSIVE, "");
    return base !== form && this.knows(base);
  }

  /** Words and marks that were never met, "anna (Anna is known)". */
  unknown(sentence) {
    const isRead = (word) => this.alphabet.read(word) !== "" && !this.knows(word);
    const unknown = this.words ? wordsOf(sentence).filter(isRead) : [];
    return [...new Set(unknown)].map((word) => {
      const form = this.byLowerCase.get(formOf(word).toLowerCase());
      return form ? `${word} (${form} is known)` : word;
    });
  }

  inCapitals(sentence) {
    const words = (sentence.match(WORD) ?? []).filter((word) => word.length > 1 && isUpper(word));
    return isUpper(sentence) && !words.every((word) => this.words?.has(word));
  }

  /** One line, empty if there is nothing to say. */
  remarks(typed) {
    const { alphabet, tokenizer } = this;
    const sentence = tokenizer.normalize(alphabet.plainer(typed));
    const sentences = countSentences(sentence, tokenizer.language);
    const tokens = tokenizer.encode(alphabet.read(typed)).length;
    const unknown = this.unknown(sentence).join(", ");
    const said = [
      ...alphabet.lacking(typed),
      sentences > 1 && `${sentences} sentences on one line; give each a line of its own`,
      tokens > this.longest &&
        `${tokens} tokens, and the longest training sentence ${this.longest}`,
      this.inCapitals(sentence) && "capitals throughout, and no training sentence was",
      unknown && `not in the training sentences, so guessed: ${unknown}`,
    ];
    return said.filter(Boolean).join("; ");
  }
}

/** How many sentences stand in a text: "Mr. Lee is in the U.S. Army." is one. */
function countSentences(text, language) {
  const parts = text.split(/\s+/u).filter(Boolean);
  const ends = (part, following) => {
    const [word, next] = [part, following].map((one) => one.replace(OPENING, ""));
    const goesOn =
      (isLower([...next][0] ?? "") && text !== text.toLowerCase()) ||
      ABBREVIATION.test(word) ||
      (/^\p{Nd}/u.test(next) && BEFORE_NUMBER.test(word)) ||
      (language !== "en" && ORDINAL.test(word));
    return !goesOn && END.test(part);
  };
  return 1 + parts.slice(0, -1).filter((part, i) => ends(part, parts[i + 1])).length;
}
