// All layers and heads of all kinds as small maps.
import { whatIsDrawn } from "./controls.js";
import { Display, axisNames } from "./display.js";
import { element } from "../page/dom.js";
import { smallMap } from "./overview.js";
import { rove } from "../page/roving.js";

export const layersView = { name: "layers", title: "All heads", render };

/** @param {Page} page */
function render(page) {
  const kinds = Object.entries(page.data.kinds);
  const sections = kinds.map(([kind, title]) => sectionOf(page, kind, title));
  return element(
    "div",
    {},
    element("div", { class: "controls" }, ...whatIsDrawn(page)),
    ...sections,
  );
}

/** @param {Page} page */
function sectionOf(page, kind, title) {
  const display = new Display(page.analysis, kind, page.state);
  const names = axisNames(kind);
  const lines = Array.from({ length: display.maps.layers }, (_, layer) =>
    Array.from({ length: display.maps.heads }, (_, head) => tile(page, display, layer, head)),
  );
  rove(lines);
  return element(
    "section",
    { class: "overview" },
    element("h2", { text: title }),
    element("p", {
      class: "hint",
      text: `rows: ${names.rows} ↓, columns: ${names.columns} →. ${display.note()}`,
    }),
    element(
      "div",
      { role: "group", "aria-label": `${title}: arrows move, Enter opens` },
      ...lines.map((line) => element("div", { class: "layer" }, ...line)),
    ),
  );
}

/** @param {Page} page */
function tile(page, display, layer, head) {
  const { kind, rows, columns } = display;
  const off = page.changes.isOff(kind, layer, head);
  const canvas = smallMap(display.weights(layer, head), rows.length, columns.length, {
    masked: (i, j) => display.masked(i, j),
  });
  canvas.setAttribute("aria-hidden", "true");
  const label = page.measured.label(kind, layer, head);
  const text = `layer ${layer + 1}, head ${head + 1}${off ? ", off" : ""}`;
  return element(
    "button",
    {
      type: "button",
      class: off ? "small-map off" : "small-map",
      "aria-label": `${kind} attention, ${[text, label].filter(Boolean).join(" ")}`,
      onclick: () =>
        page.set(
          { view: "heads", kind, layer, head, heads: [], row: null, column: null },
          { focus: "grid" },
        ),
    },
    canvas,
    element("span", { text }),
    " ",
    label ? element("small", { text: label }) : null,
  );
}
