const most = 20;

/** The names of failing checks as a reading holds them: each once, at most 20. */
export function failingMost(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))].slice(0, most);
}
