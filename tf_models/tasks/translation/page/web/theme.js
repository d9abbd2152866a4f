// Light or dark, by the system or by hand; light on paper.
import { place } from "./dom.js";

/** @param {Page} page */
export function connectTheme(page) {
  const theme = place("theme");
  const show = (name) => {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    page.redraw();
  };
  place("theme-label").hidden = false;
  theme.addEventListener("change", () => show(theme.value));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.redraw());
  addEventListener("beforeprint", () => show("light"));
  addEventListener("afterprint", () => show(theme.value));
}
