// Five prepared states: each shows one thing, and says it with the numbers of this very model.
import { Display } from "../views/display.js";
import { digits, element, percent, place, toggle } from "./dom.js";
import { rankHeads } from "../views/view_which.js";

const TIRED = "The animal didn't cross the street because it was too tired.";
const WIDE = "The animal didn't cross the street because it was too wide.";
const PLAIN = {
  ...{ view: "heads", kind: "cross", heads: [], words: true, marks: true },
  ...{ row: null, column: null, target: null, chosen: [], off: [], edits: [] },
};

/**
 * source: the sentence; open(page, stop): the state; seen(page, stop): what there is to see, in words.
 *
 * @typedef {object} Stop
 * @property {string} title
 * @property {string} source
 * @property {(page: any, stop: any) => object} open
 * @property {(page: any, stop: any) => string} seen
 */

const searching = () => ({ view: "beam" });
/** The columns from the name's first piece on. */
const nameIn = (columns) => columns.slice(columns.findIndex(({ label }) => label.startsWith("_Z")));

/** @type {Stop[]} */
const STOPS = [
  looking("“it” looks at “animal”", TIRED, "animal", "es"),
  looking("“wide” for “tired”: now at “street”", WIDE, "street", "sie"),
  {
    ...looking("Without both heads that look", TIRED, "animal", "es"),
    ...{ open: losing, seen: lost },
  },
  { title: "A name, piece by piece", source: "I live in Zoqy.", open: copying, seen: copied },
  { title: "The beam's second choice", source: "My name is Anna.", open: searching, seen: second },
];

/** Whether the model reads the sentences: it is of their languages, and has all their letters. */
export function hasTour({ tokenizers: { source, target } }) {
  if (source.language !== "en" || target.language !== "de") return false;
  return STOPS.every((stop) => source.spells(stop.source));
}

/**
 * The state of a stop, from 1 on.
 *
 * @param {Page} page
 */
export function tourState(page, number) {
  const stop = STOPS[number - 1];
  return { ...PLAIN, source: stop.source, ...stop.open(page, stop), tour: number };
}

/**
 * Buttons, and what is to be seen at the stop that is shown.
 *
 * @param {Page} page
 */
export function showTour(page) {
  place("tour").hidden = !page.hasTour;
  if (!page.hasTour) return;
  const { tour } = page.state;
  const buttons = STOPS.map(({ title }, i) =>
    toggle(`${i + 1}. ${title}`, tour === i + 1, () => page.set(tourState(page, i + 1)), {
      id: `tour-${i + 1}`,
    }),
  );
  const stop = STOPS[tour - 1];
  const text = stop ? stop.seen(page, stop) : "Five things to see; each button opens one.";
  place("tour").replaceChildren(
    element("div", { class: "controls" }, ...buttons),
    element("p", { id: "seen", role: "status", text }),
  );
}

/** A stop at the encoder's head that looks most from "it" to the noun that it stands for. */
function looking(title, source, noun, pronoun) {
  return { title, source, noun, pronoun, open: lookAt, seen: look };
}

/** @param {Page} page */
function lookAt(page, { source, noun }) {
  const display = new Display(page.analyse(source), "encoder", PLAIN);
  const [row, column] = cellOf(display, noun);
  const [{ layer, head }] = rankHeads(display, row, column);
  return { kind: "encoder", layer, head, row, column };
}

const nameOf = ({ layer, head }) => `head ${head + 1} of layer ${layer + 1}`;
const keyOf = ({ layer, head }) => `encoder ${layer} ${head}`;

function look({ display, state, isOff }, { noun, pronoun }) {
  const [row, column] = cellOf(display, noun);
  if (row < 0 || column < 0) return "Now attention of another kind is shown.";
  const name = nameOf(state);
  if (isOff(state.head)) {
    return `Now ${name} is off: see below what that does to “${pronoun}”, and to the translation.`;
  }
  const weight = display.at(state.layer, state.head, row, column);
  const others = rankHeads(display, row, column)
    .filter((other) => other.weight > 0.5 && nameOf(other) !== name)
    .map((other) => `${nameOf(other)} (${percent(other.weight)})`);
  const text = `At “it”, ${name} gives “${noun}” ${percent(weight)} of its attention`;
  if (weight < 0.5)
    return `${text}, the most of all heads: this model's heads do not say what “it” is.`;
  return (
    `${text}: “it” is the ${noun}. ` +
    (others.length ? `So it is for ${others.join(" and ")}. ` : "") +
    `Switch one off below: is “${pronoun}” lost? Stop 3 switches two off.`
  );
}

/**
 * The head that best finds, for each piece of the name, the same piece.
 *
 * @param {Page} page
 */
function copying(page, { source }) {
  const analysis = page.analyse(source);
  const display = new Display(analysis, "cross", { ...PLAIN, words: false });
  const copies = copiedCells(display);
  const all = display.maps.everyHead().map(([layer, head]) => {
    const share = copies.reduce((sum, cell) => sum + display.at(layer, head, ...cell), 0);
    return { layer, head, share };
  });
  const { layer, head } = all.reduce((best, one) => (one.share > best.share ? one : best));
  return { words: false, layer, head };
}

function copied({ display, state: { layer, head } }) {
  const { rows, columns } = display;
  const share = ([i, j]) => `“${rows[i].label}” (${percent(display.at(layer, head, i, j))})`;
  const found = copiedCells(display).map(share);
  const read = nameIn(columns).filter(({ mark }) => !mark).length;
  const text = "No training sentence had this name. ";
  if (!read || found.length < read) return `${text}This model does not copy all of its pieces.`;
  return (
    `${text}It is read as ${read} pieces, and head ${head + 1} of layer ${layer + 1} finds each ` +
    `while it is written: ${found.join(", ")}.`
  );
}

/** Cells of pieces of the name, which are the same on both sides. */
function copiedCells({ rows, columns }) {
  return nameIn(columns).flatMap((column) => {
    const row = rows.findIndex(({ label }) => label === column.label);
    return column.mark || row < 0 ? [] : [[row, columns.indexOf(column)]];
  });
}

/**
 * Off are the two heads of the encoder that look most from "it" to the noun.
 *
 * @param {Page} page
 */
function losing(page, { source, noun }) {
  const off = twoHeads(page, source, noun).map(keyOf);
  return { ...lookAt(page, { source, noun }), off };
}

function twoHeads(page, source, noun) {
  const display = new Display(page.analyse(source), "encoder", PLAIN);
  return rankHeads(display, ...cellOf(display, noun)).slice(0, 2);
}

/** @param {Page} page */
function lost(page, { source, noun, pronoun }) {
  const heads = twoHeads(page, source, noun);
  const off = heads.map(keyOf);
  if (String(page.state.off.toSorted()) !== String(off.toSorted())) {
    return "Now other heads are off: see below what that does.";
  }
  const own = page.analyse(source);
  const step = own.targetTokens.findIndex((token) => token.slice(1) === pronoun) - 1;
  if (step < 0) return `This model does not write “${pronoun}”.`;
  const shareWithout = (some) => Math.exp(page.translator.forced(own, some)[step].logProb);
  const [left, right] = heads.map(nameOf);
  const [before, both, one, other] = [[], off, [off[0]], [off[1]]].map(shareWithout);
  const covers = both < before / 2 && Math.min(one, other) > before / 2;
  const sum = covers
    ? "Each covers for the other: a head that looks is not yet a head that is needed."
    : "Other parts of this model find the word, too.";
  return (
    `Both heads that look at “${noun}” are off, ${left} and ${right}: “${pronoun}” had ` +
    `${percent(before)}, now ${percent(both)}. Without the first alone it has ${percent(one)}, ` +
    `without the second alone ${percent(other)}. ${sum}`
  );
}

/** @param {Page} page */
function second(page) {
  const [first, next] = page.beams().hypotheses;
  const text = ({ ids }) => `“${page.tokenizers.target.decode(ids)}”`;
  if (!next) return "The beam found one translation.";
  return (
    `The model writes ${text(first)}. Second in the beam is ${text(next)}, with log P ` +
    `${digits(next.logProb, 2)} in place of ${digits(first.logProb, 2)}: ` +
    `1 to ${Math.round(Math.exp(first.logProb - next.logProb))}. Move over a node below to see its sum.`
  );
}

function cellOf({ rows, columns }, noun) {
  const indexOf = (groups, text) => groups.findIndex(({ label }) => label === text);
  return [indexOf(rows, "it"), indexOf(columns, noun)];
}
