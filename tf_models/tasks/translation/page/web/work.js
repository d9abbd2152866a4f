// Long work in small steps: a generator that yields between them, so that the page never freezes.

const SLICE = 30; // milliseconds of work before the browser has its turn

/** Do all of a generator's work now. */
export function finish(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Work that was begun and waits to be done in slices. */
export class Pending extends Error {
  constructor(key, work) {
    super("this is being computed");
    Object.assign(this, { key, work });
  }
}

/** Do so many steps of a generator's work; {done, value} of the last one. */
export function begin(work, steps) {
  let last = work.next();
  for (let i = 1; i < steps && !last.done; i++) last = work.next();
  return last;
}

/** Do a generator's work slice by slice while it is wanted; undefined once it is not. */
export async function inSlices(work, isWanted) {
  while (isWanted()) {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const { done, value } = work.next();
      if (done) return value;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return undefined;
}
