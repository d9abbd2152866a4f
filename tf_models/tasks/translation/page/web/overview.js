// Small maps on canvases: all heads at a glance.
import { mapColor } from "./colors.js";
import { element } from "./dom.js";

const SIDE = 132; // pixels of the longer side

/**
 * A canvas of rows x columns numbers.
 *
 * share(number): its part of the scale, -1 to 1; color(share). masked(i, j): hatched in place of it.
 */
export function smallMap(values, rows, columns, options = {}) {
  const { share = (value) => value, color = mapColor, masked = () => false } = options;
  const size = Math.max(1, Math.floor(SIDE / Math.max(rows, columns)));
  const canvas = element("canvas", { width: columns * size, height: rows * size });
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(pixels(values, rows, columns, share, color), 0, 0, canvas.width, canvas.height);
  let hatched = null;
  for (let i = 0; i < rows; i++) {
    let first = columns; // what is masked goes from there to the end of the row
    while (first > 0 && masked(i, first - 1)) first -= 1;
    if (first === columns) continue;
    const future = [first * size, i * size, (columns - first) * size, size];
    hatched ??= hatching(context);
    context.fillStyle = hatched;
    context.clearRect(...future);
    context.fillRect(...future);
  }
  return canvas;
}

/** A pixel for each number, scaled up afterwards: many maps are drawn at once. */
function pixels(values, rows, columns, share, color) {
  const canvas = element("canvas", { width: columns, height: rows });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const known = new Map(); // each colour is looked up once
  for (let i = 0; i < rows * columns; i++) {
    const step = Math.round(255 * share(values[i]));
    if (!known.has(step))
      known.set(
        step,
        color(step / 255)
          .match(/\d+/g)
          .map(Number),
      );
    const [r, g, b] = known.get(step);
    image.data[4 * i] = r;
    image.data[4 * i + 1] = g;
    image.data[4 * i + 2] = b;
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
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
