// The model, its tokenizers and its searches: sentences in, translations and all their numbers out.
import { Changes } from "./changes.js";
import { Maps } from "./maps.js";
import { beamSearch, greedySearch, logProbabilities, sampling } from "./search.js";
import { normalizeSource, singleSpaced } from "./sentences.js";
import { PADDING_ID, UNKNOWN_ID } from "./tokenizer.js";
import { topK } from "./vectors.js";

const REMEMBERED = 24; // results

/** What is wrong with a sentence, in words for the reader. */
export class SentenceError extends Error {}

export class Translator {
  /**
   * model: a Transformer; tokenizers: source and target; maxLength: tokens with start and end;
   * plainMarks: see `normalizeSource`.
   */
  constructor(model, tokenizers, { maxLength, plainMarks }) {
    this.model = model;
    this.tokenizers = tokenizers;
    this.maxLength = maxLength;
    this.plainMarks = plainMarks;
    const { startId, endId } = tokenizers.target;
    this.ends = { startId, endId, maxLength: maxLength - 1 };
    this.results = new Map(); // by their questions, the newest last
  }

  /** What was computed for a question before, or is computed now. */
  remember(question, compute) {
    const key = JSON.stringify(question);
    const result = this.results.get(key) ?? compute();
    this.results.delete(key);
    this.results.set(key, result);
    const [oldest] = this.results.keys();
    if (this.results.size > REMEMBERED) this.results.delete(oldest);
    return result;
  }

  /** Ids of a sentence that is to be read. Throws a SentenceError if it cannot. */
  encodeSource(text) {
    return this.encode(normalizeSource(text, this.plainMarks), this.tokenizers.source);
  }

  /** Ids of a translation that is to be written. Throws a SentenceError if it cannot. */
  encodeTarget(text) {
    return this.encode(singleSpaced(text), this.tokenizers.target);
  }

  encode(text, tokenizer) {
    if (!text) throw new SentenceError("the sentence is empty");
    const ids = tokenizer.encode(text);
    const special = [PADDING_ID, UNKNOWN_ID, tokenizer.startId, tokenizer.endId];
    const known = (id) => !special.includes(id) && tokenizer.pieces[id] !== "▁";
    if (!ids.some(known)) throw new SentenceError("the tokenizer has no pieces for it");
    if (ids.length > this.maxLength) {
      throw new SentenceError(
        `the sentence has ${ids.length} tokens with start and end; ` +
          `the model's positions end at ${this.maxLength}`,
      );
    }
    return ids;
  }

  /**
   * A greedy translation with all numbers that led to it.
   *
   * target: a translation to force, or null; chosen: ids that the translation begins with; off, edits:
   * changes of the model.
   */
  analyse(text, { target = null, chosen = [], off = [], edits = [] } = {}) {
    return this.remember(["analyse", text, target, chosen, off, edits], () => {
      const { source: reader, target: writer } = this.tokenizers;
      const sourceIds = this.encodeSource(text);
      const forced = target === null ? chosen : this.encodeTarget(target).slice(1);
      const changes = new Changes({ off, edits });
      const { ids, steps, read } = this.greedy(sourceIds, { forced, changes });
      const byLayer = (kind) =>
        read.records.map((_, layer) => steps.map(({ records }) => records[kind][layer]));
      const records = {
        encoder: read.records,
        decoder: byLayer("decoder"),
        cross: byLayer("cross"),
      };
      const labelled = (one) => ({ ...one, token: writer.tokens([one.id])[0] });
      return {
        source: text,
        target,
        sourceIds,
        targetIds: ids,
        sourceTokens: reader.tokens(sourceIds),
        targetTokens: writer.tokens(ids),
        text: writer.decode(ids),
        maps: Object.fromEntries(
          Object.entries(records).map(([kind, found]) => [kind, Maps.ofRecords(kind, found)]),
        ),
        records, // by kind: a list for each layer, a record for each row (see transformer.js)
        embedded: {
          source: this.model.embedAll(this.model.sourceTable, sourceIds),
          target: this.model.embedAll(this.model.targetTable, ids),
        },
        steps: steps.map((step) => ({ ...step, candidates: step.candidates.map(labelled) })),
      };
    });
  }

  /** A greedy search (see search.js), and what the encoder made of the source (`read`). */
  greedy(sourceIds, { changes, ...options }) {
    const read = this.model.encode(sourceIds, changes);
    return { read, ...greedySearch(this.model, read, this.ends, { changes, ...options }) };
  }

  /** Steps of the changed model that is made to write what an analysis has. */
  forced({ sourceIds, targetIds }, off, edits = []) {
    return this.remember(["forced", sourceIds, targetIds, off, edits], () => {
      const changes = new Changes({ off, edits });
      const read = this.model.encode(sourceIds, changes);
      const ends = { ...this.ends, maxLength: targetIds.length - 1 };
      return greedySearch(this.model, read, ends, { forced: targetIds.slice(1), changes }).steps;
    });
  }

  /** Hypotheses and levels of a beam search (see search.js). */
  beam(sourceIds, { beam, alpha, off }) {
    return this.remember(["beam", sourceIds, beam, alpha, off], () => {
      const changes = new Changes({ off });
      const read = this.model.encode(sourceIds, changes);
      return beamSearch(this.model, read, this.ends, { beam, alpha, changes });
    });
  }

  /** A translation by chance (see `sampling`): ids behind the start, and their log-probability. */
  sample(sourceIds, { temperature, count, seed, off }) {
    return this.remember(["sample", sourceIds, temperature, count, seed, off], () => {
      const choose = sampling({ temperature, count, seed });
      const { ids, steps } = this.greedy(sourceIds, { choose, changes: new Changes({ off }) });
      return { ids: ids.slice(1), logProb: steps.reduce((sum, { logProb }) => sum + logProb, 0) };
    });
  }

  /**
   * What the decoder would say after each of its layers, were it the last one ("logit lens",
   * nostalgebraist 2020): for each step and layer the likeliest id, its log-probability, and that of
   * the id that is written.
   */
  lens({ targetIds, steps }) {
    return steps.map(({ records, logits }, step) =>
      records.cross.map(({ out }, layer) => {
        const isLast = layer + 1 === records.cross.length;
        const said = isLast ? logits : this.model.logits(out);
        const logProbs = logProbabilities(said, this.ends.startId);
        const [id] = topK(logProbs, 1);
        return { id, logProb: logProbs[id], writtenLogProb: logProbs[targetIds[step + 1]] };
      }),
    );
  }
}
