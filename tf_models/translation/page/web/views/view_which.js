// Which head looks from one word to another? All heads of a kind, ranked.
import { kindAndLayer } from "./controls.js";
import { axisNames } from "./display.js";
import { bar, button, choice, element, hint, labelled, percent, table } from "../page/dom.js";

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
      ? hint("This word comes later: no head may look at it.")
      : element("div", { class: "scrolls" }, ranking(page, ranked, row, column)),
    page.measured.none
      ? null
      : hint(
          "“Looks at” and “without it” were measured over many sentences; “without it” is with this " +
            "head alone switched off. Less than 3 percentage points count as nothing.",
        ),
  );
}

/** The row and the column that are asked for; the strongest pair of all heads if none is chosen. */
function askedCell({ state, display }) {
  if (state.row !== null) return [state.row, state.column ?? 0];
  const { rows, columns } = display;
  const fits = (j) => (state.column === null ? !columns[j].mark : j === state.column);
  let best = { weight: -1, row: 0, column: state.column ?? 0 };
  for (const place of display.maps.everyHead()) {
    display.weights(...place).forEach((weight, i) => {
      const [row, column] = [Math.floor(i / columns.length), i % columns.length];
      if (!rows[row].mark && fits(column) && weight > best.weight) best = { weight, row, column };
    });
  }
  return [best.row, best.column];
}

/** All heads by what they give a column in a row, the most first: [{layer, head, weight}]. */
export function rankHeads(display, row, column) {
  const all = display.maps.everyHead().map(([layer, head]) => {
    return { layer, head, weight: display.at(layer, head, row, column) };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

/** @param {Page} page */
function ranking(page, ranked, row, column) {
  const { kind } = page.state;
  const { measured, changes } = page;
  const lines = ranked.map(({ layer, head, weight }) => {
    const off = changes.isOff(kind, layer, head);
    const name = `layer ${layer + 1}, head ${head + 1}${off ? " (off)" : ""}`;
    const open = button(name, () =>
      page.set({ view: "heads", layer, head, heads: [], row, column }, { focus: "grid" }),
    );
    const known = measured.none
      ? []
      : [measured.label(kind, layer, head), measured.cost(kind, layer, head)];
    return element(
      "tr",
      { class: off ? "off" : undefined },
      element("th", { scope: "row" }, open),
      element("td", { text: percent(weight), "data-weight": weight }),
      element("td", { class: "bars" }, bar(weight)),
      ...known.map((text) => element("td", { class: "words", text })),
    );
  });
  const header = ["head", "gives", "", ...(measured.none ? [] : ["looks at", "without it"])];
  return table(header, lines, { id: "which" });
}
