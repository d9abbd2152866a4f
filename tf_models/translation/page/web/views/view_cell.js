// One cell, from two vectors to the logit: the six steps of attention with the model's numbers.
import { kindAndLayer } from "./controls.js";
import { axesOf, axisNames } from "./display.js";
import { bar, choice, digits, element, hint, labelled, percent, table } from "../page/dom.js";
import { vector } from "./numbers.js";
import { dot } from "../model/vectors.js";
import { printable } from "../model/words.js";

export const cellView = {
  name: "cell",
  title: "One cell",
  render,
};

const MASK = -1e9; // added to the score of what may not be attended to

/** @param {Page} page */
function render(page) {
  const { state, analysis } = page;
  const [rows, columns] = axesOf(analysis, state.kind).map((tokens) => tokens.map(printable));
  const [row, column] = strongestCell(page);
  const names = axisNames(state.kind);
  const numbered = (tokens) => tokens.map((token, i) => [i, `${i + 1}: ${token}`]);
  const heads = Array.from({ length: analysis.maps[state.kind].heads }, (_, i) => [i, i + 1]);
  const pick = (name) => (value) => page.set({ row, column, [name]: Number(value) });
  return element(
    "div",
    {},
    element("h2", {
      text: `From two words to one weight: “${rows[row]}” and “${columns[column]}”`,
    }),
    kindAndLayer(page),
    element(
      "div",
      { class: "controls" },
      labelled("head", choice(heads, state.head, pick("head"), { id: "cell-head" })),
      labelled(names.rows, choice(numbered(rows), row, pick("row"), { id: "cell-row" })),
      labelled(
        names.columns,
        choice(numbered(columns), column, pick("column"), { id: "cell-column" }),
      ),
    ),
    ...steps(page, row, column, columns),
  );
}

/** The cell that is chosen; of what is not chosen, where the head gives most, but for marks. */
function strongestCell({ state, analysis, display: { rows, columns } }) {
  const maps = analysis.maps[state.kind];
  let best = { weight: -1, cell: [state.row ?? 0, state.column ?? 0] };
  rows.forEach((row, i) =>
    columns.forEach((column, j) => {
      const fits =
        (state.row === null ? !row.mark : i === state.row) &&
        (state.column === null ? !column.mark : j === state.column);
      const weight = maps.at(state.layer, state.head, i, j);
      if (fits && weight > best.weight) best = { weight, cell: [i, j] };
    }),
  );
  return best.cell;
}

/** @param {Page} page */
function steps(page, row, column, columns) {
  const { kind, layer, head } = page.state;
  const { records, maps } = page.analysis;
  const record = records[kind][layer][row];
  const { key, value } = records[kind][layer].at(-1).seen[column]; // the last row sees all
  const depth = record.query.length / maps[kind].heads;
  const part = (whole) => whole.subarray(head * depth, (head + 1) * depth);
  const [q, k, v, mixed] = [record.query, key, value, record.mixed].map(part);
  const product = dot(q, k);
  const score = product / Math.sqrt(depth);
  const masked = kind === "decoder" && column > row;
  const weight = masked ? 0 : maps[kind].at(layer, head, row, column);
  return [
    element(
      "ol",
      { class: "steps" },
      step(
        "q · k",
        "how well the query of the row, what it looks for, fits the key of the column, what that offers",
        vector("q", q),
        vector("k", k),
        result("q · k", product),
      ),
      step(
        `/ √d_k`,
        `divided by the square root of the head's width, √${depth} = ${digits(Math.sqrt(depth))}`,
        result("score", score),
      ),
      step("mask", masking(kind, masked), result("masked score", masked ? score + MASK : score)),
      step(
        "softmax",
        normalising(page, row),
        barsOf(record.scores[head], record.weights[head], columns, column),
        result("weight", weight, `${digits(100 * weight, 1)} %`),
      ),
      step(
        "weighted sum",
        summing(page),
        vector("v", v),
        vector(
          "weight · v",
          v.map((number) => weight * number),
        ),
        vector("sum over the row", mixed),
      ),
      step(
        "W^O",
        "the sums of all heads side by side, times W^O: what the layer adds to this row",
        vector("output", record.output),
      ),
    ),
    ...(masked ? [] : effects(page, row, column)),
  ];
}

function masking(kind, masked) {
  if (masked) return "this token comes later: −1,000,000,000 is added, and softmax makes it 0";
  if (kind === "decoder")
    return "later tokens get −1,000,000,000; this one is not later, so 0 is added";
  return "padding would get −1,000,000,000; one sentence alone has none, so 0 is added";
}

function normalising({ state: { kind, layer, head }, changes }, row) {
  const powers = "powers of e, divided by their sum over the row";
  const edits = changes.editsOf(kind, layer, head, row);
  return edits.length ? `${powers}; then cells are set by hand and the row is rescaled` : powers;
}

function summing({ state: { kind, layer, head }, changes }) {
  if (changes.isOff(kind, layer, head)) return "this head is switched off: its sum is 0";
  return "each column's value times its weight; this column adds";
}

/**
 * What would be if the row did not attend to this column.
 *
 * @param {Page} page
 */
function effects(page, row, column) {
  const { kind, layer, head } = page.state;
  const { analysis, state } = page;
  const { targetIds, steps: before } = analysis;
  const edit = { kind, layer, head, row, column, weight: 0 };
  const after = page.translator.forced(analysis, state.off, [...state.edits, edit]);
  const lines = after.flatMap((one, i) => {
    const id = targetIds[i + 1];
    const change = one.logits[id] - before[i].logits[id];
    if (Math.abs(change) < 5e-4) return [];
    const token = printable(analysis.targetTokens[i + 1]);
    const cells = [token, digits(before[i].logits[id]), digits(one.logits[id]), digits(change)];
    return [element("tr", {}, ...cells.map((text, j) => element(j ? "td" : "th", { text })))];
  });
  const title =
    "Without this weight: the cell is set to 0, its row rescaled, the same words are written";
  if (!lines.length) return [hint(`${title}. No logit of a written token changes by 0.001.`)];
  return [
    element("h2", { text: title }),
    table(["written", "logit", "without", "change"], lines, { id: "effects" }),
  ];
}

function step(name, text, ...parts) {
  return element("li", {}, element("h3", { text: name }), element("p", { text }), ...parts);
}

function result(name, value, note = "") {
  const text = note ? ` = ${digits(value)} = ${note}` : ` = ${digits(value)}`;
  return element(
    "p",
    { class: "result", "data-name": name, "data-value": value },
    element("b", { text: name }),
    text,
  );
}

/** Scores and weights of the whole row as bars. */
function barsOf(scores, weights, columns, chosen) {
  const lines = [...weights].map((weight, i) =>
    element(
      "tr",
      { class: i === chosen ? "chosen" : undefined },
      element("th", { scope: "row", text: columns[i] }),
      element("td", { text: digits(scores[i], 2) }),
      element("td", { text: percent(weight) }),
      element("td", { class: "bars" }, bar(weight)),
    ),
  );
  return table(["attends to", "score", "weight", ""], lines);
}
