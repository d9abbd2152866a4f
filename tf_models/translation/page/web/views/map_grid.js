// One head's map as a table that is a grid: numbers for eyes, keyboard and screen readers.
import { mapColor, painted } from "../page/colors.js";
import { axisNames } from "./display.js";
import { element } from "../page/dom.js";
import { rove } from "../page/roving.js";

const NUMBERED = 16; // columns; with more there is no room for numbers

/**
 * A table of weights.
 *
 * options: off, whether the head is switched off; selected, [row, column]; locked, the token {row,
 * column} whose lines are seen, or null; onSelect(row, column), focus or mouse is there;
 * onLock(row, column), click or Enter, with null for the row when Shift is held; onEscape().
 */
export function mapGrid(display, layer, head, options) {
  const { off, selected, locked, onSelect, onLock, onEscape } = options;
  const { rows, columns, kind } = display;
  const weights = display.weights(layer, head);
  const headers = columns.map(({ label }, j) =>
    element(
      "th",
      { scope: "col", class: j === locked?.column ? "label locked" : "label" },
      element("span", { text: label }),
    ),
  );
  const cells = rows.map((row, i) =>
    columns.map((column, j) => cell(row, column, weights[i * columns.length + j], display, i, j)),
  );
  const body = rows.map(({ label }, i) =>
    element(
      "tr",
      { class: i === locked?.row ? "locked" : undefined },
      element("th", { scope: "row", text: label }),
      ...cells[i],
    ),
  );
  const table = element(
    "table",
    {
      class: `map${columns.length > NUMBERED ? " small" : ""}${off ? " off" : ""}`,
      role: "grid",
      "aria-label": `${kind} attention, layer ${layer + 1}, head ${head + 1}${off ? ", off" : ""}`,
    },
    element("thead", {}, element("tr", {}, corner(kind), ...headers)),
    element("tbody", {}, ...body),
  );
  rove(cells, {
    start: selected,
    onMove: onSelect,
    onKey(event, i, j) {
      if (event.key === "Escape") onEscape();
      else if (event.key === "Enter") onLock(event.shiftKey ? null : i, j);
      else return;
      event.preventDefault();
    },
  });
  cells.forEach((line, i) =>
    line.forEach((td, j) => {
      td.addEventListener("mouseenter", () => onSelect(i, j, "hover"));
      td.addEventListener("click", ({ shiftKey }) => onLock(shiftKey ? null : i, j));
    }),
  );
  return table;
}

/** The corner of a map's table: what rows do, what columns are. */
export function corner(kind) {
  const names = axisNames(kind);
  return element(
    "td",
    { class: "corner" },
    element("span", { text: `${names.rows} ↓` }),
    element("span", { text: `${names.columns} →` }),
  );
}

function cell(row, column, weight, display, i, j) {
  const names = axisNames(display.kind);
  const masked = display.masked(i, j);
  const text = String(Math.round(100 * weight));
  const shown = masked ? "masked" : `${text} %`;
  const td = element("td", {
    role: "gridcell",
    class: masked ? "masked" : undefined,
    "data-weight": weight,
    "aria-label": `${names.rows} ${row.label}, ${names.columns} ${column.label}: ${shown}`,
  });
  if (masked) return td;
  td.textContent = text;
  return painted(td, mapColor(weight));
}
