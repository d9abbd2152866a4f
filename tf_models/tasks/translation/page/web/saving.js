// Takes pictures and numbers out of the page.
import { inkOn, mapColor } from "./colors.js";
import { axisNames } from "./display.js";
import { element, svg } from "./dom.js";

const CELL = 30;
const LEAST_LABEL = 120; // room for the words
const LETTER = 8; // their usual width
const INK = "#1b2733";

/** One head's map as an SVG of its own, for a paper: on white, whatever the theme. */
export function mapSvg(display, layer, head, off = false) {
  const { rows, columns, kind } = display;
  const weights = display.weights(layer, head);
  const longest = Math.max(...[...rows, ...columns].map(({ label }) => label.length));
  const margin = Math.max(LEAST_LABEL, LETTER * longest + 12);
  const [width, height] = [margin + CELL * columns.length + 60, margin + CELL * rows.length + 30];
  const names = axisNames(kind);
  const cells = rows.flatMap((_, i) =>
    columns.flatMap((_, j) => {
      const weight = weights[i * columns.length + j];
      const color = mapColor(display.share(weight), false);
      const [x, y] = [margin + CELL * j, margin + CELL * i];
      const size = { x, y, width: CELL, height: CELL, stroke: "#c3ccd5", "stroke-width": 0.5 };
      if (display.masked(i, j)) return [svg("rect", { ...size, fill: "url(#hatching)" })];
      const text = display.cellText(weight);
      const place = { x: x + CELL / 2, y: y + 19, "text-anchor": "middle", "font-size": 11 };
      return [
        svg("rect", { ...size, fill: color, "data-weight": weight }),
        svg("text", { ...place, fill: inkOn(color), text }),
      ];
    }),
  );
  const beside = rows.map(({ label }, i) =>
    svg("text", { x: margin - 6, y: margin + CELL * i + 19, "text-anchor": "end", text: label }),
  );
  const above = columns.map(({ label }, j) => {
    const place = `translate(${margin + CELL * j + 18} ${margin - 6}) rotate(-60)`;
    return svg("text", { transform: place, text: label });
  });
  const stroke = { d: "M0 6 L6 0", stroke: "#9aa5b1", "stroke-width": 1 };
  const pattern = { id: "hatching", width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  const title = `${kind} attention, layer ${layer + 1}, head ${head + 1}${off ? ", off" : ""}`;
  return svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      "font-family": "sans-serif",
      "font-size": 13,
    },
    svg("title", { text: title }),
    svg("desc", { text: `rows: ${names.rows}; columns: ${names.columns}; ${display.unit}` }),
    svg("defs", {}, svg("pattern", pattern, svg("path", stroke))),
    svg("rect", { width, height, fill: "#ffffff" }),
    ...cells,
    ...beside,
    ...above,
    svg("text", { x: 6, y: margin - 22, "font-size": 11, text: `${names.rows} ↓` }),
    svg("text", { x: 6, y: margin - 8, "font-size": 11, text: `${names.columns} →` }),
    svg("text", { x: 6, y: height - 8, "font-size": 11, text: `${title}, ${display.unit}` }),
  );
}

/**
 * Lines as an SVG of their own: on white, with what they are about and the heads' colours below.
 *
 * notes: [{text, color}], a line each.
 */
export function linesSvg(lines, notes) {
  const copy = lines.cloneNode(true);
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  const longest = Math.max(...notes.map(({ text }) => text.length));
  const size = {
    width: Math.max(width, LETTER * longest),
    height: height + 20 * notes.length + 12,
  };
  const texts = notes.map(({ text, color }, i) =>
    svg("text", { x: 8, y: height + 20 * (i + 1), fill: color, text }),
  );
  copy.prepend(svg("rect", { ...size, fill: "#ffffff" }));
  copy.append(...texts);
  copy.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  copy.setAttribute("fill", INK);
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, value);
  return copy;
}

export function saveSvg(picture, name) {
  save(svgBlob(picture), `${name}.svg`);
}

/** The picture in twice as many pixels, for sharp screens. */
export async function savePng(picture, name) {
  save(await pngOf(picture), `${name}.png`);
}

async function pngOf(picture) {
  const address = URL.createObjectURL(svgBlob(picture));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** All numbers of a kind, a line each: layer, head, row, column, weight (or weight times norm). */
export function csvOf(display, maps) {
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const name = display.norms ? "weight_times_norm" : "weight";
  const lines = ["layer,head,row,row_label,column,column_label,".concat(name)];
  for (let layer = 0; layer < maps.layers; layer++) {
    for (let head = 0; head < maps.heads; head++) {
      display.weights(layer, head).forEach((weight, place) => {
        const i = Math.floor(place / display.columns.length);
        const j = place % display.columns.length;
        const labels = [display.rows[i].label, display.columns[j].label].map(quoted);
        lines.push(
          [layer + 1, head + 1, i + 1, labels[0], j + 1, labels[1], weight.toFixed(6)].join(","),
        );
      });
    }
  }
  return `${lines.join("\n")}\n`;
}

export function saveCsv(text, name) {
  save(new Blob([text], { type: "text/csv" }), `${name}.csv`);
}

function svgBlob(picture) {
  const copy = picture.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(copy);
  return new Blob([text], { type: "image/svg+xml" });
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
