import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { Failure } from '#contract/failure.ts';
import { maxValues, tooManyValues } from './message-limits.ts';

/** How deeply messages may be nested. */
const maxDepth = 64;

/**
 * Counts the fields and items of a message in protobuf's binary form, without decoding it.
 * @throws INVALID_ARGUMENT when there are more than 50,000, or more than 64 levels; Error when it is malformed
 */
export function checkBinary(schema: DescMessage, bytes: Uint8Array): void {
  let left = maxValues;
  const take = (count: number): void => {
    left -= count;
    if (left < 0) throw tooManyValues();
  };
  walk(schema, bytes, take, maxDepth);
}

function walk(schema: DescMessage, bytes: Uint8Array, take: (count: number) => void, depth: number): void {
  if (depth < 0) throw new Failure('REQUEST_TOO_COMPLEX', `The body nests deeper than ${maxDepth} levels`);
  const fields = new Map(schema.fields.map((field) => [field.number, field]));
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    take(1);
    if (wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    const inside = reader.bytes();
    const field = fields.get(number);
    if (field?.message !== undefined) walk(field.message, inside, take, depth - 1);
    // A packed list has at most one item per byte.
    else if (field !== undefined && isPackable(field)) take(inside.length);
  }
}

function isPackable({ fieldKind, scalar }: DescField): boolean {
  if (fieldKind === 'scalar') return false;
  return scalar !== ScalarType.STRING && scalar !== ScalarType.BYTES;
}
