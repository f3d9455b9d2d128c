const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** How long ago a moment was, in its largest whole unit, such as `12m`; empty for an unknown moment. */
export function ago(moment: string | undefined, now: number): string {
  const at = moment === undefined ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(at)) return '';
  const passed = Math.max(0, now - at);
  for (const [letter, length] of units) {
    if (passed >= length) return `${Math.floor(passed / length)}${letter}`;
  }
  return `${Math.floor(passed / 1000)}s`;
}
