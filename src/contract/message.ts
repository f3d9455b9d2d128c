import { z } from 'zod';

/** A schema whose field must be present and not empty. */
interface Required<S extends z.ZodType> {
  readonly required: S;
}
/** A field of a message: its protobuf number and its schema. Optional unless wrapped in `required`. */
type Field = readonly [number: number, schema: z.ZodType | Required<z.ZodType>];
type Fields = Readonly<Record<string, Field>>;
type SchemaOf<F extends Field> =
  F[1] extends Required<infer S> ? S : F[1] extends z.ZodType ? z.ZodOptional<F[1]> : never;
type ShapeOf<F extends Fields> = { -readonly [K in keyof F]: SchemaOf<F[K]> };

/** What protobuf needs to know of a message beyond its zod schema. */
interface MessageMeta {
  /** The full name, such as `agent.v1.CreateAgentRequest`. */
  readonly fullName: string;
  /** Field numbers by camelCase field name. A number is never given to another field. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** How a scalar travels where its zod type alone does not say. */
interface ScalarMeta {
  readonly scalar?: 'int64' | 'timestamp';
  /** False and unset differ (proto3 `optional`). */
  readonly explicitPresence?: true;
}

const messages = z.registry<MessageMeta>();
const enumerations = z.registry<{ readonly fullName: string }>();
const scalars = z.registry<ScalarMeta>();

/** Declares a message of a protobuf package: a zod object whose fields carry explicit numbers. */
export function message<const F extends Fields>(fullName: string, fields: F) {
  const shape: Record<string, z.ZodType> = {};
  const numbers: Record<string, number> = {};
  for (const [name, [number, schema]] of Object.entries(fields)) {
    shape[name] = schema instanceof z.ZodType ? schema.optional() : schema.required;
    numbers[name] = number;
  }
  const object = z.object(shape as ShapeOf<F>);
  messages.add(object, { fullName, numbers });
  return object;
}

/** Declares an enumeration; a value's number is its place in the list, and the first one means unset. */
export function enumeration<const V extends readonly [string, ...string[]]>(fullName: string, values: V) {
  const schema = z.enum(values);
  enumerations.add(schema, { fullName });
  return schema;
}

/** Marks a field as required: unset and empty are refused. */
export function required<S extends z.ZodType>(schema: S): Required<S> {
  return { required: schema };
}

/** A string of at most `most` characters, counted in code points, as JSON Schema counts them too. */
export function text(most: number) {
  return z
    .string()
    .refine((value) => value.length <= most || charactersIn(value) <= most, {
      error: (issue) =>
        `is ${charactersIn(String(issue.input))} characters long and at most ${most} are allowed: shorten it`,
    })
    .meta({ maxLength: most });
}

/** Counts code points without a list of them, which a long text would fill the memory with. */
function charactersIn(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** A boolean for which false and unset differ. */
export function explicitBoolean() {
  const schema = z.boolean();
  scalars.add(schema, { explicitPresence: true });
  return schema;
}

/** A signed 64-bit integer, in JSON a decimal string, so that it stays exact. */
export function int64() {
  const schema = z.string().regex(/^-?(0|[1-9][0-9]{0,18})$/, 'is not a whole number in decimal digits');
  scalars.add(schema, { scalar: 'int64' });
  return schema;
}

/** A google.protobuf.Timestamp, in JSON an RFC 3339 time in UTC. */
export function timestamp() {
  const schema = z.iso.datetime({ offset: true });
  scalars.add(schema, { scalar: 'timestamp' });
  return schema;
}

/** The name and field numbers of a declared message; undefined for any other schema. */
export function messageMeta(schema: z.ZodType): MessageMeta | undefined {
  return messages.get(schema);
}

/** The full name of a declared enumeration; undefined for any other schema. */
export function enumerationName(schema: z.ZodType): string | undefined {
  return enumerations.get(schema)?.fullName;
}

/** How a scalar schema travels; undefined where its zod type says it all. */
export function scalarMeta(schema: z.ZodType): ScalarMeta | undefined {
  return scalars.get(schema);
}
