// Heads of one layer: lines between tokens, and one head's map; here heads and cells are changed.
import { changesPanel, headTiles, kindAndLayer, nowhere, shownHeads } from "./controls.js";
import { axisNames } from "./display.js";
import { element, labelled, percent, toggle } from "./dom.js";
import { highlightRow, linesOf } from "./lines.js";
import { mapGrid } from "./map_grid.js";
import { csvOf, mapSvg, saveCsv, savePng, saveSvg } from "./saving.js";

export const headsView = { name: "heads", title: "Heads", render };

function render(page) {
  const { state, display } = page;
  const heads = shownHeads(state, display.maps.heads);
  const locked = state.row;
  const lines = linesOf(display, state.layer, heads, {
    threshold: state.threshold,
    row: locked,
    onHover(row) {
      highlightRow(lines, row ?? locked);
      if (row !== null) page.say(strongest(page, row));
    },
    onLock: (row) => page.set(row === locked ? nowhere() : { row, column: state.column ?? 0 }),
  });
  const grid = mapGrid(display, state.layer, state.head, {
    selected: [state.row ?? 0, state.column ?? 0],
    locked,
    onSelect(row, column, how) {
      highlightRow(lines, how === "hover" && locked !== null ? locked : row);
      page.say(sentenceOf(page, row, column));
    },
    onLock: (row, column) => page.set({ row, column }, { focus: "grid" }),
    onEscape: () => page.set(nowhere(), { focus: "grid" }),
    onDrag: page.translator && editable(page) ? (...cell) => page.edit(...cell) : null,
  });
  grid.addEventListener("mouseleave", () => highlightRow(lines, locked));
  return element(
    "div",
    {},
    kindAndLayer(page),
    headTiles(page),
    changesPanel(page),
    element(
      "div",
      { class: "side-by-side" },
      element("figure", { class: "scrolls" }, lines),
      element(
        "figure",
        { class: "scrolls" },
        element("figcaption", { text: caption(page) }),
        grid,
        cellEditor(page),
        legend(),
      ),
    ),
    drawing(page),
    saving(page, lines),
  );
}

/** "writing es, layer 2 head 3: 71 % animal" */
function sentenceOf({ state, display }, row, column) {
  const weight = display.weights(state.layer, state.head)[row * display.columns.length + column];
  const doing = axisNames(state.kind).rows === "writes" ? "writing" : "reading";
  const place = `${doing} ${display.rows[row].label}, layer ${state.layer + 1} head ${state.head + 1}`;
  if (display.masked(row, column)) return `${place}: ${display.columns[column].label} is masked`;
  return `${place}: ${percent(weight)} ${display.columns[column].label}`;
}

function strongest(page, row) {
  const { state, display } = page;
  const start = row * display.columns.length;
  const weights = display.weights(state.layer, state.head);
  const values = weights.subarray(start, start + display.columns.length);
  return sentenceOf(page, row, values.indexOf(Math.max(...values)));
}

function caption({ state, data }) {
  return `${data.kinds[state.kind]}, layer ${state.layer + 1}, head ${state.head + 1}, percent`;
}

/** A row can be changed where it is one piece: a word's row is a mean of several. */
function editable({ state, display }) {
  return state.row === null || display.rows[state.row].end - display.rows[state.row].start === 1;
}

/** A slider for the chosen cell; its row is rescaled. */
function cellEditor(page) {
  const { state, display, translator } = page;
  if (!translator) return null;
  if (state.row === null) {
    const hint = "Choose a cell with click or Enter to change its weight; or drag it up or down.";
    return element("p", { class: "hint", text: hint });
  }
  const [row, column] = [display.rows[state.row], display.columns[state.column]];
  if (!row || !column || display.masked(state.row, state.column)) return null;
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
    onchange: () => page.edit(state.row, state.column, Number(slider.value)),
  });
  const { rows, columns } = axisNames(state.kind);
  const text = `${rows} ${row.label}, ${columns} ${column.label}: ${percent(weight)}`;
  return element("div", { class: "editor" }, labelled(text, slider));
}

function legend() {
  return element(
    "div",
    { class: "legend", "aria-hidden": true },
    element("span", { text: "0" }),
    element("span", { class: "ramp" }),
    element("span", { text: "100 %" }),
    element("span", { class: "sample" }),
    element("span", { text: "masked" }),
  );
}

function drawing(page) {
  const { state } = page;
  const slider = element("input", {
    type: "range",
    id: "threshold",
    min: 0,
    max: 0.5,
    step: 0.01,
    value: state.threshold,
    onchange: () => page.set({ threshold: Number(slider.value) }),
  });
  return element(
    "div",
    { class: "controls" },
    toggle("whole words", state.words, () => page.set({ words: !state.words, ...nowhere() }), {
      id: "words",
    }),
    toggle(
      "start and end",
      state.special,
      () => page.set({ special: !state.special, ...nowhere() }),
      { id: "special" },
    ),
    labelled(`lines from ${percent(state.threshold)} on`, slider),
    page.display.complete
      ? null
      : element("span", {
          class: "hint",
          text: "rows sum to less than 100 %: start and end are hidden",
        }),
  );
}

function saving(page, lines) {
  const { state, display } = page;
  const name = `attention-${state.kind}-layer${state.layer + 1}-head${state.head + 1}`;
  const map = () => mapSvg(display, state.layer, state.head);
  const button = (text, onclick) => element("button", { type: "button", text, onclick });
  return element(
    "div",
    { class: "controls saving" },
    button("map as SVG", () => saveSvg(map(), name)),
    button("map as PNG", () => savePng(map(), name)),
    button("lines as SVG", () => saveSvg(lines, `${name}-lines`)),
    button("numbers as CSV", () =>
      saveCsv(csvOf(display, display.maps), `attention-${state.kind}`),
    ),
    button("print", () => print()),
  );
}
