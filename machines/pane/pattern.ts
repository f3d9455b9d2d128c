const compiled = new Map<string, RegExp>();

/** The regular expression of a rule's pattern, compiled once. Patterns are data and few, so none is ever forgotten. */
export function pattern(source: string): RegExp {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const fresh = new RegExp(source, 'du');
  compiled.set(source, fresh);
  return fresh;
}
