import type { JsonValue } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { JsonScan } from './json-scan.ts';

/**
 * Parses JSON strictly. Numbers that JavaScript cannot represent exactly, and those with an exponent, become strings as
 * written; with `plainNumbers` they stay numbers.
 * @throws INVALID_ARGUMENT when it is not JSON, has a field twice, more than 64 levels, more than 50,000 names and
 * values, or a name that no field may have
 */
export function parseJson(text: string, { plainNumbers = false } = {}): JsonValue {
  if (text.trim() === '')
    throw new Failure('MALFORMED_REQUEST', 'The body is empty: send {} for a request without fields');
  // The limits are checked before parsing, also for invalid JSON.
  const scan = new JsonScan(text);
  const value = parsed(text);
  scan.checkNames();
  return scan.hasInexactNumbers && !plainNumbers ? parsed(scan.withExactNumbers()) : value;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('MALFORMED_REQUEST', `The body is not JSON: ${why}`, { cause: error });
  }
}
