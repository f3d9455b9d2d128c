import { z } from 'zod';

/** A field of a message: its protobuf number, its schema, and how its presence is kept. */
type Field<S extends z.ZodType = z.ZodType> = readonly [number: number, schema: S];
type Fields = Readonly<Record<string, Field>>;
type ShapeOf<F extends Fields> = { [K in keyof F]: F[K][1] };

interface MessageMeta {
  /** The message's name within its package, such as `CreateAgentRequest`. */
  readonly name: string;
  /** Protobuf field numbers, keyed by the camelCase field name. A number is never given to another field. */
  readonly numbers: Readonly<Record<string, number>>;
}

const messages = z.registry<MessageMeta>();
const markers = z.registry<{ readonly scalar?: 'int64' | 'timestamp'; readonly presence?: 'explicit' }>();

/** Declares a message: a zod object whose fields carry explicit protobuf numbers. */
export function message<const F extends Fields>(name: string, fields: F): z.ZodObject<ShapeOf<F>> {
  const shape = Object.fromEntries(Object.entries(fields).map(([field, [, schema]]) => [field, schema])) as ShapeOf<F>;
  const numbers = Object.fromEntries(Object.entries(fields).map(([field, [number]]) => [field, number]));
  const schema = z.object(shape);
  messages.add(schema, { name, numbers });
  return schema;
}

/** The declared name and field numbers of a message, or undefined where the schema is not a message. */
export function messageMeta(schema: z.ZodType): MessageMeta | undefined {
  return messages.get(schema);
}

/** A boolean for which false and unset differ (proto3 `optional`). */
export function explicitBoolean() {
  const schema = z.boolean();
  markers.add(schema, { presence: 'explicit' });
  return schema;
}

/** A signed 64-bit integer, carried in JSON as a decimal string so that it stays exact. */
export function int64() {
  const schema = z.string().regex(/^-?(0|[1-9][0-9]{0,18})$/, 'must be a whole number in decimal digits');
  markers.add(schema, { scalar: 'int64' });
  return schema;
}

/** A google.protobuf.Timestamp, carried in JSON as RFC 3339 in UTC. */
export function protoTimestamp() {
  const schema = z.iso.datetime({ offset: true });
  markers.add(schema, { scalar: 'timestamp' });
  return schema;
}

/** How a scalar schema is told apart where its zod type alone does not say. */
export function marker(schema: z.ZodType) {
  return markers.get(schema);
}

/** A string of at most `most` characters, counted in code points as people count them. */
export function text(most: number) {
  return z.string().refine((value) => [...value].length <= most, {
    error: (issue) =>
      `is ${[...String(issue.input)].length} characters long; at most ${most} are allowed, so shorten it`,
  });
}
