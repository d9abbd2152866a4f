// Heads of one layer: lines between tokens, and one head's map; here heads and cells are changed.
import { LIMITS } from "../page/address.js";
import { mapRamp } from "../page/colors.js";
import {
  changesPanel,
  headTiles,
  kindAndLayer,
  kindHint,
  nowhere,
  shownHeads,
  whatIsDrawn,
} from "./controls.js";
import { axisNames, sentenceOf } from "./display.js";
import { element, hint, labelled, percent } from "../page/dom.js";
import { highlight, linesOf } from "./lines.js";
import { mapGrid } from "./map_grid.js";

export const headsView = { name: "heads", title: "Heads", render, changes: true };

/** @param {Page} page */
function render(page) {
  const { state, display } = page;
  const { layer, head } = state;
  const locked = lockedToken(state);
  const lines = linesOf(display, layer, shownHeads(state), {
    isOff: page.isOff,
    threshold: state.threshold,
    locked,
    onHover(token) {
      highlight(lines, token ?? locked);
      if (token) page.say(strongest(page, token));
    },
    onLock({ row, column }) {
      const again = locked && locked.row === row && locked.column === column;
      page.set(again ? nowhere() : { row, column: column ?? state.column ?? 0 });
    },
  });
  const grid = mapGrid(display, layer, head, {
    off: page.isOff(head),
    selected: [state.row ?? 0, state.column ?? 0],
    locked,
    onSelect(row, column, how) {
      const stays = locked && (how === "hover" || locked.column === column);
      highlight(lines, stays ? locked : { row, column: null });
      page.say(sentenceOf(display, layer, head, row, column));
    },
    onLock: (row, column) => page.set({ row, column }, { focus: "grid" }),
    onEscape: () => page.set(nowhere(), { focus: "grid" }),
  });
  for (const left of ["mouseleave", "focusout"]) {
    grid.addEventListener(left, () => highlight(lines, locked));
  }
  return element(
    "div",
    {},
    element(
      "div",
      { class: "side-by-side" },
      element("div", { id: "chosen" }, kindAndLayer(page, { hint: false }), headTiles(page)),
      element("figure", { class: "scrolls" }, lines),
      element(
        "figure",
        { class: "scrolls" },
        element("figcaption", { text: mapName(page) }),
        grid,
        legend(),
        cellEditor(page),
      ),
    ),
    display.complete ? null : hint(display.note(layer, head), { id: "note" }),
    knownOf(page),
    drawing(page),
    changesPanel(page),
    kindHint(page),
  );
}

/** What was measured of the head that is shown. */
function knownOf({ measured, state: { kind, layer, head } }) {
  const cost = measured.cost(kind, layer, head);
  if (!cost) return null;
  const looks = measured.label(kind, layer, head) || "no single thing that was looked for";
  return hint(
    `Head ${head + 1}, measured over many sentences: it looks at ${looks}. Without it: ${cost}.`,
    { id: "known" },
  );
}

/** The largest weight of a row, or of a column. */
function strongest({ state, display }, { row, column }) {
  const { layer, head } = state;
  const { rows, columns } = display;
  const cells = row === null ? rows.map((_, i) => [i, column]) : columns.map((_, j) => [row, j]);
  const weightAt = (cell) => display.at(layer, head, ...cell);
  const best = cells.reduce((a, b) => (weightAt(b) > weightAt(a) ? b : a));
  return sentenceOf(display, layer, head, ...best);
}

/** The token whose lines alone are seen: {row} that attends, or {column} that is attended to. */
function lockedToken({ row, column }) {
  if (row !== null) return { row, column: null };
  return column === null ? null : { row, column };
}

function mapName({ state: { kind, layer, head }, data, isOff }) {
  const off = isOff(head) ? " (off: nothing of it is used)" : "";
  return `${data.kinds[kind]}, layer ${layer + 1}, head ${head + 1}${off}, percent`;
}

/**
 * A slider for the chosen cell; its row is rescaled.
 *
 * @param {Page} page
 */
function cellEditor(page) {
  const { state, display } = page;
  if (state.row === null) {
    const text =
      "To change a weight, choose its cell with click or Enter. With Shift, its column is chosen.";
    return display.complete ? hint(text) : null;
  }
  const [row, column] = [display.rows[state.row], display.columns[state.column]];
  const why = display.whyFixed(state.row, state.column);
  if (why) return hint(why, { id: "why-fixed" });
  const weight = display.at(state.layer, state.head, state.row, state.column);
  const slider = element("input", {
    type: "range",
    id: "weight",
    min: 0,
    max: 1,
    step: 0.01,
    value: weight,
    "aria-valuetext": percent(weight),
    onchange: () => page.edit(Number(slider.value)),
  });
  const { rows, columns } = axisNames(state.kind);
  const text = `${rows} ${row.label}, ${columns} ${column.label}: ${percent(weight)}`;
  return element("div", { class: "editor" }, labelled(text, slider));
}

function legend() {
  const ramp = element("span", { class: "ramp" });
  ramp.style.backgroundImage = mapRamp();
  return element(
    "div",
    { class: "legend", "aria-hidden": true },
    element("span", { text: "0" }),
    ramp,
    element("span", { text: percent(1) }),
    element("span", { class: "sample" }),
    element("span", { text: "masked" }),
  );
}

/** @param {Page} page */
function drawing(page) {
  const { state } = page;
  const [min, max] = LIMITS.threshold;
  const slider = element("input", {
    type: "range",
    id: "threshold",
    ...{ min, max, step: 0.01, value: state.threshold },
    onchange: () => page.set({ threshold: Number(slider.value) }),
  });
  return element(
    "div",
    { class: "controls" },
    ...whatIsDrawn(page),
    labelled(`lines from ${percent(state.threshold)} on`, slider),
  );
}
