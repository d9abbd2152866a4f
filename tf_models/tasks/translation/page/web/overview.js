// Small maps on canvases: all heads at a glance.
import { mapColor } from "./colors.js";
import { element } from "./dom.js";

const SIDE = 132; // pixels of the longer side

/** A canvas of rows x columns numbers. color: of a number. masked(i, j): hatched in place of it. */
export function smallMap(values, rows, columns, { color = mapColor, masked = () => false } = {}) {
  const size = Math.max(1, Math.floor(SIDE / Math.max(rows, columns)));
  const canvas = element("canvas", { width: columns * size, height: rows * size });
  const context = canvas.getContext("2d");
  const hatched = hatching(context);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      context.fillStyle = masked(i, j) ? hatched : color(values[i * columns + j]);
      context.fillRect(j * size, i * size, size, size);
    }
  }
  return canvas;
}

function hatching(context) {
  const tile = element("canvas", { width: 4, height: 4 });
  const pen = tile.getContext("2d");
  pen.strokeStyle = "#8a95a166";
  for (const shift of [-4, 0, 4]) {
    pen.moveTo(shift, 4);
    pen.lineTo(shift + 4, 0);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}
