// Three witnesses of what a written word depends on: attention, gradient, and leaving words out.
import { choice, digits, element, labelled, percent } from "./dom.js";
import { groupsOf, isSpecial, printable } from "./words.js";

const LEAST = 0.01; // nats; a witness that finds less says nothing

export const witnessesView = { name: "witnesses", title: "Three witnesses", render };

function render(page) {
  const { analysis, state } = page;
  const written = analysis.targetTokens.slice(1).map((token, i) => [i, printable(token)]);
  const step = Math.min(state.step, written.length - 1);
  const words = groupsOf(analysis.sourceTokens, true).filter(
    ({ start }) => !isSpecial(analysis.sourceTokens[start]),
  );
  const found = witnesses(page, words, step).filter(Boolean);
  return element(
    "div",
    {},
    element(
      "div",
      { class: "controls" },
      labelled(
        "written piece",
        choice(written, step, (value) => page.set({ step: Number(value) }), { id: "witnessed" }),
      ),
    ),
    table(words, found),
    element("p", { class: "result", id: "verdict", text: verdict(words, found) }),
    ...found.map(({ name, means }) => element("p", { class: "hint", text: `${name}: ${means}` })),
    page.gradientTimesInput()
      ? null
      : element("p", {
          class: "hint",
          text: "Gradient times input is here for the sentences that were given when the page was written.",
        }),
  );
}

/** Small numbers with their sign: what matters is that they are small. */
function nats(value) {
  if (value === 0 || Math.abs(value) >= 5e-4) return digits(value);
  return `${value < 0 ? "−" : ""}<0.001`;
}

/** Each witness's value of each word. */
function witnesses(page, words, step) {
  return [attention(page, words, step), gradient(page, words, step), leftOut(page, words, step)];
}

function attention({ analysis }, words, step) {
  const { cross } = analysis.maps;
  const layer = cross.layers - 1;
  const values = words.map(({ start, end }) => {
    let sum = 0;
    for (let head = 0; head < cross.heads; head++) {
      for (let column = start; column < end; column++) sum += cross.at(layer, head, step, column);
    }
    return sum / cross.heads;
  });
  const means = "share of the cross-attention of the last layer, mean of its heads";
  return { name: "attention", values, text: percent, means };
}

function gradient(page, words, step) {
  const found = page.gradientTimesInput();
  if (!found || step >= found.shape[0]) return null;
  const values = words.map(({ start, end }) => {
    const row = step * found.shape[1];
    return found.values.subarray(row + start, row + end).reduce((a, b) => a + b, 0);
  });
  const means =
    "gradient of the piece's log-probability times the word's embedding, in nats; computed by Keras";
  return { name: "gradient × input", values, text: nats, means, least: LEAST };
}

/** What the piece's log-probability loses without a word; the same pieces are written before it. */
function leftOut(page, words, step) {
  const { analysis, translator } = page;
  if (!translator) return null;
  const targetIds = analysis.targetIds.slice(0, step + 2);
  const logProb = (sourceIds) =>
    translator.logProbs(sourceIds, targetIds, page.headChanges)[step].logProb;
  const all = logProb(analysis.sourceIds);
  const values = words.map(({ start, end }) => {
    return all - logProb(analysis.sourceIds.filter((_, i) => i < start || i >= end));
  });
  const means = "what the piece's log-probability loses when the word is left out, in nats";
  return { name: "leaving out", values, text: nats, means, least: LEAST };
}

function table(words, found) {
  const header = ["word", ...found.map(({ name }) => name)];
  const lines = words.map(({ label }, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", text: label }),
      ...found.map((one) => {
        const largest = Math.max(...one.values.map(Math.abs)) || 1;
        const bar = element("span", { class: one.values[i] < 0 ? "bar negative" : "bar" });
        bar.style.width = `${(100 * Math.abs(one.values[i])) / largest}%`;
        return element(
          "td",
          { class: "witness", "data-value": one.values[i] },
          element("span", { text: one.text(one.values[i]) }),
          element("span", { class: "bars" }, bar),
        );
      }),
    ),
  );
  return element(
    "table",
    { class: "numbers", id: "witnesses" },
    element(
      "thead",
      {},
      element("tr", {}, ...header.map((text) => element("th", { scope: "col", text }))),
    ),
    element("tbody", {}, ...lines),
  );
}

/** Whether they name the same word; one that finds next to nothing names none. */
function verdict(words, found) {
  const speaks = ({ values, least = 0 }) => Math.max(...values) >= least;
  const named = found.filter(speaks).map(({ name, values }) => {
    return [name, words[values.indexOf(Math.max(...values))].label];
  });
  const silent = found
    .filter((one) => !speaks(one))
    .map(({ name }) => `${name} finds less than ${LEAST} nats anywhere and names no word`);
  const list = named.map(([name, word]) => `${name} names “${word}”`);
  const agree = new Set(named.map(([, word]) => word)).size === 1;
  const sum = named.length > 1 ? `: they ${agree ? "agree" : "disagree"}` : "";
  return `${list.join(", ")}${sum}${silent.map((text) => `; ${text}`).join("")}.`;
}
