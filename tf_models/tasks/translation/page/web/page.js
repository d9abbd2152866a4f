// The state of the page, what is computed from it, and the view that shows it.
import { hashOf, stateOf } from "./address.js";
import { showSelfCheck } from "./self_check.js";
import { Changes } from "./changes.js";
import { check, checkAgreement, checkGrid, checkMaps, checkStored } from "./checks.js";
import { changesPanel, nowhere } from "./controls.js";
import { Display } from "./display.js";
import { element, place } from "./dom.js";
import { validateState } from "./state_validation.js";
import { showTabs } from "./tabs.js";
import { showTranslation } from "./translation.js";
import { SentenceError, Translator } from "./translator.js";
import { beamView } from "./view_beam.js";
import { cellView } from "./view_cell.js";
import { caption, headsView, mapName } from "./view_heads.js";
import { layersView } from "./view_layers.js";
import { pairView } from "./view_pair.js";
import { stepsView, stopPlaying } from "./view_steps.js";
import { trainingView } from "./view_training.js";
import { attributionsView } from "./view_attributions.js";

const VIEWS = [
  headsView,
  layersView,
  cellView,
  stepsView,
  beamView,
  pairView,
  attributionsView,
  trainingView,
];

const REMEMBERED = 8; // analyses

export class Page {
  constructor(contents, state) {
    Object.assign(this, contents);
    const { model, tokenizers, data, training } = contents;
    this.remembered = new Map(); // analyses, the newest last
    this.translator = model && new Translator(model, tokenizers, data.maxLength, training);
    this.hasNorms = Object.keys(this.sentences[0].valueNorms).length > 0;
    this.isOff = (head) => this.changes.isOff(this.state.kind, this.state.layer, head);
    this.views = VIEWS.filter((view) => view.isFor?.(this) ?? true);
    this.become(stateOf(""));
    this.become(state);
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
    const changes = new Changes(this.state);
    Object.assign(this, { own, original, analysis, changes }); // only now: it may have been refused
    this.headChanges = new Changes({ off: this.state.off }); // edits fit this one sentence
    this.display = new Display(this.analysis, this.state.kind, this.state);
    const { row, column } = this.state;
    const isThere = this.display.columns[column] && (row === null || this.display.rows[row]);
    if (!isThere) Object.assign(this.state, nowhere());
  }

  /** The analysis of a sentence, steered and changed as the options say; the last ones are kept. */
  analyse(source, { target = null, prefix = "", chosen = [], off = [], edits = [] } = {}) {
    if (!this.translator) return this.storedView();
    const key = JSON.stringify([source, target, prefix, chosen, off, edits]);
    const changes = new Changes({ off, edits });
    const analysis =
      this.remembered.get(key) ??
      this.translator.analyse(source, { target, prefix, chosen, changes });
    this.remembered.delete(key); // it becomes the newest
    this.remembered.set(key, analysis);
    if (this.remembered.size > REMEMBERED) {
      this.remembered.delete(this.remembered.keys().next().value);
    }
    return analysis;
  }

  beams() {
    const { source, beam, alpha } = this.state;
    return this.translator.search(source, { beam, alpha, changes: this.headChanges });
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
    this.set({ off: [...changes.off] });
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
    this.set({ off: [...changes.off] });
  }

  /** Give a cell of the shown map another weight; its row is rescaled. focus: as for `set`. */
  edit(row, column, weight, focus = "grid") {
    const { kind, layer, head } = this.state;
    if (this.display.whyFixed(row, column)) {
      this.set({ row, column }, { focus: "grid" });
      return;
    }
    const [{ start: from }, { start: to }] = [this.display.rows[row], this.display.columns[column]];
    const edit = { kind, layer, head, row: from, column: to, weight };
    const same = ["kind", "layer", "head", "row", "column"];
    const others = this.state.edits.filter((other) =>
      same.some((name) => other[name] !== edit[name]),
    );
    this.set({ row, column, edits: [...others, edit] }, { focus });
  }

  /** Change the state and show what comes of it. focus: "grid", or an id, to be focused again. */
  set(patch, { focus } = {}) {
    const moves = patch.source !== undefined && patch.source !== this.state.source;
    const ofSentence = { ...nowhere(), target: null, edits: [], step: 0, prefix: "", chosen: [] };
    this.show({ ...this.state, ...(moves ? ofSentence : {}), ...patch }, { focus });
  }

  /** Show a state, if it can be read. */
  show(state, { focus } = {}) {
    if (!this.become(state)) return;
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
    const view = place("view");
    const held = document.activeElement?.id;
    const within = view.contains(document.activeElement);
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
    if (held && held !== document.activeElement?.id) place(held)?.focus();
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
    place("given").value = given < 0 ? "" : given;
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
    showSelfCheck(place("self-check"), checks, () => this.check());
  }
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
