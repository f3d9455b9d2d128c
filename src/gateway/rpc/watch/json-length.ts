import type { JsonValue } from '@bufbuild/protobuf';

/** How many characters a number, a boolean or null counts as. */
const scalarLength = 5;

/**
 * About how many characters a value takes as JSON, found in a tenth of the time of writing it. Characters that JSON
 * escapes count once.
 */
export function jsonLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return scalarLength;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) length += jsonLength(item) + 1;
    return length;
  }
  for (const name in value) length += name.length + 4 + jsonLength(value[name] ?? null);
  return length;
}
