// One sentence's maps, epoch by epoch.
import { headTiles, kindAndLayer } from "./controls.js";
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

function render(page) {
  const { state, epochs, sentences } = page;
  const number = state.epoch;
  const display = new Display({ ...sentences[0], maps: epochs[number].maps }, state.kind, state);
  const slider = element("input", {
    type: "range",
    id: "epoch",
    min: 0,
    max: epochs.length - 1,
    value: number,
    "aria-valuetext": `epoch ${epochs[number].epoch}`,
    oninput: () => page.set({ epoch: Number(slider.value) }, { focus: "epoch" }),
  });
  return element(
    "div",
    {},
    kindAndLayer(page),
    headTiles(page),
    element("div", { class: "controls" }, labelled(`epoch ${epochs[number].epoch}`, slider)),
    element(
      "figure",
      { class: "scrolls" },
      element("figcaption", {
        text: `“${sentences[0].source}”, made to write “${sentences[0].text}”`,
      }),
      mapGrid(display, state.layer, state.head, {
        selected: [0, 0],
        locked: null,
        onSelect: (row, column) =>
          page.say(sentenceOf(display, state.layer, state.head, row, column)),
        onLock() {},
        onEscape() {},
        onDrag: null,
      }),
    ),
  );
}
