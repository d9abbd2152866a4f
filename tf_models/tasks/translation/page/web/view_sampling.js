// Translations by chance, beside those of greedy and beam search.
import { digits, element, labelled } from "./dom.js";
import { MAX_TEMPERATURE, MIN_TEMPERATURE } from "./state_validation.js";

export const samplingView = {
  name: "sampling",
  title: "Sampling",
  render,
  isFor: ({ translator }) => translator !== null,
  unedited: true,
};

const DRAWN = 5; // translations

/** @param {Page} page */
function render(page) {
  const { temperature, count, seed } = page.state;
  const found = translations(page);
  return element(
    "div",
    {},
    element("p", {
      class: "hint",
      text:
        "Greedy search writes the likeliest piece each time, beam search keeps several translations. " +
        "Sampling draws each piece by chance: the likelier, the more often. A low temperature makes " +
        "likely pieces likelier, a high one gives the others a chance; top-k draws from the k likeliest only.",
    }),
    element(
      "div",
      { class: "controls" },
      labelled(`temperature ${temperature}`, temperatureSlider(page)),
      labelled("top-k", number("count", count, 1, page)),
      labelled("seed", number("seed", seed, 0, page)),
      element("button", {
        type: "button",
        id: "draw-again",
        text: "draw again",
        onclick: () => page.set({ seed: seed + DRAWN }),
      }),
    ),
    table(page, found),
  );
}

/** @param {Page} page */
function temperatureSlider(page) {
  const slider = element("input", {
    type: "range",
    id: "temperature",
    min: MIN_TEMPERATURE,
    max: MAX_TEMPERATURE,
    step: 0.1,
    value: page.state.temperature,
    onchange: () => page.set({ temperature: Number(slider.value) }),
  });
  return slider;
}

function number(name, value, min, page) {
  const field = element("input", {
    type: "number",
    id: name,
    min,
    value,
    onchange: () => page.set({ [name]: Math.max(Math.round(Number(field.value)), min) }),
  });
  return field;
}

/**
 * [{how, ids, logProb}]: greedy, the beam's best, and some by chance, each with a seed of its own.
 *
 * @param {Page} page
 */
function translations(page) {
  const { source, off, temperature, count, seed } = page.state;
  const greedy = page.analyse(source, { off });
  const { sourceIds } = greedy;
  const drawn = Array.from({ length: DRAWN }, (_, i) => {
    const question = { name: "sample", sourceIds, off, temperature, count, seed: seed + i };
    return { how: `by chance, seed ${seed + i}`, ...page.asking.answer(question) };
  });
  const sum = greedy.steps.reduce((total, { logProb }) => total + logProb, 0);
  const [best] = page.beams().hypotheses;
  return [
    { how: "greedy", ids: greedy.targetIds.slice(1), logProb: sum },
    { how: `beam of ${page.state.beam}`, ids: best.ids, logProb: best.logProb },
    ...drawn,
  ];
}

/** @param {Page} page */
function table(page, found) {
  const { target } = page.tokenizers;
  const lines = found.map(({ how, ids, logProb }, i) => {
    const button = element("button", {
      type: "button",
      id: `show-${i}`,
      text: "look inside",
      "aria-label": `look inside: ${how}`,
      onclick: () => page.set({ chosen: ids, prefix: "", target: null, view: "steps", step: 0 }),
    });
    return element(
      "tr",
      {},
      element("th", { scope: "row", text: how }),
      element("td", { class: "words", lang: target.language, text: target.decode(ids) }),
      element("td", { text: digits(logProb, 2), "data-log-prob": logProb }),
      element("td", {}, button),
    );
  });
  const header = ["how", "translation", "log P"].map((text) =>
    element("th", { scope: "col", text }),
  );
  return element(
    "table",
    { class: "numbers", id: "drawn" },
    element("thead", {}, element("tr", {}, ...header, element("td"))),
    element("tbody", {}, ...lines),
  );
}
