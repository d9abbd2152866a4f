// The state of the page, what is computed from it, and the view that shows it.
import { stateOf, validState } from "./address.js";
import { showSelfCheck } from "./self_check.js";
import { Changes } from "../model/changes.js";
import { checkAgreement, checkGrid, checkMaps, checkStored } from "./checks.js";
import { changesPanel, nowhere } from "../views/controls.js";
import { Display } from "../views/display.js";
import { place } from "./dom.js";
import { Past } from "./past.js";
import { normalizeSource, unknownWords } from "../model/sentences.js";
import { showTabs } from "./tabs.js";
import { hasTour, showTour } from "./tour.js";
import { showTranslation } from "./translation.js";
import { SentenceError } from "../model/translator.js";
import { beamView } from "../views/view_beam.js";
import { cellView } from "../views/view_cell.js";
import { headsView } from "../views/view_heads.js";
import { layersView } from "../views/view_layers.js";
import { modelView } from "../views/view_model.js";
import { pairView } from "../views/view_pair.js";
import { samplingView } from "../views/view_sampling.js";
import { stepsView, stopPlaying } from "../views/view_steps.js";
import { whichView } from "../views/view_which.js";

/**
 * changes: whether the view shows itself what is changed in the model; unedited: whether it leaves out
 * cells that were set by hand.
 *
 * @typedef {object} View
 * @property {string} name
 * @property {string} title
 * @property {(page: Page) => Node} render
 * @property {boolean} [changes]
 * @property {boolean} [unedited]
 */

/** @type {View[]} */
const VIEWS = [
  headsView,
  whichView,
  modelView,
  layersView,
  cellView,
  stepsView,
  beamView,
  samplingView,
  pairView,
];

// What can change without that what a prepared state shows goes out of sight.
const WITHIN_TOUR = ["off", "edits", "row", "column", "heads", "threshold"];

export class Page {
  /** @type {Display} */
  display;
  changes = new Changes();

  /** @param {Contents} contents */
  constructor({ data, tokenizers, translator, knownWords, measured, sentences }) {
    this.data = data;
    this.tokenizers = tokenizers;
    this.knownWords = knownWords;
    this.measured = measured;
    this.sentences = sentences;
    this.translator = /** @type {Translator} */ (translator);
    this.languages = namesOf(tokenizers);
    this.hasTour = hasTour(this);
    this.isOff = (head) => this.changes.isOff(this.state.kind, this.state.layer, head);
    this.views = VIEWS;
    this.past = new Past((shown) => this.show(shown, { isNew: false }));
  }

  /** Show the first state; one that cannot be read leaves the page as it is without one. */
  open(state) {
    this.become(stateOf(""));
    this.become(state);
    this.render();
    this.past.record(this.state, { isNew: false });
  }

  /** Take a state and compute what it shows; a sentence that cannot be read is refused, aloud. */
  become(state) {
    const before = this.state;
    this.state = validState(state, this);
    try {
      this.compute();
      place("error").textContent = "";
      return true;
    } catch (error) {
      this.state = before;
      place("error").textContent = messageOf(error);
      return false;
    }
  }

  /** The view of the sentence that Keras computed, if it is one of those given. */
  storedView() {
    const { source, target } = this.state;
    return this.sentences.find((one) => one.source === source && one.target === target);
  }

  /**
   * Compute the analyses of the state: neither steered nor changed (`own`), steered (`original`),
   * and steered in the changed model (`analysis`).
   */
  compute() {
    const { source, target, chosen, off, edits } = this.state;
    const own = this.analyse(source);
    const original = this.analyse(source, { target, chosen });
    const analysis = this.analyse(source, { target, chosen, off, edits });
    this.own = own; // only now: it may have been refused
    this.original = original;
    this.analysis = analysis;
    this.changes = new Changes(this.state);
    this.display = this.displayOf(this.state);
    const { row, column } = this.state;
    const isThere = this.display.columns[column] && (row === null || this.display.rows[row]);
    if (!isThere) Object.assign(this.state, nowhere());
  }

  /** What is drawn in a state. One cell is of pieces: a word's cell is a sum of several. */
  displayOf(state) {
    const ofPieces = state.view === "cell" && { words: false, marks: true };
    return new Display(this.analysis, state.kind, { ...state, ...ofPieces });
  }

  /** The same row and column where words become pieces, or pieces words. */
  inView(state, view) {
    if ((state.view === "cell") === (view === "cell")) return {};
    const [from, to] = [this.displayOf(state), this.displayOf({ ...state, view })];
    const same = (side, i) => {
      const start = from[side][i]?.start;
      const j = to[side].findIndex((group) => group.start <= start && start < group.end);
      return j < 0 ? null : j;
    };
    const [row, column] = [same("rows", state.row), same("columns", state.column)];
    return { row, column: state.row !== null && row === null ? null : column };
  }

  /** The analysis of a sentence, steered and changed as parts of a state say. */
  analyse(source, steering = {}) {
    return this.translator.analyse(source, steering);
  }

  beams() {
    return this.translator.beam(this.analysis.sourceIds, this.state);
  }

  /** The analysis with heads off, but without cells that were set by hand. */
  unedited() {
    return this.analyse(this.state.source, { ...this.state, edits: [] });
  }

  /** The analysis of the second sentence, {error} if it cannot be read, null if there is none. */
  secondAnalysis() {
    const { second, off } = this.state;
    if (!second) return null;
    try {
      return this.analyse(second, { off });
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  /** Heads of the shown layer, off or on. */
  switchOff(heads, off) {
    const { kind, layer } = this.state;
    const changes = new Changes(this.state);
    for (const head of heads) changes.setOff(kind, layer, head, off);
    this.set({ off: [...changes.off] });
  }

  /** Switch all heads of the layer off but one; all on again if it is so already. */
  leaveOnly(head) {
    const { kind, layer } = this.state;
    const all = [...Array(this.analysis.maps[kind].heads).keys()];
    const alone = all.every((other) => (other === head) !== this.isOff(other));
    const changes = new Changes(this.state);
    for (const other of all) changes.setOff(kind, layer, other, !alone && other !== head);
    this.set({ off: [...changes.off] });
  }

  /** Give the chosen cell of the shown map another weight; its row is rescaled. */
  edit(weight) {
    const { kind, layer, head, row, column } = this.state;
    const cell = { row: this.display.rows[row].start, column: this.display.columns[column].start };
    const edit = { kind, layer, head, ...cell, weight };
    const same = ["kind", "layer", "head", "row", "column"];
    const others = this.state.edits.filter((one) => same.some((name) => one[name] !== edit[name]));
    this.set({ edits: [...others, edit] });
  }

  /**
   * Change the state and show what comes of it.
   *
   * @param {any} patch parts of a state
   * @param {object} [options]
   * @param {string} [options.focus] "grid", or an id, to be focused again
   * @param {boolean} [options.isNew] whether undo leads back to what was before
   */
  set(patch, options) {
    const { state } = this;
    const moves = patch.source !== undefined && patch.source !== state.source;
    const ofSentence = { ...nowhere(), target: null, edits: [], step: 0, chosen: [] };
    const stays = Object.keys(patch).every((name) => WITHIN_TOUR.includes(name));
    const tour = stays ? state.tour : null;
    const view = patch.view && !moves ? this.inView(state, patch.view) : {};
    this.show({ ...state, ...view, ...(moves ? ofSentence : {}), tour, ...patch }, options);
  }

  /**
   * Show a state, if it can be read.
   *
   * @param {any} state
   * @param {{focus?: string, isNew?: boolean}} [options] as for `set`
   */
  show(state, { focus, isNew = true } = {}) {
    if (!this.become(structuredClone(state))) return;
    if (this.state.view !== "steps") stopPlaying();
    this.render();
    if (focus) (focus === "grid" ? cellInReach() : place(focus))?.focus();
    this.past.record(this.state, { isNew });
  }

  say(text) {
    place("live").textContent = text;
  }

  render() {
    /** @type {View} */
    const active = VIEWS.find(({ name }) => name === this.state.view) ?? headsView;
    const view = place("view");
    const held = document.activeElement?.id ?? "";
    const heightOf = () => place(held)?.getBoundingClientRect().top ?? 0;
    const before = heightOf();
    const within = view.contains(document.activeElement);
    showTour(this);
    showTabs(this, active);
    showTranslation(this);
    this.fillForm();
    view.setAttribute("aria-labelledby", `tab-${active.name}`);
    view.replaceChildren(active.render(this));
    const panel = active.changes ? null : changesPanel(this, active);
    if (panel) view.prepend(panel);
    if (held && held !== document.activeElement?.id) place(held)?.focus({ preventScroll: true });
    if (held && place(held)) scrollBy(0, heightOf() - before); // what is used stays where it is
    if (within && document.activeElement === document.body) view.focus({ preventScroll: true });
    this.check();
  }

  /** Say in the form what is shown; what somebody is typing stays. */
  fillForm() {
    const { source, target } = this.state;
    const shown = JSON.stringify([source, target]);
    if (shown !== this.inForm) {
      this.inForm = shown;
      place("sentence").value = source;
      place("target").value = target ?? "";
      const given = this.sentences.indexOf(this.storedView());
      place("given").value = given < 0 ? "" : String(given);
    }
    this.typed();
  }

  /** Say under the sentence which of its words are unknown, and whether it is the one shown below. */
  typed() {
    const sentence = place("sentence").value;
    const read = normalizeSource(sentence, this.data.plainMarks);
    const unknown = unknownWords(read, this.knownWords).join(", ");
    place("remarks").textContent = unknown && `not in the training sentences: ${unknown}`;
    const isOld = sentence !== this.state.source;
    for (const id of ["translation", "view"]) place(id).classList.toggle("old", isOld);
    place("old").hidden = !isOld;
  }

  check() {
    const checks = checkMaps(this.analysis);
    const stored = this.storedView();
    if (stored) checks.push(...checkStored(stored, this.tokenizers));
    if (stored && !this.state.chosen.length) checks.push(...checkAgreement(this.original, stored));
    const table = document.querySelector("#view table.map[role=grid]");
    if (table) checks.push(...checkGrid(table, this.display, this.state));
    showSelfCheck(place("self-check"), checks, () => this.check());
  }
}

/** @returns {HTMLElement | null} the cell of a shown grid that the keyboard reaches */
function cellInReach() {
  return document.querySelector("#view [role=grid] [tabindex='0']");
}

/** English names of the languages that are read and written. */
function namesOf(tokenizers) {
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  const nameOf = ({ language }) => names.of(language || "und");
  return { source: nameOf(tokenizers.source), target: nameOf(tokenizers.target) };
}

/** What is wrong with a sentence, in words for the reader. */
function messageOf(error) {
  if (error instanceof SentenceError) return error.message;
  throw error;
}
