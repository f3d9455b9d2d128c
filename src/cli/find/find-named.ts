import { nearest } from '#contract/parse/nearest.ts';

/** A record that has an id and a name of its own. */
interface Named {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** The record that a person means, by id or else by name; undefined if there is none. */
export function findNamed<Row extends Named>(
  rows: readonly Row[],
  said: string,
): (Row & { readonly id: string }) | undefined {
  const found = rows.find(({ id }) => id === said) ?? rows.find(({ name }) => name === said);
  return found?.id ? { ...found, id: found.id } : undefined;
}

/** What helps whoever named a record that is not there: the name most like it, those there are, or how one is made. */
export function namesToChoose(rows: readonly Named[], said: string, create: string): string {
  const names = rows.flatMap(({ name }) => name ?? []);
  const near = nearest(said, names);
  if (near) return `did you mean ${near}?`;
  return names.length > 0 ? `there are ${names.slice(0, 8).join(', ')}` : `make one with \`${create}\``;
}
