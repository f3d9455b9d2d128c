/**
 * A copy of a value without undefined fields. MikroORM stores null for an undefined field and changes the passed value
 * accordingly, so the stored value would differ from the original.
 */
export function jsonOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
