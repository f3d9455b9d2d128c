const compiled = new Map<string, RegExp>();

/** The regular expression of a rule's pattern, compiled once. Patterns are few, so the cache is not limited. */
export function pattern(source: string): RegExp {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const fresh = new RegExp(source, 'du');
  compiled.set(source, fresh);
  return fresh;
}
