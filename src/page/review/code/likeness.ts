/** The minimum share of common words with which one line counts as a changed version of another. */
const minShare = 0.4;

/** Whether two lines are so similar that marking the differences helps. In other lines, everything would be marked. */
export function isAlike(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const count = words.length + others.length;
  if (count === 0) return false;
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of words) {
    const times = left.get(word) ?? 0;
    if (times === 0) continue;
    left.set(word, times - 1);
    common += 2;
  }
  return common / count >= minShare;
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_]+/gu) ?? [];
}
