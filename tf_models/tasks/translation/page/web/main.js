// Opens the page.
import { stateOf } from "./address.js";
import { showSelfCheck } from "./self_check.js";
import { check } from "./checks.js";
import { place } from "./dom.js";
import { connectForm } from "./form.js";
import { Page } from "./page.js";
import { readPage } from "./page_data.js";
import { connectTheme } from "./theme.js";

function describe({ data, model }) {
  const { parameters: count, sentences } = data;
  const size = `${count < 1e6 ? count.toLocaleString("en") : `${(count / 1e6).toFixed(1)} million`} numbers`;
  if (!model) return `${size}; given sentences: ${sentences.length}, computed by Keras`;
  const { num_layers: layers, num_heads: heads, d_model: width } = data.model;
  return `${size}, ${layers} layers of ${heads} heads, width ${width}; all is computed in this page`;
}

async function start() {
  const contents = await readPage();
  const page = new Page(contents, stateOf(location.hash));
  place("about").textContent = describe(page);
  connectForm(page);
  connectTheme(page);
  globalThis.attentionPage = page; // for the console, and for tests
  addEventListener("hashchange", () => page.show(stateOf(location.hash)));
  place("main").hidden = false;
  page.render();
}

start().catch((error) => {
  const checks = [check("the page can be read", false)];
  showSelfCheck(place("self-check"), checks, () => location.reload());
  throw error;
});
