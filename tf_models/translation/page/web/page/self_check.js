// The self-check: it says whether the page's numbers and its picture are right, and what was checked.
import { element } from "./dom.js";

/** checks: [{name, passed}]; again(): check once more. */
export function showSelfCheck(place, checks, again) {
  const failed = checks.filter(({ passed }) => !passed);
  const good = failed.length === 0;
  const text = good
    ? `✓ ${checks.length} checks passed`
    : `✗ ${failed.length} of ${checks.length} checks failed`;
  const open = place.querySelector("details")?.open ?? false;
  const items = [...failed, ...checks.filter(({ passed }) => passed)].map(({ name, passed }) =>
    element("li", { class: passed ? "passed" : "failed", text: `${passed ? "✓" : "✗"} ${name}` }),
  );
  const button = element("button", {
    type: "button",
    id: "check-again",
    text: "check again",
    onclick: again,
  });
  place.dataset.good = good;
  place.replaceChildren(
    element(
      "details",
      { open },
      element("summary", { text }),
      element(
        "div",
        { class: "drop" },
        element("p", {
          text: "The page checks its numbers by those that Keras computed, and its picture by its numbers.",
        }),
        element("ul", {}, ...items),
        button,
      ),
    ),
  );
}
