// Opens the page.
import { stateOf } from "./address.js";
import { check } from "./checks.js";
import { DARK } from "./colors.js";
import { place } from "./dom.js";
import { connectForm } from "./form.js";
import { showIntro } from "./intro.js";
import { Page } from "./page.js";
import { readPage } from "./page_data.js";
import { showSelfCheck } from "./self_check.js";
import { tourState } from "./tour.js";

async function start() {
  const page = new Page(await readPage());
  if (page.data.inCell) {
    page.hasTour = false;
    place("sentence-form").hidden = true;
  } else showIntro(page);
  place("about").textContent = describe(page);
  connectForm(page);
  globalThis.attentionPage = page; // for the console, and for tests
  place("main").hidden = false;
  page.open(location.hash ? stateOf(location.hash) : firstState(page));
  DARK.addEventListener("change", () => page.render());
}

function describe({ data }) {
  const { parameters: count } = data;
  const size = `${count < 1e6 ? count.toLocaleString("en") : `${(count / 1e6).toFixed(1)} million`} numbers`;
  const { num_layers: layers, num_heads: heads, d_model: width } = data.model;
  return `${size}, ${layers} layers of ${heads} heads, width ${width}; all is computed in this page`;
}

/**
 * The first prepared state, if its sentence is one of those given.
 *
 * @param {Page} page
 */
function firstState(page) {
  const first = page.hasTour ? tourState(page, 1) : {};
  const isGiven = page.sentences.some(({ source }) => source === first.source);
  return { ...stateOf(""), ...(isGiven ? first : {}) };
}

start().catch((error) => {
  const checks = [check("the page can be read", false)];
  showSelfCheck(place("self-check"), checks, () => location.reload());
  throw error;
});
