// Controls that several views share: kind, layer, heads, and what is changed inside the model.
import { headColor } from "./colors.js";
import { choice, element, labelled, percent, toggle } from "./dom.js";
import { effectOf } from "./effect.js";
import { headText, kindText } from "./terms.js";

/** @param {Page} page */
export function kindAndLayer(page, { layers: hasLayers = true } = {}) {
  const { state, analysis } = page;
  const kinds = Object.entries(page.data.kinds);
  const layers = Array.from({ length: analysis.maps[state.kind].layers }, (_, i) => [i, i + 1]);
  const choices = element(
    "div",
    { class: "controls" },
    labelled(
      "attention",
      choice(kinds, state.kind, (kind) => page.set({ kind, ...nowhere() }), { id: "kind" }),
    ),
    hasLayers
      ? labelled(
          "layer",
          choice(layers, state.layer, (layer) => page.set({ layer: Number(layer) }), {
            id: "layer",
          }),
        )
      : null,
  );
  const text = `${kindText(state.kind, page.languages)} ${headText(analysis.maps[state.kind])}`;
  return element("div", {}, choices, element("p", { class: "hint", text }));
}

/**
 * Toggles of what is drawn of every map: words, marks, norms of values.
 *
 * @param {Page} page
 */
export function changedNumbers(page) {
  const { state } = page;
  const change = (name) => () => page.set({ [name]: !state[name], ...nowhere() });
  const button = (name, text, title) =>
    toggle(text, state[name], change(name), { id: name, title });
  return [
    button("words", "whole words", "merge pieces into words"),
    button("marks", "start, end, punctuation", "left out, the rest is shared anew"),
    page.hasNorms
      ? button("values", "times norms of values", "what a head moves, Kobayashi et al. 2020")
      : null,
  ];
}

/** State in which no cell is chosen. */
export function nowhere() {
  return { row: null, column: null };
}

/**
 * A tile for each head: show it, draw its lines, switch it off, switch all others off.
 *
 * lines: whether lines are drawn here. changes: whether heads can be switched off here.
 *
 * @param {Page} page
 */
export function headTiles(page, { lines = false, changes = false } = {}) {
  const { state, display } = page;
  const count = display.maps.heads;
  const shown = shownHeads(state, count);
  const tiles = Array.from({ length: count }, (_, head) => {
    const off = page.isOff(head);
    const number = toggle(head + 1, state.head === head, () => page.set({ head, heads: [] }), {
      class: "head",
      id: `head-${head}`,
      "aria-label": `head ${head + 1}`,
    });
    number.style.setProperty("--head", headColor(head));
    const drawn = element("input", {
      type: "checkbox",
      id: `lines-${head}`,
      checked: shown.includes(head),
      "aria-label": `lines of head ${head + 1}`,
      onchange: () => page.set({ heads: toggled(shown, head) }),
    });
    const parts = [number];
    if (lines) parts.push(element("label", { class: "tick" }, drawn, " lines"));
    if (changes) {
      parts.push(
        toggle("off", off, () => page.switchOff([head], !off), {
          id: `off-${head}`,
          "aria-label": `switch head ${head + 1} off`,
        }),
        toggle("only", onlyOn(page, head, count), () => page.leaveOnly(head), {
          id: `only-${head}`,
          "aria-label": `only head ${head + 1}: switch the others of this layer off`,
        }),
      );
    }
    return element("div", { class: off ? "tile off" : "tile", role: "group" }, ...parts);
  });
  const all = toggle(
    "all lines",
    shown.length === count,
    () => page.set({ heads: shown.length === count ? [] : [...Array(count).keys()] }),
    { id: "all-lines" },
  );
  return element("div", { class: "tiles", id: "heads" }, ...tiles, lines ? all : null);
}

/** Heads whose lines are drawn: those chosen, or the one whose map is shown. */
export function shownHeads({ heads, head }, count) {
  const chosen = heads.filter((one) => one < count);
  return chosen.length ? chosen : [head];
}

/**
 * What is changed in the model, each with a button that takes it back.
 *
 * unedited: whether the view leaves out cells that were set by hand.
 *
 * @param {Page} page
 */
export function changesPanel(page, { unedited = false } = {}) {
  const { state } = page;
  const items = [
    ...state.off.map((name) => {
      const [kind, layer, head] = name.split(" ");
      const text = `${page.data.kinds[kind]}, layer ${Number(layer) + 1}, head ${Number(head) + 1} is off`;
      return item(text, () => page.set({ off: state.off.filter((other) => other !== name) }));
    }),
    ...state.edits.map((edit) => {
      const place = `${page.data.kinds[edit.kind]}, layer ${edit.layer + 1}, head ${edit.head + 1}`;
      const text = `${place}: row ${edit.row + 1}, column ${edit.column + 1} set to ${percent(edit.weight)}`;
      return item(text, () => page.set({ edits: state.edits.filter((other) => other !== edit) }));
    }),
  ];
  if (!items.length) return null;
  return element(
    "div",
    { class: "changes" },
    element("ul", { id: "changes" }, ...items),
    effectOf(page),
    unedited && state.edits.length
      ? element("p", {
          class: "hint",
          text: "Cells that were set by hand fit one sentence and its translation: they are left out here.",
        })
      : null,
    element("button", {
      type: "button",
      id: "reset",
      text: "take all changes back",
      onclick: () => page.set({ off: [], edits: [] }),
    }),
  );
}

function item(text, undo) {
  const button = element("button", {
    type: "button",
    text: "undo",
    "aria-label": `undo: ${text}`,
    onclick: undo,
  });
  return element("li", {}, text, " ", button);
}

function toggled(list, one) {
  return list.includes(one)
    ? list.filter((other) => other !== one)
    : [...list, one].sort((a, b) => a - b);
}

/** @param {Page} page */
function onlyOn(page, head, count) {
  const { kind, layer } = page.state;
  const on = [...Array(count).keys()].filter((other) => !page.changes.isOff(kind, layer, other));
  return on.length === 1 && on[0] === head && count > 1;
}
