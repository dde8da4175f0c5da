/** Rows of the table in use, which is the innermost loop of a correction. */
let [before, last, row]: [number[], number[], number[]] = [[], [], []];

/** Optimal string alignment distance: insertions, deletions, replacements and transpositions; stops past the limit. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let left = i;
    let nearest = i;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const diagonal = (last[j - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      left = Math.min((last[j] ?? 0) + 1, left + 1, diagonal);
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        left = Math.min(left, (before[j - 2] ?? 0) + 1);
      row[j] = left;
      nearest = Math.min(nearest, left);
    }
    if (nearest > limit) return limit + 1;
    [before, last, row] = [last, row, before];
  }
  return last[b.length] ?? limit + 1;
}
