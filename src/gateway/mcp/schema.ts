import { z } from 'zod';
import { shapeOf } from '#contract/known-fields.ts';
import { enumerationName, messageMeta, scalarMeta } from '#contract/message.ts';
import { type FieldType, fieldType } from '../field-type.ts';

/** A schema as tools carry it. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };
type Schema = Readonly<Record<string, unknown>>;
type Node = Parameters<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override'] & object>[0];

/** A request's schema: nothing that the message does not have is taken, and what says little is left out. */
export function inputSchema(request: z.ZodType): ObjectSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(request, { io: 'input', override: trim });
  return { ...schema, type: 'object' };
}

/**
 * A response's schema. What is inside its messages is left out: it is many times as much to read as all else of a tool, and
 * an answer may gain fields.
 */
export function outputSchema(response: z.ZodType, where: string): ObjectSchema {
  const fields = Object.entries(shapeOf(response)).map(([name, field]) => {
    const type = fieldType(field, `${where}.${name}`);
    return [name, type.repeated ? { type: 'array' } : valueSchema(type)];
  });
  return { type: 'object', properties: Object.fromEntries(fields) };
}

function valueSchema(type: FieldType): Schema {
  switch (type.kind) {
    case 'message':
      return {};
    case 'scalar':
      return { type: scalarTypes[type.scalar] };
    default:
      return { type: 'string' };
  }
}

const scalarTypes = { string: 'string', bool: 'boolean', int32: 'integer', int64: 'string', double: 'number' } as const;

function trim({ zodSchema, jsonSchema }: Node): void {
  const schema = zodSchema as unknown as z.ZodType;
  if (messageMeta(schema) !== undefined) jsonSchema.additionalProperties = false;
  // The first value of an enumeration means unset, which is said by leaving the field out.
  if (enumerationName(schema) !== undefined) jsonSchema.enum = (jsonSchema.enum ?? []).slice(1);
  if (scalarMeta(schema)?.scalar === 'timestamp') delete jsonSchema.pattern;
  if (schema instanceof z.ZodNumberFormat && schema.format === 'int32') {
    delete jsonSchema.minimum;
    delete jsonSchema.maximum;
  }
}
