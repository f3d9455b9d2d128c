/**
 * A copy of a value as JSON has it. MikroORM writes null for a field that is undefined, and changes the given value to
 * match, so the stored value would differ from the decided one.
 */
export function jsonOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
