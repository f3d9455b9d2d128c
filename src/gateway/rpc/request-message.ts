import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { unknownField } from '#contract/parse/known-fields.ts';
import { checkBinary } from './binary-scan.ts';
import { parseJson } from './json-text.ts';

/** Additional checks of a message. */
export interface MessageChecks {
  /** Refuses invalid JSON with a better message than protobuf's; it may also do nothing. */
  readonly explain?: (given: JsonValue) => unknown;
  /** Refuses fields that the caller may not set, before their content is checked. */
  readonly permit?: (given: JsonValue) => void;
  /** Refuses fields that the message does not have, instead of ignoring them. */
  readonly isStrict?: boolean;
}

/**
 * Reads a request's message and returns it in protobuf's JSON: names in camelCase, no empty fields, 64-bit integers as
 * strings. Unknown fields are ignored unless `isStrict`; everything else must be valid, including names of enum values.
 * @throws INVALID_ARGUMENT naming the field
 */
export function readMessage(
  schema: DescMessage,
  bytes: Uint8Array,
  json: boolean,
  checks: MessageChecks = {},
): JsonObject {
  if (json) return readParsed(schema, parseJson(textOf(bytes)), checks);
  const message = toJson(schema, fromBytes(schema, bytes, checks.isStrict)) as JsonObject;
  checks.permit?.(message);
  return message;
}

/**
 * The same for a message that has already been parsed.
 * @throws INVALID_ARGUMENT naming the field
 */
export function readParsed(
  schema: DescMessage,
  value: JsonValue,
  { explain, permit, isStrict = false }: MessageChecks = {},
): JsonObject {
  permit?.(value);
  if (isStrict) refuseUnknown(schema, value);
  const known = knownFields(schema, value);
  try {
    checkIntegers(schema, known);
    return toJson(schema, fromJson(schema, known)) as JsonObject;
  } catch (error) {
    explain?.(known);
    throw error instanceof Failure ? error : unreadable(schema, error);
  }
}

function fromBytes(schema: DescMessage, bytes: Uint8Array, isStrict = false): MessageShape<DescMessage> {
  try {
    checkBinary(schema, bytes);
    const message = fromBinary(schema, bytes, { readUnknownFields: false });
    if (isStrict) refuseUnknownNumbers(schema, bytes, message);
    return message;
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(schema, error);
  }
}

/** The text of a body. @throws INVALID_ARGUMENT when it is not UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure('MALFORMED_REQUEST', 'The body is not UTF-8', { cause: error });
  }
}

function unreadable(schema: DescMessage, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure('MALFORMED_REQUEST', `The body is not a valid ${schema.name}: ${why}`, { cause: error });
}

/**
 * A message's JSON with names in camelCase, without null and unknown fields. Protobuf's reader can ignore unknown
 * fields itself, but then drops unknown names of enum values too, so that "BOGUS" would count as unset.
 */
function knownFields(schema: DescMessage, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const known: JsonObject = {};
  for (const { jsonName, name, message } of schema.fields) {
    const [given, inSnakeCase] = [value[jsonName], name === jsonName ? undefined : value[name]];
    if (given !== undefined && inSnakeCase !== undefined) {
      throw new Failure('DUPLICATE_FIELD', `The field ${jsonName} is given twice, also as ${name}: give it once`, {
        field: jsonName,
      });
    }
    const one = given ?? inSnakeCase ?? null;
    if (one !== null) known[jsonName] = message === undefined ? one : inside(message, one);
  }
  return known;
}

/** @throws INVALID_ARGUMENT naming a field, at any depth, that its message does not have */
function refuseUnknown(schema: DescMessage, value: JsonValue, within = ''): void {
  if (Array.isArray(value)) {
    for (const one of value) refuseUnknown(schema, one, within);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [given, one] of Object.entries(value)) {
    const field = schema.fields.find(({ jsonName, name }) => given === jsonName || given === name);
    if (field === undefined) {
      const names = schema.fields.map(({ jsonName }) => jsonName);
      throw unknownField(`${within}${given}`, given, names);
    }
    if (field.message !== undefined) refuseUnknown(field.message, one, `${within}${given}.`);
  }
}

/** @throws INVALID_ARGUMENT when bytes have fields, at any depth, whose numbers their messages do not have */
function refuseUnknownNumbers(schema: DescMessage, bytes: Uint8Array, known: MessageShape<DescMessage>): void {
  const whole = toBinary(schema, fromBinary(schema, bytes, { readUnknownFields: true }));
  if (whole.length === toBinary(schema, known).length) return;
  throw new Failure('UNKNOWN_FIELD', `The body has a field that ${schema.name} does not have: leave it out`);
}

/** Requires decimal integers. Protobuf's reader would also accept hexadecimal, exponents and blanks. */
function checkIntegers(schema: DescMessage, value: JsonValue): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const { jsonName, scalar, message } of schema.fields) {
    const given = value[jsonName];
    for (const one of Array.isArray(given) ? given : [given ?? null]) {
      if (message !== undefined) checkIntegers(message, one);
      const isInteger = scalar === ScalarType.INT64 || scalar === ScalarType.INT32;
      if (!isInteger || typeof one !== 'string' || /^-?[0-9]+$/.test(one)) continue;
      throw new Failure(
        'INVALID_FIELD',
        `${jsonName} is ${JSON.stringify(one)}, which is not a whole number in decimal digits`,
        { field: jsonName },
      );
    }
  }
}

function inside(schema: DescMessage, value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.map((one) => knownFields(schema, one)) : knownFields(schema, value);
}
