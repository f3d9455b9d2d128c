/** A value as a column holds it: what is not plain is JSON there. */
export function storedValue(value: unknown): string | number | bigint | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return value;
  throw new TypeError(`A column cannot hold a ${typeof value}`);
}
