// Makes elements. Texts are set as texts, never read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element of an id, which page.html or the shown view has.
 *
 * @param {string} id
 * @returns {HTMLInputElement} or any other element; an input has what the others have
 */
export const place = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** An element with attributes (or `on…` listeners, `class`, `text`) and children. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("aria-") && value !== undefined) node.setAttribute(name, String(value));
    else if (value === undefined || value === null || value === false) continue;
    else if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function button(text, onclick, attributes = {}) {
  return element("button", { type: "button", text, onclick, ...attributes });
}

/** A button that keeps its state visible to all: pressed or not. */
export function toggle(text, pressed, onclick, attributes = {}) {
  return button(text, onclick, { "aria-pressed": pressed, ...attributes });
}

export function hint(text, attributes = {}) {
  return element("p", { class: "hint", text, ...attributes });
}

export function labelled(text, control) {
  return element("label", { class: "control" }, element("span", { text }), control);
}

/** A drop-down list; options are [value, text]. */
export function choice(options, chosen, onchange, attributes = {}) {
  const items = options.map(([value, text]) =>
    element("option", { value, text, selected: String(value) === String(chosen) }),
  );
  const select = element("select", attributes, ...items);
  select.addEventListener("change", () => onchange(select.value));
  return select;
}

/** A table of numbers: texts above its columns ("" for none), and its rows. */
export function table(header, rows, attributes = {}) {
  const above = header.map((text) =>
    element(text ? "th" : "td", { scope: text ? "col" : undefined, text }),
  );
  return element(
    "table",
    { class: "numbers", ...attributes },
    element("thead", {}, element("tr", {}, ...above)),
    element("tbody", {}, ...rows),
  );
}

/** A bar as long as a share of what it stands in. */
export function bar(share) {
  const drawn = element("span", { class: "bar" });
  drawn.style.width = `${100 * share}%`;
  return drawn;
}

/** A number as a percentage: "71 %"; what is not quite nothing or all says so. */
export function percent(share) {
  const value = 100 * share;
  if (value > 0 && value < 0.95) return "<1 %";
  return value < 100 && value >= 99.5 ? ">99 %" : `${Math.round(value)} %`;
}

/** A number with a fixed number of digits and a true minus sign, but none before zero. */
export function digits(value, count = 3) {
  const text = value.toFixed(count);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}
