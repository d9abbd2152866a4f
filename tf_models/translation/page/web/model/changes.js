// What a reader changes inside the model: heads that are switched off, cells of attention that are
// set by hand. Layers and heads count from 0.

/**
 * A cell of attention that was set by hand.
 *
 * @typedef {{kind: string, layer: number, head: number, row: number, column: number,
 *   weight: number}} Edit
 */

export class Changes {
  /**
   * @param {object} [changed]
   * @param {string[]} [changed.off] names of heads, "cross 1 3"
   * @param {Edit[]} [changed.edits] in order
   */
  constructor({ off = [], edits = [] } = {}) {
    this.off = new Set(off);
    this.edits = [...edits];
  }

  get none() {
    return this.off.size === 0 && this.edits.length === 0;
  }

  isOff(kind, layer, head) {
    return this.off.has(nameOf(kind, layer, head));
  }

  /** Numbers of the heads of a layer that are on. */
  headsOn({ kind, heads }, layer) {
    return [...Array(heads).keys()].filter((head) => !this.isOff(kind, layer, head));
  }

  setOff(kind, layer, head, off) {
    const name = nameOf(kind, layer, head);
    if (off) this.off.add(name);
    else this.off.delete(name);
  }

  /** Cells of a row that are set by hand, in their order. */
  editsOf(kind, layer, head, row) {
    return this.edits.filter(
      (edit) =>
        edit.kind === kind && edit.layer === layer && edit.head === head && edit.row === row,
    );
  }

  /** The weights of a row as they are after its edits. */
  edited(kind, layer, head, row, weights) {
    return this.editsOf(kind, layer, head, row).reduce(
      (changed, { column, weight }) => rescaledRow(changed, column, weight),
      weights,
    );
  }
}

export const NO_CHANGES = Object.freeze(new Changes());

/**
 * The row with one weight set; the others keep their proportions, and all sum to one.
 *
 * A row of one cell stays as it is, and so does one that has no such cell.
 */
export function rescaledRow(weights, column, weight) {
  if (weights.length === 1 || column >= weights.length) return weights;
  const rest = weights.reduce((sum, value, i) => (i === column ? sum : sum + value), 0);
  const share = (value) => (1 - weight) * (rest > 0 ? value / rest : 1 / (weights.length - 1));
  return Float32Array.from(weights, (value, i) => (i === column ? weight : share(value)));
}

function nameOf(kind, layer, head) {
  return `${kind} ${layer} ${head}`;
}
