// Makes a state, whatever an address says, one that the page can show.

export const MIN_THRESHOLD = 0.01; // a weight below is never drawn as a line
export const MAX_ALPHA = 3;
export const MIN_TEMPERATURE = 0.1;
export const MAX_TEMPERATURE = 3;
const USUAL_BEAM = 5; // where the run translates greedily

/**
 * Put what an address says of a page within its limits, in place.
 *
 * @param {Page} page
 */
export function validateState(page) {
  const { state, translator, views } = page;
  const { kinds } = page.data;
  const [first] = page.sentences;
  const whereIs = ({ kind, layer, head }) =>
    Object.hasOwn(kinds, kind) && layer < first.maps[kind].layers && head < first.maps[kind].heads;
  if (!views.some(({ name }) => name === state.view)) state.view = "heads";
  if (!Object.hasOwn(kinds, state.kind)) state.kind = "cross";
  if (state.source === null || !(translator || page.storedView())) {
    Object.assign(state, { source: first.source, target: first.target });
  }
  state.values = state.values && page.hasNorms;
  const { layers, heads } = first.maps[state.kind];
  state.layer = inRange(state.layer ?? layers - 1, layers);
  state.head = inRange(state.head, heads);
  state.heads = state.heads.filter(isCount);
  const [pairLayer, pairHead] = state.pairHead ?? [];
  if (!(inRange(pairLayer, layers) === pairLayer && inRange(pairHead, heads) === pairHead)) {
    state.pairHead = null;
  }
  state.step = Math.max(0, Math.floor(state.step));
  state.token = Math.max(0, Math.floor(state.token));
  const epochs = page.epochs.length;
  state.epoch = epochs ? inRange(state.epoch ?? epochs - 1, epochs) : null;
  const { beamSize, lengthPenalty } = page.data.decoding; // what the run translates with
  const usualBeam = beamSize > 1 ? beamSize : USUAL_BEAM;
  state.beam = clamp(Math.floor(state.beam ?? usualBeam), 2, 10);
  state.alpha = clamp(state.alpha ?? lengthPenalty, 0, MAX_ALPHA);
  state.temperature = clamp(state.temperature, MIN_TEMPERATURE, MAX_TEMPERATURE);
  state.count = clamp(Math.floor(state.count), 1, page.tokenizers.target.vocabularySize);
  state.seed = Math.max(0, Math.floor(state.seed));
  state.threshold = clamp(state.threshold, MIN_THRESHOLD, 0.5);
  if (!(isCount(state.tour) && state.tour > 0 && page.hasTour)) state.tour = null;
  state.chosen = translator ? state.chosen.filter((id) => canBeWritten(id, page)) : [];
  state.off = translator ? state.off.filter((name) => whereIs(headOf(name))) : [];
  state.edits = translator ? state.edits.filter((edit) => isEdit(edit) && whereIs(edit)) : [];
}

/** "cross 1 3": kind, layer, head. */
function headOf(name) {
  const isName = typeof name === "string" && /^\w+ \d+ \d+$/.test(name);
  const [kind, layer, head] = isName ? name.split(" ") : [];
  return { kind, layer: Number(layer), head: Number(head) };
}

function canBeWritten(id, { tokenizers: { target } }) {
  return isCount(id) && id > 0 && id < target.vocabularySize && id !== target.startId;
}

/** Whether an edit of the address names a cell and a weight. */
function isEdit(edit) {
  const places = [edit?.layer, edit?.head, edit?.row, edit?.column];
  return places.every(isCount) && edit.weight >= 0 && edit.weight <= 1;
}

function isCount(value) {
  return Number.isInteger(value) && value >= 0;
}

function inRange(number, count) {
  return isCount(number) && number < count ? number : 0;
}

function clamp(value, min, max) {
  return Math.min(Math.max(value, min), max);
}
