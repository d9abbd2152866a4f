// Small maps on canvases: all heads at a glance.
import { mapColor } from "../page/colors.js";
import { element } from "../page/dom.js";

const SIDE = 132; // pixels of the longer side

/**
 * A canvas of rows x columns numbers: a pixel each, which the browser scales up.
 *
 * color(number), of -1 to 1. masked(i, j): left out, so that the hatched ground is seen.
 */
export function smallMap(values, rows, columns, options = {}) {
  const { color = mapColor, masked = () => false } = options;
  const canvas = element("canvas", { class: "pixels", width: columns, height: rows });
  const size = Math.max(1, Math.floor(SIDE / Math.max(rows, columns)));
  canvas.style.width = `${columns * size}px`;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const known = new Map(); // each colour is looked up once
  for (let i = 0; i < rows * columns; i++) {
    if (masked(Math.floor(i / columns), i % columns)) continue;
    const step = Math.round(255 * values[i]);
    if (!known.has(step)) known.set(step, channelsOf(color(step / 255)));
    const [red, green, blue] = known.get(step);
    image.data[4 * i] = red;
    image.data[4 * i + 1] = green;
    image.data[4 * i + 2] = blue;
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** Red, green and blue of "rgb(…)". */
function channelsOf(color) {
  const parts = color.match(/\d+/g);
  return parts.map(Number);
}
