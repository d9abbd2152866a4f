// What a reader changes inside the model: heads that are switched off, rows of attention that are
// set by hand. Layers and heads count from 0.

export class Changes {
  constructor() {
    this.off = new Set(); // "cross 1 3": kind, layer, head
    this.rows = new Map(); // "cross 1 3 5": kind, layer, head, row -> weights
  }

  get none() {
    return this.off.size === 0 && this.rows.size === 0;
  }

  copy() {
    const changes = new Changes();
    changes.off = new Set(this.off);
    changes.rows = new Map(this.rows);
    return changes;
  }

  isOff(kind, layer, head) {
    return this.off.has(`${kind} ${layer} ${head}`);
  }

  setOff(kind, layer, head, off) {
    const name = `${kind} ${layer} ${head}`;
    if (off) this.off.add(name);
    else this.off.delete(name);
  }

  /** Weights that a row must have, or undefined. */
  row(kind, layer, head, row) {
    return this.rows.get(`${kind} ${layer} ${head} ${row}`);
  }

  setRow(kind, layer, head, row, weights) {
    this.rows.set(`${kind} ${layer} ${head} ${row}`, weights);
  }
}

export const NO_CHANGES = Object.freeze(new Changes());

/** The row with one weight set; the others keep their proportions, and all sum to one. */
export function rescaledRow(weights, column, weight) {
  const rest = 1 - weights[column];
  const share = (value) =>
    rest > 1e-9 ? (value / rest) * (1 - weight) : (1 - weight) / Math.max(weights.length - 1, 1);
  return Float32Array.from(weights, (value, i) => (i === column ? weight : share(value)));
}
