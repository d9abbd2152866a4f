// Joins everything: the state, what is computed from it, and the view that shows it.
import { hashOf, stateOf } from "./address.js";
import { commonItems } from "./alignment.js";
import { showBadge } from "./badge.js";
import { Changes, rescaledRow } from "./changes.js";
import { check, checkAgreement, checkGrid, checkMaps, checkStored } from "./checks.js";
import { changesPanel, nowhere } from "./controls.js";
import { Display } from "./display.js";
import { element } from "./dom.js";
import { readPage } from "./page_data.js";
import { rove } from "./roving.js";
import { SentenceError, Translator } from "./translator.js";
import { beamView } from "./view_beam.js";
import { cellView } from "./view_cell.js";
import { headsView } from "./view_heads.js";
import { layersView } from "./view_layers.js";
import { pairView } from "./view_pair.js";
import { stepsView, stopPlaying } from "./view_steps.js";
import { trainingView } from "./view_training.js";
import { witnessesView } from "./view_witnesses.js";

const VIEWS = [
  headsView,
  layersView,
  cellView,
  stepsView,
  beamView,
  pairView,
  witnessesView,
  trainingView,
];

const place = (id) => document.getElementById(id);

class Page {
  constructor(contents, state) {
    Object.assign(this, contents);
    this.translator = this.model && new Translator(this.model, this.tokenizers, this.data.longest);
    this.views = VIEWS.filter(
      (view) => (!view.live || this.model) && (!view.epochs || this.epochs.length),
    );
    this.state = state;
    this.settle();
    this.compute();
  }

  /** Make the state one that this page can show. */
  settle() {
    const { state } = this;
    if (!this.views.some(({ name }) => name === state.view)) state.view = "heads";
    if (!(state.kind in this.data.kinds)) state.kind = "cross";
    if (!state.source) {
      const [first] = this.sentences;
      Object.assign(state, { source: first.source, target: first.target });
    }
    if (!this.translator && !this.storedView()) state.source = this.sentences[0].source;
    const { layers, heads } = this.sentences[0].maps[state.kind];
    state.layer = inRange(state.layer ?? layers - 1, layers);
    state.head = inRange(state.head, heads);
    state.step = Math.max(0, Math.floor(state.step));
    state.beam = Math.min(Math.max(Math.floor(state.beam), 2), 10);
    state.heads = state.heads.filter((head) => Number.isInteger(head) && head >= 0);
    state.edits = state.edits.filter((edit) => edit?.kind in this.data.kinds && wholeEdit(edit));
    state.off = state.off.filter((name) => /^(encoder|decoder|cross) \d+ \d+$/.test(name));
  }

  /** The view of the sentence that Keras computed, if it is one of those given. */
  storedView() {
    const { source, target } = this.state;
    return this.sentences.find(
      (one) => one.source === source && (!this.translator || one.target === target),
    );
  }

  gradientTimesInput() {
    const stored = this.storedView();
    const same = stored && String(stored.targetIds) === String(this.analysis.targetIds);
    return same && this.changes.none ? stored.gradientTimesInput : null;
  }

  /** Compute the analysis of the state: without changes (`original`), and with them. */
  compute() {
    const { source, target, prefix } = this.state;
    if (!this.translator) {
      this.original = this.analysis = this.storedView();
      this.changes = this.headChanges = new Changes();
    } else {
      this.original = this.remember(`${source}\n${target}\n${prefix}`, () =>
        this.translator.analyse(source, { target, prefix }),
      );
      this.changes = this.changesOf(this.original);
      this.headChanges = this.changes.copy();
      this.headChanges.rows.clear(); // they fit this one sentence
      this.analysis = this.changes.none
        ? this.original
        : this.translator.analyse(source, { target, prefix, changes: this.changes });
    }
    this.display = new Display(this.analysis, this.state.kind, this.state);
    const { row, column } = this.state;
    if (!this.display.rows[row] || !this.display.columns[column]) {
      Object.assign(this.state, nowhere());
    }
  }

  remember(key, make) {
    if (this.remembered?.key !== key) this.remembered = { key, value: make() };
    return this.remembered.value;
  }

  changesOf(original) {
    const changes = new Changes();
    for (const name of this.state.off) changes.off.add(name);
    for (const { kind, layer, head, row, column, weight } of this.state.edits) {
      const maps = original.maps[kind];
      if (!(layer < maps.layers && head < maps.heads && row < maps.rows && column < maps.columns))
        continue;
      const length = kind === "decoder" ? row + 1 : maps.columns; // of what the row may look at
      if (column >= length) continue;
      const before =
        changes.row(kind, layer, head, row) ?? maps.row(layer, head, row).subarray(0, length);
      changes.setRow(kind, layer, head, row, rescaledRow(before, column, weight));
    }
    return changes;
  }

  beams() {
    const { source, beam, alpha } = this.state;
    return this.translator.search(source, { beam, alpha, changes: this.headChanges });
  }

  /** The analysis of the second sentence, {error} if it cannot be read, null if there is none. */
  secondAnalysis() {
    const { second } = this.state;
    if (!second) return null;
    const stored = this.sentences.find(({ source }) => source === second);
    if (!this.translator) return stored ?? { error: "this page holds given sentences only" };
    try {
      return this.translator.analyse(second, { changes: this.headChanges });
    } catch (error) {
      return failure(error);
    }
  }

  switchOff(heads, off) {
    const { kind, layer } = this.state;
    const changes = this.changes.copy();
    for (const head of heads) changes.setOff(kind, layer, head, off);
    this.set({ off: [...changes.off] });
  }

  /** Switch all heads of the layer off but one; all on again if it is so already. */
  leaveOnly(head) {
    const { kind, layer } = this.state;
    const others = [...Array(this.analysis.maps[kind].heads).keys()].filter(
      (other) => other !== head,
    );
    const alone = others.every((other) => this.changes.isOff(kind, layer, other));
    const changes = this.changes.copy();
    for (const other of others) changes.setOff(kind, layer, other, !alone);
    changes.setOff(kind, layer, head, false);
    this.set({ off: [...changes.off] });
  }

  /** Give a cell of the shown map another weight; its row is rescaled. */
  edit(row, column, weight) {
    const { kind, layer, head } = this.state;
    const rows = this.display.rows[row];
    const columns = this.display.columns[column];
    if (rows.end - rows.start !== 1 || columns.end - columns.start !== 1) {
      this.say("a word of several pieces has no row of its own: turn whole words off to change it");
      this.set({ row, column });
      return;
    }
    const edit = { kind, layer, head, row: rows.start, column: columns.start, weight };
    const same = ["kind", "layer", "head", "row", "column"];
    const others = this.state.edits.filter((other) =>
      same.some((name) => other[name] !== edit[name]),
    );
    this.set({ row, column, edits: [...others, edit] }, { focus: "grid" });
  }

  /** Change the state and show what comes of it. focus: "grid", or an id, to be focused again. */
  set(patch, { focus } = {}) {
    const before = { ...this.state };
    Object.assign(this.state, patch);
    if (patch.source !== undefined && patch.source !== before.source) {
      Object.assign(this.state, nowhere(), { edits: [], step: 0, prefix: patch.prefix ?? "" });
    }
    place("error").textContent = "";
    try {
      this.settle();
      this.compute();
    } catch (error) {
      this.state = before;
      place("error").textContent = failure(error).error;
      this.compute();
    }
    if (this.state.view !== "steps") stopPlaying();
    this.render();
    if (focus === "grid") document.querySelector("#view [role=grid] [tabindex='0']")?.focus();
    else if (focus) place(focus)?.focus();
    remember(hashOf(this.state));
  }

  say(text) {
    place("live").textContent = text;
  }

  render() {
    const active = this.views.find(({ name }) => name === this.state.view);
    const held = document.activeElement?.id;
    showTabs(this, active);
    showTranslation(this);
    place("sentence").value = this.state.source;
    place("target").value = this.state.target ?? "";
    const view = place("view");
    view.setAttribute("aria-labelledby", `tab-${active.name}`);
    view.replaceChildren(active.render(this));
    if (active !== headsView && active !== trainingView) {
      const panel = changesPanel(this);
      if (panel) view.prepend(panel);
    }
    if (held && held !== document.activeElement?.id) place(held)?.focus();
    this.check();
  }

  check() {
    const checks = [
      check("weights are those that were exported", this.weightsAreWhole),
      ...checkMaps(this.analysis),
    ];
    const stored = this.storedView();
    if (stored) checks.push(...checkStored(stored, this.tokenizers));
    if (stored && this.translator && !this.state.prefix) {
      checks.push(...checkAgreement(this.original, stored));
    }
    const table = document.querySelector("#view table.map[role=grid]");
    if (table && this.state.view === "heads") {
      checks.push(...checkGrid(table, this.display, this.state.layer, this.state.head));
    }
    showBadge(place("badge"), checks, () => this.check());
  }
}

function showTabs(page, active) {
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
  if (name === "cell" && state.row !== null) {
    const { start: row } = display.rows[state.row];
    const { start: column } = display.columns[state.column];
    Object.assign(patch, { words: false, special: true, row, column });
  } else if (name === "cell") {
    Object.assign(patch, { words: false, special: true });
  }
  page.set(patch, { focus: `tab-${name}` });
}

/** The translation; where something is changed, what was and what is, changed words marked. */
function showTranslation({ original, analysis, tokenizers, changes }) {
  const words = (text) => text.split(" ");
  const common = commonItems(words(original.text), words(analysis.text));
  const line = (name, text, side) => {
    const kept = new Set(common.map((pair) => pair[side]));
    const parts = words(text).flatMap((word, i) => [
      kept.has(i) ? word : element(side ? "ins" : "del", { text: word }),
      " ",
    ]);
    const lang = tokenizers.target.language;
    return element(
      "p",
      {},
      element("span", { class: "name", text: name }),
      element("output", { lang }, ...parts),
    );
  };
  const lines = [line("translation", analysis.text, 1)];
  if (analysis.forced) lines[0].firstChild.textContent = "forced";
  if (!changes.none) {
    lines.unshift(line("unchanged model", original.text, 0));
    lines[1].firstChild.textContent = "changed model";
  }
  place("translation").replaceChildren(...lines);
}

function failure(error) {
  if (error instanceof SentenceError) return { error: error.message };
  throw error;
}

function remember(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // a frame of a notebook has no address of its own
  }
}

function inRange(number, count) {
  return Number.isInteger(number) && number >= 0 && number < count ? number : 0;
}

/** Whether an edit of the address names a cell and a weight. */
function wholeEdit({ layer, head, row, column, weight }) {
  const places = [layer, head, row, column].every((n) => Number.isInteger(n) && n >= 0);
  return places && weight >= 0 && weight <= 1;
}

function connectForm(page) {
  const translate = () => {
    const target = place("target").value.trim() || null;
    page.set({ source: place("sentence").value, target, prefix: "" });
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
  place("sentence").lang = page.tokenizers.source.language;
  place("target").lang = page.tokenizers.target.language;
  const given = place("given");
  const options = page.sentences.map(({ source }, i) =>
    element("option", { value: i, text: source }),
  );
  given.replaceChildren(element("option", { value: "", text: "choose …" }), ...options);
  given.addEventListener("change", () => {
    const chosen = page.sentences[given.value];
    if (chosen) page.set({ source: chosen.source, target: chosen.target, prefix: "" });
  });
  if (page.translator) return;
  place("sentence").readOnly = true;
  place("translate").hidden = true;
  place("target").readOnly = true;
}

function connectTheme(page) {
  const theme = place("theme");
  theme.addEventListener("change", () => {
    if (theme.value) document.documentElement.dataset.theme = theme.value;
    else delete document.documentElement.dataset.theme;
    page.render();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.render());
}

function describe({ data, model }) {
  const size = `${(data.parameters / 1e6).toFixed(1)} million numbers`;
  if (!model) return `${size}; the views of ${data.sentences.length} given sentences`;
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
  addEventListener("hashchange", () => page.set(stateOf(location.hash)));
  place("main").hidden = false;
  page.render();
}

start();
