import { z } from 'zod';
import { enumerationName, messageMeta, scalarMeta } from '#contract/message.ts';
import { elementOf } from '#contract/parse/declared-type.ts';
import { shapeOf } from '#contract/parse/known-fields.ts';

/** The schema of a tool. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };
type Schema = Readonly<Record<string, unknown>>;
type Node = Parameters<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override'] & object>[0];

/** Makes the description of a field from its name and meaning; undefined for none. */
export type Describe = (name: string, meaning: string) => string | undefined;

/**
 * A request's schema with descriptions of its fields. It allows no unknown fields, and omits redundant keywords.
 */
export function inputSchema(request: z.ZodType, describe: Describe): ObjectSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(request, { io: 'input', override: trim });
  return { ...described(request, schema, describe), type: 'object' };
}

/** A message's schema with descriptions, at any depth; any other schema unchanged. */
function described(message: z.ZodType, schema: Schema, describe: Describe): Schema {
  const meanings = messageMeta(message)?.meanings;
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined;
  if (meanings === undefined || properties === undefined) return schema;
  const fields = Object.entries(shapeOf(message)).map(([name, field]) => {
    const { [name]: property = {} } = properties;
    const type = elementOf(field);
    const description = describe(name, meanings[name] ?? '');
    const items = property['items'] as Schema | undefined;
    const inner =
      items === undefined
        ? described(type, property, describe)
        : { ...property, items: described(type, items, describe) };
    return [name, { ...inner, ...(description && { description }) }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/**
 * A response's schema, with only the names of its fields. Their content would be many times longer than the rest of a
 * tool, and answers may gain fields.
 */
export function outputSchema(response: z.ZodType): ObjectSchema {
  return { type: 'object', properties: Object.fromEntries(Object.keys(shapeOf(response)).map((name) => [name, {}])) };
}

function trim({ zodSchema, jsonSchema }: Node): void {
  const schema = zodSchema as unknown as z.ZodType;
  if (messageMeta(schema) !== undefined) jsonSchema.additionalProperties = false;
  // The first value of an enumeration means unset, for which the field is omitted.
  if (enumerationName(schema) !== undefined) jsonSchema.enum = (jsonSchema.enum ?? []).slice(1);
  if (scalarMeta(schema)?.scalar === 'timestamp') delete jsonSchema.pattern;
  if (schema instanceof z.ZodNumberFormat && schema.format === 'int32') {
    delete jsonSchema.minimum;
    delete jsonSchema.maximum;
  }
}
