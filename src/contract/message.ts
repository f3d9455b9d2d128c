import { z } from 'zod';

/** A schema whose field must be present and not empty. */
interface Required<S extends z.ZodType> {
  readonly required: S;
}
/**
 * A field of a message: its protobuf number, its schema, and its meaning in sentences, with unit and format. Optional
 * unless wrapped in `required`. The first sentence must stand alone: tools show agents only that.
 */
type Field = readonly [number: number, schema: z.ZodType | Required<z.ZodType>, meaning: string];
type Fields = Readonly<Record<string, Field>>;
type SchemaOf<F extends Field> =
  F[1] extends Required<infer S> ? S : F[1] extends z.ZodType ? z.ZodOptional<F[1]> : never;
type ShapeOf<F extends Fields> = { -readonly [K in keyof F]: SchemaOf<F[K]> };

/** What protobuf needs to know about a message beyond its zod schema. */
interface MessageMeta {
  /** The full name, such as `agent.v1.CreateAgentRequest`. */
  readonly fullName: string;
  /** Field numbers by camelCase field name. A number is never reused for another field. */
  readonly numbers: Readonly<Record<string, number>>;
  /** What each field means, by its name. */
  readonly meanings: Readonly<Record<string, string>>;
}

/** What protobuf needs to know about an enumeration beyond its zod schema. */
interface EnumerationMeta {
  /** The full name, such as `agent.v1.AgentState`. */
  readonly fullName: string;
  /** What each value means, by its name. */
  readonly meanings: Readonly<Record<string, string>>;
}

/** How a scalar is encoded, if its zod type alone does not say. */
interface ScalarMeta {
  readonly scalar?: 'int64' | 'timestamp';
  /** False and unset differ (proto3 `optional`). */
  readonly explicitPresence?: true;
}

const messages = z.registry<MessageMeta>();
const enumerations = z.registry<EnumerationMeta>();
const scalars = z.registry<ScalarMeta>();

/** Declares a message of a protobuf package: a zod object whose fields carry explicit numbers and meanings. */
export function message<const F extends Fields>(fullName: string, fields: F) {
  const shape: Record<string, z.ZodType> = {};
  const numbers: Record<string, number> = {};
  const meanings: Record<string, string> = {};
  for (const [name, [number, schema, meaning]] of Object.entries(fields)) {
    shape[name] = schema instanceof z.ZodType ? schema.optional() : schema.required;
    numbers[name] = number;
    meanings[name] = meaning;
  }
  const object = z.object(shape as ShapeOf<F>);
  messages.add(object, { fullName, numbers, meanings });
  return object;
}

/**
 * Declares an enumeration by its values and their meanings. A value's number is its place in the list, and the first
 * value means unset.
 */
export function enumeration<const V extends Readonly<Record<string, string>>>(fullName: string, values: V) {
  const schema = z.enum(Object.keys(values) as (keyof V & string)[]);
  enumerations.add(schema, { fullName, meanings: values });
  return schema;
}

/** The meanings of a message's fields, for another message that shares them. */
export function meaningsOf<S extends z.ZodRawShape>(message: z.ZodObject<S>): Readonly<Record<keyof S, string>> {
  return (messages.get(message)?.meanings ?? {}) as Record<keyof S, string>;
}

/** Marks a field as required: unset and empty are refused. */
export function required<S extends z.ZodType>(schema: S): Required<S> {
  return { required: schema };
}

/** A string of at most `max` characters, counted in code points, as JSON Schema counts them. */
export function text(max: number) {
  return z
    .string()
    .refine((value) => value.length <= max || charactersIn(value) <= max, {
      error: (issue) =>
        `is ${charactersIn(String(issue.input))} characters long and at most ${max} are allowed: shorten it`,
    })
    .meta({ maxLength: max });
}

/** As `text`, and not white space alone, which nobody could read. Empty means unset. */
export function words(max: number) {
  return text(max).refine((value) => value === '' || value.trim() !== '', 'has only white space: give it words');
}

/** Counts code points without building a list of them, which a long text could fill the memory with. */
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

/** A signed 64-bit integer: in JSON a decimal string, so that it stays exact. */
export function int64() {
  const schema = z.string().regex(/^-?(0|[1-9][0-9]{0,18})$/, 'is not a whole number in decimal digits');
  scalars.add(schema, { scalar: 'int64' });
  return schema;
}

/** A google.protobuf.Timestamp: in JSON an RFC 3339 time. */
export function timestamp() {
  const schema = z.iso.datetime({ offset: true });
  scalars.add(schema, { scalar: 'timestamp' });
  return schema;
}

/** The name of a declared message, and its fields' numbers and meanings; undefined for any other schema. */
export function messageMeta(schema: z.ZodType): MessageMeta | undefined {
  return messages.get(schema);
}

/** The name of a declared enumeration, and its values' meanings; undefined for any other schema. */
export function enumerationMeta(schema: z.ZodType): EnumerationMeta | undefined {
  return enumerations.get(schema);
}

/** The full name of a declared enumeration; undefined for any other schema. */
export function enumerationName(schema: z.ZodType): string | undefined {
  return enumerationMeta(schema)?.fullName;
}

/** How a scalar schema is encoded; undefined if its zod type says it all. */
export function scalarMeta(schema: z.ZodType): ScalarMeta | undefined {
  return scalars.get(schema);
}
