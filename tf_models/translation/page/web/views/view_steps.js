// Decoding step by step: what is likely, what is chosen, what the step attends to.
import { mapColor, painted } from "../page/colors.js";
import { bar, button, element, labelled, percent, table } from "../page/dom.js";
import { printable } from "../model/words.js";

export const stepsView = { name: "steps", title: "Steps", render };

const BEAT = 900; // milliseconds of one step when it plays

let clock = 0; // of what goes on by itself; 0 if nothing does

/** @param {Page} page */
function render(page) {
  const { state, analysis } = page;
  const last = analysis.steps.length - 1;
  const number = Math.min(state.step, last);
  const go = (step) => page.set({ step: Math.min(Math.max(step, 0), last) }, { focus: "player" });
  const named = (text, name, onclick) => button(text, onclick, { "aria-label": name });
  const player = element(
    "div",
    {
      class: "player",
      id: "player",
      tabindex: 0,
      role: "group",
      "aria-label": "steps: arrows move, Space plays",
      onkeydown(event) {
        if (event.target !== player) return;
        const next = { ArrowRight: number + 1, ArrowLeft: number - 1, Home: 0, End: last }[
          event.key
        ];
        if (event.key === " ") play(page);
        else if (next !== undefined) go(next);
        else return;
        event.preventDefault();
      },
    },
    named("◀", "one step back", () => go(number - 1)),
    named(clock ? "❚❚ stop" : "▶ play", clock ? "stop" : "play", () => play(page)),
    named("▶", "one step on", () => go(number + 1)),
    element("span", { text: `step ${number + 1} of ${last + 1}` }),
  );
  return element(
    "div",
    {},
    player,
    written(analysis, number),
    element("div", { class: "side-by-side" }, candidates(page, number), attended(page, number)),
    page.translator ? beginningForm(page) : null,
  );
}

/**
 * Go on by itself until the end; a second call stops.
 *
 * @param {Page} page
 */
function play(page) {
  if (clock) {
    stopPlaying();
    page.set({}, { focus: "player" });
    return;
  }
  const last = page.analysis.steps.length - 1;
  const start = page.state.step >= last ? 0 : page.state.step;
  clock = setInterval(() => {
    const next = page.state.step + 1;
    if (next >= last) stopPlaying();
    const here = document.activeElement?.closest("#player") !== null; // nobody types elsewhere
    page.set({ step: Math.min(next, last) }, { focus: here ? "player" : undefined, isNew: false });
  }, BEAT);
  page.set({ step: start }, { focus: "player" });
}

export function stopPlaying() {
  clearInterval(clock);
  clock = 0;
}

function written({ targetTokens }, number) {
  const tokens = targetTokens.slice(0, number + 2).map(printable);
  return element(
    "p",
    { class: "written", id: "written" },
    ...tokens.flatMap((text, i) => [
      element(i === number + 1 ? "mark" : "span", { class: "piece", text }),
      " ",
    ]),
  );
}

/** @param {Page} page */
function candidates(page, number) {
  const { targetIds, steps } = page.analysis;
  const { id: chosen, candidates: found } = steps[number];
  const lines = found.map(({ id, token, logProb }) => {
    const share = Math.exp(logProb);
    const text = printable(token);
    const write = () =>
      page.set(
        { chosen: [...targetIds.slice(1, number + 1), id], target: null },
        { focus: "player" },
      );
    const choose = button(text, write, { "aria-label": `write ${text} here and go on` });
    return element(
      "tr",
      { class: id === chosen ? "chosen" : undefined },
      element("th", { scope: "row" }, page.translator ? choose : text),
      element("td", { text: percent(share), "data-probability": share }),
      element("td", { class: "bars" }, bar(share)),
    );
  });
  return table(["likeliest next pieces", "", ""], lines, { id: "candidates" });
}

/** What the step attends to in the source: the mean of the heads of the last layer that are on. */
function attended({ analysis, changes }, number) {
  const { cross } = analysis.maps;
  const layer = cross.layers - 1;
  const heads = changes.headsOn(cross, layer);
  const tokens = analysis.sourceTokens.map((token, column) => {
    const weights = heads.map((head) => cross.at(layer, head, number, column));
    const weight = weights.reduce((sum, one) => sum + one, 0) / (heads.length || 1);
    const piece = element("span", { class: "piece", text: printable(token) });
    return element(
      "li",
      {},
      painted(piece, mapColor(weight)),
      element("small", { text: percent(weight) }),
    );
  });
  const mean = `mean of the ${heads.length} heads that are on`;
  return element(
    "figure",
    {},
    element("figcaption", { text: `attends to: cross-attention of the last layer, ${mean}` }),
    element("ul", { class: "attended" }, ...tokens),
  );
}

/** @param {Page} page */
function beginningForm(page) {
  const { target } = page.tokenizers;
  const field = element("input", {
    type: "text",
    id: "beginning",
    value: target.decode(page.state.chosen),
    lang: target.language,
  });
  return element(
    "form",
    {
      class: "controls",
      onsubmit(event) {
        event.preventDefault();
        page.set({ chosen: target.encodePieces(field.value), target: null });
      },
    },
    labelled("the translation must begin with", field),
    element("button", { type: "submit", text: "go on from there" }),
  );
}
