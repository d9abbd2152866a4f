// The translation above the views: the model's own, and what became of it by hand.
import { commonItems } from "../model/alignment.js";
import { button, element, hint, place } from "./dom.js";
import { lossOf } from "../views/effect.js";

/**
 * Each translation with its name; words that the line above has not are marked.
 *
 * @param {Page} page
 */
export function showTranslation(page) {
  const versions = versionsOf(page);
  const lang = page.tokenizers.target.language;
  const lines = versions.map(([name, text], i) =>
    element(
      "p",
      {},
      element("span", { class: "name", text: name }),
      element("output", { lang }, ...marked(text, versions[i - 1]?.[1], versions[i + 1]?.[1])),
    ),
  );
  const loss = page.changes.none ? searchHint(page) : hint(lossOf(page), { id: "loss" });
  place("translation").replaceChildren(...lines, loss, steeredHint(page) ?? "");
}

/** Which search wrote the translation, and another one of the beam that the run decodes with. */
function searchHint(page) {
  const { beamSize: beam, lengthPenalty: alpha } = page.data.decoding;
  if (beam === 1 || steering(page.state)) return "";
  const [best] = page.translator.beam(page.own.sourceIds, { beam, alpha, off: [] }).hypotheses;
  const target = page.tokenizers.target;
  const text = target.decode(best.ids);
  const options = { id: "search" };
  if (text === page.own.text) return hint(`Greedy; a beam of ${beam} writes the same.`, options);
  const other = element("span", { lang: target.language, text });
  const line = hint(`Greedy; a beam of ${beam}, as the command translates: `, options);
  line.append(other);
  return line;
}

/** [name, text] of the model's own translation, of the steered one, and of the changed model's. */
function versionsOf({ own, original, analysis, changes, state }) {
  const steered = steering(state);
  const first = [steered ? "the model's own" : "translation", own.text];
  const versions = steered ? [first, [steered, original.text]] : [first];
  if (changes.none) return versions;
  versions[versions.length - 1][0] = steered ? `${steered}, unchanged model` : "unchanged model";
  return [...versions, ["changed model", analysis.text]];
}

/** How a reader steers the translation, or null. */
function steering({ target, chosen }) {
  if (target !== null) return "forced by hand";
  return chosen.length ? "begun by hand" : null;
}

/** @param {Page} page */
function steeredHint(page) {
  if (!steering(page.state)) return null;
  return element(
    "p",
    { class: "hint", id: "steered" },
    "All views below show the translation that was steered by hand. ",
    button("let the model choose again", () => page.set({ target: null, chosen: [] }), {
      id: "let-go",
    }),
  );
}

/** Words of a text: those that the text before lacks are inserted, those that the next lacks go. */
function marked(text, before, after) {
  const words = text.split(" ");
  const kept = (other) =>
    new Set(other === undefined ? words.keys() : common(words, other).map(([i]) => i));
  const [old, staying] = [kept(before), kept(after)];
  return words.flatMap((word, i) => {
    if (!old.has(i)) return [element("ins", { text: word }), " "];
    return [staying.has(i) ? word : element("del", { text: word }), " "];
  });
}

const common = (words, other) => commonItems(words, other.split(" "));
