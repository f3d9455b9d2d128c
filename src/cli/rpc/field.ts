import { z } from 'zod';
import { enumerationName, messageMeta, scalarMeta } from '#contract/message.ts';
import { shapeOf, unwrapped } from '#contract/parse/known-fields.ts';

/** The type of a field, or of its elements if it is a list. */
type FieldType =
  | { readonly kind: 'string' | 'int64' | 'timestamp' | 'boolean' | 'int32' }
  | { readonly kind: 'enum'; readonly choices: readonly Choice[] }
  | { readonly kind: 'message' };

/** An enumeration value, and the short form that the command line accepts too. */
export interface Choice {
  readonly value: string;
  readonly short: string;
}

/** A field of a request, or of a message inside it, as plain data for `operations.json`. */
export interface Field {
  /** Names from the request down to the field, in camelCase. */
  readonly path: readonly string[];
  readonly type: FieldType;
  readonly list: boolean;
  readonly required: boolean;
  /** The maximum length of a text, or of each text of a list, in characters. */
  readonly max?: number;
  /** The pattern of a text, or of each text of a list. */
  readonly pattern?: string;
  /** The name of its flag, if shorter than the one made from its path. */
  readonly shortName?: string;
  /** Its meaning, for the help. */
  readonly meaning: string;
}

/** The fields of a message in order. A nested message is followed by its own fields, unless it is in a list. */
export function fieldsOf(message: z.ZodType, inside: readonly string[] = []): Field[] {
  const meanings = messageMeta(message)?.meanings ?? {};
  return Object.entries(shapeOf(message)).flatMap(([name, schema]) => {
    const bare = unwrapped(schema);
    const list = bare instanceof z.ZodArray;
    const element = list ? unwrapped(bare.element as z.ZodType) : bare;
    const required = !(schema instanceof z.ZodOptional);
    const meaning = meanings[name] ?? '';
    const limits = limitsOf(element);
    const field: Field = { path: [...inside, name], type: typeOf(element), list, required, ...limits, meaning };
    const nested = field.type.kind === 'message' && !list ? fieldsOf(element, field.path) : [];
    return [field, ...nested.map((one) => (required ? one : { ...one, required: false }))];
  });
}

function typeOf(schema: z.ZodType): FieldType {
  if (schema instanceof z.ZodEnum) return { kind: 'enum', choices: choicesOf(schema) };
  if (schema instanceof z.ZodObject) return { kind: 'message' };
  if (schema instanceof z.ZodBoolean) return { kind: 'boolean' };
  if (schema instanceof z.ZodNumber) return { kind: 'int32' };
  return { kind: scalarMeta(schema)?.scalar ?? 'string' };
}

/** The choices of an enumeration, except for unset. The short form of `AGENT_ROLE_REVIEWER` is `reviewer`. */
function choicesOf(schema: z.ZodEnum): Choice[] {
  const values = schema.options.map(String);
  const name = enumerationName(schema)?.split('.').at(-1);
  if (name === undefined) return values.map((value) => ({ value, short: value }));
  const prefix = `${name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()}_`;
  return values
    .filter((value) => value !== `${prefix}UNSPECIFIED`)
    .map((value) => ({ value, short: value.slice(prefix.length).toLowerCase().replaceAll('_', '-') }));
}

function limitsOf(schema: z.ZodType): Pick<Field, 'max' | 'pattern'> {
  if (!(schema instanceof z.ZodString) || typeOf(schema).kind !== 'string') return {};
  const { maxLength: max, pattern } = z.toJSONSchema(schema);
  return { ...(max !== undefined && { max }), ...(pattern !== undefined && { pattern }) };
}
