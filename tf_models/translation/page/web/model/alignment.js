// Which items of two lists belong together.

/** Pairs [i, j] of equal items in the same order, as many as there can be. */
export function commonItems(a, b) {
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i][j] =
        a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (longest[i + 1][j] >= longest[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** Pairs of equal items, and of those that stand in each other's place between them. */
export function alignedItems(a, b) {
  const pairs = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...commonItems(a, b), [a.length, b.length]]) {
    if (nextI - i === nextJ - j) while (i < nextI) pairs.push([i++, j++]);
    if (nextI < a.length) pairs.push([nextI, nextJ]);
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return pairs;
}
