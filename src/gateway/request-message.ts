import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { parseJson } from './json-text.ts';

/**
 * Reads a request's message and gives it in protobuf's JSON: names in camelCase, nothing that is empty, 64-bit integers
 * as strings. Fields that the message does not have are left out; everything else must fit, names of enum values too.
 * @throws Failure `invalid_argument` naming the field.
 */
export function readMessage(schema: DescMessage, bytes: Uint8Array, json: boolean): JsonObject {
  return toJson(schema, json ? fromText(schema, bytes) : fromBytes(schema, bytes)) as JsonObject;
}

/**
 * The same of a message that was parsed already.
 * @throws Failure `invalid_argument` naming the field.
 */
export function readParsed(schema: DescMessage, value: JsonValue): JsonObject {
  return toJson(schema, fromValue(schema, value)) as JsonObject;
}

function fromBytes(schema: DescMessage, bytes: Uint8Array): MessageShape<DescMessage> {
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    throw unreadable(schema, error);
  }
}

function fromText(schema: DescMessage, bytes: Uint8Array): MessageShape<DescMessage> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure('invalid_argument', 'The body is not UTF-8', { cause: error });
  }
  return fromValue(schema, parseJson(text));
}

function fromValue(schema: DescMessage, value: JsonValue): MessageShape<DescMessage> {
  const known = knownFields(schema, value);
  try {
    return fromJson(schema, known);
  } catch (error) {
    throw unreadable(schema, error);
  }
}

function unreadable(schema: DescMessage, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure('invalid_argument', `The body is no ${schema.name}: ${why}`, { cause: error });
}

/**
 * A message's JSON without what its schema does not know. The protobuf reader can ignore unknown fields itself, but then
 * drops unknown names of enum values as well, and "BOGUS" would pass for unset.
 */
function knownFields(schema: DescMessage, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const known: JsonObject = {};
  for (const field of schema.fields) {
    for (const name of new Set([field.jsonName, field.name])) {
      const given = value[name];
      if (given === undefined) continue;
      if (field.scalar === ScalarType.INT64) checkLong(name, given);
      known[name] = field.message === undefined ? given : inside(field.message, given);
    }
    if (field.jsonName in known && field.name in known && field.jsonName !== field.name) {
      throw new Failure(
        'invalid_argument',
        `The field ${field.jsonName} is given twice, also as ${field.name}: give it once`,
      );
    }
  }
  return known;
}

/** The protobuf reader takes hexadecimal and blanks as well. */
function checkLong(name: string, value: JsonValue): void {
  if (typeof value !== 'string' || /^-?[0-9]+$/.test(value)) return;
  throw new Failure(
    'invalid_argument',
    `${name} is ${JSON.stringify(value)}, which is no whole number in decimal digits`,
  );
}

function inside(schema: DescMessage, value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.map((one) => knownFields(schema, one)) : knownFields(schema, value);
}
