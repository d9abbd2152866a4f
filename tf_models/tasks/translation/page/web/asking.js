// What the page asks the model, and what is done once it has answered. A question goes from here through
// computer.js to the model's thread: server.js, computation.js, search.js, transformer.js, vectors.js.
import { place } from "./dom.js";
import { Kept } from "./kept.js";

const REMEMBERED = 24; // answers
const PATIENCE = 150; // milliseconds before the page says that it computes

/** What is not known yet: the question, the key under which its answer is kept, and how it is read. */
class Pending extends Error {
  /** @param {Question} question */
  constructor(question, key, read) {
    super(`not known yet: ${key}`);
    this.question = question;
    this.key = key;
    this.read = read;
  }
}

export class Asking {
  /** @param {Computer | null} computer null where the page is not live: nothing is asked then */
  constructor(computer) {
    this.computer = /** @type {Computer} */ (computer);
    this.answers = new Kept(REMEMBERED);
    this.turn = 0; // of attempts: a new one puts an end to the last
  }

  /**
   * What the model answers to a question, if it is known; Pending, which is thrown, if it is to be asked.
   *
   * @param {Question} question a method of `Computation` and what it is given
   * @param {(answer: any) => any} read what the page makes of the answer
   * @param {any[]} more what this depends on, beside the question
   */
  answer(question, read = (answer) => answer, more = []) {
    const key = JSON.stringify([question, ...more]);
    if (this.answers.has(key)) return this.answers.get(key);
    throw new Pending(question, key, read);
  }

  /**
   * Do what shows something of the model. What it needs is asked, and then it is done again; meanwhile
   * the page says that it computes. If the reader goes on elsewhere, it is given up.
   */
  attempt(action) {
    this.turn += 1;
    const { turn } = this;
    this.computer?.drop();
    const again = () => {
      try {
        const value = action();
        if (turn === this.turn) this.computing(false); // else the action itself has begun to ask
        return value;
      } catch (pending) {
        if (!(pending instanceof Pending)) throw pending;
        this.computing(true);
        return this.computer.ask(pending.question).then((answer) => {
          if (turn !== this.turn) return undefined;
          this.answers.set(pending.key, pending.read(answer));
          return again();
        });
      }
    };
    return again();
  }

  /** Say that something is being computed, or no longer; what is done at once goes without saying. */
  computing(is) {
    const main = place("main");
    if (String(is) === main.getAttribute("aria-busy")) return;
    main.setAttribute("aria-busy", String(is));
    clearTimeout(this.patience);
    if (!is) place("computing").hidden = true;
    else this.patience = setTimeout(() => (place("computing").hidden = false), PATIENCE);
  }
}
