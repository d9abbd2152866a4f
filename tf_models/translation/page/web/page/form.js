// The form above the views: what is read, and what must be written.
import { element, place } from "./dom.js";

/** @param {Page} page */
export function connectForm(page) {
  const translate = () => {
    const source = place("sentence").value;
    const typed = place("target").value.trim() || null;
    const isOld = source !== page.state.source && typed === page.state.target; // of another sentence
    page.set({ source, target: isOld ? null : typed, chosen: [] });
  };
  place("sentence-form").addEventListener("submit", (event) => {
    event.preventDefault();
    translate();
  });
  place("sentence").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    translate();
  });
  place("sentence").addEventListener("input", () => page.typed());
  place("sentence").lang = page.tokenizers.source.language;
  place("target").lang = page.tokenizers.target.language;
  const given = place("given");
  const options = page.sentences.map(({ source }, i) =>
    element("option", { value: i, text: source }),
  );
  given.replaceChildren(element("option", { value: "", text: "given sentences …" }), ...options);
  given.addEventListener("change", () => {
    const chosen = page.sentences[given.value];
    if (chosen) page.set({ source: chosen.source, target: chosen.target, chosen: [] });
  });
}
