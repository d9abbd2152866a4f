// Products with matrices: WebAssembly's and JavaScript's are the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { PROGRAM, dense, roomFor } from "#web/products.js";

const wabt = await import("wabt").catch(() => null);
const numbers = (count, start) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(start + i));

/** Numbers in a room for matrices, behind others, and before others. */
function inRoom(matrix) {
  const room = roomFor(matrix.length + 5).fill(Infinity);
  const inside = room.subarray(3, 3 + matrix.length);
  inside.set(matrix);
  return inside;
}

test("the program is the assembled text", { skip: !wabt && "no wabt (npm ci)" }, async () => {
  const text = readFileSync(new URL(import.meta.resolve("#web/products.wat")), "utf8");
  const module = (await wabt.default()).parseWat("products.wat", text, { simd: true });
  const assembled = Buffer.from(module.toBinary({}).buffer);

  assert.equal(PROGRAM.replaceAll("\n", ""), assembled.toString("base64"));
});

test("products in a room and elsewhere are sums of products", () => {
  for (const [count, inputs, units] of [
    [1, 4, 4],
    [1, 1, 1],
    [2, 3, 5],
    [3, 9, 7],
    [17, 130, 31],
  ]) {
    const rows = Array.from({ length: count }, (_, row) => numbers(inputs, row));
    const [kernel, bias] = [numbers(inputs * units, 0.5), numbers(units, 0.25)];
    const sum = (x, unit) =>
      x.reduce((all, value, i) => all + value * kernel[i * units + unit], bias[unit]);
    const expected = rows.map((x) => Array.from(bias, (_, unit) => sum(x, unit)));
    const room = inRoom(kernel);
    assert.notEqual(room.buffer.byteLength, 4 * (kernel.length + 5), "WebAssembly's memory");

    for (const one of [kernel, room]) {
      const found = dense(rows, { kernel: one, bias });
      found.forEach((sums, row) => {
        assert.equal(sums.length, units);
        sums.forEach((value, unit) => assert.ok(Math.abs(value - expected[row][unit]) < 1e-5));
      });
    }
  }
});

test("where WebAssembly is refused, a room is an array like any other", () => {
  const { Module } = WebAssembly;
  WebAssembly.Module = function () {
    throw new WebAssembly.CompileError("refused");
  };
  const room = roomFor(6);
  WebAssembly.Module = Module;
  room.set([1, 2, 3, 4, 5, 6]);

  assert.equal(room.buffer.byteLength, 24);
  assert.deepEqual(dense([[1, 10]], { kernel: room, bias: new Float32Array(3) }), [
    new Float32Array([41, 52, 63]),
  ]);
});
