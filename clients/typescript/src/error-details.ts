import { BinaryReader } from '@bufbuild/protobuf/wire';

/** A field at fault, as in google.rpc.BadRequest. */
export interface FieldViolation {
  /** Its path in the request, such as `scripts.setup` or `inputs.2.text`. */
  readonly field: string;
  /** What is wrong, which value, and what to do. */
  readonly description: string;
}

/** What google.rpc.ErrorInfo says of an error. */
export interface ErrorInfo {
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The fields of a message that are texts or messages, by number; each in the order of the wire. */
type Fields = ReadonlyMap<number, readonly Uint8Array[]>;

/** Reads a google.rpc.ErrorInfo. @throws Error when the bytes are not a message */
export function readErrorInfo(bytes: Uint8Array): ErrorInfo {
  const fields = fieldsIn(bytes);
  const entries = (fields.get(3) ?? []).map((entry) => {
    const pair = fieldsIn(entry);
    return [textIn(pair, 1), textIn(pair, 2)] as const;
  });
  return { reason: textIn(fields, 1), domain: textIn(fields, 2), metadata: Object.fromEntries(entries) };
}

/** Reads the fields at fault of a google.rpc.BadRequest. @throws Error when the bytes are not a message */
export function readViolations(bytes: Uint8Array): readonly FieldViolation[] {
  return (fieldsIn(bytes).get(1) ?? []).map((violation) => {
    const fields = fieldsIn(violation);
    return { field: textIn(fields, 1), description: textIn(fields, 2) };
  });
}

function fieldsIn(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, Uint8Array[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type !== lengthDelimited) reader.skip(type, number);
    else fields.set(number, [...(fields.get(number) ?? []), reader.bytes()]);
  }
  return fields;
}

/** protobuf's wire type of texts, bytes and messages. */
const lengthDelimited = 2;

function textIn(fields: Fields, number: number): string {
  return new TextDecoder().decode(fields.get(number)?.at(-1));
}
