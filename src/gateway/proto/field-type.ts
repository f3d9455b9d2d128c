import { z } from 'zod';
import { enumerationName, messageMeta, scalarMeta } from '#contract/message.ts';

/** The protobuf type of a field. */
export type FieldType = {
  readonly repeated: boolean;
  /** Whether unset and the zero value differ. */
  readonly explicitPresence: boolean;
} & (
  | { readonly kind: 'scalar'; readonly scalar: 'string' | 'bool' | 'int32' | 'int64' | 'double' }
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'enum'; readonly fullName: string; readonly values: readonly string[] }
  | { readonly kind: 'message'; readonly fullName: string; readonly schema: z.ZodObject }
);

type SingularType = FieldType extends infer T
  ? T extends FieldType
    ? Omit<T, 'repeated' | 'explicitPresence'>
    : never
  : never;

/** The protobuf type of a field's schema. `where` names the field in the error for unsupported schemas. */
export function fieldType(schema: z.ZodType, where: string): FieldType {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  const repeated = inner instanceof z.ZodArray;
  const element = repeated ? (inner.element as z.ZodType) : inner;
  const explicitPresence = scalarMeta(inner)?.explicitPresence ?? false;
  return { ...singleType(element, where), repeated, explicitPresence };
}

function singleType(schema: z.ZodType, where: string): SingularType {
  const declared = scalarMeta(schema)?.scalar;
  if (declared === 'timestamp') return { kind: 'timestamp' };
  if (declared === 'int64') return { kind: 'scalar', scalar: 'int64' };
  if (schema instanceof z.ZodEnum) {
    const fullName = enumerationName(schema);
    if (fullName === undefined) return { kind: 'scalar', scalar: 'string' };
    return { kind: 'enum', fullName, values: schema.options.map(String) };
  }
  if (schema instanceof z.ZodObject) {
    const meta = messageMeta(schema);
    if (meta !== undefined) return { kind: 'message', fullName: meta.fullName, schema };
  }
  if (schema instanceof z.ZodString) return { kind: 'scalar', scalar: 'string' };
  if (schema instanceof z.ZodBoolean) return { kind: 'scalar', scalar: 'bool' };
  if (schema instanceof z.ZodNumberFormat && schema.format === 'int32') return { kind: 'scalar', scalar: 'int32' };
  if (schema instanceof z.ZodNumber && !(schema instanceof z.ZodNumberFormat))
    return { kind: 'scalar', scalar: 'double' };
  throw new Error(`${where}: a schema of this kind has no protobuf type (use what src/contract/message.ts offers)`);
}
