// The page checks its own numbers and its own picture.
import { axesOf } from "../views/display.js";

const TOLERANCE = 2e-3; // what 16 bits leave of a sum of weights
const AGREEMENT = 1e-3; // between this page and Keras

/** Checks of any analysis: its maps are attention, and they are as large as its sentences. */
export function checkMaps(analysis) {
  const found = Object.values(analysis.maps).flatMap((maps) => {
    const [rows, columns] = axesOf(analysis, maps.kind);
    const fits = maps.rows === rows.length && maps.columns === columns.length;
    return [
      check(`${maps.kind}: one row and one column for each token`, fits),
      check(`${maps.kind}: rows sum to one`, rowsSumToOne(maps)),
    ];
  });
  const { decoder } = analysis.maps;
  if (decoder) found.push(check("decoder: nothing attends to the future", futureIsZero(decoder)));
  return found;
}

/** Checks of a sentence that Keras computed when the page was written. */
export function checkStored(sentence, { source, target }) {
  return [
    ...checkMaps(sentence).map(({ name, passed }) => check(`as Keras has it, ${name}`, passed)),
    check(
      "as Keras has it, labels are those of the ids",
      sameList(sentence.sourceTokens, source.tokens(sentence.sourceIds)) &&
        sameList(sentence.targetTokens, target.tokens(sentence.targetIds)),
    ),
  ];
}

/** Whether this page computed what Keras did. */
export function checkAgreement(analysis, stored) {
  const same = sameList(analysis.targetIds, stored.targetIds);
  const found = [
    check("tokens are Keras' tokens", sameList(analysis.sourceIds, stored.sourceIds)),
    check("the translation is Keras' translation", same),
  ];
  if (!same) return found;
  for (const [kind, maps] of Object.entries(stored.maps)) {
    const distance = largestDifference(maps.values, analysis.maps[kind].values);
    found.push(check(`${kind}: weights are within ${AGREEMENT} of Keras'`, distance <= AGREEMENT));
  }
  const values = (steps) => steps.map(({ logProb }) => Math.exp(logProb));
  const distance = largestDifference(values(stored.steps), values(analysis.steps));
  found.push(check("probabilities are Keras' probabilities", distance <= AGREEMENT));
  return found;
}

/** Whether a drawn grid has the labels and the numbers that it was to show. */
export function checkGrid(table, display, { layer, head }) {
  const texts = (selector) => [...table.querySelectorAll(selector)].map((th) => th.textContent);
  const labels = (groups) => groups.map(({ label }) => label);
  const cells = [...table.querySelectorAll("td[data-weight]")].map((td) =>
    Number(td.dataset.weight),
  );
  return [
    check(
      "drawn labels are the tokens",
      sameList(texts("thead th.label"), labels(display.columns)) &&
        sameList(texts("tbody th"), labels(display.rows)),
    ),
    check(
      "drawn numbers are the weights",
      largestDifference(cells, display.weights(layer, head)) <= 1e-6,
    ),
  ];
}

export function check(name, passed) {
  return { name, passed };
}

function rowsSumToOne(maps) {
  for (let start = 0; start < maps.values.length; start += maps.columns) {
    let sum = 0;
    for (let j = start; j < start + maps.columns; j++) sum += maps.values[j];
    if (!(Math.abs(sum - 1) <= TOLERANCE)) return false;
  }
  return true;
}

function futureIsZero(maps) {
  return maps.values.every((weight, i) => {
    const column = i % maps.columns;
    const row = Math.floor(i / maps.columns) % maps.rows;
    return column <= row || weight === 0;
  });
}

function sameList(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function largestDifference(a, b) {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i] - b[i]);
    if (Number.isNaN(difference)) return Infinity;
    if (difference > largest) largest = difference;
  }
  return largest;
}
