// Beginnings of translations of one sentence, as a tree. What was computed of a beginning is kept for
// all that goes on from it: other hypotheses, the same words forced, a head off in a later layer.
import { Kept } from "./kept.js";

const VARIANTS = 12; // results of a token: those of its layers, in the model as it is and changed

export class Prefix {
  constructor(length = 0) {
    this.length = length;
    this.longer = new Map(); // by the id that follows
    this.results = new Kept(VARIANTS);
  }

  /** This prefix and one token more. */
  with(id) {
    if (!this.longer.has(id)) this.longer.set(id, new Prefix(this.length + 1));
    return this.longer.get(id);
  }

  /** What was made for the key before, or is made now. */
  remember(key, make) {
    return this.results.has(key) ? this.results.get(key) : this.results.set(key, make());
  }
}
