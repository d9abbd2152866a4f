// Which head looks from one word to another? All heads of a kind, ranked.
import { kindAndLayer } from "./controls.js";
import { axisNames } from "./display.js";
import { choice, element, labelled } from "./dom.js";

export const whichView = { name: "which", title: "Which head?", render };

/** @param {Page} page */
function render(page) {
  const { state, display } = page;
  const { rows, columns } = display;
  const [row, column] = askedCell(page);
  const ranked = rankHeads(display, row, column);
  const names = axisNames(state.kind);
  const pick = (groups, name) =>
    choice(
      groups.map(({ label }, i) => [i, label]),
      name === "row" ? row : column,
      (value) => page.set({ row, column, [name]: Number(value) }),
      { id: `which-${name}` },
    );
  return element(
    "div",
    {},
    element("h2", {
      text: `Which head looks from “${rows[row].label}” to “${columns[column].label}”?`,
    }),
    kindAndLayer(page, { layers: false }),
    element(
      "div",
      { class: "controls" },
      labelled(names.rows, pick(rows, "row")),
      labelled(names.columns, pick(columns, "column")),
    ),
    display.masked(row, column)
      ? element("p", { class: "hint", text: "This word comes later: no head may look at it." })
      : table(page, ranked, row, column),
    page.measured.none
      ? null
      : element("p", {
          class: "hint",
          text:
            "“Looks at” and “without it” were measured over many sentences; “without it” is with this " +
            "head alone switched off. Less than 3 percentage points count as nothing.",
        }),
  );
}

/** The row and the column that are asked for; the strongest pair of all heads if none is chosen. */
function askedCell({ state, display }) {
  if (state.row !== null) return [state.row, state.column ?? 0];
  const { layers, heads } = display.maps;
  let best = { weight: -1, row: 0, column: state.column ?? 0 };
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      display.weights(layer, head).forEach((weight, place) => {
        const column = place % display.columns.length;
        const row = Math.floor(place / display.columns.length);
        const fits =
          state.column === null ? !display.columns[column].mark : column === state.column;
        if (fits && !display.rows[row].mark && weight > best.weight) best = { weight, row, column };
      });
    }
  }
  return [best.row, best.column];
}

/** All heads by what they give a column in a row, the most first: [{layer, head, weight}]. */
export function rankHeads(display, row, column) {
  const { layers, heads } = display.maps;
  const all = Array.from({ length: layers * heads }, (_, i) => {
    const [layer, head] = [Math.floor(i / heads), i % heads];
    const weight = display.weights(layer, head)[row * display.columns.length + column];
    return { layer, head, weight };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

/** @param {Page} page */
function table(page, ranked, row, column) {
  const { state, display, measured, changes } = page;
  const open = (layer, head) =>
    page.set({ view: "heads", layer, head, heads: [], row, column }, { focus: "grid" });
  const lines = ranked.map(({ layer, head, weight }) => {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${100 * display.share(weight)}%`;
    const off = changes.isOff(state.kind, layer, head);
    const button = element("button", {
      type: "button",
      text: `layer ${layer + 1}, head ${head + 1}${off ? " (off)" : ""}`,
      onclick: () => open(layer, head),
    });
    const known = measured.none
      ? []
      : [measured.label(state.kind, layer, head), measured.cost(state.kind, layer, head)];
    return element(
      "tr",
      { class: off ? "off" : undefined },
      element("th", { scope: "row" }, button),
      element("td", { text: display.text(weight), "data-weight": weight }),
      element("td", { class: "bars" }, bar),
      ...known.map((text) => element("td", { class: "words", text })),
    );
  });
  const known = measured.none ? [] : ["looks at", "without it"];
  const header = [
    ...["head", "gives", ""].map((text) => element(text ? "th" : "td", { text })),
    ...known.map((text) => element("th", { class: "words", text })),
  ];
  return element(
    "div",
    { class: "scrolls" },
    element(
      "table",
      { class: "numbers", id: "which" },
      element("thead", {}, element("tr", {}, ...header)),
      element("tbody", {}, ...lines),
    ),
  );
}
