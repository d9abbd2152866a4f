// What computes: vectors, searches, work in parts, a reader's changes, packed bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { commonItems } from "#web/alignment.js";
import { rescaledRow } from "#web/changes.js";
import { Kept } from "#web/kept.js";
import * as packed from "#web/packed.js";
import * as search from "#web/search.js";
import * as vectors from "#web/vectors.js";
import { finish, inSlices } from "#web/work.js";

const floats = (list) => new Float32Array(list);

function assertClose(found, expected, tolerance = 1e-6) {
  assert.equal(found.length, expected.length);
  expected.forEach((value, i) => assert.ok(Math.abs(found[i] - value) <= tolerance, `${found}`));
}

test("what was not asked for longest goes first", () => {
  const kept = new Kept(2);
  kept.set("a", 1);
  kept.set("b", 2);
  assert.equal(kept.get("a"), 1);
  assert.equal(kept.set("c", 3), 3);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => kept.has(key)),
    [true, false, true],
  );
});

test("dot products, softmax, its logarithm, layer normalisation, the largest values", () => {
  const x = floats([1, 2, 4]);
  const powers = [Math.E, Math.E ** 2, Math.E ** 4];
  const sum = powers[0] + powers[1] + powers[2];
  const [mean, deviation] = [7 / 3, Math.sqrt(14 / 9 + 1e-6)];
  const norm = { gamma: floats([1, 1, 2]), beta: floats([0, 1, 0]) };
  const standard = [1, 2, 4].map((value) => (value - mean) / deviation);

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
  const greedy = (options) => finish(search.greedySearch(model, null, ends, options)).ids;
  const surest = search.sampling({ temperature: 0.01, count: 8, seed: 1 });
  const beam = finish(search.beamSearch(model, null, ends, { beam: 2, alpha: 0.6 }));

  assert.deepEqual(greedy({}), [1, 3, 4, 5, END]);
  assert.deepEqual(greedy({ forced: [6] }), [1, 6, 4, 5, END]);
  assert.deepEqual(greedy({ choose: surest }), [1, 3, 4, 5, END]);
  assert.deepEqual(beam.hypotheses[0].ids, [3, 4, 5, END]);
});

test("work can be done at once, in slices, and given up", async () => {
  let turns = 0; // of others
  const others = () => (turns += 1) > 0;
  function* work() {
    yield;
    return "made";
  }
  function* longWork() {
    while (turns === 0) yield;
    return "made";
  }
  function* endless() {
    for (;;) yield;
  }

  assert.equal(finish(work()), "made");
  assert.equal(await inSlices(longWork(), others), "made");
  assert.equal(await inSlices(endless(), () => false), undefined);
});

test("a row that was changed sums to one", () => {
  assertClose(rescaledRow([0.5, 0.25, 0.25], 0, 0.8), [0.8, 0.1, 0.1]);
  assertClose(rescaledRow([1, 0, 0], 0, 0.4), [0.4, 0.3, 0.3]);
  assert.deepEqual(rescaledRow([1], 0, 0.4), [1]);
});

test("common words keep their order", () => {
  assert.deepEqual(commonItems(["a", "b", "c"], ["a", "x", "c"]), [
    [0, 0],
    [2, 2],
  ]);
});

test("bytes are unpacked, read as float16, and have a checksum", async () => {
  const halves = new Uint8Array([0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c, 0xff, 0x7b]);
  const text = deflateSync(halves).toString("base64");

  assert.deepEqual(await packed.unpack(text), halves);
  assert.deepEqual([...packed.floatsOf(halves)], [1, -2, 2 ** -24, Infinity, 65504]);
  assert.equal(packed.checksum(new TextEncoder().encode("123456789")), 0xcbf43926);
});
