// What the model is asked: a method for each question, a generator (work.js) that returns plain data.
// Sentences are ids here; changes of the model are plain data, too (see `Changes`).
import { Changes } from "./changes.js";
import { Kept } from "./kept.js";
import { Maps } from "./maps.js";
import { packRows } from "./rows.js";
import { beamSearch, greedySearch, logProbabilities, sampling } from "./search.js";
import { topK } from "./vectors.js";

const READINGS = 3; // sentences, or changes of the encoder, of which all is kept
const LAYERS = 32; // of the encoder

export class Computation {
  /** model: a Transformer; ends: {startId, endId, maxLength} of what is written. */
  constructor(model, ends) {
    this.model = model;
    this.ends = ends;
    this.readings = new Kept(READINGS);
    this.layers = new Kept(LAYERS);
  }

  /** What the encoder makes of ids; kept until other ids or other changes of the encoder come. */
  *read(ids, changes) {
    const key = `${ids}: ${changes.upTo(Infinity, ["encoder"])}`;
    if (this.readings.has(key)) return this.readings.get(key);
    return this.readings.set(key, yield* this.model.encode(ids, changes, this.layers));
  }

  /**
   * Translate greedily.
   *
   * @param {any} question forced: ids that the translation must begin with, or all of it
   */
  *greedy({ sourceIds, off, edits, maxLength = this.ends.maxLength, ...options }) {
    const changes = new Changes({ off, edits });
    const read = yield* this.read(sourceIds, changes);
    const ends = { ...this.ends, maxLength };
    return { read, ...(yield* greedySearch(this.model, read, ends, { ...options, changes })) };
  }

  /** A greedy translation with all numbers that led to it. */
  *analyse(question) {
    const { read, ids, steps } = yield* this.greedy(question);
    const byLayer = (kind) =>
      read.records.map((_, layer) => steps.map(({ records }) => records[kind][layer]));
    const records = { encoder: read.records, decoder: byLayer("decoder"), cross: byLayer("cross") };
    const ofKinds = (make) =>
      Object.fromEntries(
        Object.entries(records).map(([kind, layers]) => [kind, make(layers, kind)]),
      );
    const { model } = this;
    return {
      targetIds: ids,
      steps: steps.map(({ id, logProb, candidates }) => ({ id, logProb, candidates })),
      logits: packRows(steps.map(({ logits }) => ({ logits }))),
      maps: ofKinds((layers, kind) => Maps.ofRecords(kind, layers, "weights")),
      scores: ofKinds((layers, kind) => Maps.ofRecords(kind, layers, "scores")),
      valueNorms: ofKinds((layers, kind) =>
        Maps.ofKeys(
          kind,
          layers.map((rows, layer) => model.block(kind, layer).valueNorms(rows.at(-1).seen)),
        ),
      ),
      records: ofKinds((layers) => layers.map(packLayer)),
      embedded: {
        source: packRows(model.embedAll(model.sourceTable, question.sourceIds)),
        target: packRows(model.embedAll(model.targetTable, ids)),
      },
    };
  }

  /** Log-probability and logits of each of the target ids behind the start. */
  *forced(question) {
    const { steps } = yield* this.follow(question);
    return {
      steps: steps.map(({ logProb }) => ({ logProb })),
      logits: packRows(steps.map(({ logits }) => ({ logits }))),
    };
  }

  /** A greedy search that writes given ids, whatever is likely. */
  follow({ targetIds, ...question }) {
    const forced = targetIds.slice(1);
    return this.greedy({ ...question, forced, maxLength: forced.length });
  }

  /** Hypotheses and levels of a beam search (see search.js). */
  *beam({ sourceIds, beam, alpha, off }) {
    const changes = new Changes({ off });
    const read = yield* this.read(sourceIds, changes);
    return yield* beamSearch(this.model, read, this.ends, { beam, alpha, changes });
  }

  /** A translation by chance (see `sampling`): ids behind the start, and their log-probability. */
  *sample({ temperature, count, seed, ...question }) {
    const choose = sampling({ temperature, count, seed });
    const { ids, steps } = yield* this.greedy({ ...question, choose });
    return { ids: ids.slice(1), logProb: steps.reduce((sum, step) => sum + step.logProb, 0) };
  }

  /**
   * What the decoder would say after each of its layers, were it the last one ("logit lens",
   * nostalgebraist 2020): for each step and layer the likeliest id, its log-probability, and that of
   * the id that is written.
   */
  *lens(question) {
    const { ids, steps } = yield* this.follow(question);
    const found = [];
    for (const [step, { records, logits }] of steps.entries()) {
      const layers = records.cross.map(({ out }, layer) => {
        const isLast = layer + 1 === records.cross.length;
        const said = isLast ? logits : this.model.logits(out);
        const logProbs = logProbabilities(said, this.ends.startId);
        const [id] = topK(logProbs, 1);
        return { id, logProb: logProbs[id], writtenLogProb: logProbs[ids[step + 1]] };
      });
      found.push(layers);
      yield;
    }
    return found;
  }

  /**
   * What the log-probability of the written pieces {start, end} loses without each of the words
   * {start, end} of the source; the same pieces are written before.
   */
  *leftOut({ sourceIds, targetIds, words, written, off }) {
    const changes = new Changes({ off });
    const { model, ends } = this;
    function* logProb(read) {
      let state = model.start(read, changes);
      let sum = 0;
      for (let i = 0; i < written.end; i++) {
        const step = model.step(targetIds[i], state, read, changes);
        if (i >= written.start)
          sum += logProbabilities(step.logits, ends.startId)[targetIds[i + 1]];
        state = step.state;
        yield;
      }
      return sum;
    }
    const all = yield* logProb(yield* this.read(sourceIds, changes));
    const losses = [];
    for (const { start, end } of words) {
      const rest = sourceIds.filter((_, i) => i < start || i >= end);
      losses.push(all - (yield* logProb(yield* model.encode(rest, changes))));
    }
    return losses;
  }
}

/** Records of a layer's attention: a row for each that attends, and one for each that is seen. */
function packLayer(rows) {
  return {
    rows: packRows(rows.map(({ seen, scores, weights, ...vectors }) => vectors)),
    seen: packRows(rows.at(-1).seen), // the last row sees all
  };
}
