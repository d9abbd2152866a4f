// Long work in small steps, so that the page never freezes: a generator that yields between them, and
// with each step what it cost. A row of an encoder layer costs 1.

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
    this.key = key;
    this.work = work;
  }
}

/**
 * Do a generator's work until it is done or has cost so much; {done, value} of the last step, and what
 * was `spent`.
 */
export function begin(work, budget) {
  let last = work.next();
  let spent = 0;
  for (; !last.done && spent < budget; last = work.next()) spent += last.value;
  return { ...last, spent };
}

/** Do a generator's work slice by slice while it is wanted; undefined once it is not. */
export async function inSlices(work, isWanted) {
  while (isWanted()) {
    const end = performance.now() + SLICE;
    let last = work.next();
    while (!last.done && performance.now() < end) last = work.next();
    await new Promise((resolve) => setTimeout(resolve)); // who waits for the last has a turn, too
    if (last.done) return last.value;
  }
  return undefined;
}
