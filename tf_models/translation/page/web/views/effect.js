// What a change does: how likely each written word was, and is.
import { differenceColor, painted } from "../page/colors.js";
import { digits, element, hint, percent, table } from "../page/dom.js";
import { groupsOf } from "../model/words.js";

const NOTICED = 0.005; // nats
const SCALE = 3; // nats that have the strongest colour: a twentieth of the probability
const PRONOUNS = { de: ["er", "sie", "es"] };

/**
 * The same words, written by the model as it was and as it is changed.
 *
 * @param {Page} page
 */
export function effectOf(page) {
  const before = page.original.steps;
  const after = stepsAfter(page);
  const columns = wordsOf(page);
  const sum = (side) => columns.reduce((total, word) => total + word[side], 0);
  columns.push({ label: "all", from: sum("from"), to: sum("to") });
  return element(
    "section",
    { id: "effect" },
    element("h2", { text: "What the change does" }),
    hint("How likely each word of the unchanged model's translation is (log P), before and now."),
    element("div", { class: "scrolls" }, changesTable(columns)),
    ...pronounLines(page, before, after),
  );
}

/**
 * The word that loses most by a change, in words.
 *
 * @param {Page} page
 */
export function lossOf(page) {
  const worst = wordsOf(page).reduce((a, b) => (b.to - b.from < a.to - a.from ? b : a));
  if (worst.to - worst.from >= -NOTICED) return "No word loses anything to speak of.";
  const [from, to] = [worst.from, worst.to].map((logProb) => percent(Math.exp(logProb)));
  return `“${worst.label}” loses most: ${from} before, ${to} now.`;
}

/** Words of the translation, each with its log P before (`from`) and after (`to`). */
function wordsOf(page) {
  const { original } = page;
  const [before, after] = [original.steps, stepsAfter(page)];
  const sum = (steps, { start, end }) =>
    steps.slice(start, end).reduce((total, { logProb }) => total + logProb, 0);
  return groupsOf(original.targetTokens.slice(1), true).map((word) => ({
    label: word.label,
    from: sum(before, word),
    to: sum(after, word),
  }));
}

/**
 * Steps of the changed model that writes what the unchanged one does.
 *
 * @param {Page} page
 */
function stepsAfter(page) {
  const { original, analysis, state } = page;
  const isSame = String(analysis.targetIds) === String(original.targetIds);
  return isSame ? analysis.steps : page.translator.forced(original, state.off, state.edits);
}

function changesTable(columns) {
  const line = (name, cells) =>
    element("tr", {}, element("th", { scope: "row", text: name }), ...cells);
  const plain = (side) => columns.map((one) => element("td", { text: digits(one[side], 2) }));
  const changes = columns.map(({ from, to }) => {
    const td = element("td", { text: digits(to - from, 2), "data-change": to - from });
    return painted(td, differenceColor((to - from) / SCALE));
  });
  const lines = [
    line("log P before", plain("from")),
    line("log P now", plain("to")),
    line("change", changes),
  ];
  return table(["", ...columns.map(({ label }) => label)], lines, { class: "numbers effect" });
}

/** Where a pronoun is written: how likely each of the pronouns is there. */
function pronounLines({ original, tokenizers: { target } }, before, after) {
  const pronouns = PRONOUNS[target.language] ?? [];
  const { targetIds, targetTokens } = original;
  return targetTokens.slice(1).flatMap((token, i) => {
    const word = token.slice(1);
    if (!pronouns.includes(word.toLowerCase())) return [];
    const isUpper = word !== word.toLowerCase();
    const shares = pronouns.flatMap((pronoun) => {
      const text = isUpper ? pronoun[0].toUpperCase() + pronoun.slice(1) : pronoun;
      const id = target.ranks.get(token[0] + text);
      if (id === undefined) return [];
      const share = ({ logits, logProb }) =>
        Math.exp(logits[id] - logits[targetIds[i + 1]] + logProb);
      return [`“${text}” ${percent(share(before[i]))} → ${percent(share(after[i]))}`];
    });
    const text = `Where “${word}” is written: ${shares.join(", ")}.`;
    return [element("p", { class: "pronouns", text })];
  });
}
