// Heads of one layer: lines between tokens, and one head's map; here heads and cells are changed.
import {
  changedNumbers,
  changesPanel,
  headTiles,
  kindAndLayer,
  nowhere,
  shownHeads,
} from "./controls.js";
import { headColor, mapRamp } from "./colors.js";
import { axisNames, sentenceOf } from "./display.js";
import { element, labelled, percent } from "./dom.js";
import { highlight, linesOf } from "./lines.js";
import { mapGrid } from "./map_grid.js";
import { MIN_THRESHOLD } from "./state_validation.js";
import { csvOf, linesSvg, mapSvg, saveCsv, savePng, saveSvg } from "./saving.js";

export const headsView = { name: "heads", title: "Heads", render, changes: true };

/** @param {Page} page */
function render(page) {
  const { state, display } = page;
  const heads = shownHeads(state, display.maps.heads);
  const locked = lockedToken(state);
  const lines = linesOf(display, state.layer, heads, {
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
  const grid = mapGrid(display, state.layer, state.head, {
    off: page.isOff(state.head),
    selected: [state.row ?? 0, state.column ?? 0],
    locked,
    onSelect(row, column, how) {
      const stays = locked && (how === "hover" || locked.column === column);
      highlight(lines, stays ? locked : { row, column: null });
      page.say(sentenceOf(display, state.layer, state.head, row, column));
    },
    onLock: (row, column) => page.set({ row, column }, { focus: "grid" }),
    onEscape: () => page.set(nowhere(), { focus: "grid" }),
    onDrag:
      page.translator && display.plain
        ? (row, column, weight) => page.edit(row, column, weight)
        : null,
  });
  for (const left of ["mouseleave", "focusout"]) {
    grid.addEventListener(left, () => highlight(lines, locked));
  }
  return element(
    "div",
    {},
    kindAndLayer(page),
    headTiles(page, { lines: true, changes: page.translator !== null }),
    knownOf(page),
    changesPanel(page),
    display.plain ? null : element("p", { class: "hint", id: "note", text: noteOf(page) }),
    element(
      "div",
      { class: "side-by-side" },
      element("figure", { class: "scrolls" }, lines),
      element(
        "figure",
        { class: "scrolls" },
        element("figcaption", { text: mapName(page) }),
        cellEditor(page),
        grid,
        legend(display),
      ),
    ),
    drawing(page),
    saving(page, lines),
  );
}

/** What was measured of the head that is shown. */
function knownOf({ measured, state: { kind, layer, head } }) {
  const cost = measured.cost(kind, layer, head);
  if (!cost) return null;
  const looks = measured.label(kind, layer, head) || "no single thing that was looked for";
  const text = `Head ${head + 1}, measured over many sentences: it looks at ${looks}. Without it: ${cost}.`;
  return element("p", { class: "hint", id: "known", text });
}

/** The largest weight of a row, or of a column. */
function strongest({ state, display }, { row, column }) {
  const { layer, head } = state;
  const { rows, columns } = display;
  const weights = display.weights(layer, head);
  const cells = row === null ? rows.map((_, i) => [i, column]) : columns.map((_, j) => [row, j]);
  const weightAt = ([i, j]) => weights[i * columns.length + j];
  const best = cells.reduce((a, b) => (weightAt(b) > weightAt(a) ? b : a));
  return sentenceOf(display, layer, head, ...best);
}

/** The token whose lines alone are seen: {row} that attends, or {column} that is attended to. */
function lockedToken({ row, column }) {
  if (row !== null) return { row, column: null };
  return column === null ? null : { row, column };
}

export function mapName({ state, data, display, isOff }) {
  const { kind, layer, head } = state;
  const off = isOff(head) ? " (off: where it would look; nothing of it is used)" : "";
  return `${data.kinds[kind]}, layer ${layer + 1}, head ${head + 1}${off}, ${display.unit}`;
}

function noteOf({ display, state }) {
  return display.note(state.layer, state.head);
}

/**
 * What the map is, and what was done to its numbers.
 *
 * @param {Page} page
 */
export function caption(page) {
  return [mapName(page), noteOf(page)].filter(Boolean).join(". ");
}

/**
 * A slider for the chosen cell; its row is rescaled.
 *
 * @param {Page} page
 */
function cellEditor(page) {
  const { state, display, translator } = page;
  if (!translator) return null;
  if (state.row === null) {
    if (!display.plain) return null;
    const text =
      "To change a weight, drag its cell up or down, press + or −, or choose it with click or Enter. " +
      "With Shift, its column is chosen.";
    return element("p", { class: "hint how", text });
  }
  const [row, column] = [display.rows[state.row], display.columns[state.column]];
  const why = display.whyFixed(state.row, state.column);
  if (why) return element("p", { class: "hint", id: "why-fixed", text: why });
  const place = state.row * display.columns.length + state.column;
  const weight = display.weights(state.layer, state.head)[place];
  const slider = element("input", {
    type: "range",
    id: "weight",
    min: 0,
    max: 1,
    step: 0.01,
    value: weight,
    "aria-valuetext": percent(weight),
    onchange: () => page.edit(state.row, state.column, Number(slider.value), "weight"),
  });
  const { rows, columns } = axisNames(state.kind);
  const text = `${rows} ${row.label}, ${columns} ${column.label}: ${percent(weight)}`;
  return element("div", { class: "editor" }, labelled(text, slider));
}

function legend(display) {
  const ramp = element("span", { class: "ramp" });
  ramp.style.backgroundImage = mapRamp();
  return element(
    "div",
    { class: "legend", "aria-hidden": true },
    element("span", { text: "0" }),
    ramp,
    element("span", { text: display.text(display.largest) }),
    element("span", { class: "sample" }),
    element("span", { text: "masked" }),
  );
}

/** @param {Page} page */
function drawing(page) {
  const { state } = page;
  const slider = element("input", {
    type: "range",
    id: "threshold",
    min: MIN_THRESHOLD,
    max: 0.5,
    step: 0.01,
    value: state.threshold,
    onchange: () => page.set({ threshold: Number(slider.value) }),
  });
  return element(
    "div",
    { class: "controls" },
    ...changedNumbers(page),
    labelled(`lines from ${percent(state.threshold)} on`, slider),
  );
}

/** What is said under lines that leave the page: sentence, translation, place, and each head. */
function notesOf({ state, analysis, data, display, isOff }) {
  const about = [
    `“${analysis.source}” → “${analysis.text}”`,
    `${data.kinds[state.kind]}, layer ${state.layer + 1}`,
  ];
  const heads = shownHeads(state, display.maps.heads).map((head) => ({
    text: `head ${head + 1}${isOff(head) ? " (off)" : ""}`,
    color: headColor(head),
  }));
  return [...about.map((text) => ({ text, color: "#1b2733" })), ...heads];
}

/** @param {Page} page */
function saving(page, lines) {
  const { state, display } = page;
  const name = `attention-${state.kind}-layer${state.layer + 1}-head${state.head + 1}`;
  const map = () => mapSvg(display, state.layer, state.head, page.isOff(state.head));
  const button = (text, onclick) => element("button", { type: "button", text, onclick });
  return element(
    "div",
    { class: "controls saving" },
    button("map as SVG", () => saveSvg(map(), name)),
    button("map as PNG", () => savePng(map(), name)),
    button("lines as SVG", () => saveSvg(linesSvg(lines, notesOf(page)), `${name}-lines`)),
    button("numbers as CSV", () =>
      saveCsv(csvOf(display, display.maps), `attention-${state.kind}`),
    ),
    button("print", () => print()),
  );
}
