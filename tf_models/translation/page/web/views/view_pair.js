// Two sentences side by side: what one word changes in every head.
import { alignedItems } from "../model/alignment.js";
import { whatIsDrawn, kindAndLayer } from "./controls.js";
import { differenceColor, painted } from "../page/colors.js";
import { Display } from "./display.js";
import { corner } from "./map_grid.js";
import { bar, button, digits, element, hint, labelled } from "../page/dom.js";
import { smallMap } from "./overview.js";
import { isSpecial } from "../model/words.js";

export const pairView = { name: "pair", title: "Two sentences", render, unedited: true };

/** @param {Page} page */
function render(page) {
  const { state } = page;
  const second = page.secondAnalysis();
  if (!second) return element("div", {}, chooser(page), hint("Write or choose a second sentence."));
  if (second.error)
    return element("div", {}, chooser(page), element("p", { class: "error", text: second.error }));
  const first = page.unedited();
  const options = { ...state, words: true };
  const pair = [first, second].map((one) => new Display(one, state.kind, options));
  const difference = new Difference(pair[0], pair[1]);
  const ranked = difference.ranked();
  const [most] = ranked;
  const chosen = state.pairHead ?? [most.layer, most.head];
  return element(
    "div",
    {},
    chooser(page),
    element("p", {}, "1: ", element("b", { text: first.text })),
    element("p", {}, "2: ", element("b", { text: second.text })),
    kindAndLayer(page, { layers: false }),
    element("div", { class: "controls" }, ...whatIsDrawn(page)),
    pair[0].complete ? null : hint(pair[0].note()),
    element(
      "div",
      { class: "side-by-side" },
      ranking(page, ranked, difference, chosen),
      element(
        "figure",
        { class: "scrolls" },
        element("figcaption", {
          text: `layer ${chosen[0] + 1}, head ${chosen[1] + 1}: sentence 2 minus sentence 1, percentage points`,
        }),
        table(difference, chosen[0], chosen[1]),
      ),
    ),
  );
}

/** Words that stand in each other's place, and what changes between them. */
class Difference {
  constructor(first, second) {
    this.pair = [first, second];
    this.rows = this.aligned("rows");
    this.columns = this.aligned("columns");
  }

  /** Pairs of places of words, without start and end, which are the same in each sentence. */
  aligned(side) {
    const [first, second] = this.pair.map((display) => display[side].map(({ label }) => label));
    return alignedItems(first, second).filter(([i]) => !isSpecial(first[i]));
  }

  /** Weights of the second sentence minus those of the first, row after row. */
  values(layer, head) {
    const [before, after] = this.pair.map((display) => display.weights(layer, head));
    const [width1, width2] = this.pair.map((display) => display.columns.length);
    return this.rows.flatMap(([r1, r2]) =>
      this.columns.map(([c1, c2]) => after[r2 * width2 + c2] - before[r1 * width1 + c1]),
    );
  }

  /** Heads by their mean absolute difference, the largest first. */
  ranked() {
    const all = this.pair[0].maps.everyHead().map(([layer, head]) => {
      const values = this.values(layer, head);
      const change = values.reduce((sum, value) => sum + Math.abs(value), 0) / (values.length || 1);
      return { layer, head, values, change };
    });
    return all.sort((a, b) => b.change - a.change);
  }

  label(side, [first, second]) {
    const [before, after] = this.pair.map((display) => display[side]);
    const [a, b] = [before[first].label, after[second].label];
    return a === b ? a : `${a} / ${b}`;
  }
}

/** @param {Page} page */
function chooser(page) {
  const field = element("input", {
    type: "text",
    id: "second",
    value: page.state.second,
    lang: page.tokenizers.source.language,
  });
  const others = page.sentences.filter(({ source }) => source !== page.state.source);
  return element(
    "form",
    {
      class: "controls",
      onsubmit(event) {
        event.preventDefault();
        page.set({ second: field.value });
      },
    },
    labelled("second sentence", field),
    element("button", { type: "submit", id: "compare", text: "compare" }),
    ...others
      .slice(0, 3)
      .map(({ source }, i) =>
        button(source, () => page.set({ second: source }), { id: `compare-${i}` }),
      ),
  );
}

/** @param {Page} page */
function ranking(page, ranked, difference, [layer, head]) {
  const largest = ranked[0]?.change || 1;
  const items = ranked.map((one) => {
    const canvas = smallMap(one.values, difference.rows.length, difference.columns.length, {
      color: differenceColor,
    });
    canvas.setAttribute("aria-hidden", "true");
    const pressed = one.layer === layer && one.head === head;
    const off = page.changes.isOff(page.state.kind, one.layer, one.head) ? " (off)" : "";
    const text = `layer ${one.layer + 1}, head ${one.head + 1}${off}: ${digits(100 * one.change, 1)}`;
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          id: `change-${one.layer}-${one.head}`,
          class: "ranked",
          "aria-pressed": pressed,
          onclick: () => page.set({ pairHead: [one.layer, one.head] }),
        },
        canvas,
        element("span", { text }),
      ),
      element("span", { class: "bars" }, bar(one.change / largest)),
    );
  });
  return element(
    "div",
    {},
    element("h2", { text: "Heads by their mean change, percentage points" }),
    element("ol", { class: "ranking", id: "ranking" }, ...items),
  );
}

function table(difference, layer, head) {
  const values = difference.values(layer, head);
  const header = difference.columns.map((pair) =>
    element(
      "th",
      { scope: "col", class: "label" },
      element("span", { text: difference.label("columns", pair) }),
    ),
  );
  const rows = difference.rows.map((pair, i) => {
    const cells = difference.columns.map((_, j) => {
      const value = values[i * difference.columns.length + j];
      const td = element("td", { "data-difference": value, text: digits(100 * value, 0) });
      return painted(td, differenceColor(value));
    });
    return element(
      "tr",
      {},
      element("th", { scope: "row", text: difference.label("rows", pair) }),
      ...cells,
    );
  });
  return element(
    "table",
    { class: "map" },
    element("thead", {}, element("tr", {}, corner(difference.pair[0].kind), ...header)),
    element("tbody", {}, ...rows),
  );
}
