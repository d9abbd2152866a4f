// Beam search that does its sums: every continuation that was compared, and why it stayed or not.
import { digits, element, hint, labelled, table } from "../page/dom.js";
import { rove } from "../page/roving.js";
import { lengthPenalty } from "../model/search.js";
import { LIMITS } from "../page/address.js";
import { printable } from "../model/words.js";

export const beamView = {
  name: "beam",
  title: "Beam",
  render,
  unedited: true,
};

/** @param {Page} page */
function render(page) {
  const { state } = page;
  const { hypotheses, levels } = page.beams();
  const width = element("input", {
    type: "number",
    id: "beam",
    min: LIMITS.beam[0],
    max: LIMITS.beam[1],
    value: state.beam,
    onchange: () => page.set({ beam: Number(width.value) }),
  });
  const sums = element("div", { id: "hypotheses" });
  const penalty = element("input", {
    type: "range",
    id: "alpha",
    min: LIMITS.alpha[0],
    max: LIMITS.alpha[1],
    step: 0.1,
    value: state.alpha,
    "aria-valuetext": String(state.alpha),
    oninput: () => rank(Number(penalty.value)),
    onchange: () => page.set({ alpha: Number(penalty.value) }),
  });
  const slider = labelled("length penalty", penalty);
  const rank = (alpha) => {
    slider.firstChild.textContent = `length penalty α = ${alpha}`;
    sums.replaceChildren(ranking(page, hypotheses, alpha));
  };
  rank(state.alpha);
  return element(
    "div",
    {},
    element("div", { class: "controls" }, labelled("hypotheses kept", width), slider),
    isBound(state)
      ? hint("The search is free: it does not follow the given translation or chosen tokens.", {
          id: "free",
        })
      : null,
    sums,
    tree(page, levels),
  );
}

/** Whether the other views show a translation that was given, or begun, by hand. */
const isBound = ({ target, chosen }) => target !== null || chosen.length > 0;

/**
 * The results, ranked with the penalty that the slider shows.
 *
 * @param {Page} page
 */
function ranking(page, hypotheses, alpha) {
  const { target } = page.tokenizers;
  const ranked = hypotheses
    .map((one) => ({ ...one, penalty: lengthPenalty(one.ids.length, alpha) }))
    .map((one) => ({ ...one, score: one.logProb / one.penalty }))
    .sort((a, b) => b.ended - a.ended || b.score - a.score);
  const lines = ranked.map((one, i) => {
    const cells = [digits(one.logProb), one.ids.length, digits(one.penalty), digits(one.score)];
    return element(
      "tr",
      { class: i ? undefined : "chosen" },
      element("th", { scope: "row", text: `${target.decode(one.ids)}${one.ended ? "" : " …"}` }),
      ...cells.map((text) => element("td", { text })),
    );
  });
  const header = [
    "translation",
    "log P",
    "length",
    "penalty ((5 + length) / 6)^α",
    "log P / penalty",
  ];
  return table(header, lines);
}

/**
 * The tree as a grid: a column for each length, the likeliest above; a node shows its path.
 *
 * @param {Page} page
 */
function tree(page, levels) {
  const nodes = new Map(levels.flat().map((node) => [node.node, node]));
  const { target } = page.tokenizers;
  const sum = element("p", {
    class: "result",
    role: "status",
    id: "sum",
    text: "Choose a node to see its sum.",
  });
  const elements = new Map();
  const cells = levels.map((level) =>
    level.map((node) => {
      const text = printable(target.tokens([node.id])[0]);
      const td = element(
        "td",
        {
          role: "gridcell",
          class: `node ${node.fate}`,
          "aria-label": `${text} ${digits(node.logProb, 2)}, ${reason(node)}`,
          "data-node": node.node,
        },
        element("b", { text }),
        " ",
        element("small", { text: digits(node.logProb, 2) }),
      );
      elements.set(node.node, td);
      return td;
    }),
  );
  const ranks = Array.from({ length: Math.max(...cells.map((level) => level.length)) }, (_, rank) =>
    cells.map((level) => level[rank]),
  );
  const show = (node) => {
    const path = pathOf(node, nodes);
    for (const [number, td] of elements)
      td.classList.toggle(
        "path",
        path.some((one) => one.node === number),
      );
    sum.textContent = sumOf(path, target);
  };
  rove(ranks, { onMove: (rank, length) => show(levels[length][rank]) });
  levels.forEach((level, i) =>
    level.forEach((node, rank) => cells[i][rank].addEventListener("mouseenter", () => show(node))),
  );
  const header = levels.map((_, i) => element("th", { scope: "col", text: i + 1 }));
  const rows = ranks.map((row, rank) =>
    element("tr", {}, element("th", { scope: "row", text: rank + 1 }), ...row),
  );
  return element(
    "figure",
    { class: "scrolls" },
    element("figcaption", {
      text: "the likeliest continuations at each length; log-probability of all up to there",
    }),
    sum,
    element(
      "table",
      { class: "beam", role: "grid", "aria-label": "beam search" },
      element("thead", {}, element("tr", {}, element("td", { text: "rank" }), ...header)),
      element("tbody", {}, ...rows),
    ),
  );
}

function reason({ fate, rank }) {
  if (fate === "dropped") return `dropped at rank ${rank}`;
  return fate === "ended" ? `ended at rank ${rank}` : `kept at rank ${rank}`;
}

function pathOf(node, nodes) {
  const path = [];
  for (let one = node; one; one = nodes.get(one.parentNode)) path.unshift(one);
  return path;
}

/**
 * "_Der _Hund: −0.10 + −0.21 = −0.31; length 2, dropped at rank 6"
 *
 * A term is the difference of two sums as they are printed, so that the terms add up as printed.
 */
function sumOf(path, target) {
  const last = path.at(-1);
  const text = path.map(({ id }) => printable(target.tokens([id])[0])).join(" ");
  const printed = path.map(({ logProb }) => Number(logProb.toFixed(2)));
  const gains = printed.map((sum, i) => sum - (printed[i - 1] ?? 0));
  const terms = gains.map((gain) => digits(gain, 2)).join(" + ");
  const score =
    last.score === undefined
      ? ""
      : `, penalty ${digits(last.logProb / last.score)}, score ${digits(last.score)}`;
  return `${text}: ${terms} = ${digits(last.logProb, 2)}; length ${last.length}${score}; ${reason(last)}`;
}
