// Sentences in, translations and all that led to them out.
import { NO_CHANGES } from "./changes.js";
import { Maps } from "./maps.js";
import { beamSearch, greedySearch } from "./search.js";
import { PADDING_ID, UNKNOWN_ID } from "./tokenizer.js";

/** What is wrong with a sentence, in words for the reader. */
export class SentenceError extends Error {}

export class Translator {
  /**
   * model: a Transformer; tokenizers: source and target; maxLength: tokens with start and end;
   * training: TrainingSentences.
   */
  constructor(model, tokenizers, maxLength, training) {
    Object.assign(this, { model, tokenizers, maxLength, training });
    const { startId, endId } = tokenizers.target;
    this.ends = { startId, endId, maxLength: maxLength - 1 };
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

  /** What the encoder makes of ids; kept until other ids or other changes of the encoder come. */
  read(ids, changes) {
    const key = JSON.stringify([ids, changes.of("encoder")]);
    if (this.lastRead?.key !== key) this.lastRead = { key, ...this.model.encode(ids, changes) };
    return this.lastRead;
  }

  /**
   * Translate greedily and keep all numbers.
   *
   * target: a translation to force, or null. prefix: how the translation must begin, as text;
   * chosen: the same as ids, which come before the text.
   */
  analyse(text, { target = null, prefix = "", chosen = [], changes = NO_CHANGES } = {}) {
    const { source: reader, target: writer } = this.tokenizers;
    const sourceIds = this.encode(text);
    const begin = chosen.length ? chosen : writer.encodePieces(prefix);
    const forced = target === null ? begin : this.encode(target, writer).slice(1);
    const read = this.read(sourceIds, changes);
    const { ids, steps } = greedySearch(this.model, read.source, this.ends, { forced, changes });
    const byLayer = (kind) =>
      read.records.map((_, layer) => steps.map(({ records }) => records[kind][layer]));
    const records = { encoder: read.records, decoder: byLayer("decoder"), cross: byLayer("cross") };
    const norms = (kind) =>
      records[kind].map((rows, layer) =>
        this.model.block(kind, layer).valueNorms(rows.at(-1).seen),
      );
    return {
      source: text,
      target,
      forced: target !== null,
      sourceIds,
      targetIds: ids,
      sourceTokens: reader.tokens(sourceIds),
      targetTokens: writer.tokens(ids),
      text: writer.decode(ids),
      maps: Object.fromEntries(
        Object.entries(records).map(([kind, rows]) => [kind, Maps.ofRecords(kind, rows)]),
      ),
      valueNorms: Object.fromEntries(
        Object.keys(records).map((kind) => [kind, Maps.ofKeys(kind, norms(kind))]),
      ),
      steps: steps.map(({ id, logProb, candidates }) => ({
        id,
        logProb,
        candidates: candidates.map((one) => ({ ...one, token: writer.tokens([one.id])[0] })),
      })),
      records,
    };
  }

  /** Hypotheses and levels of a beam search (see search.js). */
  search(text, { beam, alpha, changes = NO_CHANGES }) {
    const { source } = this.read(this.encode(text), changes);
    return beamSearch(this.model, source, this.ends, { beam, alpha, changes });
  }

  /** Log-probability of each of the target ids behind the start, read with this source. */
  logProbs(sourceIds, targetIds, changes = NO_CHANGES) {
    const { source } = this.read(sourceIds, changes);
    const forced = targetIds.slice(1);
    const ends = { ...this.ends, maxLength: forced.length };
    return greedySearch(this.model, source, ends, { forced, changes }).steps;
  }
}
