// The Transformer (Vaswani et al. 2017), one token at a time, as tf_models/transformer/ has it.
// Every row of activations is a Float32Array of d_model numbers.
import { NO_CHANGES } from "./changes.js";
import { add, dense, denseTransposed, dot, layerNorm, relu, softmax } from "./vectors.js";

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

  /** What others attend to in this row. */
  keyAndValue(x) {
    return { key: dense(x, this.wk), value: dense(x, this.wv) };
  }

  /**
   * ||f(x)|| of each head and value, f(x) = (x W^V + b^V) W^O with that head's rows of W^O: how far
   * a weight of 1 moves what attends (Kobayashi et al. 2020). A list for each head.
   */
  valueNorms(seen) {
    const { kernel, bias } = this.dense;
    const none = new Float32Array(bias.length);
    return Array.from({ length: this.heads }, (_, head) => {
      const [start, end] = [head * this.depth, (head + 1) * this.depth];
      const rows = kernel.subarray(start * bias.length, end * bias.length);
      return seen.map(({ value }) => {
        const carried = dense(value.subarray(start, end), { kernel: rows, bias: none });
        return Math.sqrt(dot(carried, carried));
      });
    });
  }

  /**
   * Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V of every head for one query, times W^O.
   *
   * A mask is not needed: keys are those that the query may attend to.
   *
   * x: the row that attends. seen: keys and values of the rows it attends to. row: its number.
   * Returns the output, and what a reader may want to see: query, keys and values, and of each
   * head the scores and the weights.
   */
  attend(x, seen, row, changes) {
    const query = dense(x, this.wq);
    const mixed = new Float32Array(query.length); // all heads' outputs, side by side
    const scores = [];
    const weights = [];
    for (let head = 0; head < this.heads; head++) {
      const start = head * this.depth;
      const ofHead = new Float32Array(seen.length);
      for (let i = 0; i < seen.length; i++) {
        ofHead[i] = dot(query, seen[i].key, start, this.depth) / Math.sqrt(this.depth);
      }
      scores.push(ofHead);
      weights.push(changes.edited(this.kind, this.layer, head, row, softmax(scores[head])));
      if (changes.isOff(this.kind, this.layer, head)) continue;
      for (let i = 0; i < seen.length; i++) {
        const [weight, { value }] = [weights[head][i], seen[i]];
        for (let d = start; d < start + this.depth; d++) mixed[d] += weight * value[d];
      }
    }
    const output = dense(mixed, this.dense);
    return { output, record: { query, seen, scores, weights, mixed, output } };
  }
}

/** FFN(x) = max(0, x W_1 + b_1) W_2 + b_2. */
class FeedForward {
  constructor(tensors, name) {
    this.inner = layerOf(tensors, `${name}.0`, "kernel", "bias");
    this.outer = layerOf(tensors, `${name}.1`, "kernel", "bias");
  }

  call(x) {
    return dense(this.hidden(x), this.outer);
  }

  hidden(x) {
    return relu(dense(x, this.inner));
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

  /** All rows of a sentence: each attends to all. Yields between rows; records what they did. */
  *call(rows, changes, records) {
    const seen = rows.map((x) => this.mha.keyAndValue(x));
    const after = [];
    for (const [row, x] of rows.entries()) {
      const { output, record } = this.mha.attend(x, seen, row, changes);
      const out1 = layerNorm(add(x, output), this.norm1);
      const fed = this.ffn.call(out1);
      after.push(layerNorm(add(out1, fed), this.norm2));
      records.push({ ...record, x, out1, fed, out: after.at(-1) });
      yield 1;
    }
    return after;
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
    const grown = [...cache, this.mha1.keyAndValue(x)];
    const self = this.mha1.attend(x, grown, row, changes);
    const out1 = layerNorm(add(self.output, x), this.norm1);
    const cross = this.mha2.attend(out1, source, row, changes);
    const out2 = layerNorm(add(cross.output, out1), this.norm2);
    const fed = this.ffn.call(out2);
    const out3 = layerNorm(add(fed, out2), this.norm3);
    const decoder = { ...self.record, x, out1 };
    return { x: out3, cache: grown, decoder, cross: { ...cross.record, out2, fed, out: out3 } };
  }
}

export class Transformer {
  /** tensors: Float32Arrays by name, as weights.py names them. */
  constructor({ num_layers, d_model, num_heads }, tensors) {
    this.width = d_model;
    this.depth = d_model / num_heads;
    const numbers = Array.from({ length: num_layers }, (_, layer) => layer);
    this.encLayers = numbers.map((layer) => new EncoderLayer(tensors, layer, num_heads));
    this.decLayers = numbers.map((layer) => new DecoderLayer(tensors, layer, num_heads));
    this.sourceTable = tensors["encoder.embedding"];
    this.targetTable = tensors["decoder.embedding"] ?? this.sourceTable;
    const { "final.kernel": kernel, "final.bias": bias } = tensors;
    this.logits = kernel // without a kernel of its own the output layer is the table, transposed
      ? (x) => dense(x, { kernel, bias })
      : (x) => denseTransposed(x, { table: this.targetTable, bias });
  }

  /**
   * Read a source sentence.
   *
   * Returns what the decoder attends to (for each layer, a key and a value for each token), and the
   * records of each layer, a row each: those of its attention (see `attend`), and the row itself when
   * it comes in (`x`), behind attention (`out1`), from the feed-forward network (`fed`), at the end
   * (`out`). Yields between rows.
   */
  *encode(ids, changes = NO_CHANGES) {
    let rows = ids.map((id, position) => this.embed(this.sourceTable, id, position).sum);
    const records = [];
    for (const layer of this.encLayers) {
      records.push([]);
      rows = yield* layer.call(rows, changes, records.at(-1));
    }
    const source = this.decLayers.map(({ mha2 }) => rows.map((x) => mha2.keyAndValue(x)));
    return { source, records };
  }

  /** The caches before the first token: what each decoder layer has read so far. */
  emptyCaches() {
    return this.decLayers.map(() => []);
  }

  /** Read one target token more; returns logits of the next one, new caches and records. */
  step(id, caches, source, changes = NO_CHANGES) {
    let x = this.embed(this.targetTable, id, caches[0].length).sum;
    const layers = this.decLayers.map((layer, i) => {
      const after = layer.step(x, caches[i], source[i], changes);
      x = after.x;
      return after;
    });
    const records = {
      decoder: layers.map(({ decoder }) => decoder),
      cross: layers.map(({ cross }) => cross),
    };
    return { logits: this.logits(x), caches: layers.map(({ cache }) => cache), records };
  }

  /** The attention block of a kind in a layer. */
  block(kind, layer) {
    if (kind === "encoder") return this.encLayers[layer].mha;
    return kind === "decoder" ? this.decLayers[layer].mha1 : this.decLayers[layer].mha2;
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
