// What computes: vectors, searches, a model that has learnt nothing, changes, packed bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { alignedItems, commonItems } from "#web/model/alignment.js";
import { Changes, rescaledRow } from "#web/model/changes.js";
import * as packed from "#web/model/packed.js";
import * as search from "#web/model/search.js";
import { Transformer } from "#web/model/transformer.js";
import * as vectors from "#web/model/vectors.js";

const floats = (list) => new Float32Array(list);

function assertClose(found, expected, tolerance = 1e-6) {
  assert.equal(found.length, expected.length);
  expected.forEach((value, i) => assert.ok(Math.abs(found[i] - value) <= tolerance, `${found}`));
}

test("products, softmax, its logarithm, layer normalisation, the largest values", () => {
  const x = floats([1, 2, 4]);
  const powers = [Math.E, Math.E ** 2, Math.E ** 4];
  const sum = powers[0] + powers[1] + powers[2];
  const [mean, deviation] = [7 / 3, Math.sqrt(14 / 9 + 1e-6)];
  const norm = { gamma: floats([1, 1, 2]), beta: floats([0, 1, 0]) };
  const standard = [1, 2, 4].map((value) => (value - mean) / deviation);
  const layer = { kernel: floats([1, 2, 3, 4, 5, 6]), bias: floats([10, 20]) };

  assert.deepEqual(vectors.dense([x], layer), [floats([10 + 27, 20 + 34])]);
  assert.equal(vectors.dot(floats([9, 1, -2, 0]), floats([9, 2, 3, 4]), 1, 3), 2 - 6);
  assertClose(
    vectors.softmax(x),
    powers.map((power) => power / sum),
  );
  assertClose(vectors.softmax(floats([1000, 1000])), [0.5, 0.5]);
  assertClose([vectors.logSumExp(x)], [Math.log(sum)]);
  assertClose(vectors.layerNorm(x, norm), [standard[0], standard[1] + 1, 2 * standard[2]]);
  assert.deepEqual(vectors.topK([3, 9, 1, 9, 4], 3), [1, 3, 4]);
});

test("searches spell what the model says", () => {
  const END = 2;
  // It spells 3 4 5 and then ends, whatever it reads, and likes 6 second best.
  const model = {
    start: () => 0,
    step(id, length) {
      const logits = new Float32Array(8).fill(-9);
      logits[[3, 4, 5, END][Math.min(length, 3)]] = 4;
      logits[6] = 2;
      return { logits, state: length + 1, records: {} };
    },
  };
  const ends = { startId: 1, endId: END, maxLength: 10 };
  const greedy = (options) => search.greedySearch(model, null, ends, options).ids;
  const surest = search.sampling({ temperature: 0.01, count: 8, seed: 1 });
  const beam = search.beamSearch(model, null, ends, { beam: 2, alpha: 0.6 });

  assert.deepEqual(greedy({}), [1, 3, 4, 5, END]);
  assert.deepEqual(greedy({ forced: [6] }), [1, 6, 4, 5, END]);
  assert.deepEqual(greedy({ choose: surest }), [1, 3, 4, 5, END]);
  assert.deepEqual(beam.hypotheses[0].ids, [3, 4, 5, END]);
});

test("ids are drawn as often as they are probable", () => {
  const shares = [0.02, 0.4, 0.3, 0.15, 0.08, 0.05];
  const logProbs = shares.map(Math.log);
  const choose = search.sampling({ temperature: 2, count: 3, seed: 3 });
  const drawn = shares.map(() => 0);
  for (let i = 0; i < 20000; i++) drawn[choose(logProbs)] += 1 / 20000;

  const likeliest = [0, 0.4, 0.3, 0.15, 0, 0].map(Math.sqrt); // P to the power of 1 / temperature
  const sum = likeliest.reduce((a, b) => a + b);
  assertClose(
    drawn,
    likeliest.map((power) => power / sum),
    0.015,
  );
});

/** Of one layer and two heads, width 4, five tokens; every number is another one. */
function smallModel() {
  const tensors = {};
  let seed = 7;
  const fill = (name, size) => {
    tensors[name] = Float32Array.from({ length: size }, () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647 - 0.5;
    });
  };
  const dense = (name, inputs, units) => {
    fill(`${name}.kernel`, inputs * units);
    fill(`${name}.bias`, units);
  };
  const layer = (name, attentions) => {
    for (const attention of attentions) {
      for (const part of ["wq", "wk", "wv", "dense"]) dense(`${name}.${attention}.${part}`, 4, 4);
    }
    dense(`${name}.ffn.0`, 4, 8);
    dense(`${name}.ffn.1`, 8, 4);
    for (let i = 1; i <= attentions.length + 1; i++) {
      fill(`${name}.layernorm${i}.gamma`, 4);
      fill(`${name}.layernorm${i}.beta`, 4);
    }
  };
  fill("encoder.embedding", 20);
  fill("final.bias", 5);
  layer("encoder.0", ["mha"]);
  layer("decoder.0", ["mha1", "mha2"]);
  return new Transformer({ num_layers: 1, d_model: 4, num_heads: 2 }, tensors);
}

test("a head that is off brings nothing, and a cell has the weight that it was given", () => {
  const model = smallModel();
  const edit = { kind: "cross", layer: 0, head: 1, row: 0, column: 2, weight: 0.75 };
  const changes = new Changes({ off: ["cross 0 0"], edits: [edit] });
  const read = model.encode([3, 1, 4, 2], changes);
  const { records } = model.step(3, model.start(), read, changes);
  const [{ mixed, weights }] = records.cross;

  assert.deepEqual([...mixed.subarray(0, 2)], [0, 0]);
  assert.notEqual(mixed[2], 0);
  assertClose([weights[1][2], weights[1].reduce((a, b) => a + b)], [0.75, 1]);
});

test("a row that was changed sums to one", () => {
  assertClose(rescaledRow([0.5, 0.25, 0.25], 0, 0.8), [0.8, 0.1, 0.1]);
  assertClose(rescaledRow([1, 0, 0], 0, 0.4), [0.4, 0.3, 0.3]);
  assert.deepEqual(rescaledRow([1], 0, 0.4), [1]);
});

test("common words keep their order, and others stand in each other's place", () => {
  const [a, b] = [
    ["a", "b", "c"],
    ["a", "x", "c"],
  ];
  assert.deepEqual(commonItems(a, b), [
    [0, 0],
    [2, 2],
  ]);
  assert.deepEqual(alignedItems(a, b), [
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

test("bytes are unpacked and read as float16", async () => {
  const halves = new Uint8Array([0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c, 0xff, 0x7b]);
  const text = deflateSync(halves).toString("base64");

  assert.deepEqual(await packed.unpack(text), halves);
  assert.deepEqual([...packed.floatsOf(halves)], [1, -2, 2 ** -24, Infinity, 65504]);
});
