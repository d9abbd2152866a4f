// The translation above the views.
import { commonItems } from "./alignment.js";
import { element, place } from "./dom.js";

/** The translation; where something is changed, what was and what is, changed words marked. */
export function showTranslation({ original, analysis, tokenizers, changes }) {
  const words = (text) => text.split(" ");
  const common = commonItems(words(original.text), words(analysis.text));
  const line = (name, text, side) => {
    const kept = new Set(common.map((pair) => pair[side]));
    const parts = words(text).flatMap((word, i) => [
      kept.has(i) ? word : element(side ? "ins" : "del", { text: word }),
      " ",
    ]);
    const lang = tokenizers.target.language;
    return element(
      "p",
      {},
      element("span", { class: "name", text: name }),
      element("output", { lang }, ...parts),
    );
  };
  const lines = [line("translation", analysis.text, 1)];
  if (analysis.forced) lines[0].firstChild.textContent = "forced";
  if (!changes.none) {
    lines.unshift(line("unchanged model", original.text, 0));
    lines[1].firstChild.textContent = "changed model";
  }
  place("translation").replaceChildren(...lines);
}
