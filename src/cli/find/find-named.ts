import { nearest } from '#contract/parse/nearest.ts';

/** A record with an id and a name. */
interface NamedRecord {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Finds a record by id, else by name; undefined if there is none. */
export function findNamed<Row extends NamedRecord>(
  rows: readonly Row[],
  nameOrId: string,
): (Row & { readonly id: string }) | undefined {
  const found = rows.find(({ id }) => id === nameOrId) ?? rows.find(({ name }) => name === nameOrId);
  return found?.id ? { ...found, id: found.id } : undefined;
}

/** The hint for a name that does not exist: a similar name, the names that exist, or how to create one. */
export function namesToChoose(rows: readonly NamedRecord[], nameOrId: string, create: string): string {
  const names = rows.flatMap(({ name }) => name ?? []);
  const near = nearest(nameOrId, names);
  if (near) return `did you mean ${near}?`;
  return names.length > 0 ? `there are ${names.slice(0, 8).join(', ')}` : `create one with \`${create}\``;
}
