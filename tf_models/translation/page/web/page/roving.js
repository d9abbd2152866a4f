// Keyboard of a grid (ARIA Authoring Practices): one tab stop; arrows, Home, End, with Ctrl to the
// corners.

/**
 * Let the reader move through elements.
 *
 * @param {HTMLElement[][]} lines row after row; a row may be shorter than others
 * @param {object} [options]
 * @param {number[]} [options.start] row and column of the tab stop
 * @param {(row: number, column: number) => void} [options.onMove]
 * @param {(event: KeyboardEvent, row: number, column: number) => void} [options.onKey] of a key that
 *   does not move
 */
export function rove(lines, { start = [0, 0], onMove = () => {}, onKey = () => {} } = {}) {
  let [row, column] = lines[start[0]]?.[start[1]] ? start : [0, 0];
  const stop = (value) => lines[row]?.[column]?.setAttribute("tabindex", String(value));
  const become = (nextRow, nextColumn) => {
    stop(-1);
    row = Math.min(Math.max(nextRow, 0), lines.length - 1);
    column = Math.min(Math.max(nextColumn, 0), lines[row].length - 1);
    stop(0);
  };
  lines.forEach((line, i) =>
    line.forEach((one, j) => {
      one.setAttribute("tabindex", "-1");
      one.addEventListener("focus", () => {
        if (i !== row || j !== column) become(i, j);
        onMove(i, j);
      });
      one.addEventListener("keydown", (event) => {
        const next = destination(event, lines, i, j);
        if (!next) {
          onKey(event, i, j);
          return;
        }
        event.preventDefault();
        become(...next);
        lines[row][column].focus();
      });
    }),
  );
  stop(0);
}

function destination({ key, ctrlKey, altKey, metaKey }, lines, row, column) {
  if (altKey || metaKey) return null;
  const last = lines[row].length - 1;
  if (key === "Home") return ctrlKey ? [0, 0] : [row, 0];
  if (key === "End") return ctrlKey ? [lines.length - 1, lines.at(-1).length - 1] : [row, last];
  if (ctrlKey) return null;
  if (key === "ArrowLeft") return [row, column - 1];
  if (key === "ArrowRight") return [row, column + 1];
  if (key === "ArrowUp") return [row - 1, column];
  if (key === "ArrowDown") return [row + 1, column];
  return null;
}
