// Translations by chance, beside those of greedy and beam search.
import { button, digits, element, hint, labelled, table } from "../page/dom.js";
import { LIMITS } from "../page/address.js";

export const samplingView = {
  name: "sampling",
  title: "Sampling",
  render,
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
    hint(
      "Greedy search writes the likeliest piece each time, beam search keeps several translations. " +
        "Sampling draws each piece by chance: the likelier, the more often. A low temperature makes " +
        "likely pieces likelier, a high one gives the others a chance; top-k draws from the k likeliest only.",
    ),
    element(
      "div",
      { class: "controls" },
      labelled(`temperature ${temperature}`, temperatureSlider(page)),
      labelled("top-k", number("count", count, 1, page)),
      labelled("seed", number("seed", seed, 0, page)),
      button("draw again", () => page.set({ seed: seed + DRAWN }), { id: "draw-again" }),
    ),
    translationTable(page, found),
  );
}

/** @param {Page} page */
function temperatureSlider(page) {
  const slider = element("input", {
    type: "range",
    id: "temperature",
    min: LIMITS.temperature[0],
    max: LIMITS.temperature[1],
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
  const { source, off, seed } = page.state;
  const greedy = page.analyse(source, { off });
  const drawn = Array.from({ length: DRAWN }, (_, i) => ({
    how: `by chance, seed ${seed + i}`,
    ...page.translator.sample(greedy.sourceIds, { ...page.state, seed: seed + i }),
  }));
  const sum = greedy.steps.reduce((total, { logProb }) => total + logProb, 0);
  const [best] = page.beams().hypotheses;
  return [
    { how: "greedy", ids: greedy.targetIds.slice(1), logProb: sum },
    { how: `beam of ${page.state.beam}`, ids: best.ids, logProb: best.logProb },
    ...drawn,
  ];
}

/** @param {Page} page */
function translationTable(page, found) {
  const { target } = page.tokenizers;
  const lines = found.map(({ how, ids, logProb }, i) => {
    const open = () => page.set({ chosen: ids, target: null, view: "steps", step: 0 });
    return element(
      "tr",
      {},
      element("th", { scope: "row", text: how }),
      element("td", { class: "words", lang: target.language, text: target.decode(ids) }),
      element("td", { text: digits(logProb, 2), "data-log-prob": logProb }),
      element(
        "td",
        {},
        button("look inside", open, { id: `show-${i}`, "aria-label": `look inside: ${how}` }),
      ),
    );
  });
  return table(["how", "translation", "log P", ""], lines, { id: "drawn" });
}
