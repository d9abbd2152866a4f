// Results that are kept while there is room: what was not asked for longest goes first.

export class Kept {
  /** @param {number} most results */
  constructor(most) {
    this.most = most;
    this.results = new Map();
  }

  has(key) {
    return this.results.has(key);
  }

  get(key) {
    return this.set(key, this.results.get(key));
  }

  set(key, result) {
    this.results.delete(key); // it becomes the newest
    this.results.set(key, result);
    const [oldest] = this.results.keys();
    if (this.results.size > this.most) this.results.delete(oldest);
    return result;
  }
}
