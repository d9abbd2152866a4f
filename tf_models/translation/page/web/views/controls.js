// Controls that several views share: kind, layer, heads, and what is changed inside the model.
import { headOf } from "../page/address.js";
import { headColor } from "../page/colors.js";
import { button, choice, element, hint, labelled, percent, toggle } from "../page/dom.js";
import { effectOf } from "./effect.js";
import { headText, kindText } from "../page/terms.js";

/** @param {Page} page */
export function kindAndLayer(page, { layers: hasLayers = true, hint: hasHint = true } = {}) {
  const { state, analysis } = page;
  const maps = analysis.maps[state.kind];
  const kinds = choice(
    Object.entries(page.data.kinds),
    state.kind,
    (kind) => page.set({ kind, ...nowhere() }),
    { id: "kind" },
  );
  const layers = choice(
    Array.from({ length: maps.layers }, (_, i) => [i, i + 1]),
    state.layer,
    (layer) => page.set({ layer: Number(layer) }),
    { id: "layer" },
  );
  return element(
    "div",
    {},
    element(
      "div",
      { class: "controls" },
      labelled("attention", kinds),
      hasLayers ? labelled("layer", layers) : null,
    ),
    hasHint ? kindHint(page) : null,
  );
}

/** @param {Page} page */
export function kindHint({ state: { kind }, analysis, languages }) {
  return hint(`${kindText(kind, languages)} ${headText(analysis.maps[kind])}`);
}

/**
 * Toggles of what is drawn of every map.
 *
 * @param {Page} page
 */
export function whatIsDrawn(page) {
  const { state } = page;
  const one = (name, text, title) =>
    toggle(text, state[name], () => page.set({ [name]: !state[name], ...nowhere() }), {
      id: name,
      title,
    });
  return [
    one("words", "whole words", "merge pieces into words"),
    one("marks", "start, end, punctuation", "left out, the rest is shared anew"),
  ];
}

/** State in which no cell is chosen. */
export function nowhere() {
  return { row: null, column: null };
}

/**
 * A tile for each head: show it, draw its lines, switch it off, switch all others off.
 *
 * @param {Page} page
 */
export function headTiles(page) {
  const { heads: count } = page.display.maps;
  const all = [...Array(count).keys()];
  const shown = shownHeads(page.state);
  const allShown = shown.length === count;
  return element(
    "div",
    { class: "tiles", id: "heads" },
    ...all.map((head) => tile(page, head, shown)),
    toggle("all lines", allShown, () => page.set({ heads: allShown ? [] : all }), {
      id: "all-lines",
    }),
  );
}

/** @param {Page} page */
function tile(page, head, shown) {
  const off = page.isOff(head);
  const number = toggle(head + 1, page.state.head === head, () => page.set({ head, heads: [] }), {
    class: "head",
    id: `head-${head}`,
    "aria-label": `head ${head + 1}`,
  });
  number.style.setProperty("--head", headColor(head));
  const lines = element("input", {
    type: "checkbox",
    id: `lines-${head}`,
    checked: shown.includes(head),
    "aria-label": `lines of head ${head + 1}`,
    onchange: () => page.set({ heads: toggled(shown, head) }),
  });
  const parts = [
    number,
    element("label", { class: "tick", title: "draw its lines" }, lines),
    toggle("off", off, () => page.switchOff([head], !off), {
      id: `off-${head}`,
      "aria-label": `switch head ${head + 1} off`,
    }),
    toggle("only", isAlone(page, head), () => page.leaveOnly(head), {
      id: `only-${head}`,
      "aria-label": `only head ${head + 1}: switch the others of this layer off`,
    }),
  ];
  return element("div", { class: off ? "tile off" : "tile", role: "group" }, ...parts);
}

/** Heads whose lines are drawn: those chosen, or the one whose map is shown. */
export function shownHeads({ heads, head }) {
  return heads.length ? heads : [head];
}

/**
 * What is changed in the model, each with a button that takes it back.
 *
 * unedited: whether the view leaves out cells that were set by hand.
 *
 * @param {Page} page
 */
export function changesPanel(page, { unedited = false } = {}) {
  const { off, edits } = page.state;
  if (!off.length && !edits.length) return null;
  const nameOf = ({ kind, layer, head }) =>
    `${page.data.kinds[kind]}, layer ${layer + 1}, head ${head + 1}`;
  const items = [
    ...off.map((name) =>
      item(`${nameOf(headOf(name))} is off`, () =>
        page.set({ off: off.filter((other) => other !== name) }),
      ),
    ),
    ...edits.map((edit) => {
      const cell = `row ${edit.row + 1}, column ${edit.column + 1}`;
      return item(`${nameOf(edit)}: ${cell} set to ${percent(edit.weight)}`, () =>
        page.set({ edits: edits.filter((other) => other !== edit) }),
      );
    }),
  ];
  const isLeftOut = unedited && edits.length > 0;
  return element(
    "div",
    { class: "changes" },
    element("ul", { id: "changes" }, ...items),
    effectOf(page),
    isLeftOut
      ? hint("Cells that were set by hand fit one sentence and its translation: they are left out.")
      : null,
    button("take all changes back", () => page.set({ off: [], edits: [] }), { id: "reset" }),
  );
}

function item(text, undo) {
  return element("li", {}, text, " ", button("undo", undo, { "aria-label": `undo: ${text}` }));
}

function toggled(list, one) {
  return list.includes(one)
    ? list.filter((other) => other !== one)
    : [...list, one].sort((a, b) => a - b);
}

/** Whether a head is the only one of the shown layer that is on. */
function isAlone({ state, display, changes }, head) {
  const on = changes.headsOn(display.maps, state.layer);
  return display.maps.heads > 1 && on.length === 1 && on[0] === head;
}
