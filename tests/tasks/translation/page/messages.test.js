// What the page asks the model, through messages and directly.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { Computation } from "#web/computation.js";
import { Computer, startComputer } from "#web/computer.js";
import { checksum } from "#web/packed.js";
import { rowOf } from "#web/rows.js";
import { serve } from "#web/server.js";
import { finish } from "#web/work.js";

const WIDTH = 8;
const VOCABULARY = 11;
const QUESTION = { sourceIds: [9, 3, 4, 5, 6, 10], forced: [], off: [], edits: [] };

const dense = (name, inputs, units) => [
  [`${name}.kernel`, [inputs, units]],
  [`${name}.bias`, [units]],
];
const norms = (name, count) =>
  Array.from({ length: count }, (_, i) => [
    [`${name}.layernorm${i + 1}.gamma`, [WIDTH]],
    [`${name}.layernorm${i + 1}.beta`, [WIDTH]],
  ]).flat();
const layer = (name, attentions) => [
  ...attentions.flatMap((attention) =>
    ["wq", "wk", "wv", "dense"].flatMap((part) =>
      dense(`${name}.${attention}.${part}`, WIDTH, WIDTH),
    ),
  ),
  ...dense(`${name}.ffn.0`, WIDTH, 12),
  ...dense(`${name}.ffn.1`, 12, WIDTH),
  ...norms(name, attentions.length + 1),
];

/** The first question: a model of two layers and two heads that has learnt nothing. */
function opening() {
  const shapes = Object.fromEntries([
    ["encoder.embedding", [VOCABULARY, WIDTH]],
    ["final.bias", [VOCABULARY]],
    ...[0, 1].flatMap((i) => layer(`encoder.${i}`, ["mha"])),
    ...[0, 1].flatMap((i) => layer(`decoder.${i}`, ["mha1", "mha2"])),
  ]);
  const size = Object.values(shapes).reduce((sum, shape) => sum + shape[0] * (shape[1] ?? 1), 0);
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647);
  // Of 16 bits: any sign and fraction, and an exponent for numbers from 1/8 to 1.
  const halves = Uint16Array.from(
    { length: size },
    () => (random() & 0x83ff) | ((12 + (random() % 3)) << 10),
  );
  const bytes = new Uint8Array(halves.buffer);
  return {
    name: "open",
    model: { num_layers: 2, d_model: WIDTH, num_heads: 2 },
    weights: { shapes, data: deflateSync(bytes).toString("base64"), checksum: checksum(bytes) },
    ends: { startId: 9, endId: 10, maxLength: 12 },
  };
}

/** A computer without a thread of its own; close it, or Node waits for more questions. */
async function withComputer(use) {
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  const computer = new Computer(port1);
  try {
    assert.deepEqual(await computer.ask(opening()), { weightsAreWhole: true });
    return await use(computer);
  } finally {
    port1.close();
  }
}

/** The computation itself, out of a server that is opened. */
async function computation() {
  let made;
  const { analyse } = Computation.prototype;
  Computation.prototype.analyse = function* (question) {
    made = this;
    return yield* analyse.call(this, question);
  };
  await withComputer((computer) => computer.ask({ name: "analyse", ...QUESTION }));
  Computation.prototype.analyse = analyse;
  return new Computation(made.model, made.ends);
}

test("an answer is the same through messages, and asked again", async () => {
  const direct = await computation();
  const edit = { kind: "cross", layer: 1, head: 0, row: 1, column: 2, weight: 0.9 };
  const changed = { ...QUESTION, off: ["encoder 1 0"], edits: [edit] };
  const targetIds = finish(direct.analyse(QUESTION)).targetIds;
  const words = [{ start: 2, end: 3 }];
  const questions = {
    analyse: changed,
    forced: { ...changed, targetIds },
    lens: { ...changed, targetIds },
    beam: { sourceIds: QUESTION.sourceIds, beam: 3, alpha: 0.6, off: ["decoder 0 1"] },
    sample: { ...QUESTION, temperature: 1, count: 5, seed: 3 },
    leftOut: { ...QUESTION, targetIds, words, written: { start: 1, end: 3 } },
  };

  await withComputer(async (computer) => {
    for (const [name, what] of Object.entries(questions)) {
      const expected = structuredClone(finish(direct[name](what)));
      assert.deepEqual(await computer.ask({ name, ...what }), expected, name);
      assert.deepEqual(await computer.ask({ name, ...what }), expected, name);
    }
  });
});

test("a word that is left out costs what the written words lose without it", async () => {
  const model = await computation();
  const { sourceIds } = QUESTION;
  const off = ["decoder 0 1"];
  const targetIds = [model.ends.startId, 3, 4, 5];
  const written = { start: 1, end: 3 };
  const logProb = (ids) => {
    const { steps } = finish(model.forced({ sourceIds: ids, targetIds, off }));
    return steps.slice(1, 3).reduce((sum, step) => sum + step.logProb, 0);
  };
  const without = sourceIds.filter((_, i) => i !== 2);
  const words = [{ start: 2, end: 3 }];

  assert.deepEqual(finish(model.leftOut({ sourceIds, targetIds, words, written, off })), [
    logProb(sourceIds) - logProb(without),
  ]);
});

test("what is kept of other changes changes nothing", async () => {
  const used = await computation();
  const cell = { row: 1, column: 1, weight: 0.9 };
  const changes = [
    { off: [], edits: [] },
    { off: ["cross 1 0"], edits: [] },
    { off: ["cross 0 1"], edits: [] },
    { off: ["cross 0 1", "cross 1 0"], edits: [] },
    { off: ["decoder 1 1"], edits: [{ kind: "decoder", layer: 0, head: 0, ...cell }] },
    { off: ["encoder 1 0"], edits: [] },
    { off: ["encoder 0 0"], edits: [{ kind: "encoder", layer: 1, head: 1, ...cell }] },
    { off: [], edits: [{ kind: "cross", layer: 1, head: 1, ...cell }] },
  ];

  for (const changed of [...changes, ...changes.toReversed()]) {
    const question = { ...QUESTION, ...changed };
    const fresh = new Computation(used.model, used.ends);
    assert.deepEqual(finish(used.analyse(question)), finish(fresh.analyse(question)));
  }
});

test("the encoder and the layers below a change are not computed again", async () => {
  const { model, ends } = await computation();
  const used = new Computation(model, ends);
  const counts = { encoder: [0, 0], decoder: [0, 0] };
  const count = (layers, side, name) =>
    layers.forEach((one, i) => {
      const { [name]: compute } = Object.getPrototypeOf(one);
      one[name] = (...given) => {
        counts[side][i] += 1;
        return compute.apply(one, given);
      };
    });
  count(model.encLayers, "encoder", "call");
  count(model.decLayers, "decoder", "step");
  const forced = [1, 2, 3, 10];
  const countsOf = (off) => {
    counts.encoder.fill(0);
    counts.decoder.fill(0);
    finish(used.analyse({ ...QUESTION, forced, off }));
    return [...counts.encoder, ...counts.decoder];
  };

  assert.deepEqual(countsOf([]), [1, 1, 4, 4]);
  assert.deepEqual(countsOf(["cross 1 0"]), [0, 0, 0, 4]);
  assert.deepEqual(countsOf(["cross 0 0"]), [0, 0, 4, 4]);
  assert.deepEqual(countsOf(["encoder 1 0"]), [0, 1, 4, 4]);
  assert.deepEqual(countsOf([]), [0, 0, 0, 0]);
});

test("a newer question, or none, ends the work on the one before", async () => {
  let steps = 0;
  Computation.prototype.endless = function* () {
    for (;;) yield (steps += 1);
  };
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  await withComputer(async (computer) => {
    for (const next of [
      () => computer.ask({ name: "analyse", ...QUESTION }),
      () => computer.drop(),
    ]) {
      const endless = computer.ask({ name: "endless" });
      await pause(50);
      assert.ok(steps > 0);
      const answer = next();
      assert.equal(await endless, undefined);
      await answer;
      await pause(50);
      steps = 0;
      await pause(50);
      assert.equal(steps, 0);
    }
    assert.ok((await computer.ask({ name: "analyse", ...QUESTION })).targetIds.length > 1);
  });
  delete Computation.prototype.endless;
});

test("an answer that was on its way when it was dropped is not taken for another", async () => {
  const sent = [];
  const port = { postMessage: (message) => sent.push(message) };
  const computer = new Computer(port);
  const first = computer.ask({ name: "first" });
  const second = computer.ask({ name: "second" });
  port.onmessage({ data: { id: sent[0].id, answer: 1 } });
  port.onmessage({ data: { id: sent[1].id, answer: 2 } });

  assert.equal(await first, undefined);
  assert.equal(await second, 2);
});

test("a fault of the model is an error of the one who asked", async () => {
  await withComputer(async (computer) => {
    await assert.rejects(computer.ask({ name: "nothing" }), /not a function/);
  });
});

test("where no Worker can be made, the model answers in the page's thread", async () => {
  assert.equal(globalThis.Worker, undefined); // as in Node
  const computer = await startComputer("");
  await computer.ask(opening());
  const { targetIds, logits } = await computer.ask({ name: "analyse", ...QUESTION });

  assert.equal(logits.count, targetIds.length - 1);
  assert.equal(rowOf(logits, 0).logits.length, VOCABULARY);
  computer.port.close();
});

test("a Worker can load every module: none asks for the page before it is called", async () => {
  const web = new URL(import.meta.resolve("#web/main.js"));
  const modules = readdirSync(new URL(".", web)).filter((name) => name.endsWith(".js"));

  for (const name of modules.filter((one) => one !== "main.js")) await import(`#web/${name}`);
});
