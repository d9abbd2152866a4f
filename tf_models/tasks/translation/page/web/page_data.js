// Reads what the exporter wrote into the page: settings, tokenizers, weights, views of sentences.
import { place } from "./dom.js";
import { Maps } from "./maps.js";
import { MeasuredHeads } from "./measured.js";
import { checksum, floatsOf, unpack } from "./packed.js";
import { TrainingSentences } from "./remarks.js";
import { Tokenizer } from "./tokenizer.js";
import { Transformer } from "./transformer.js";

/**
 * Everything of the page: data, tokenizers, what training had, what was measured of heads, model (null
 * if it is not live), sentences, epochs.
 */
export async function readPage() {
  const data = JSON.parse(place("data").textContent);
  const tokenizers = await readTokenizers(data.tokenizers);
  const weights = data.weights ? await unpack(data.weights.data) : null;
  return {
    data,
    tokenizers,
    training: await readTraining(data, tokenizers.source),
    measured: new MeasuredHeads(data.heads ?? ""),
    model: weights ? new Transformer(data.model, tensorsOf(data.weights, weights)) : null,
    weightsAreWhole: !weights || checksum(weights) === data.weights.checksum,
    sentences: await Promise.all(data.sentences.map(readSentence)),
    epochs: await Promise.all(
      (data.epochs ?? []).map(async ({ epoch, maps, valueNorms }) => ({
        epoch,
        maps: await readMaps(maps),
        valueNorms: await readMaps(valueNorms),
      })),
    ),
  };
}

async function readTraining({ training, tokenizers: { plainMarks } }, tokenizer) {
  const words = training.words && new TextDecoder().decode(await unpack(training.words));
  return new TrainingSentences({ ...training, plainMarks }, words, tokenizer);
}

async function readTokenizers({ source, target, tables, plainMarks }) {
  const unpacked = {};
  for (const [name, text] of Object.entries(tables)) unpacked[name] = await unpack(text);
  const made = (side) => {
    const pieces = JSON.parse(new TextDecoder().decode(unpacked[side.pieces]));
    const charsmap = unpacked[side.charsmap];
    const tokenizer = new Tokenizer({ ...side, pieces, charsmap, plainMarks });
    return Object.assign(tokenizer, { language: side.language });
  };
  return { source: made(source), target: made(target) };
}

/** Float32Arrays by name; they share one buffer. */
function tensorsOf({ shapes }, bytes) {
  const numbers = floatsOf(bytes);
  const tensors = {};
  let start = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    const size = shape.reduce((product, n) => product * n, 1);
    tensors[name] = numbers.subarray(start, start + size);
    start += size;
  }
  return tensors;
}

async function readMaps(maps) {
  const read = {};
  for (const [kind, { shape, data }] of Object.entries(maps)) {
    read[kind] = new Maps(kind, shape, floatsOf(await unpack(data)));
  }
  return read;
}

async function readSentence(view) {
  const attribution = view.gradientTimesInput;
  return {
    ...view,
    forced: view.target !== null,
    maps: await readMaps(view.maps),
    valueNorms: await readMaps(view.valueNorms), // one row a head
    gradientTimesInput: attribution && {
      shape: attribution.shape,
      values: floatsOf(await unpack(attribution.data)),
    },
    records: null,
  };
}
