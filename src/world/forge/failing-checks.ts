const max = 20;

/** The names of failing checks for a reading: each once, at most 20. */
export function maxFailing(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))].slice(0, max);
}
