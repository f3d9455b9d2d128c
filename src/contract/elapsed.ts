const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** A duration in its largest whole unit, short enough for a list: `12s`, `4m`, `3h`, `9d`. */
export function elapsedText(milliseconds: number): string {
  for (const [letter, length] of units) {
    if (milliseconds >= length) return `${Math.floor(milliseconds / length)}${letter}`;
  }
  return `${Math.max(0, Math.floor(milliseconds / 1_000))}s`;
}
