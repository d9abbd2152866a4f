// Vectors as a reader opens them.
import { digits, element } from "../page/dom.js";

const SHOWN = 8; // numbers of a vector; a click shows all

export function vector(name, values) {
  const numbers = [...values].map((value) => digits(value, 2));
  const first = numbers.slice(0, SHOWN).join("  ");
  return element(
    "details",
    { class: "vector" },
    element("summary", {}, element("b", { text: name }), ` (${numbers.length})  ${first} …`),
    element("p", { text: numbers.join("  ") }),
  );
}
