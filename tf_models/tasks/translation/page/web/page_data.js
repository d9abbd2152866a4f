// Reads what the exporter wrote into the page: settings, tokenizers, weights, views of sentences.
import { startComputer } from "./computer.js";
import { place } from "./dom.js";
import { Maps } from "./maps.js";
import { MeasuredHeads } from "./measured.js";
import { floatsOf, unpack } from "./packed.js";
import { TrainingSentences } from "./remarks.js";
import { Tokenizer } from "./tokenizer.js";

/**
 * Everything of the page: data, tokenizers, what training had, what was measured of heads, the computer
 * that has the model (null if the page is not live), sentences, epochs.
 *
 * script: the page's own, which the computer runs in its thread.
 */
export async function readPage(script) {
  const data = JSON.parse(place("data").textContent);
  const tokenizers = await readTokenizers(data.tokenizers);
  const computer = data.weights ? await startComputer(script) : null;
  const opened = computer?.ask({ name: "open", ...modelOf(data, tokenizers) });
  const contents = {
    data,
    tokenizers,
    training: await readTraining(data, tokenizers.source),
    measured: new MeasuredHeads(data.heads ?? ""),
    computer,
    sentences: await Promise.all(data.sentences.map(readSentence)),
    epochs: await Promise.all(
      (data.epochs ?? []).map(async ({ epoch, maps, valueNorms }) => ({
        epoch,
        maps: await readMaps(maps),
        valueNorms: await readMaps(valueNorms),
      })),
    ),
  };
  return { ...contents, weightsAreWhole: !opened || (await opened).weightsAreWhole };
}

function modelOf({ model, weights, maxLength }, { target: { startId, endId } }) {
  return { model, weights, ends: { startId, endId, maxLength: maxLength - 1 } };
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
