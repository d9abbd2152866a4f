// Tokens left and right, and a line from each that attends to each that is attended to.
import { headColor } from "../page/colors.js";
import { axisNames } from "./display.js";
import { svg } from "../page/dom.js";

const STEP = 24; // pixels between two tokens
const TOP = 34;
const BETWEEN = { wide: 180, narrow: 100, screen: 500 }; // pixels for the lines, by the screen's
const LETTER = 8.2; // pixels, as good as all
const LONGEST_LABEL = 18;
const SQUARE = 10; // pixels, with the gap
const REM = 16; // pixels

/**
 * An SVG of the heads that are shown.
 *
 * heads: their numbers. isOff(head): whether it is switched off; its lines are pale dashes then.
 * threshold: smallest weight to be drawn. locked: the token whose lines alone are seen, or null; a
 * token is {row, column}, one of them null. onHover(token or null), onLock(token).
 */
export function linesOf(display, layer, heads, { isOff, threshold, locked, onHover, onLock }) {
  const { rows, columns, kind } = display;
  const names = axisNames(kind);
  const room = SQUARE * heads.length; // for the squares beside the words
  const begin = room + widthOf(rows, names.rows); // of the lines
  const end = begin + (innerWidth < BETWEEN.screen ? BETWEEN.narrow : BETWEEN.wide);
  const width = end + widthOf(columns, names.columns) + room;
  const height = TOP + STEP * Math.max(rows.length, columns.length) + 8;
  const y = (i) => TOP + STEP * i + STEP / 2;
  const weights = heads.map((head) => [head, display.weights(layer, head)]);
  const gap = Math.min(3, 18 / heads.length); // of the heads' lines, which stay at their word
  const groups = rows.map((_, i) => {
    const lines = weights.flatMap(([head, values], place) =>
      columns.flatMap((_, j) => {
        const weight = values[i * columns.length + j];
        if (weight < threshold || display.masked(i, j)) return [];
        const shift = gap * (place - (heads.length - 1) / 2);
        const [from, to] = [
          { x: begin, y: y(i) + shift },
          { x: end, y: y(j) + shift },
        ];
        const drawn = line(from, to, { weight, head, column: j });
        if (isOff(head)) fade(drawn);
        return [drawn];
      }),
    );
    return svg("g", { "data-row": i }, ...lines);
  });
  const token = (side, x, at, text) => {
    const size = { y: y(at) - STEP / 2, width: x ? width - x : begin, height: STEP };
    const area = svg("rect", { x, ...size, fill: "transparent" });
    return svg("g", { class: "token", ...side }, area, text);
  };
  const left = rows.map(({ label }, i) => {
    const place = { x: begin - 8, y: y(i) + 4, "text-anchor": "end" };
    return token({ "data-token": i }, 0, i, svg("text", { ...place, text: short(label) }));
  });
  const right = columns.map(({ label }, j) => {
    const place = { x: end + 8, y: y(j) + 4 };
    return token({ "data-attended": j }, end, j, svg("text", { ...place, text: short(label) }));
  });
  const picture = svg(
    "svg",
    {
      class: "lines",
      role: "img",
      viewBox: `0 0 ${width} ${height}`,
      width: `${width / REM}rem`, // it grows with the letters of the page
      height: `${height / REM}rem`,
      fill: "currentColor",
      "font-size": 14,
      "font-family": "system-ui, sans-serif",
    },
    svg("title", { text: `${kind} attention, layer ${layer + 1}` }),
    svg("desc", { text: description(display, heads, isOff) }),
    svg("text", {
      x: begin - 8,
      y: 18,
      "text-anchor": "end",
      "font-weight": 600,
      text: names.rows,
    }),
    svg("text", { x: end + 8, y: 18, "font-weight": 600, text: names.columns }),
    ...groups,
    ...left,
    ...right,
  );
  const squares = weights.flatMap(([head, values], place) => {
    const square = (x, at) => {
      const size = {
        width: SQUARE - 2,
        height: SQUARE - 2,
        fill: headColor(head),
        "fill-opacity": 0,
      };
      return svg("rect", { x: x + SQUARE * place, y: y(at) - 4, ...size, class: "square" });
    };
    const weight = (i, j) => values[i * columns.length + j];
    return [
      ...rows.map((_, i) => ({ drawn: square(0, i), row: i, weight })),
      ...columns.map((_, j) => ({ drawn: square(width - room, j), column: j, weight })),
    ];
  });
  picture.append(...squares.map(({ drawn }) => drawn));
  picture.shade = (chosen) => shade(squares, chosen);
  const listen = (shown, which) => {
    shown.addEventListener("mouseenter", () => onHover(which));
    shown.addEventListener("mouseleave", () => onHover(null));
    shown.addEventListener("click", () => onLock(which));
  };
  left.forEach((shown, row) => listen(shown, { row, column: null }));
  right.forEach((shown, column) => listen(shown, { row: null, column }));
  highlight(picture, locked);
  return picture;
}

/** Show the lines of one token alone: of a row, or to a column; all lines, if it is null. */
export function highlight(picture, token) {
  const { row = null, column = null } = token ?? {};
  const isAnother = (wanted, text) => wanted !== null && Number(text) !== wanted;
  for (const group of picture.querySelectorAll("[data-row]")) {
    group.setAttribute("visibility", isAnother(row, group.dataset.row) ? "hidden" : "visible");
  }
  // There may be thousands of lines, which only columns hide one by one.
  const changed = column === null ? "[data-column][display]" : "[data-column]";
  for (const drawn of picture.querySelectorAll(changed)) {
    if (isAnother(column, drawn.dataset.column)) drawn.setAttribute("display", "none");
    else drawn.removeAttribute("display");
  }
  for (const shown of picture.querySelectorAll(".token")) {
    const { token: i, attended: j } = shown.dataset;
    shown.classList.toggle("chosen", Number(i) === row || Number(j) === column);
  }
  picture.shade({ row, column });
}

/**
 * Squares beside the words on the other side of a token, one a head: how much of it each has.
 *
 * squares: {drawn, row or column, weight(row, column)}. chosen: {row, column}, one of them null.
 */
function shade(squares, chosen) {
  for (const { drawn, row, column, weight } of squares) {
    let share = 0;
    if (chosen.row !== null && column !== undefined) share = weight(chosen.row, column);
    if (chosen.row === null && chosen.column !== null && row !== undefined) {
      share = weight(row, chosen.column);
    }
    drawn.setAttribute("fill-opacity", Math.sqrt(share).toFixed(3));
  }
}

function line(from, to, { weight, head, column }) {
  return svg("line", {
    x1: from.x,
    y1: from.y,
    x2: to.x,
    y2: to.y,
    stroke: headColor(head),
    "stroke-opacity": Math.sqrt(weight).toFixed(3),
    "stroke-width": (0.5 + 3.5 * weight).toFixed(2),
    "data-weight": weight,
    "data-head": head,
    "data-column": column,
  });
}

/** Of a head that is switched off: where it would look, if it were asked. */
function fade(drawn) {
  drawn.setAttribute("stroke-opacity", 0.3 * drawn.getAttribute("stroke-opacity"));
  drawn.setAttribute("stroke-dasharray", "3 5");
}

function description({ rows, columns }, heads, isOff) {
  const many = `${rows.length} tokens attend to ${columns.length}`;
  const names = heads.map((head) => `${head + 1}${isOff(head) ? " (off)" : ""}`).join(", ");
  return `${many}; heads ${names}. The table has the numbers.`;
}

/** Pixels that labels and the name above them need. */
function widthOf(groups, name) {
  const lengths = [name, ...groups.map(({ label }) => short(label))].map((text) => text.length);
  return LETTER * Math.max(...lengths) + 16;
}

function short(label) {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}
