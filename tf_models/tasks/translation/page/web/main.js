// Opens the page; in a Worker, which runs the same script, the model answers the page.
import { stateOf } from "./address.js";
import { showSelfCheck } from "./self_check.js";
import { check } from "./checks.js";
import { place } from "./dom.js";
import { connectForm } from "./form.js";
import { showIntro } from "./intro.js";
import { Page } from "./page.js";
import { readPage } from "./page_data.js";
import { serve } from "./server.js";
import { connectTheme } from "./theme.js";
import { tourState } from "./tour.js";

function describe({ data, translator }) {
  const { parameters: count, sentences } = data;
  const size = `${count < 1e6 ? count.toLocaleString("en") : `${(count / 1e6).toFixed(1)} million`} numbers`;
  if (!translator) return `${size}; given sentences: ${sentences.length}, computed by Keras`;
  const { num_layers: layers, num_heads: heads, d_model: width } = data.model;
  return `${size}, ${layers} layers of ${heads} heads, width ${width}; all is computed in this page`;
}

async function start(script) {
  const contents = await readPage(script);
  const page = new Page(contents);
  showIntro(page);
  place("about").textContent = describe(page);
  connectForm(page);
  connectTheme(page);
  place("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address holds the state
    place("view").focus();
  });
  globalThis.attentionPage = page; // for the console, and for tests
  place("main").hidden = false;
  const first = () => (location.hash ? stateOf(location.hash) : firstState(page));
  await page.open(await page.asking.attempt(first));
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

if (typeof document === "undefined") {
  serve(globalThis);
  postMessage("here");
} else {
  start(document.currentScript?.textContent).catch((error) => {
    const checks = [check("the page can be read", false)];
    showSelfCheck(place("self-check"), checks, () => location.reload());
    throw error;
  });
}
