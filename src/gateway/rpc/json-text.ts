import type { JsonValue } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { JsonScan } from './json-scan.ts';

/**
 * Reads JSON as strictly as it is meant. Numbers that are not what they seem come as they are written, as strings:
 * whole ones beyond 2^53, and those with an exponent, which name no thing that is counted; with `plainNumbers` they
 * stay numbers.
 * @throws INVALID_ARGUMENT when it is not JSON, names a field twice, nests deeper than 64, holds more than 50,000
 * names and values, or has a name that no field may have.
 */
export function parseJson(text: string, { plainNumbers = false } = {}): JsonValue {
  if (text.trim() === '')
    throw new Failure('MALFORMED_REQUEST', 'The body is empty: send {} for a request without fields');
  // Before anything is made of it: what is not JSON is counted as well as can be.
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
