// A tab for each view.
import { element, place } from "./dom.js";
import { rove } from "./roving.js";

/** @param {Page} page */
export function showTabs(page, active) {
  const tabs = page.views.map(({ name, title }) =>
    element("button", {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      text: title,
      "aria-selected": name === active.name,
      "aria-controls": "view",
      onclick: () => page.set({ view: name }, { focus: `tab-${name}` }),
    }),
  );
  place("tabs").replaceChildren(...tabs);
  rove([tabs], { start: [0, page.views.indexOf(active)] });
}
