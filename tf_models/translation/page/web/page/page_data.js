// Reads what the exporter wrote into the page: settings, tokenizers, weights, views of sentences.
import { place } from "./dom.js";
import { Maps } from "../model/maps.js";
import { MeasuredHeads } from "../model/measured.js";
import { floatsOf, unpack } from "../model/packed.js";
import { Tokenizer } from "../model/tokenizer.js";
import { Transformer } from "../model/transformer.js";
import { Translator } from "../model/translator.js";

/**
 * Everything of the page: data, tokenizers, the translator, words of the training sentences,
 * what was measured of heads, sentences.
 */
export async function readPage() {
  const data = JSON.parse(place("data").textContent);
  const { source, target } = data.tokenizers;
  const tokenizers = { source: await readTokenizer(source), target: await readTokenizer(target) };
  return {
    data,
    tokenizers,
    translator: await readTranslator(data, tokenizers),
    knownWords: new Set(
      textOf(await unpack(data.knownWords))
        .split("\n")
        .filter(Boolean),
    ),
    measured: new MeasuredHeads(data.heads),
    sentences: await Promise.all(
      data.sentences.map(async (view) => ({ ...view, maps: await readMaps(view.maps) })),
    ),
  };
}

async function readTokenizer(side) {
  const pieces = JSON.parse(textOf(await unpack(side.pieces)));
  return new Tokenizer({ ...side, pieces, charsmap: await unpack(side.charsmap) });
}

function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}

async function readTranslator({ model, weights, maxLength, plainMarks }, tokenizers) {
  const numbers = floatsOf(await unpack(weights.data));
  const tensors = {}; // Float32Arrays by name; they share one memory
  let start = 0;
  for (const [name, shape] of Object.entries(weights.shapes)) {
    const size = shape.reduce((a, b) => a * b, 1);
    tensors[name] = numbers.subarray(start, start + size);
    start += size;
  }
  return new Translator(new Transformer(model, tensors), tokenizers, { maxLength, plainMarks });
}

async function readMaps(maps) {
  const read = {};
  for (const [kind, { shape, data }] of Object.entries(maps)) {
    read[kind] = new Maps(kind, shape, floatsOf(await unpack(data)));
  }
  return read;
}
