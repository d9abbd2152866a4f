// What is drawn of an analysis: pieces or words, with or without special tokens.
import { groupsOf, isSpecial } from "./words.js";

/** Tokens of those that look, and of what is looked at. */
export function axesOf(analysis, kind) {
  const { sourceTokens, targetTokens } = analysis;
  if (kind === "encoder") return [sourceTokens, sourceTokens];
  if (kind === "decoder") return [targetTokens.slice(0, -1), targetTokens.slice(0, -1)];
  return [targetTokens.slice(1), sourceTokens]; // a row is the token that it helps to write
}

/** What a row does, what a column is: for axes and sentences. */
export function axisNames(kind) {
  return { rows: kind === "cross" ? "writes" : "reads", columns: "looks at" };
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
}

function shown(tokens, words, special) {
  const groups = groupsOf(tokens, words);
  return special ? groups : groups.filter(({ start }) => !isSpecial(tokens[start]));
}
