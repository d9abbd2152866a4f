// Sentences in, questions to the model out (see computation.js); its answers in words.
import { Maps } from "./maps.js";
import { rowOf } from "./rows.js";
import { PADDING_ID, UNKNOWN_ID } from "./tokenizer.js";

/** What is wrong with a sentence, in words for the reader. */
export class SentenceError extends Error {}

export class Translator {
  /** tokenizers: source and target; maxLength: tokens with start and end; training: TrainingSentences. */
  constructor(tokenizers, maxLength, training) {
    this.tokenizers = tokenizers;
    this.maxLength = maxLength;
    this.training = training;
  }

  /** Ids of a sentence that the model can read. Throws a SentenceError if it cannot. */
  encode(text, tokenizer = this.tokenizers.source) {
    if (!text.trim()) throw new SentenceError("the sentence is empty");
    const isSource = tokenizer === this.tokenizers.source;
    const { alphabet } = isSource ? this.training : tokenizer;
    const ids = tokenizer.encode(alphabet.read(text));
    const special = [PADDING_ID, UNKNOWN_ID, tokenizer.startId, tokenizer.endId];
    const known = (id) => !special.includes(id) && tokenizer.pieces[id] !== "▁";
    if (!ids.some(known)) throw new SentenceError("the tokenizer's alphabet has nothing of it");
    if (ids.length > this.maxLength) {
      throw new SentenceError(
        `the sentence has ${ids.length} tokens with start and end; ` +
          `the model's positions end at ${this.maxLength}`,
      );
    }
    return ids;
  }

  /**
   * The question for a greedy translation and all numbers.
   *
   * target: a translation to force, or null. prefix: how the translation must begin, as text;
   * chosen: the same as ids, which come before the text.
   */
  question(text, { target = null, prefix = "", chosen = [], off = [], edits = [] } = {}) {
    const { target: writer } = this.tokenizers;
    const begin = chosen.length ? chosen : writer.encodePieces(prefix);
    const forced = target === null ? begin : this.encode(target, writer).slice(1);
    return { name: "analyse", sourceIds: this.encode(text), forced, off, edits };
  }

  /** The answer to it, as the page shows it. */
  read(answer, { sourceIds }, text, target = null) {
    const { source: reader, target: writer } = this.tokenizers;
    const { targetIds, maps, scores, valueNorms } = answer;
    const labelled = (one) => ({ ...one, token: writer.tokens([one.id])[0] });
    return {
      ...answer,
      source: text,
      target,
      forced: target !== null,
      sourceIds,
      sourceTokens: reader.tokens(sourceIds),
      targetTokens: writer.tokens(targetIds),
      text: writer.decode(targetIds),
      maps: mapsOf(maps),
      scores: mapsOf(scores),
      valueNorms: mapsOf(valueNorms),
      steps: withLogits(answer.steps, answer.logits).map((step) => ({
        ...step,
        candidates: step.candidates.map(labelled),
      })),
    };
  }
}

/** Steps, each with its row of the packed logits. */
export function withLogits(steps, packed) {
  return steps.map((step, i) => ({ ...step, logits: rowOf(packed, i).logits }));
}

/** A message has their numbers alone. */
function mapsOf(kinds) {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, { layers, heads, rows, columns, values }]) => [
      kind,
      new Maps(kind, [layers, heads, rows, columns], values),
    ]),
  );
}
