// Colours: the same weight has the same colour everywhere, on a fixed scale from 0 to 1.

// Heads, in their order; numbers stand beside them, for after ten they begin again. The first eight
// differ for eyes that confuse red and green, too, and stand out from a light and a dark page.
const HEADS = [
  "#0c90fc",
  "#e43048",
  "#187800",
  "#6048fc",
  "#009cb4",
  "#c03060",
  "#546c90",
  "#549c90",
  "#a07a00",
  "#7a6a55",
];
const DAY = ["#ffffff", "#c9dcf0", "#6aa5d8", "#22639f", "#0b2f5b"];
const NIGHT = ["#141b23", "#1f3c5c", "#2f6ea8", "#7fb4e3", "#eef6ff"];
const NEGATIVE = { light: ["#ffffff", "#b3470f"], dark: ["#141b23", "#ff9d5c"] };
const POSITIVE = { light: ["#ffffff", "#1d5fa8"], dark: ["#141b23", "#6fb6ff"] };

/** Whether the system, and so the page, is dark. */
export const DARK = matchMedia("(prefers-color-scheme: dark)");

export function headColor(head) {
  return HEADS[head % HEADS.length];
}

/** Colour of a weight, 0 to 1. */
export function mapColor(weight) {
  return between(DARK.matches ? NIGHT : DAY, weight);
}

/** The whole scale of weights from left to right, as CSS has it. */
export function mapRamp() {
  return `linear-gradient(to right, ${(DARK.matches ? NIGHT : DAY).join(", ")})`;
}

/** Colour of a difference, -1 to 1: orange below zero, blue above. */
export function differenceColor(difference) {
  const ends = (difference < 0 ? NEGATIVE : POSITIVE)[DARK.matches ? "dark" : "light"];
  return between(ends, Math.abs(difference));
}

/** An element on a colour "rgb(…)", with ink that can be read on it. */
export function painted(node, color) {
  node.style.backgroundColor = color;
  node.style.color = inkOn(color);
  return node;
}

/** Black or white, whatever can be read on a colour. */
function inkOn(color) {
  const [r, g, b] = color.match(/\d+/g).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}

function between(stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [parseInt(stops[i].slice(1), 16), parseInt(stops[i + 1].slice(1), 16)];
  const mixed = (shift) => {
    const [a, b] = [(from >> shift) & 255, (to >> shift) & 255];
    return Math.round(a + (b - a) * (place - i));
  };
  return `rgb(${mixed(16)}, ${mixed(8)}, ${mixed(0)})`;
}
