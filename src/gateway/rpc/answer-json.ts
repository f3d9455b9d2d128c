import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { toMessage } from './to-message.ts';

/** Copies a value; undefined for one that must be left to protobuf's own reader and writer. */
type Copy = (value: JsonValue) => JsonValue | undefined;

interface FieldCopy {
  readonly name: string;
  readonly copy: Copy;
  /** The value that is omitted; undefined if every value is given. */
  readonly omitted: JsonValue | undefined;
}

const copies = new WeakMap<DescMessage, Copy>();

/**
 * The registry's answer in protobuf's JSON, without fields of a newer registry and without fields that have their
 * default. What the registry writes needs no more than a copy, which is much faster than a message in between; whatever
 * it could write in another form too goes through the message.
 */
export function answerJson(output: DescMessage, answer: JsonObject): JsonObject {
  const copied = copyOf(output)(answer) ?? toJson(output, toMessage(output, answer));
  return copied as JsonObject;
}

function copyOf(message: DescMessage): Copy {
  const known = copies.get(message);
  if (known !== undefined) return known;
  const fields = message.fields.toSorted((one, other) => one.number - other.number).map(fieldCopy);
  const copy: Copy = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const copied: JsonObject = {};
    for (const { name, copy, omitted } of fields) {
      const given = value[name];
      if (given === undefined || given === null || given === omitted) continue;
      const one = copy(given);
      if (one === undefined) return undefined;
      if (omitted !== emptyList || (one as JsonValue[]).length > 0) copied[name] = one;
    }
    return copied;
  };
  copies.set(message, copy);
  return copy;
}

/** Stands for every empty list. */
const emptyList: JsonValue = [];

function fieldCopy(field: DescField): FieldCopy {
  const { jsonName: name } = field;
  if (field.fieldKind === 'list') return { name, copy: listCopy(elementCopy(field)), omitted: emptyList };
  const omitted = field.presence === FeatureSet_FieldPresence.IMPLICIT ? defaultOf(field) : undefined;
  return { name, copy: elementCopy(field), omitted };
}

function listCopy(copy: Copy): Copy {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const copied: JsonValue[] = [];
    for (const given of value) {
      const one = copy(given);
      if (one === undefined) return undefined;
      copied.push(one);
    }
    return copied;
  };
}

function elementCopy({ message, enum: enumeration, scalar }: DescField): Copy {
  if (message !== undefined) return (value) => copyOf(message)(value);
  if (enumeration !== undefined) {
    const names = new Set<JsonValue>(enumeration.values.map(({ name }) => name));
    return (value) => (names.has(value) ? value : undefined);
  }
  const isPlain = plainScalars[scalar ?? ScalarType.BYTES];
  return (value) => (isPlain?.(value) ? value : undefined);
}

/** Whether a value of each type is written as protobuf writes it. */
const plainScalars: { readonly [type in ScalarType]?: (value: JsonValue) => boolean } = {
  [ScalarType.STRING]: (value) => typeof value === 'string' && value.isWellFormed(),
  [ScalarType.BOOL]: (value) => typeof value === 'boolean',
  [ScalarType.INT32]: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  [ScalarType.INT64]: (value) => typeof value === 'string' && /^-?[1-9][0-9]{0,17}$/.test(value),
  [ScalarType.DOUBLE]: (value) => typeof value === 'number' && !Object.is(value, -0),
};

function defaultOf({ enum: enumeration, scalar }: DescField): JsonValue | undefined {
  if (enumeration !== undefined) return enumeration.values[0]?.name;
  return scalar === undefined ? undefined : scalarDefaults[scalar];
}

const scalarDefaults: { readonly [type in ScalarType]?: JsonValue } = {
  [ScalarType.STRING]: '',
  [ScalarType.BOOL]: false,
  [ScalarType.INT32]: 0,
  [ScalarType.INT64]: '0',
  [ScalarType.DOUBLE]: 0,
};
