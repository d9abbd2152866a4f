// The state of the page, what is computed from it, and the view that shows it.
import { stateOf } from "./address.js";
import { Asking } from "./asking.js";
import { showSelfCheck } from "./self_check.js";
import { Changes } from "./changes.js";
import { check, checkAgreement, checkGrid, checkLens, checkMaps, checkStored } from "./checks.js";
import { changesPanel, nowhere } from "./controls.js";
import { Display } from "./display.js";
import { element, place } from "./dom.js";
import { stepsAfter } from "./effect.js";
import { Past } from "./past.js";
import { validateState } from "./state_validation.js";
import { showTabs } from "./tabs.js";
import { hasTour, showTour } from "./tour.js";
import { showTranslation } from "./translation.js";
import { SentenceError, Translator, withLogits } from "./translator.js";
import { beamView } from "./view_beam.js";
import { cellView } from "./view_cell.js";
import { caption, headsView, mapName } from "./view_heads.js";
import { layersView } from "./view_layers.js";
import { modelView } from "./view_model.js";
import { pairView } from "./view_pair.js";
import { samplingView } from "./view_sampling.js";
import { stepsView, stopPlaying } from "./view_steps.js";
import { trainingView } from "./view_training.js";
import { whichView } from "./view_which.js";
import { attributionsView } from "./view_attributions.js";

/**
 * isFor: whether the view has something to show, always if left out. changes: whether it shows itself
 * what is changed in the model; unedited: whether it leaves out cells that were set by hand.
 *
 * @typedef {object} View
 * @property {string} name
 * @property {string} title
 * @property {(page: Page) => Node} render
 * @property {(page: Page) => boolean} [isFor]
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
  attributionsView,
  trainingView,
];

// What can change without that what a prepared state shows goes out of sight.
const WITHIN_TOUR = ["off", "edits", "row", "column", "heads", "threshold"];

export class Page {
  /** @type {Display} */
  display;

  /** @param {Contents} contents */
  constructor(contents) {
    const { computer, tokenizers, data, training } = contents;
    this.data = data;
    this.asking = new Asking(computer);
    this.tokenizers = tokenizers;
    this.training = training;
    this.measured = contents.measured;
    this.sentences = contents.sentences;
    this.epochs = contents.epochs;
    this.weightsAreWhole = contents.weightsAreWhole;
    const translator = computer && new Translator(tokenizers, data.maxLength, training);
    this.translator = /** @type {Translator} */ (translator); // null where the page is not live
    this.languages = namesOf(tokenizers);
    this.hasTour = hasTour(this);
    this.hasNorms = Object.keys(this.sentences[0].valueNorms).length > 0;
    this.isOff = (head) => this.changes.isOff(this.state.kind, this.state.layer, head);
    this.views = VIEWS.filter((view) => view.isFor?.(this) ?? true);
    this.changes = new Changes();
    this.headChanges = this.changes; // without edits, which fit one sentence
    this.past = new Past((shown) => this.show(shown, { isNew: false }));
  }

  /** Show the first state: the one of the address, or what is shown without one. */
  async open(state) {
    await this.asking.attempt(() => this.become(stateOf("")));
    await this.asking.attempt(() => this.become(state));
    await this.redraw();
    this.past.record(this.state, { isNew: false });
  }

  /** Take a state and compute what it shows; one that cannot be read is refused, aloud. */
  become(state) {
    const before = this.state;
    this.state = state;
    try {
      validateState(this);
      this.compute();
      place("error").textContent = "";
      return true;
    } catch (error) {
      this.state = before;
      place("error").textContent = failure(error).error;
      return false;
    }
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

  /**
   * Compute the analyses of the state: neither steered nor changed (`own`), steered (`original`),
   * and steered in the changed model (`analysis`).
   */
  compute() {
    const { source, target, prefix, chosen, off, edits } = this.state;
    const steered = { target, prefix, chosen };
    const own = this.analyse(source);
    const original = this.analyse(source, steered);
    const analysis = this.analyse(source, { ...steered, off, edits });
    this.own = own; // only now: it may have been refused
    this.original = original;
    this.analysis = analysis;
    this.changes = new Changes(this.state);
    this.headChanges = new Changes({ off: this.state.off });
    this.display = this.displayOf(this.state);
    const { row, column } = this.state;
    const isThere = this.display.columns[column] && (row === null || this.display.rows[row]);
    if (!isThere) Object.assign(this.state, nowhere());
  }

  /** What is drawn in a state. One cell is of pieces: a word's cell is a sum of several. */
  displayOf(state) {
    const ofPieces = state.view === "cell" && { words: false, marks: true, values: false };
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
    if (!this.translator) return this.storedView();
    const { target } = steering;
    const question = this.translator.question(source, steering);
    const read = (answer) => this.translator.read(answer, question, source, target);
    return this.asking.answer(question, read, [source, target]);
  }

  /** Steps of the changed model that is made to write what an analysis has. */
  forced({ sourceIds, targetIds }, off, edits = []) {
    const question = { name: "forced", sourceIds, targetIds, off, edits };
    return this.asking.answer(question, ({ steps, logits }) => withLogits(steps, logits));
  }

  beams() {
    const { sourceIds } = this.analysis;
    const { beam, alpha, off } = this.state;
    return this.asking.answer({ name: "beam", sourceIds, beam, alpha, off });
  }

  /** What the decoder would say after each layer. */
  lens() {
    const { sourceIds, targetIds } = this.analysis;
    const { off, edits } = this.state;
    return this.asking.answer({ name: "lens", sourceIds, targetIds, off, edits });
  }

  /** The analysis with heads off, but without cells that were set by hand. */
  unedited() {
    const { source, target, prefix, chosen, off } = this.state;
    return this.analyse(source, { target, prefix, chosen, off });
  }

  /** The analysis of the second sentence, {error} if it cannot be read, null if there is none. */
  secondAnalysis() {
    const { second } = this.state;
    if (!second) return null;
    const stored = this.sentences.find(({ source }) => source === second);
    if (!this.translator) return stored ?? { error: "this page holds given sentences only" };
    try {
      return this.analyse(second, { off: this.state.off });
    } catch (error) {
      return failure(error);
    }
  }

  switchOff(heads, off) {
    const { kind, layer } = this.state;
    const changes = new Changes(this.state);
    for (const head of heads) changes.setOff(kind, layer, head, off);
    return this.set({ off: [...changes.off] });
  }

  /** Switch all heads of the layer off but one; all on again if it is so already. */
  leaveOnly(head) {
    const { kind, layer } = this.state;
    const others = [...Array(this.analysis.maps[kind].heads).keys()].filter(
      (other) => other !== head,
    );
    const alone = others.every((other) => this.changes.isOff(kind, layer, other));
    const changes = new Changes(this.state);
    for (const other of others) changes.setOff(kind, layer, other, !alone);
    changes.setOff(kind, layer, head, false);
    return this.set({ off: [...changes.off] });
  }

  /** Give a cell of the shown map another weight; its row is rescaled. focus: as for `set`. */
  edit(row, column, weight, focus = "grid") {
    const { kind, layer, head } = this.state;
    if (this.display.whyFixed(row, column)) return this.set({ row, column }, { focus: "grid" });
    const [{ start: from }, { start: to }] = [this.display.rows[row], this.display.columns[column]];
    const edit = { kind, layer, head, row: from, column: to, weight };
    const same = ["kind", "layer", "head", "row", "column"];
    const others = this.state.edits.filter((other) =>
      same.some((name) => other[name] !== edit[name]),
    );
    return this.set({ row, column, edits: [...others, edit] }, { focus });
  }

  /**
   * Change the state and show what comes of it, perhaps later: a promise then.
   *
   * @param {any} patch parts of a state
   * @param {object} [options]
   * @param {string} [options.focus] "grid", or an id, to be focused again
   * @param {boolean} [options.isNew] whether undo leads back to what was before
   */
  set(patch, options) {
    const state = this.wanted ?? this.state;
    const moves = patch.source !== undefined && patch.source !== state.source;
    const ofSentence = { ...nowhere(), target: null, edits: [], step: 0, prefix: "", chosen: [] };
    const stays = Object.keys(patch).every((name) => WITHIN_TOUR.includes(name));
    const tour = stays ? state.tour : null;
    const view = patch.view && !moves ? this.inView(this.state, patch.view) : {};
    return this.show({ ...state, ...view, ...(moves ? ofSentence : {}), tour, ...patch }, options);
  }

  /**
   * Show a state, if it can be read.
   *
   * @param {any} state
   * @param {{focus?: string, isNew?: boolean}} [options] as for `set`
   */
  show(state, { focus, isNew = true } = {}) {
    this.wanted = state;
    return this.asking.attempt(() => {
      const isReadable = this.become(structuredClone(state));
      if (isReadable) {
        if (this.state.view !== "steps") stopPlaying();
        this.render();
        if (focus) (focus === "grid" ? cellInReach() : place(focus))?.focus();
        this.past.record(this.state, { isNew });
      }
      this.wanted = null;
    });
  }

  say(text) {
    place("live").textContent = text;
  }

  redraw() {
    return this.wanted ? this.show(this.wanted) : this.asking.attempt(() => this.render());
  }

  render() {
    /** @type {View} */
    const active = this.views.find(({ name }) => name === this.state.view) ?? headsView;
    if (!this.changes.none) stepsAfter(this); // asked before anything is drawn
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
    const onPaper = element("p", { class: "on-paper", text: this.describe() });
    view.replaceChildren(onPaper, active.render(this));
    if (!active.changes) {
      const panel = changesPanel(this, active);
      if (panel) view.prepend(panel);
    }
    if (held && held !== document.activeElement?.id) place(held)?.focus({ preventScroll: true });
    if (held && place(held)) scrollBy(0, heightOf() - before); // what is used stays where it is
    if (within && document.activeElement === document.body) view.focus({ preventScroll: true });
    this.check();
  }

  /** Say in the form what is shown; what somebody is typing stays. */
  fillForm() {
    const { source, target } = this.state;
    const shown = JSON.stringify([source, target]);
    if (shown === this.inForm) {
      this.typed();
      return;
    }
    this.inForm = shown;
    place("sentence").value = source;
    place("target").value = target ?? "";
    const given = this.sentences.indexOf(this.storedView());
    place("given").value = given < 0 ? "" : String(given);
    this.typed();
  }

  /**
   * Say under the sentence what training sentences did not have of it, what of the target cannot be
   * written, and what is shown below.
   */
  typed() {
    const sentence = place("sentence").value;
    const ofTarget = this.tokenizers.target.alphabet.lacking(place("target").value);
    const said = [this.training.remarks(sentence), ...ofTarget.map((line) => `target: ${line}`)];
    place("remarks").textContent = said.filter(Boolean).join("; ");
    const isOld = sentence !== this.state.source;
    for (const id of ["translation", "view"]) place(id).classList.toggle("old", isOld);
    place("old").hidden = !isOld;
  }

  /** What is shown, for paper, where there are no controls. */
  describe() {
    const { view, beam, alpha, epoch } = this.state;
    const more = {
      heads: caption(this),
      cell: caption(this),
      beam: `${beam} hypotheses, length penalty ${alpha}`,
      training: `epoch ${this.epochs[epoch]?.epoch}; ${mapName(this)}`,
    };
    return [`“${this.analysis.source}”`, more[view]].filter(Boolean).join("; ");
  }

  check() {
    const checks = [
      check("weights are those that were exported", this.weightsAreWhole),
      ...checkMaps(this.analysis),
    ];
    const stored = this.storedView();
    if (stored) checks.push(...checkStored(stored, this.tokenizers));
    if (stored && this.translator && !this.state.prefix && !this.state.chosen.length) {
      checks.push(...checkAgreement(this.original, stored));
    }
    const table = document.querySelector("#view table.map[role=grid]");
    if (table && this.state.view === "heads") {
      checks.push(...checkGrid(table, this.display, this.state.layer, this.state.head));
    }
    if (this.state.view === "model") checks.push(checkLens(this.lens(), this.analysis));
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

function failure(error) {
  if (error instanceof SentenceError) return { error: error.message };
  throw error;
}
