// What is drawn of an analysis: pieces or words, with or without marks, weights or norms.
import { digits, percent } from "./dom.js";
import { groupsOf } from "./words.js";

/** Tokens of those that attend, and of what is attended to. */
export function axesOf(analysis, kind) {
  const { sourceTokens, targetTokens } = analysis;
  if (kind === "encoder") return [sourceTokens, sourceTokens];
  if (kind === "decoder") return [targetTokens.slice(0, -1), targetTokens.slice(0, -1)];
  return [targetTokens.slice(1), sourceTokens]; // a row is the token that it helps to write
}

/** What a row does, what a column is: for axes and sentences. */
export function axisNames(kind) {
  return { rows: kind === "cross" ? "writes" : "reads", columns: "attends to" };
}

/** "writing es, layer 2 head 3: 71 % animal" */
export function sentenceOf(display, layer, head, row, column) {
  const { kind, rows, columns } = display;
  const weight = display.weights(layer, head)[row * columns.length + column];
  const doing = kind === "cross" ? "writing" : "reading";
  const place = `${doing} ${rows[row].label}, layer ${layer + 1} head ${head + 1}`;
  const { label } = columns[column];
  return `${place}: ${display.masked(row, column) ? `${label} is masked` : `${display.text(weight)} ${label}`}`;
}

const NOTHING_LEFT = 0.01; // of a row: what remains below is noise, and would be drawn as if it were all

export class Display {
  /**
   * words: whether pieces are merged. marks: whether start, end and punctuation are shown; else each
   * row is divided by what remains. values: whether weights are multiplied by the norms of the
   * values that they carry (Kobayashi et al. 2020); they are no shares, and are never divided.
   */
  constructor(analysis, kind, { words, marks, values }) {
    this.kind = kind;
    this.maps = analysis.maps[kind];
    this.norms = (values && analysis.valueNorms?.[kind]) || null;
    const groups = axesOf(analysis, kind).map((tokens) => groupsOf(tokens, words));
    const kept = groups.map((all) => all.filter(({ mark }) => !mark));
    this.complete = marks || kept.some((one) => !one.length); // nothing but marks: they stay
    const [rows, columns] = this.complete ? groups : kept;
    this.rows = rows;
    this.columns = columns;
    this.numbers = new Map(); // by head, once they are asked for
    this.most = 0; // what `largest` found
  }

  /** Numbers of a head, row after row: sums over a word's columns, means over its rows. */
  weights(layer, head) {
    return this.numbersOf(layer, head).weights;
  }

  /** What start, end and punctuation had of a head's rows, 0 to 1; of all heads if left out. */
  leftOut(layer = null, head = null) {
    if (layer !== null) return this.numbersOf(layer, head).leftOut;
    const all = this.everyHead().map(({ leftOut }) => leftOut);
    return all.reduce((sum, share) => sum + share, 0) / all.length;
  }

  /** The number that is drawn darkest: 1, or the largest of all heads' norms. */
  get largest() {
    if (!this.norms) return 1;
    this.most ||= Math.max(...this.everyHead().map(({ weights }) => Math.max(...weights)), 1e-9);
    return this.most;
  }

  everyHead() {
    const { layers, heads } = this.maps;
    return Array.from({ length: layers * heads }, (_, i) =>
      this.numbersOf(Math.floor(i / heads), i % heads),
    );
  }

  numbersOf(layer, head) {
    const name = layer * this.maps.heads + head;
    if (!this.numbers.has(name)) this.numbers.set(name, this.compute(layer, head));
    return this.numbers.get(name);
  }

  compute(layer, head) {
    const { maps, norms, rows, columns } = this;
    const norm = norms?.row(layer, head, 0);
    const numbersOf = (row) => (norm ? row.map((weight, c) => weight * norm[c]) : row);
    const weights = new Float32Array(rows.length * columns.length);
    let [left, whole] = [0, 0]; // of all rows
    rows.forEach(({ start, end }, i) => {
      let [kept, all] = [0, 0]; // of this one
      for (let r = start; r < end; r++) {
        const numbers = numbersOf(maps.row(layer, head, r));
        for (let c = 0; c < maps.columns; c++) all += numbers[c] / (end - start);
        columns.forEach((column, j) => {
          for (let c = column.start; c < column.end; c++) {
            const part = numbers[c] / (end - start);
            weights[i * columns.length + j] += part;
            kept += part;
          }
        });
      }
      [left, whole] = [left + kept, whole + all];
      if (this.complete || norms) return;
      const factor = kept > NOTHING_LEFT * all ? 1 / kept : 0;
      for (let j = 0; j < columns.length; j++) weights[i * columns.length + j] *= factor;
    });
    return { weights, leftOut: whole > 0 ? 1 - left / whole : 0 };
  }

  /** The part of the colours' scale that a number is, 0 to 1. */
  share(number) {
    return number / this.largest;
  }

  /** A number as a reader reads it. */
  text(number) {
    return this.norms ? digits(number, 2) : percent(number);
  }

  /** The same, as short as a cell is. */
  cellText(number) {
    return this.norms ? digits(number, 1) : String(Math.round(100 * number));
  }

  /** The same for those who hear it: what is seen is in it. */
  cellName(number) {
    return `${this.cellText(number)}${this.norms ? "" : " %"}`;
  }

  /** What the numbers are. */
  get unit() {
    return this.norms ? "weight × norm of the value" : "percent";
  }

  /** What was done to the numbers of a head, or of all, in words; nothing if they are weights. */
  note(layer = null, head = null) {
    const notes = [];
    if (this.norms) {
      notes.push(
        "Each weight is multiplied by the norm of the value that it carries, (x W^V + b^V) W^O: " +
          "how far it moves the row (Kobayashi et al. 2020).",
      );
    }
    if (!this.complete) {
      const had = percent(this.leftOut(layer, head));
      notes.push(
        `Start, end and punctuation are left out; they had ${had} of ` +
          (this.norms
            ? "these norms."
            : "the attention. Each row is divided by what is left; one with less than " +
              `${percent(NOTHING_LEFT)} left is empty.`),
      );
    }
    return notes.join(" ");
  }

  /** Whether the future is hidden here: a column that begins behind the row's end. */
  masked(i, j) {
    return this.kind === "decoder" && this.columns[j].start >= this.rows[i].end;
  }

  /** Whether the numbers are the weights themselves. */
  get plain() {
    return this.complete && !this.norms;
  }

  /** Why a cell cannot be set by hand, or null. */
  whyFixed(i, j) {
    const pieces = ({ start, end }) => end - start;
    if (this.masked(i, j)) return "What is masked stays masked.";
    if (!this.plain)
      return "Only weights can be set: show start, end and punctuation, and no norms.";
    if (pieces(this.rows[i]) > 1 || pieces(this.columns[j]) > 1)
      return "A word of several pieces has no row of its own: turn whole words off to change it.";
    const alone = this.kind === "decoder" && this.rows[i].start === 0;
    return alone ? "A row of one cell is always 100 %." : null;
  }
}
