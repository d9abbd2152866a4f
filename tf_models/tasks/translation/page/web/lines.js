// Tokens left and right, and a line from each that looks to each that is looked at.
import { headColor } from "./colors.js";
import { axisNames } from "./display.js";
import { svg } from "./dom.js";

const STEP = 24; // pixels between two tokens
const TOP = 34;
const WIDTH = 520;
const LEFT = 170; // where lines begin
const RIGHT = WIDTH - 170;
const FAINTEST = 0.02; // a weight below is not drawn
const LONGEST_LABEL = 18;

/**
 * An SVG of the heads that are shown.
 *
 * heads: their numbers. threshold: smallest weight to be drawn. row: the only one whose lines are
 * seen, or null. onHover(row or null), onLock(row).
 */
export function linesOf(display, layer, heads, { threshold, row, onHover, onLock }) {
  const { rows, columns, kind } = display;
  const names = axisNames(kind);
  const height = TOP + STEP * Math.max(rows.length, columns.length) + 8;
  const y = (i) => TOP + STEP * i + STEP / 2;
  const weights = heads.map((head) => [head, display.weights(layer, head)]);
  const smallest = Math.max(threshold, FAINTEST);
  const groups = rows.map((_, i) => {
    const lines = weights.flatMap(([head, values], place) =>
      columns.flatMap((_, j) => {
        const weight = values[i * columns.length + j];
        if (weight < smallest || display.masked(i, j)) return [];
        const shift = 3 * (place - (heads.length - 1) / 2);
        return [line(y(i) + shift, y(j) + shift, weight, head)];
      }),
    );
    return svg("g", { "data-row": i }, ...lines);
  });
  const left = rows.map(({ label }, i) =>
    svg(
      "g",
      { class: "token", "data-token": i },
      svg("rect", { x: 0, y: y(i) - STEP / 2, width: LEFT, height: STEP, fill: "transparent" }),
      svg("text", { x: LEFT - 8, y: y(i) + 4, "text-anchor": "end", text: short(label) }),
    ),
  );
  const right = columns.map(({ label }, j) =>
    svg("text", { x: RIGHT + 8, y: y(j) + 4, text: short(label) }),
  );
  const picture = svg(
    "svg",
    {
      class: "lines",
      role: "img",
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      fill: "currentColor",
      "font-size": 14,
      "font-family": "system-ui, sans-serif",
    },
    svg("title", { text: `${kind} attention, layer ${layer + 1}` }),
    svg("desc", { text: description(display, layer, heads) }),
    svg("text", { x: LEFT - 8, y: 18, "text-anchor": "end", "font-weight": 600, text: names.rows }),
    svg("text", { x: RIGHT + 8, y: 18, "font-weight": 600, text: names.columns }),
    ...groups,
    ...left,
    ...right,
  );
  left.forEach((token, i) => {
    token.addEventListener("mouseenter", () => onHover(i));
    token.addEventListener("mouseleave", () => onHover(null));
    token.addEventListener("click", () => onLock(i));
  });
  highlightRow(picture, row);
  return picture;
}

/** Show the lines of one row alone; of all, if row is null. */
export function highlightRow(picture, row) {
  for (const group of picture.querySelectorAll("[data-row]")) {
    const hidden = row !== null && Number(group.dataset.row) !== row;
    group.setAttribute("visibility", hidden ? "hidden" : "visible");
  }
  for (const token of picture.querySelectorAll("[data-token]")) {
    token.classList.toggle("chosen", Number(token.dataset.token) === row);
  }
}

function line(from, to, weight, head) {
  return svg("line", {
    x1: LEFT,
    y1: from,
    x2: RIGHT,
    y2: to,
    stroke: headColor(head),
    "stroke-opacity": Math.sqrt(weight).toFixed(3),
    "stroke-width": (0.5 + 3.5 * weight).toFixed(2),
    "data-weight": weight,
    "data-head": head,
  });
}

function description({ rows, columns, ...display }, layer, heads) {
  const many = `${rows.length} tokens look at ${columns.length}`;
  return `${many}; heads ${heads.map((head) => head + 1).join(", ")}. The table has the numbers.`;
}

function short(label) {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}
