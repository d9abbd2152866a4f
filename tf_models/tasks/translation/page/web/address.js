// The state of the page in its address, so that it can be sent to somebody.

// What the address holds, with the values that it need not say.
const DEFAULTS = {
  view: "heads",
  kind: "cross",
  layer: null, // the last one
  head: 0,
  heads: [],
  row: null,
  column: null,
  source: null, // the first one given
  target: null,
  prefix: "",
  chosen: [], // ids of pieces, in place of a prefix
  second: "",
  pairHead: null, // [layer, head] that two sentences are compared in; null for the most changed
  words: true,
  marks: true, // start, end and punctuation
  values: false, // weights times the norms of values
  threshold: 0.05,
  off: [],
  edits: [],
  step: 0,
  beam: null, // those of the run
  alpha: null,
  epoch: null,
  part: "encoder embedding", // of the whole model
  token: 0, // of the source, as a part reads it
  temperature: 1,
  count: 10, // pieces that are drawn from
  seed: 1,
  tour: null, // the number of a prepared state, from 1 on
};

// What those may be that are null at first.
const TYPES = {
  layer: "number",
  row: "number",
  column: "number",
  beam: "number",
  alpha: "number",
  source: "string",
  target: "string",
  epoch: "number",
  tour: "number",
  pairHead: "object",
};

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
