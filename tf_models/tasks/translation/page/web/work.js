// Long work in small steps: a generator that yields between them, so that its thread hears what else
// is wanted.

const SLICE = 30; // milliseconds of work before others have their turn

/** Do all of a generator's work now. */
export function finish(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Do a generator's work slice by slice while it is wanted; undefined once it is not. */
export async function inSlices(work, isWanted) {
  for (;;) {
    const end = performance.now() + SLICE;
    let last = work.next();
    while (!last.done && performance.now() < end) last = work.next();
    if (last.done) return last.value;
    await new Promise((resolve) => setTimeout(resolve));
    if (!isWanted()) return undefined;
  }
}
