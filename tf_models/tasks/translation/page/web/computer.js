// The page's side of the messages to the model (see server.js): one question at a time.
import { serve } from "./server.js";

export class Computer {
  /** port: a Worker, or one end of a channel, whose other end is served. */
  constructor(port) {
    this.port = port;
    this.last = 0; // number of the last message
    this.waiting = null; // for the answer to it: {resolve, reject}
    port.onmessage = ({ data }) => this.hear(data);
  }

  /** The answer to {name, …}; undefined if it is dropped, or another question is asked, before. */
  ask(question) {
    this.waiting?.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.send(question);
    });
  }

  /** The last question need not be answered any more. */
  drop() {
    if (!this.waiting) return;
    this.waiting.resolve(undefined);
    this.waiting = null;
    this.send(null);
  }

  send(question) {
    this.last += 1;
    this.port.postMessage({ id: this.last, question });
  }

  hear({ id, answer, error }) {
    if (id !== this.last || !this.waiting) return; // it was dropped when it was on its way
    const { resolve, reject } = this.waiting;
    this.waiting = null;
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  }
}

/** A computer in a thread of its own, that runs the page's script; in the page's where it must be. */
export async function startComputer(script) {
  const worker = await startWorker(script);
  if (worker) return new Computer(worker);
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  return new Computer(port1);
}

/** @returns {Promise<Worker | null>} null where the browser, or the page around this one, refuses it */
function startWorker(script) {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return new Promise((resolve) => {
    const worker = new Worker(address);
    worker.onmessage = () => resolve(worker); // it says that it is there
    worker.onerror = () => resolve(null);
  })
    .catch(() => null)
    .finally(() => URL.revokeObjectURL(address));
}
