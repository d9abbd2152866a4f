// What was measured of each head over many sentences, as research/heads writes it (heads.csv): what
// it looks at, and what is lost without it.

// What a head is for: the column that says so, from which share on, and in words. The first that
// fits counts; of alignment errors, fewer are better.
const LABELS = [
  { column: "noun_of_it", from: 0.4, text: "the noun that “it” stands for" },
  { column: "noun_of_adjective", from: 0.6, text: "the noun of an adjective" },
  { column: "subject_of_verb", from: 0.6, text: "the subject of a verb" },
  { column: "previous", from: 0.5, text: "the word before" },
  { column: "itself", from: 0.6, text: "itself" },
  { column: "start_and_end", from: 0.8, text: "start and end: it rests" },
];
const ALIGNED = 0.35; // errors of a head that finds the word that is translated
const NOTICED = 3; // percentage points; less is noise

export class MeasuredHeads {
  /** csv: a row for each head, and one with "none" switched off; "" if nothing was measured. */
  constructor(csv) {
    const [header, ...lines] = csv.trim().split(/\r?\n/);
    const columns = header.split(",");
    const rows = lines.map((line) =>
      Object.fromEntries(line.split(",").map((value, i) => [columns[i], value])),
    );
    this.rows = new Map(rows.map((row) => [`${row.kind} ${row.layer} ${row.head}`, row]));
    this.whole = rows.find(({ head }) => head === "none");
  }

  get none() {
    return !this.whole;
  }

  /** What a head looks at, in words; "" if it has no task that was looked for. */
  label(kind, layer, head) {
    const row = this.rowOf(kind, layer, head);
    if (!row) return "";
    const found = LABELS.find(({ column, from }) => numberOf(row, column) >= from);
    if (found) return `${found.text} (${Math.round(100 * numberOf(row, found.column))} %)`;
    return numberOf(row, "alignment_error_rate") <= ALIGNED ? "the word that is translated" : "";
  }

  /** What is lost without a head, in words; "" if nobody measured it. */
  cost(kind, layer, head) {
    const row = this.rowOf(kind, layer, head);
    if (!row || !this.whole) return "";
    const losses = [
      ["of er, sie, es", "right", "pronouns_ablated"],
      ["of sentences", "exact", "exact_match_ablated"],
    ].flatMap(([of, right, column]) => {
      const [before, after] = [numberOf(this.whole, column), numberOf(row, column)];
      const points = Math.round(before) - Math.round(after);
      const text = `${Math.round(after)} % ${of} ${right}, not ${Math.round(before)} %`;
      return points >= NOTICED ? [text] : [];
    });
    return losses.join("; ") || "nothing is lost";
  }

  rowOf(kind, layer, head) {
    return this.rows.get(`${kind} ${layer + 1} ${head + 1}`);
  }
}

/** A number of a row; NaN, which is not larger or smaller than any, where nothing was measured. */
function numberOf(row, column) {
  return row[column] ? Number(row[column]) : NaN;
}
