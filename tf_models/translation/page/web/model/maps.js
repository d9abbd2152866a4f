// The attention weights of one kind in all layers and heads.

export class Maps {
  /**
   * @param {string} kind
   * @param {number[]} shape layers, heads, rows, columns
   * @param {Float32Array} values in this order
   */
  constructor(kind, [layers, heads, rows, columns], values) {
    this.kind = kind;
    this.layers = layers;
    this.heads = heads;
    this.rows = rows;
    this.columns = columns;
    this.values = values;
  }

  /**
   * From what a live model recorded: records[layer][row].weights has the row of each head. A row of the
   * decoder is as long as what was written so far; the future is zero.
   */
  static ofRecords(kind, records) {
    const shape = [records.length, records[0][0].weights.length, records[0].length];
    const columns = records[0].at(-1).weights[0].length;
    const values = new Float32Array(shape.reduce((a, b) => a * b, columns));
    const maps = new Maps(kind, [...shape, columns], values);
    records.forEach((rows, layer) =>
      rows.forEach(({ weights }, row) =>
        weights.forEach((found, head) => values.set(found, maps.place(layer, head, row))),
      ),
    );
    return maps;
  }

  place(layer, head, row, column = 0) {
    return ((layer * this.heads + head) * this.rows + row) * this.columns + column;
  }

  at(layer, head, row, column) {
    return this.values[this.place(layer, head, row, column)];
  }

  /** Weights of a row, columns of them. */
  row(layer, head, row) {
    const start = this.place(layer, head, row);
    return this.values.subarray(start, start + this.columns);
  }

  /** [layer, head] of each head, layer after layer. */
  everyHead() {
    return Array.from({ length: this.layers * this.heads }, (_, i) => [
      Math.floor(i / this.heads),
      i % this.heads,
    ]);
  }
}
