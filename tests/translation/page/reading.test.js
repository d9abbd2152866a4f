// What is read: addresses, sentences, pieces and words, what was measured of heads.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hashOf, stateOf } from "#web/page/address.js";
import { MeasuredHeads } from "#web/model/measured.js";
import { normalizeSource, unknownWords } from "#web/model/sentences.js";
import { groupsOf, isMark } from "#web/model/words.js";

test("a state survives its address", () => {
  const changed = { source: "a & b = „ü“ #1", off: ["cross 0 1"], row: 3, words: false, tour: 2 };
  const state = { ...stateOf(""), ...changed };

  assert.deepEqual(stateOf(hashOf(state)), state);
  assert.equal(hashOf(stateOf("")), "#");
});

test("what is damaged in an address is left out", () => {
  const { row, off } = stateOf("#row=[]&off=1&x=2");

  assert.deepEqual([row, off], [null, []]);
});

test("a sentence is read with plain marks, and its unknown words are named", () => {
  const known = new Set(["the", "dog", "0:00", ",", "."]);

  assert.equal(
    normalizeSource(" “It’s \u00a0late…” ", { "’": "'", "“": '"', "”": '"', "…": "..." }),
    '"It\'s late..."',
  );
  assert.deepEqual(unknownWords("The dog's cat, the CAT at 7:30.", known), ["cat", "CAT", "at"]);
  assert.deepEqual(unknownWords("The cat.", new Set()), []);
});

test("pieces become words, and marks words of their own", () => {
  const tokens = ["<start>", "▁Re", "g", "is", "seurin", ".", "<end>"];
  const words = groupsOf(tokens, true);

  assert.deepEqual(
    words.map(({ label, start, end }) => [label, start, end]),
    [
      ["<start>", 0, 1],
      ["Regisseurin", 1, 5],
      [".", 5, 6],
      ["<end>", 6, 7],
    ],
  );
  assert.deepEqual(
    words.map(({ mark }) => mark),
    [true, false, true, true],
  );
  assert.deepEqual(
    groupsOf(tokens, false).map(({ label }) => label),
    ["<start>", "_Re", "g", "is", "seurin", ".", "<end>"],
  );
  assert.deepEqual(["▁?", "<unk>", "▁a"].map(isMark), [true, false, false]);
});

test("measured heads in words", () => {
  const heads = new MeasuredHeads(
    "kind,layer,head,start_and_end,previous,noun_of_it,pronouns_ablated,exact_match_ablated\n" +
      "any,,none,,,,100.0,90.7\ncross,1,1,0.1,,0.51,67.8,90.0\nencoder,2,1,0.9,0.1,0.0,100,91\n",
  );

  assert.equal(heads.label("cross", 0, 0), "the noun that “it” stands for (51 %)");
  assert.equal(heads.cost("cross", 0, 0), "68 % of er, sie, es right, not 100 %");
  assert.equal(heads.label("encoder", 1, 0), "start and end: it rests (90 %)");
  assert.equal(heads.cost("encoder", 1, 0), "nothing is lost");
  assert.equal(heads.label("cross", 3, 3), "");
});

test("where nothing was measured, nothing is said", () => {
  const heads = new MeasuredHeads("");

  assert.equal(heads.none, true);
  assert.equal(heads.cost("cross", 0, 0), "");
});
