// Three attributions of what a written word depends on: attention, gradient, and leaving words out.
import { choice, digits, element, labelled, percent } from "./dom.js";
import { meanOf } from "./view_steps.js";
import { groupsOf, isSpecial } from "./words.js";

const MIN_NATS = 0.01; // nats; a method that finds less names no word
const LEAST_SCALE = 1; // nats; a bar of less is short, however long it would be beside its like

export const attributionsView = {
  name: "attributions",
  title: "Attribution methods",
  render,
  isFor,
  unedited: true,
};

/** @param {Page} page */
function render(page) {
  const { state } = page;
  const analysis = page.unedited();
  const written = groupsOf(analysis.targetTokens.slice(1), true);
  const step = Math.min(state.step, written.at(-1).end - 1);
  const word = written.findIndex(({ end }) => step < end);
  const words = groupsOf(analysis.sourceTokens, true).filter(
    ({ start }) => !isSpecial(analysis.sourceTokens[start]),
  );
  const found = attributions(page, analysis, words, written[word]);
  const options = written.map(({ label }, i) => [i, label]);
  const choose = (i) => page.set({ step: written[i].start });
  return element(
    "div",
    {},
    element(
      "div",
      { class: "controls" },
      labelled("written word", choice(options, word, choose, { id: "attributed" })),
    ),
    table(words, found),
    element("p", {
      class: "hint",
      text: "Bars: of attention, from 0 to 100 %; of the others, in nats on one scale for both.",
    }),
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

/** A recurrent model has its alignment alone: with one method there is nothing to compare. */
function isFor({ sentences: [first] }) {
  return Boolean(first.gradientTimesInput);
}

/** Small numbers with their sign: what matters is that they are small. */
function nats(value) {
  if (value === 0 || Math.abs(value) >= 5e-4) return digits(value);
  return `${value < 0 ? "−" : ""}<0.001`;
}

/**
 * Each method's value of each word for the written one, whose pieces are {start, end}.
 *
 * @param {Page} page
 */
function attributions(page, analysis, words, written) {
  return [
    attention(analysis, words, written, page.headChanges),
    gradient(page, words, written),
    leftOut(page, analysis, words, written),
  ].flatMap((found) => found ?? []);
}

function attention({ maps: { cross } }, words, written, changes) {
  const layer = cross.layers - 1;
  const on = changes.headsOn(cross, layer);
  const values = words.map((word) => {
    const weight = (row, head) => sumOver(word, (column) => cross.at(layer, head, row, column));
    const ofRow = (row) => on.reduce((sum, head) => sum + weight(row, head), 0);
    return sumOver(written, ofRow) / ((on.length || 1) * (written.end - written.start));
  });
  const means = `share of the cross-attention of the last layer, ${meanOf(on, cross)}`;
  return { name: "attention", values, text: percent, means };
}

/** @param {Page} page */
function gradient(page, words, written) {
  const found = page.gradientTimesInput();
  if (!found) return null;
  const at = (row, column) => found.values[row * found.shape[1] + column];
  const values = words.map((word) =>
    sumOver(written, (row) => sumOver(word, (column) => at(row, column))),
  );
  const means =
    "gradient of the written word's log-probability times the word's embedding, in nats; computed by Keras";
  return { name: "gradient × input", values, text: nats, means, minimum: MIN_NATS };
}

/**
 * What the log-probability loses without a word; the same words are written before.
 *
 * @param {Page} page
 */
function leftOut(page, analysis, words, written) {
  if (!page.translator) return null;
  const { sourceIds, targetIds } = analysis;
  const { off } = page.state;
  const values = page.asking.answer({ name: "leftOut", sourceIds, targetIds, words, written, off });
  const means = "what the written word's log-probability loses when the word is left out, in nats";
  return { name: "leaving out", values, text: nats, means, minimum: MIN_NATS };
}

function sumOver({ start, end }, valueOf) {
  let sum = 0;
  for (let i = start; i < end; i++) sum += valueOf(i);
  return sum;
}

function table(words, found) {
  const header = ["word", ...found.map(({ name }) => name)];
  const inNats = found.filter(({ minimum }) => minimum).flatMap(({ values }) => [...values]);
  const most = Math.max(LEAST_SCALE, ...inNats.map(Math.abs));
  const lines = words.map(({ label }, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", text: label }),
      ...found.map((one) => {
        const bar = element("span", { class: one.values[i] < 0 ? "bar negative" : "bar" });
        bar.style.width = `${(100 * Math.abs(one.values[i])) / (one.minimum ? most : 1)}%`;
        return element(
          "td",
          { class: "attribution", "data-value": one.values[i] },
          element("span", { text: one.text(one.values[i]) }),
          element("span", { class: "bars" }, bar),
        );
      }),
    ),
  );
  return element(
    "table",
    { class: "numbers", id: "attributions" },
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
  const speaks = ({ values, minimum = 0 }) => Math.max(...values) >= minimum;
  const named = found.filter(speaks).map(({ name, values }) => {
    return [name, values.indexOf(Math.max(...values))];
  });
  const labels = words.map(({ label }) => label);
  const called = (i) => {
    const twice = labels.indexOf(labels[i]) !== labels.lastIndexOf(labels[i]);
    return twice ? `“${labels[i]}” (word ${i + 1})` : `“${labels[i]}”`;
  };
  const silent = found
    .filter((one) => !speaks(one))
    .map(({ name }) => `${name} finds less than ${MIN_NATS} nats anywhere and names no word`);
  const list = named.map(([name, i]) => `${name} names ${called(i)}`);
  const agree = new Set(named.map(([, i]) => i)).size === 1;
  const sum = named.length > 1 ? `: they ${agree ? "agree" : "disagree"}` : "";
  return `${list.join(", ")}${sum}${silent.map((text) => `; ${text}`).join("")}.`;
}
