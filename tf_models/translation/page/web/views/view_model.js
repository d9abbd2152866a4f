// The whole model in one picture: what becomes of one token on its way, part by part, and what the
// decoder would say after each layer.
import { differenceColor, mapColor, painted } from "../page/colors.js";
import { button, choice, digits, element, hint, labelled, percent, table } from "../page/dom.js";
import { vector } from "./numbers.js";
import { nowhere } from "./controls.js";
import { dot } from "../model/vectors.js";
import { printable } from "../model/words.js";

export const modelView = {
  name: "model",
  title: "Whole model",
  render,
};

/** @param {Page} page */
function render(page) {
  const { analysis, state, languages } = page;
  const token = Math.min(state.token, analysis.sourceIds.length - 1);
  const step = Math.min(state.step, analysis.steps.length - 1);
  const sides = [encoderParts(page, token), decoderParts(page, step)];
  const parts = sides.flat();
  const chosen = parts.find(({ name }) => name === state.part) ?? parts[0];
  const numbered = (tokens) => tokens.map((one, i) => [i, `${i + 1}: ${printable(one)}`]);
  const read = numbered(analysis.sourceTokens);
  const written = numbered(analysis.targetTokens.slice(1));
  const pick = (name) => (value) => page.set({ [name]: Number(value) });
  return element(
    "div",
    {},
    hint(
      `From top to bottom: a token becomes ${widthOf(page)} numbers (each strip: blue above zero, ` +
        "orange below), and each part adds something to them. Choose a part to see its numbers.",
    ),
    element(
      "div",
      { class: "flow" },
      element(
        "section",
        {},
        element("h2", { text: `Encoder: reads ${languages.source}` }),
        labelled("token that is read", choice(read, token, pick("token"), { id: "token" })),
        stack(page, sides[0], chosen),
        hint("Every layer of the decoder looks at these rows. →"),
      ),
      element(
        "section",
        {},
        element("h2", { text: `Decoder: writes ${languages.target}` }),
        labelled("token that is written", choice(written, step, pick("step"), { id: "flow-step" })),
        stack(page, sides[1], chosen),
      ),
      element(
        "section",
        { class: "part", id: "part", role: "status" },
        element("h2", { text: chosen.title }),
        element("p", { text: chosen.text }),
        ...chosen.numbers(),
      ),
    ),
    lens(page, step),
  );
}

/**
 * Parts that a token of the source goes through: {name, title, text, row, note, numbers()}.
 *
 * @param {Page} page
 */
function encoderParts(page, token) {
  const { records, embedded } = page.analysis;
  return [
    embedding(page, "encoder", embedded.source[token], token),
    ...records.encoder.flatMap((rows, layer) => {
      const name = (part) => `encoder ${layer} ${part}`;
      const record = rows[token];
      return [
        attention(page, name("attention"), "encoder", layer, token, record),
        norm(name("norm1"), layer, record.x, record.output, record.out1),
        feedForward(name("ffn"), layer, record.out1, record),
        norm(name("norm2"), layer, record.out1, record.fed, record.out),
      ];
    }),
  ];
}

/** @param {Page} page */
function decoderParts(page, step) {
  const { records, embedded, steps } = page.analysis;
  const { decoder, cross } = records;
  return [
    embedding(page, "decoder", embedded.target[step], step),
    ...decoder.flatMap((rows, layer) => {
      const name = (part) => `decoder ${layer} ${part}`;
      const [own, other] = [rows[step], cross[layer][step]];
      return [
        attention(page, name("attention"), "decoder", layer, step, own),
        norm(name("norm1"), layer, own.x, own.output, own.out1),
        attention(page, name("cross"), "cross", layer, step, other),
        norm(name("norm2"), layer, own.out1, other.output, other.out2),
        feedForward(name("ffn"), layer, other.out2, other),
        norm(name("norm3"), layer, other.out2, other.fed, other.out),
      ];
    }),
    logits(steps[step], cross.at(-1)[step].out),
  ];
}

function widthOf({ data }) {
  return data.model.d_model;
}

function embedding(page, side, { token, position, sum }, number) {
  const { analysis } = page;
  const tokens = side === "encoder" ? analysis.sourceTokens : analysis.targetTokens;
  const label = printable(tokens[number]);
  return {
    name: `${side} embedding`,
    title: "Embedding + position",
    text:
      `“${label}” is a row of the table of embeddings, times √${widthOf(page)}; the numbers of its ` +
      `place, ${number + 1}, are added.` +
      (side === "decoder" ? " What comes in here is the piece written before." : ""),
    note: `in: ${label}`,
    row: sum,
    numbers: () => [vector("embedding", token), vector("position", position), vector("sum", sum)],
  };
}

/** @param {Page} page */
function attention(page, name, kind, layer, row, record) {
  const { analysis, changes } = page;
  const title = {
    encoder: "Self-attention",
    decoder: "Masked self-attention",
    cross: "Cross-attention",
  };
  const maps = analysis.maps[kind];
  const heads = changes.headsOn(maps, layer);
  const mean = Array.from(
    { length: maps.columns },
    (_, i) =>
      heads.reduce((sum, head) => sum + maps.at(layer, head, row, i), 0) / (heads.length || 1),
  );
  const most = mean.indexOf(Math.max(...mean));
  const tokens = kind === "decoder" ? analysis.targetTokens : analysis.sourceTokens;
  const label = printable(tokens[most]);
  return {
    name,
    title: `${title[kind]}, layer ${layer + 1}`,
    text:
      `Each head takes something over from the tokens that it looks at; W^O joins what they bring. ` +
      `Most of the attention, ${percent(mean[most])} on the mean of the heads, is on “${label}”.`,
    note: `looks at ${label}`,
    row: record.output,
    numbers: () => [
      vector(
        "what comes in",
        kind === "cross" ? analysis.records.decoder[layer][row].out1 : record.x,
      ),
      vector("query", record.query),
      vector("heads, side by side", record.mixed),
      vector("output, times W^O", record.output),
      button(
        "look at its heads",
        () => page.set({ view: "heads", kind, layer, ...nowhere(), heads: [] }),
        { id: "open-heads" },
      ),
    ],
  };
}

function norm(name, layer, x, added, out) {
  const sum = x.map((value, i) => value + added[i]);
  return {
    name,
    title: `Residual sum and layer norm, layer ${layer + 1}`,
    text:
      "What came in is added to what the part made of it (the residual connection); then the row is " +
      `scaled to mean 0 and deviation 1, times γ, plus β. What is added is ${share(added, x)} times as long as what came in.`,
    note: `+ ${share(added, x)} ×`,
    row: out,
    numbers: () => [
      vector("came in", x),
      vector("added", added),
      vector("sum", sum),
      vector("normalised", out),
    ],
  };
}

function feedForward(name, layer, x, { hidden, fed }) {
  const awake = hidden.filter((value) => value > 0).length;
  return {
    name,
    title: `Feed-forward network, layer ${layer + 1}`,
    text:
      `Each row alone goes through two dense layers: max(0, x W₁ + b₁) W₂ + b₂. ` +
      `${awake} of ${hidden.length} hidden numbers are above zero.`,
    note: `${awake} of ${hidden.length} awake`,
    row: fed,
    numbers: () => [vector("comes in", x), vector("hidden", hidden), vector("output", fed)],
  };
}

function logits({ candidates }, row) {
  const [best] = candidates;
  const text = (one) => `${printable(one.token)} ${percent(Math.exp(one.logProb))}`;
  return {
    name: "logits",
    title: "Logits and softmax",
    text: "The last row gets a score for each token of the vocabulary; softmax makes probabilities of them.",
    note: text(best),
    row,
    numbers: () => [
      vector("last row", row),
      element("ol", {}, ...candidates.map((one) => element("li", { text: text(one) }))),
    ],
  };
}

/** How long one vector is beside another. */
function share(a, b) {
  return digits(Math.sqrt(dot(a, a) / dot(b, b)), 2);
}

/** @param {Page} page */
function stack(page, parts, chosen) {
  const largest = Math.max(...parts.map(({ row }) => Math.max(...row.map(Math.abs))));
  const boxes = parts.map(({ name, title, note, row }) =>
    element(
      "li",
      { class: name.split(" ").at(-1).replace(/\d/, "") },
      element(
        "button",
        {
          type: "button",
          id: `part-${name.replaceAll(" ", "-")}`,
          "aria-pressed": name === chosen.name,
          onclick: () => page.set({ part: name }),
        },
        element("b", { text: title.replace(/, layer.*/, "") }),
        " ",
        element("small", { text: note }),
        strip(row, largest),
      ),
    ),
  );
  return element("ol", { class: "stack" }, ...boxes);
}

/** A vector as a strip of colours. */
function strip(row, largest) {
  const canvas = element("canvas", { width: row.length, height: 1, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  row.forEach((value, i) => {
    context.fillStyle = differenceColor(Math.cbrt(value / largest));
    context.fillRect(i, 0, 1, 1);
  });
  return canvas;
}

/**
 * What would be said after each layer, if it were the last one.
 *
 * @param {Page} page
 */
function lens({ analysis, tokenizers, translator }, step) {
  const found = translator.lens(analysis);
  const layers = found[0].length;
  const header = Array.from({ length: layers }, (_, i) => `after layer ${i + 1}`);
  const lines = found.map((after, i) => {
    const cells = after.map(({ id, logProb, writtenLogProb }, layer) => {
      const label = printable(tokenizers.target.tokens([id])[0]);
      const td = element("td", {
        text: `${label} ${percent(Math.exp(logProb))}`,
        "data-layer": layer,
        "data-log-prob": writtenLogProb,
      });
      return painted(td, mapColor(Math.exp(writtenLogProb)));
    });
    const written = printable(analysis.targetTokens[i + 1]);
    return element(
      "tr",
      { class: i === step ? "chosen" : undefined },
      element("th", { scope: "row", text: written }),
      ...cells,
    );
  });
  return element(
    "section",
    {},
    element("h2", { text: "What the decoder would say after each layer" }),
    hint(
      "Each row of the decoder goes straight from that layer to the logits (“logit lens”): the " +
        "likeliest piece and its probability. The stronger the colour, the likelier the piece that is written in " +
        "the end. Layers before the last one were never trained to answer.",
    ),
    element("div", { class: "scrolls" }, table(["writes", ...header], lines, { id: "lens" })),
  );
}
