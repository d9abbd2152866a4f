// A tab for each view.
import { element, place } from "./dom.js";
import { rove } from "./roving.js";

export function showTabs(page, active) {
  const tabs = page.views.map(({ name, title }) =>
    element("button", {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      text: title,
      "aria-selected": name === active.name,
      "aria-controls": "view",
      onclick: () => openView(page, name),
    }),
  );
  place("tabs").replaceChildren(...tabs);
  rove([tabs], { start: [0, page.views.indexOf(active)] });
}

/** One cell is of pieces: a word's cell is a sum of several. */
function openView(page, name) {
  const { state, display } = page;
  const patch = { view: name };
  if (name === "cell") {
    const row = display.rows[state.row]?.start ?? null;
    const column = display.columns[state.column]?.start ?? null;
    Object.assign(patch, { words: false, marks: true, values: false, row, column });
  }
  page.set(patch, { focus: `tab-${name}` });
}
