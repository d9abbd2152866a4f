// The Transformer (Vaswani et al. 2017) as tf_models/transformer/ has it: the encoder reads all rows of
// a sentence at once, the decoder writes one at a time. A row is a Float32Array of d_model numbers.
import { NO_CHANGES } from "./changes.js";
import { add, addTimes, dense, dot, layerNorm, relu, softmax } from "./vectors.js";

class Attention {
  constructor(tensors, name, kind, layer, heads) {
    const projection = (part) => layerOf(tensors, `${name}.${part}`, "kernel", "bias");
    this.kind = kind;
    this.layer = layer;
    this.heads = heads;
    this.wq = projection("wq");
    this.wk = projection("wk");
    this.wv = projection("wv");
    this.dense = projection("dense");
    this.depth = this.wq.bias.length / heads;
  }

  /** What others attend to in these rows. */
  keysAndValues(rows) {
    const values = dense(rows, this.wv);
    return dense(rows, this.wk).map((key, i) => ({ key, value: values[i] }));
  }

  /**
   * Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V of every head, times W^O.
   *
   * A mask is not needed: keys are those that the queries may attend to.
   *
   * rows: those that attend. seen: keys and values of the rows they attend to. first: number of the
   * first row. Returns for each row the output, and what a reader may want to see (see `mix`).
   */
  attend(rows, seen, first, changes) {
    const queries = dense(rows, this.wq);
    const records = queries.map((query, i) => this.mix(query, seen, first + i, changes));
    const mixed = records.map((record) => record.mixed);
    return dense(mixed, this.dense).map((output, i) => ({ ...records[i], output }));
  }

  /** All heads for one query: scores and weights of each, and the sums of values side by side. */
  mix(query, seen, row, changes) {
    const mixed = new Float32Array(query.length); // all heads' outputs, side by side
    const scale = Math.sqrt(this.depth);
    const scores = [];
    const weights = [];
    for (let head = 0; head < this.heads; head++) {
      const start = head * this.depth;
      const ofHead = new Float32Array(seen.length);
      for (let i = 0; i < seen.length; i++) {
        ofHead[i] = dot(query, seen[i].key, start, this.depth) / scale;
      }
      scores.push(ofHead);
      weights.push(changes.edited(this.kind, this.layer, head, row, softmax(ofHead)));
      if (changes.isOff(this.kind, this.layer, head)) continue;
      for (let i = 0; i < seen.length; i++)
        addTimes(mixed, weights[head][i], seen[i].value, start, this.depth);
    }
    return { query, seen, scores, weights, mixed };
  }
}

/** FFN(x) = max(0, x W_1 + b_1) W_2 + b_2. */
class FeedForward {
  constructor(tensors, name) {
    this.inner = layerOf(tensors, `${name}.0`, "kernel", "bias");
    this.outer = layerOf(tensors, `${name}.1`, "kernel", "bias");
  }

  /** For each row what is hidden, and what comes out (`fed`). */
  call(rows) {
    const hidden = dense(rows, this.inner).map(relu);
    return dense(hidden, this.outer).map((fed, i) => ({ hidden: hidden[i], fed }));
  }
}

class EncoderLayer {
  constructor(tensors, layer, heads) {
    const name = `encoder.${layer}`;
    this.mha = new Attention(tensors, `${name}.mha`, "encoder", layer, heads);
    this.ffn = new FeedForward(tensors, `${name}.ffn`);
    this.norm1 = normOf(tensors, name, 1);
    this.norm2 = normOf(tensors, name, 2);
  }

  /** All rows of a sentence, each attends to all: a record of each. */
  call(rows, changes) {
    const attended = this.mha.attend(rows, this.mha.keysAndValues(rows), 0, changes);
    const out1 = rows.map((x, i) => layerNorm(add(x, attended[i].output), this.norm1));
    return this.ffn.call(out1).map(({ hidden, fed }, i) => {
      const out = layerNorm(add(out1[i], fed), this.norm2);
      return { ...attended[i], x: rows[i], out1: out1[i], hidden, fed, out };
    });
  }
}

class DecoderLayer {
  constructor(tensors, layer, heads) {
    const name = `decoder.${layer}`;
    this.mha1 = new Attention(tensors, `${name}.mha1`, "decoder", layer, heads);
    this.mha2 = new Attention(tensors, `${name}.mha2`, "cross", layer, heads);
    this.ffn = new FeedForward(tensors, `${name}.ffn`);
    this.norm1 = normOf(tensors, name, 1);
    this.norm2 = normOf(tensors, name, 2);
    this.norm3 = normOf(tensors, name, 3);
  }

  /** One row: it attends to itself and those before (`cache`), then to the source. */
  step(x, cache, source, changes) {
    const row = cache.length;
    const grown = [...cache, ...this.mha1.keysAndValues([x])];
    const [self] = this.mha1.attend([x], grown, row, changes);
    const out1 = layerNorm(add(self.output, x), this.norm1);
    const [other] = this.mha2.attend([out1], source, row, changes);
    const out2 = layerNorm(add(other.output, out1), this.norm2);
    const [{ hidden, fed }] = this.ffn.call([out2]);
    const out = layerNorm(add(fed, out2), this.norm3);
    return {
      cache: grown,
      decoder: { ...self, x, out1 },
      cross: { ...other, out2, hidden, fed, out },
    };
  }
}

export class Transformer {
  /** tensors: Float32Arrays by name, as packed.py names them. */
  constructor({ num_layers, d_model, num_heads }, tensors) {
    this.width = d_model;
    this.depth = d_model / num_heads;
    const numbers = Array.from({ length: num_layers }, (_, layer) => layer);
    this.encLayers = numbers.map((layer) => new EncoderLayer(tensors, layer, num_heads));
    this.decLayers = numbers.map((layer) => new DecoderLayer(tensors, layer, num_heads));
    this.sourceTable = tensors["encoder.embedding"];
    this.targetTable = tensors["decoder.embedding"] ?? this.sourceTable;
    const { "final.kernel": own, "final.bias": bias } = tensors;
    const kernel = own ?? transposed(this.targetTable, d_model); // the table's, if it has none
    this.logits = (x) => dense([x], { kernel, bias })[0];
  }

  /**
   * Read a source sentence: what the decoder attends to (`source`: for each layer, a key and a value for
   * each token), and the records of each layer, a row each: those of its attention (see `attend`), the
   * row itself when it comes in (`x`) and after each part.
   */
  encode(ids, changes = NO_CHANGES) {
    let rows = this.embedAll(this.sourceTable, ids).map(({ sum }) => sum);
    const records = this.encLayers.map((layer) => {
      const after = layer.call(rows, changes);
      rows = after.map(({ out }) => out);
      return after;
    });
    return { source: this.decLayers.map(({ mha2 }) => mha2.keysAndValues(rows)), records };
  }

  /** The decoder before its first token: what `step` goes on from. */
  start() {
    return { length: 0, caches: this.decLayers.map(() => []) };
  }

  /** Read one target token more; returns logits of the next one, records, and the new state. */
  step(id, { length, caches }, { source }, changes = NO_CHANGES) {
    let x = this.embed(this.targetTable, id, length).sum;
    const layers = this.decLayers.map((layer, i) => {
      const after = layer.step(x, caches[i], source[i], changes);
      x = after.cross.out;
      return after;
    });
    const records = {
      decoder: layers.map(({ decoder }) => decoder),
      cross: layers.map(({ cross }) => cross),
    };
    const state = { length: length + 1, caches: layers.map(({ cache }) => cache) };
    return { logits: this.logits(x), records, state };
  }

  embedAll(table, ids) {
    return ids.map((id, number) => this.embed(table, id, number));
  }

  /** The embedding times sqrt(d_model) (`token`), the position, and their sum. */
  embed(table, id, number) {
    const row = table.subarray(id * this.width, (id + 1) * this.width);
    const scale = Math.sqrt(this.width);
    const token = row.map((value) => value * scale);
    const position = row.map((_, i) => positionalEncoding(number, i, this.width));
    return { token, position, sum: add(token, position) };
  }
}

/** A matrix with rows of a width as one whose columns they are. */
function transposed(matrix, width) {
  const columns = new Float32Array(matrix.length);
  const rows = matrix.length / width;
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < width; i++) columns[i * rows + row] = matrix[row * width + i];
  }
  return columns;
}

/** Sine at even dimensions, cosine at odd ones, of position / 10000^(2⌊i/2⌋ / d_model). */
function positionalEncoding(position, i, width) {
  const angle = position / 10000 ** ((2 * Math.floor(i / 2)) / width);
  return i % 2 ? Math.cos(angle) : Math.sin(angle);
}

/** @returns {any} tensors by the names of their parts */
function layerOf(tensors, name, ...parts) {
  return Object.fromEntries(parts.map((part) => [part, tensors[`${name}.${part}`]]));
}

function normOf(tensors, name, number) {
  return layerOf(tensors, `${name}.layernorm${number}`, "gamma", "beta");
}
