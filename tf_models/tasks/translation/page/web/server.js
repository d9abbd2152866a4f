// The model's side of the messages: {id, question} comes in, {id, answer} or {id, error} goes out. It
// runs in a Worker, and in the page itself where the browser refuses one.
import { Computation } from "./computation.js";
import { checksum, floatsOf, unpack } from "./packed.js";
import { roomFor } from "./products.js";
import { buffersOf } from "./rows.js";
import { Transformer } from "./transformer.js";
import { inSlices } from "./work.js";

/**
 * Answer what is asked through a port (a Worker's own scope, or one end of a channel).
 *
 * The first question is "open", with the model; the others are methods of `Computation`, and "forget"
 * begins with one that knows no sentence. Whatever is asked, or null, puts an end to the work on the
 * question before.
 */
export function serve(port) {
  let newest = 0;
  /** @type {any} */
  let computation = null;
  const answerTo = async ({ name, ...what }, isWanted) => {
    if (name === "open") {
      const bytes = await unpack(what.weights.data);
      const model = new Transformer(what.model, tensorsOf(what.weights.shapes, floatsOf(bytes)));
      computation = new Computation(model, what.ends);
      return { weightsAreWhole: checksum(bytes) === what.weights.checksum };
    }
    if (name === "forget") {
      computation = new Computation(computation.model, computation.ends);
      return null;
    }
    return inSlices(computation[name](what), isWanted);
  };
  port.onmessage = async ({ data: { id, question } }) => {
    newest = id;
    if (!question) return;
    const isWanted = () => id === newest;
    try {
      const answer = await answerTo(question, isWanted);
      port.postMessage({ id, answer }, buffersOf(answer));
    } catch (error) {
      port.postMessage({ id, error: String(error) });
    }
  };
}

/** Float32Arrays by name; they share one memory. */
function tensorsOf(shapes, numbers) {
  const memory = roomFor(numbers.length);
  memory.set(numbers);
  const tensors = {};
  let start = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    const size = shape.reduce((product, n) => product * n, 1);
    tensors[name] = memory.subarray(start, start + size);
    start += size;
  }
  return tensors;
}
