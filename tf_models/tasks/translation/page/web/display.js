// What is drawn of an analysis: pieces or words, with or without special tokens.
import { percent } from "./dom.js";
import { groupsOf, isSpecial } from "./words.js";

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
  return `${place}: ${display.masked(row, column) ? `${label} is masked` : `${percent(weight)} ${label}`}`;
}

export class Display {
  /** words: whether pieces are merged; special: whether <start> and <end> are shown. */
  constructor(analysis, kind, { words, special }) {
    this.kind = kind;
    this.maps = analysis.maps[kind];
    this.complete = special; // or else rows need not sum to one
    const [rows, columns] = axesOf(analysis, kind);
    this.rows = shown(rows, words, special);
    this.columns = shown(columns, words, special);
  }

  /** Weights of a head, row after row: sums over a word's columns, means over its rows. */
  weights(layer, head) {
    const weights = new Float32Array(this.rows.length * this.columns.length);
    this.rows.forEach((row, i) => {
      this.columns.forEach((column, j) => {
        let sum = 0;
        for (let r = row.start; r < row.end; r++) {
          for (let c = column.start; c < column.end; c++) sum += this.maps.at(layer, head, r, c);
        }
        weights[i * this.columns.length + j] = sum / (row.end - row.start);
      });
    });
    return weights;
  }

  /** Whether the future is hidden here: a column that begins behind the row's end. */
  masked(i, j) {
    return this.kind === "decoder" && this.columns[j].start >= this.rows[i].end;
  }

  /** Why a cell cannot be set by hand, or null. */
  whyFixed(i, j) {
    const pieces = ({ start, end }) => end - start;
    if (this.masked(i, j)) return "What is masked stays masked.";
    if (pieces(this.rows[i]) > 1 || pieces(this.columns[j]) > 1)
      return "A word of several pieces has no row of its own: turn whole words off to change it.";
    const alone = this.kind === "decoder" && this.rows[i].start === 0;
    return alone ? "A row of one cell is always 100 %." : null;
  }
}

function shown(tokens, words, special) {
  const groups = groupsOf(tokens, words);
  return special ? groups : groups.filter(({ start }) => !isSpecial(tokens[start]));
}
