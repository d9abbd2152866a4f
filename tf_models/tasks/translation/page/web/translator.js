// Sentences in, translations and all that led to them out. What takes long is a generator (work.js).
import { NO_CHANGES } from "./changes.js";
import { Maps } from "./maps.js";
import { LOGITS_COST, beamSearch, greedySearch, logProbabilities, sampling } from "./search.js";
import { PADDING_ID, UNKNOWN_ID } from "./tokenizer.js";
import { topK } from "./vectors.js";

/** What is wrong with a sentence, in words for the reader. */
export class SentenceError extends Error {}

export class Translator {
  /**
   * model: a Transformer; tokenizers: source and target; maxLength: tokens with start and end;
   * training: TrainingSentences.
   */
  constructor(model, tokenizers, maxLength, training) {
    this.model = model;
    this.tokenizers = tokenizers;
    this.maxLength = maxLength;
    this.training = training;
    this.lastRead = null;
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
  *read(ids, changes) {
    const key = JSON.stringify([ids, changes.of("encoder")]);
    if (this.lastRead?.key !== key) {
      this.lastRead = { key, ...(yield* this.model.encode(ids, changes)) };
    }
    return this.lastRead;
  }

  /**
   * Translate greedily and keep all numbers.
   *
   * target: a translation to force, or null. prefix: how the translation must begin, as text;
   * chosen: the same as ids, which come before the text.
   */
  *analyse(text, { target = null, prefix = "", chosen = [], changes = NO_CHANGES } = {}) {
    const { source: reader, target: writer } = this.tokenizers;
    const sourceIds = this.encode(text);
    const begin = chosen.length ? chosen : writer.encodePieces(prefix);
    const forced = target === null ? begin : this.encode(target, writer).slice(1);
    const read = yield* this.read(sourceIds, changes);
    const options = { forced, changes };
    const { ids, steps } = yield* greedySearch(this.model, read.source, this.ends, options);
    const byLayer = (kind) =>
      read.records.map((_, layer) => steps.map(({ records }) => records[kind][layer]));
    const records = { encoder: read.records, decoder: byLayer("decoder"), cross: byLayer("cross") };
    const norms = (kind) =>
      records[kind].map((rows, layer) =>
        this.model.block(kind, layer).valueNorms(rows.at(-1).seen),
      );
    const valueNorms = once(() =>
      Object.fromEntries(
        Object.keys(records).map((kind) => [kind, Maps.ofKeys(kind, norms(kind))]),
      ),
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
      get valueNorms() {
        return valueNorms();
      },
      steps: steps.map(({ id, logProb, logits, candidates }) => ({
        id,
        logProb,
        logits,
        candidates: candidates.map((one) => ({ ...one, token: writer.tokens([one.id])[0] })),
      })),
      records,
    };
  }

  /** Hypotheses and levels of a beam search (see search.js). */
  *search(text, { beam, alpha, changes = NO_CHANGES }) {
    const { source } = yield* this.read(this.encode(text), changes);
    return yield* beamSearch(this.model, source, this.ends, { beam, alpha, changes });
  }

  /** A translation by chance (see `sampling`): ids behind the start, and their log-probability. */
  *sample(text, { changes = NO_CHANGES, temperature, count, seed }) {
    const { source } = yield* this.read(this.encode(text), changes);
    const choose = sampling({ temperature, count, seed });
    const { ids, steps } = yield* greedySearch(this.model, source, this.ends, { choose, changes });
    return { ids: ids.slice(1), logProb: steps.reduce((sum, step) => sum + step.logProb, 0) };
  }

  /**
   * What the decoder would say after each of its layers, were it the last one ("logit lens",
   * nostalgebraist 2020): for each step and layer the likeliest id, its log-probability, and that of
   * the id that is written.
   */
  *lens({ records: { cross }, targetIds }) {
    const steps = [];
    for (let step = 0; step + 1 < targetIds.length; step++) {
      const layers = cross.map((rows) => {
        const logProbs = logProbabilities(this.model.logits(rows[step].out), this.ends.startId);
        const [id] = topK(logProbs, 1);
        return { id, logProb: logProbs[id], writtenLogProb: logProbs[targetIds[step + 1]] };
      });
      steps.push(layers);
      yield LOGITS_COST * cross.length;
    }
    return steps;
  }

  /** Log-probability of each of the target ids behind the start, read with this source. */
  *logProbs(sourceIds, targetIds, changes = NO_CHANGES) {
    const { source } = yield* this.read(sourceIds, changes);
    const forced = targetIds.slice(1);
    const ends = { ...this.ends, maxLength: forced.length };
    return (yield* greedySearch(this.model, source, ends, { forced, changes })).steps;
  }
}

/** A function that makes something when it is first asked for it. */
function once(make) {
  let made;
  return () => (made ??= make());
}
