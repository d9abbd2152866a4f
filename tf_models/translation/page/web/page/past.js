// One undo for everything: the states before this one. The browser's back button knows them, too.
import { hashOf, stateOf } from "./address.js";
import { place } from "./dom.js";

const MOST = 200; // states that are kept

export class Past {
  /** show(state): shows a state that is none of a reader's own changes. */
  constructor(show) {
    this.hashes = [];
    this.now = location.hash;
    place("undo").addEventListener("click", () => this.undo(show));
    addEventListener("hashchange", () => {
      if (location.hash === this.now) return; // it was this page that changed it
      if (this.hashes.at(-1) === location.hash) this.hashes.pop();
      else this.keep(this.now);
      this.now = location.hash;
      show(stateOf(location.hash));
    });
    addEventListener("keydown", (event) => {
      const writes = /** @type {Element} */ (event.target).matches(
        "input:not([type=range]), textarea, select",
      );
      if (writes || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.undo(show);
    });
  }

  /** The page shows a state now; from the one before a reader can come back to it. */
  record(state, { isNew = true } = {}) {
    const hash = hashOf(state);
    if (hash !== this.now) {
      if (isNew) this.keep(this.now);
      write(hash, isNew);
      this.now = hash;
    }
    place("undo").disabled = this.hashes.length === 0;
  }

  keep(hash) {
    this.hashes = [...this.hashes, hash].slice(-MOST);
  }

  undo(show) {
    if (this.hashes.length) show(stateOf(this.hashes.pop()));
  }
}

function write(hash, isNew) {
  try {
    if (isNew) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  } catch {
    // a frame of a notebook has no address of its own
  }
}
