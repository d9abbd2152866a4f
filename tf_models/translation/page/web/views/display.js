// What is drawn of an analysis: pieces or words, with or without start, end and punctuation.
import { percent } from "../page/dom.js";
import { groupsOf } from "../model/words.js";

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
  const doing = kind === "cross" ? "writing" : "reading";
  const place = `${doing} ${rows[row].label}, layer ${layer + 1} head ${head + 1}`;
  const { label } = columns[column];
  if (display.masked(row, column)) return `${place}: ${label} is masked`;
  return `${place}: ${percent(display.at(layer, head, row, column))} ${label}`;
}

const NOTHING_LEFT = 0.01; // of a row: what remains below is noise, and would be drawn as if it were all

export class Display {
  /**
   * words: whether pieces are merged. marks: whether start, end and punctuation are shown; else each
   * row is divided by what remains.
   */
  constructor(analysis, kind, { words, marks }) {
    this.kind = kind;
    this.maps = analysis.maps[kind];
    const groups = axesOf(analysis, kind).map((tokens) => groupsOf(tokens, words));
    const kept = groups.map((all) => all.filter(({ mark }) => !mark));
    this.complete = marks || kept.some((one) => !one.length); // nothing but marks: they stay
    const [rows, columns] = this.complete ? groups : kept;
    this.rows = rows;
    this.columns = columns;
    this.numbers = new Map(); // by head, once they are asked for
  }

  /** Weights of a head, row after row: sums over a word's columns, means over its rows. */
  weights(layer, head) {
    return this.numbersOf(layer, head).weights;
  }

  /** One of them. */
  at(layer, head, row, column) {
    return this.weights(layer, head)[row * this.columns.length + column];
  }

  /** What start, end and punctuation had of a head's rows, 0 to 1; of all heads if left out. */
  leftOut(layer = null, head = null) {
    if (layer !== null) return this.numbersOf(layer, head).leftOut;
    const all = this.maps.everyHead().map((place) => this.numbersOf(...place).leftOut);
    return all.reduce((sum, share) => sum + share, 0) / all.length;
  }

  numbersOf(layer, head) {
    const name = layer * this.maps.heads + head;
    if (!this.numbers.has(name)) this.numbers.set(name, this.compute(layer, head));
    return this.numbers.get(name);
  }

  compute(layer, head) {
    const { rows, columns } = this;
    const weights = new Float32Array(rows.length * columns.length);
    let shown = 0; // of all rows
    rows.forEach(({ start, end }, i) => {
      let kept = 0; // of this one
      for (let r = start; r < end; r++) {
        const row = this.maps.row(layer, head, r);
        columns.forEach((column, j) => {
          for (let c = column.start; c < column.end; c++) {
            const part = row[c] / (end - start);
            weights[i * columns.length + j] += part;
            kept += part;
          }
        });
      }
      shown += kept;
      if (this.complete) return;
      const factor = kept > NOTHING_LEFT ? 1 / kept : 0;
      for (let j = 0; j < columns.length; j++) weights[i * columns.length + j] *= factor;
    });
    return { weights, leftOut: 1 - shown / rows.length };
  }

  /** What was done to the weights of a head, or of all, in words; nothing if all are shown. */
  note(layer = null, head = null) {
    if (this.complete) return "";
    return (
      `Start, end and punctuation are left out; they had ${percent(this.leftOut(layer, head))} of the ` +
      "attention. Each row is divided by what is left; one with less than " +
      `${percent(NOTHING_LEFT)} left is empty.`
    );
  }

  /** Whether the future is hidden here: a column that begins behind the row's end. */
  masked(i, j) {
    return this.kind === "decoder" && this.columns[j].start >= this.rows[i].end;
  }

  /** Why a cell cannot be set by hand, or null. */
  whyFixed(i, j) {
    const isPiece = ({ start, end }) => end - start === 1;
    if (this.masked(i, j)) return "What is masked stays masked.";
    if (!this.complete) return "Only weights can be set: show start, end and punctuation.";
    if (!isPiece(this.rows[i]) || !isPiece(this.columns[j]))
      return "A word of several pieces has no row of its own: turn whole words off to change it.";
    const alone = this.kind === "decoder" && this.rows[i].start === 0;
    return alone ? "A row of one cell is always 100 %." : null;
  }
}
