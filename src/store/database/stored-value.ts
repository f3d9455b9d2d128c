/** Converts a value for a column: anything that is not a plain value becomes JSON. */
export function storedValue(value: unknown): string | number | bigint | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return value;
  throw new TypeError(`A column cannot hold a ${typeof value}`);
}
