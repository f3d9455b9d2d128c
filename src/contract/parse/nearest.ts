/** The candidate most similar to a mistyped word; undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let min = max + 1;
  for (const candidate of candidates) {
    // The difference in length is a lower bound of the edits.
    if (Math.abs(candidate.length - word.length) >= min) continue;
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < min) [best, min] = [candidate, edits];
  }
  return best;
}

/** The Levenshtein distance between two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
