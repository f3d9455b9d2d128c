/**
 * A copy of a value as JSON has it. MikroORM writes null for a field that is undefined, and changes the value that it
 * was given to match: what is read back would not be what was decided.
 */
export function jsonOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
