// The state of the page, and the address that holds it, so that it can be sent to somebody.

// What a state has, with the values that the address need not say.
const DEFAULTS = {
  view: "heads",
  kind: "cross",
  layer: null, // the last one
  head: 0,
  heads: [], // whose lines are drawn; those of the shown head if there are none
  row: null,
  column: null,
  source: null, // the first one given
  target: null,
  chosen: [], // ids that the translation begins with
  second: "",
  pairHead: null, // [layer, head] that two sentences are compared in; null for the most changed
  words: true,
  marks: true, // start, end and punctuation
  threshold: 0.05, // of a weight that is drawn as a line
  off: [], // heads, "cross 1 3": kind, layer, head
  edits: [], // see changes.js
  step: 0,
  beam: null, // those of the run
  alpha: null,
  part: "encoder embedding", // of the whole model
  token: 0, // of the source, as a part reads it
  temperature: 1,
  count: 10, // pieces that are drawn from
  seed: 1,
  tour: null, // the number of a prepared state, from 1 on
};

// What those may be that are null at first.
const TYPES = {
  ...{ layer: "number", row: "number", column: "number", beam: "number", alpha: "number" },
  ...{ source: "string", target: "string", tour: "number", pairHead: "object" },
};

/** @type {Record<string, [number, number]>} the least and the most */
export const LIMITS = {
  threshold: [0.01, 0.5],
  beam: [2, 10],
  alpha: [0, 3],
  temperature: [0.1, 3],
};
const USUAL_BEAM = 5; // where the run translates greedily

/** State from the part of an address behind `#`; what is damaged is left out. */
export function stateOf(hash) {
  const state = structuredClone(DEFAULTS);
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  for (const [name, text] of parameters) {
    if (!Object.hasOwn(DEFAULTS, name)) continue;
    try {
      const value = JSON.parse(text);
      if (fits(name, value)) state[name] = value;
    } catch {
      // not ours
    }
  }
  return state;
}

export function hashOf(state) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const text = JSON.stringify(state[name]);
    if (text !== JSON.stringify(value)) parameters.set(name, text);
  }
  return `#${parameters}`;
}

function fits(name, value) {
  const usual = DEFAULTS[name];
  if (name in TYPES) return value === null || typeof value === TYPES[name];
  return typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual);
}

/**
 * The nearest state that the page can show, whatever an address says.
 *
 * @param {Page} page
 */
export function validState(state, page) {
  const { sentences, views } = page;
  const { kinds, decoding } = page.data;
  const [first] = sentences;
  const { source, target } = state.source !== null ? state : first;
  const kind = Object.hasOwn(kinds, state.kind) ? state.kind : "cross";
  const { layers, heads } = first.maps[kind];
  const isHead = ([layer, head]) => isBelow(layer, layers) && isBelow(head, heads);
  const beam = decoding.beamSize > 1 ? decoding.beamSize : USUAL_BEAM;
  return {
    ...state,
    ...{ source, target, kind },
    view: views.some(({ name }) => name === state.view) ? state.view : "heads",
    layer: isBelow(state.layer, layers) ? state.layer : layers - 1,
    head: isBelow(state.head, heads) ? state.head : 0,
    heads: state.heads.filter((head) => isBelow(head, heads)),
    pairHead: state.pairHead?.length === 2 && isHead(state.pairHead) ? state.pairHead : null,
    chosen: state.chosen.filter((id) => isWritten(id, page)),
    off: state.off.filter((name) => isName(name) && isThere(headOf(name), first)),
    edits: state.edits.filter((edit) => isEdit(edit) && isThere(edit, first)),
    step: countOf(state.step),
    token: countOf(state.token),
    seed: countOf(state.seed),
    count: clamp(countOf(state.count), [1, page.tokenizers.target.vocabularySize]),
    beam: Math.floor(clamp(state.beam ?? beam, LIMITS.beam)),
    alpha: clamp(state.alpha ?? decoding.lengthPenalty, LIMITS.alpha),
    temperature: clamp(state.temperature, LIMITS.temperature),
    threshold: clamp(state.threshold, LIMITS.threshold),
    tour: page.hasTour && isBelow(state.tour - 1, 5) ? state.tour : null,
  };
}

/** Place of a head by its name, "cross 1 3". */
export function headOf(name) {
  const [kind, layer, head] = String(name).split(" ");
  return { kind, layer: Number(layer), head: Number(head) };
}

function isThere({ kind, layer, head }, { maps }) {
  return (
    Object.hasOwn(maps, kind) &&
    isBelow(layer, maps[kind].layers) &&
    isBelow(head, maps[kind].heads)
  );
}

function isName(name) {
  return typeof name === "string";
}

function isEdit(edit) {
  return [edit?.row, edit?.column].every(isCount) && edit.weight >= 0 && edit.weight <= 1;
}

function isWritten(id, { tokenizers: { target } }) {
  return id > 0 && isBelow(id, target.vocabularySize) && id !== target.startId;
}

function isCount(value) {
  return Number.isInteger(value) && value >= 0;
}

function isBelow(value, end) {
  return isCount(value) && value < end;
}

function countOf(value) {
  return Math.max(0, Math.floor(value));
}

function clamp(value, [least, most]) {
  return Math.min(Math.max(value, least), most);
}
