import { create, type DescMessage, toBinary } from '@bufbuild/protobuf';
import { operations, resources } from '#contract/table.ts';
import { describeTable } from '#gateway/proto/descriptors.ts';

const registry = describeTable(operations, resources);

/** The descriptor of a message, by its full name. */
export function schemaOf(name: string): DescMessage {
  const found = registry.getMessage(name);
  if (found === undefined) throw new Error(name);
  return found;
}

/** A message in binary. */
export function binaryOf(name: string, fields: object): Uint8Array {
  const schema = schemaOf(name);
  return toBinary(schema, create(schema, fields as Record<string, unknown>));
}

/** An envelope around bytes, with its flags. */
export function framed(bytes: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** The envelopes of an answer that has ended. */
export function framesOf(bytes: Buffer): { flags: number; payload: Buffer }[] {
  if (bytes.length === 0) return [];
  const end = 5 + bytes.readUInt32BE(1);
  return [{ flags: bytes[0] ?? 0, payload: bytes.subarray(5, end) }, ...framesOf(bytes.subarray(end))];
}
