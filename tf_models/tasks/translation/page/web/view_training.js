// One sentence's maps, epoch by epoch.
import { changedNumbers, headTiles, kindAndLayer } from "./controls.js";
import { Display, sentenceOf } from "./display.js";
import { element, labelled } from "./dom.js";
import { mapGrid } from "./map_grid.js";

export const trainingView = {
  name: "training",
  title: "Training",
  render,
  isFor: ({ epochs }) => epochs.length > 0,
  changes: true,
};

/** @param {Page} page */
function render(page) {
  const { state, epochs, sentences } = page;
  const slider = element("input", {
    type: "range",
    id: "epoch",
    min: 0,
    max: epochs.length - 1,
    value: state.epoch,
    oninput: () => show(Number(slider.value)), // the slider stays, or it could not be dragged
    onchange: () => page.set({ epoch: Number(slider.value) }, { focus: "epoch" }),
  });
  const named = labelled("epoch", slider);
  const map = element("figure", { class: "scrolls" });
  const show = (number) => {
    const text = `epoch ${epochs[number].epoch}`;
    named.firstChild.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    map.replaceChildren(
      element("figcaption", {
        text: `“${sentences[0].source}”, made to write “${sentences[0].text}”`,
      }),
      ...mapOf(page, epochs[number]),
    );
  };
  show(state.epoch);
  return element(
    "div",
    {},
    kindAndLayer(page),
    headTiles(page),
    element("div", { class: "controls" }, named, ...changedNumbers(page)),
    map,
  );
}

/** @param {Page} page */
function mapOf(page, { maps, valueNorms }) {
  const { state, sentences } = page;
  const display = new Display({ ...sentences[0], maps, valueNorms }, state.kind, state);
  const grid = mapGrid(display, state.layer, state.head, {
    selected: [0, 0],
    locked: null,
    onSelect: (row, column) => page.say(sentenceOf(display, state.layer, state.head, row, column)),
    onLock() {},
    onEscape() {},
    onDrag: null,
  });
  const note = display.note(state.layer, state.head);
  return note ? [grid, element("p", { class: "hint", text: note })] : [grid];
}
