// Rows of numbers that belong together, packed into one matrix for each name: few large arrays travel
// between threads where thousands of small ones would be slow.

/**
 * records: a list of {name: Float32Array, …}, all alike. Returns {count, matrices}, each matrix
 * (count, width), row after row.
 */
export function packRows(records) {
  const matrices = {};
  for (const [name, { length }] of Object.entries(records[0])) {
    const matrix = new Float32Array(records.length * length);
    records.forEach((record, row) => matrix.set(record[name], row * length));
    matrices[name] = matrix;
  }
  return { count: records.length, matrices };
}

/**
 * One of the records again, by its number.
 *
 * @returns {any} Float32Arrays by name; they share the matrices' memory
 */
export function rowOf({ count, matrices }, row) {
  const found = {};
  for (const [name, matrix] of Object.entries(matrices)) {
    const width = matrix.length / count;
    found[name] = matrix.subarray(row * width, (row + 1) * width);
  }
  return found;
}

/** The memory of all arrays of a message, to be moved to the other thread and not copied. */
export function buffersOf(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value && typeof value === "object") {
    for (const part of Object.values(value)) buffersOf(part, found);
  }
  return [...found];
}
