// Decoding step by step: what is likely, what is chosen, what the step attends to.
import { mapColor, inkOn } from "./colors.js";
import { element, labelled, percent } from "./dom.js";
import { printable } from "./words.js";

export const stepsView = { name: "steps", title: "Steps", render };

const BEAT = 900; // milliseconds of one step when it plays

let clock = 0; // of what goes on by itself; 0 if nothing does

/** @param {Page} page */
function render(page) {
  const { state, analysis } = page;
  const last = analysis.steps.length - 1;
  const number = Math.min(state.step, last);
  const go = (step) => page.set({ step: Math.min(Math.max(step, 0), last) }, { focus: "player" });
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
    button("◀", "one step back", () => go(number - 1)),
    button(clock ? "❚❚ stop" : "▶ play", clock ? "stop" : "play", () => play(page)),
    button("▶", "one step on", () => go(number + 1)),
    element("span", { text: `step ${number + 1} of ${last + 1}` }),
  );
  return element(
    "div",
    {},
    player,
    written(analysis, number),
    element("div", { class: "side-by-side" }, candidates(page, number), attended(page, number)),
    page.translator ? prefixForm(page) : null,
  );
}

function button(text, label, onclick) {
  return element("button", { type: "button", text, "aria-label": label, onclick });
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
    if (page.state.view !== "steps" || next >= last) stopPlaying();
    const here = document.activeElement?.closest("#player") !== null; // nobody types elsewhere
    const focus = here ? "player" : undefined;
    const options = { focus, isNew: false };
    if (page.state.view === "steps") page.set({ step: Math.min(next, last) }, options);
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
  const { id: chosen, candidates: found } = page.analysis.steps[number];
  const lines = found.map(({ id, token, logProb }) => {
    const share = Math.exp(logProb);
    const bar = element("span", { class: "bar" });
    bar.style.width = `${100 * share}%`;
    const text = printable(token);
    const choose = page.translator
      ? element("button", {
          type: "button",
          text,
          "aria-label": `write ${text} here and go on`,
          onclick: () =>
            page.set({ ...beginning(page, number, id), target: null }, { focus: "player" }),
        })
      : text;
    return element(
      "tr",
      { class: id === chosen ? "chosen" : undefined },
      element("th", { scope: "row" }, choose),
      element("td", { text: percent(share), "data-probability": share }),
      element("td", { class: "bars" }, bar),
    );
  });
  return element(
    "table",
    { class: "numbers", id: "candidates" },
    element("caption", { text: "likeliest next pieces" }),
    element("tbody", {}, ...lines),
  );
}

/** What was written before this step, and another piece: the very pieces, and as text. */
function beginning({ analysis, tokenizers }, number, id) {
  const chosen = [...analysis.targetIds.slice(1, number + 1), id];
  return { chosen, prefix: tokenizers.target.decode(chosen) };
}

/** What the step attends to in the source: the mean of the heads of the last layer that are on. */
function attended({ analysis, changes }, number) {
  const { cross } = analysis.maps;
  const layer = cross.layers - 1;
  const heads = changes.headsOn(cross, layer);
  const tokens = analysis.sourceTokens.map((token, column) => {
    const weights = heads.map((head) => cross.at(layer, head, number, column));
    const weight = weights.reduce((sum, one) => sum + one, 0) / (heads.length || 1);
    const color = mapColor(weight);
    const span = element("span", {
      class: "piece",
      text: printable(token),
      title: percent(weight),
    });
    span.style.backgroundColor = color;
    span.style.color = inkOn(color);
    return element("li", {}, span, element("small", { text: percent(weight) }));
  });
  return element(
    "figure",
    {},
    element("figcaption", {
      text: `attends to: cross-attention of the last layer, ${meanOf(heads, cross)}`,
    }),
    element("ul", { class: "attended" }, ...tokens),
  );
}

/** Which heads a mean is of. */
export function meanOf(heads, maps) {
  const all = heads.length === maps.heads;
  return all
    ? "mean of its heads"
    : `mean of the heads that are on, ${heads.length} of ${maps.heads}`;
}

/** @param {Page} page */
function prefixForm(page) {
  const field = element("input", {
    type: "text",
    id: "prefix",
    value: page.state.prefix,
    lang: page.tokenizers.target.language,
  });
  return element(
    "form",
    {
      class: "controls",
      onsubmit(event) {
        event.preventDefault();
        page.set({ prefix: field.value, chosen: [], target: null });
      },
    },
    labelled("the translation must begin with", field),
    element("button", { type: "submit", id: "go-on", text: "go on from there" }),
  );
}
