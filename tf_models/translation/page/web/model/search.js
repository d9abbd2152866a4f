// Greedy and beam search, as tf_models/search.py has them, with a record of every choice.
import { NO_CHANGES } from "./changes.js";
import { PADDING_ID } from "./tokenizer.js";
import { logSumExp, softmax, topK } from "./vectors.js";

const CANDIDATES = 10; // shown for each step

/** Log-probabilities of the next id; padding and start cannot be chosen. */
export function logProbabilities(logits, startId) {
  const logProbs = logits.slice();
  logProbs[PADDING_ID] = logProbs[startId] = -1e9;
  const normaliser = logSumExp(logProbs);
  for (let i = 0; i < logProbs.length; i++) logProbs[i] -= normaliser;
  return logProbs;
}

/**
 * Read target ids one by one, each step choosing the next.
 *
 * model, source: a Transformer and what its `encode` returned; a fake has `start` and `step`.
 * forced: ids that the first steps must write, whatever is chosen. choose(logProbs): the next id, the
 * likeliest if left out.
 * maxLength: most ids behind the start id.
 * Returns ids (with start, and end if it came), and for each step the records of attention, the
 * log-probability of the written id and the likeliest candidates.
 */
export function greedySearch(model, source, ends, options = {}) {
  const { forced = [], choose, changes = NO_CHANGES } = options;
  const ids = [ends.startId];
  const steps = [];
  let state = model.start();
  while (ids.length <= ends.maxLength && ids.at(-1) !== ends.endId) {
    const { logits, records, state: next } = model.step(ids.at(-1), state, source, changes);
    state = next;
    const logProbs = logProbabilities(logits, ends.startId);
    const best = topK(logProbs, CANDIDATES);
    const id = forced[steps.length] ?? choose?.(logProbs) ?? best[0];
    const candidates = best.map((candidate) => ({ id: candidate, logProb: logProbs[candidate] }));
    steps.push({ id, logProb: logProbs[id], candidates, records, logits });
    ids.push(id);
  }
  return { ids, steps };
}

/**
 * A choice by chance: of the `count` likeliest ids, each as probable as the model has it at this
 * temperature. Below 1 the likely ones become likelier, above 1 less so. The same seed draws the same.
 */
export function sampling({ temperature, count, seed }) {
  const random = randomNumbers(seed);
  return (logProbs) => {
    const ids = topK(logProbs, count);
    const shares = softmax(ids.map((id) => logProbs[id] / temperature));
    let rest = random();
    return ids.find((_, i) => (rest -= shares[i]) < 0) ?? ids[0];
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** lp(Y) = ((5 + |Y|) / 6)^alpha (Wu et al. 2016, equation 14). */
export function lengthPenalty(length, alpha) {
  return ((5 + length) / 6) ** alpha;
}

/**
 * Keep the `beam` best hypotheses at every length; see `BeamSearch` in Python for the rules.
 *
 * Returns hypotheses, best first ({ids, logProb, score, ended}; ids behind the start id), and for
 * each length what became of the 2 * beam best continuations.
 */
export function beamSearch(model, source, ends, { beam, alpha, changes = NO_CHANGES }) {
  let alive = [{ ids: [], logProb: 0, state: model.start(), node: 0 }];
  let ended = [];
  const levels = [];
  let nodes = 1; // numbers of the tree's nodes; 0 is the start token
  for (let length = 1; length <= ends.maxLength; length++) {
    const continuations = grow(model, source, ends, alive, 2 * beam, changes);
    const penalty = lengthPenalty(length, alpha);
    const next = [];
    const level = continuations.map((candidate, rank) => {
      const node = { ...candidate, rank: rank + 1, node: nodes++, length };
      const { parent, id, logProb } = candidate;
      const hypothesis = { ids: [...alive[parent].ids, id], logProb, node: node.node };
      if (id === ends.endId) {
        node.fate = rank < beam ? "ended" : "dropped";
        node.score = logProb / penalty;
        if (rank < beam) ended.push({ ...hypothesis, score: node.score, ended: true });
      } else {
        node.fate = next.length < beam ? "kept" : "dropped";
        if (next.length < beam) next.push({ ...hypothesis, state: candidate.state });
      }
      node.parentNode = alive[parent].node;
      return node;
    });
    levels.push(level.map(({ state, ...node }) => node));
    ended = ended.sort((a, b) => b.score - a.score).slice(0, beam);
    alive = next;
    if (ended.length === beam && ended.at(-1).score >= alive[0].logProb / penalty) break;
  }
  const penalty = lengthPenalty(levels.length, alpha);
  const unfinished = alive.map(({ ids, logProb, node }) => {
    return { ids, logProb, node, score: logProb / penalty, ended: false };
  });
  return { hypotheses: [...ended, ...unfinished].slice(0, beam), levels };
}

/** The `count` most probable among all hypotheses with one id more, best first. */
function grow(model, source, ends, alive, count, changes) {
  const continuations = [];
  for (const [parent, hypothesis] of alive.entries()) {
    const newest = hypothesis.ids.at(-1) ?? ends.startId;
    const { logits, state } = model.step(newest, hypothesis.state, source, changes);
    const logProbs = logProbabilities(logits, ends.startId);
    for (const id of topK(logProbs, count)) {
      continuations.push({ parent, id, logProb: hypothesis.logProb + logProbs[id], state });
    }
  }
  return continuations.sort((a, b) => b.logProb - a.logProb).slice(0, count);
}
