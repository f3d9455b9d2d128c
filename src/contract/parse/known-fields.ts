import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { messageMeta } from '#contract/message.ts';
import { nearest } from './nearest.ts';

/** The zod schemas of a message's fields by name; none if the schema is not a message. */
export function shapeOf(message: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const bare = unwrapped(message);
  return bare instanceof z.ZodObject && messageMeta(bare) !== undefined ? bare.shape : {};
}

/** The schema without its optional wrapper. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

/**
 * Refuses fields that a message does not have, at any depth, for channels that are strict.
 * @throws INVALID_ARGUMENT naming the field and the most similar one that exists
 */
export function refuseUnknownFields(schema: z.ZodType, value: unknown, inside = ''): void {
  const bare = unwrapped(schema);
  if (Array.isArray(value) && bare instanceof z.ZodArray) {
    for (const one of value) refuseUnknownFields(bare.element as z.ZodType, one, inside);
    return;
  }
  if (!(bare instanceof z.ZodObject) || typeof value !== 'object' || value === null) return;
  const shape = shapeOf(bare);
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known === undefined) throw unknownField(`${inside}${name}`, name, Object.keys(shape));
    refuseUnknownFields(known, field, `${inside}${name}.`);
  }
}

/** The refusal of a field that a message does not have, with the most similar one of those it has. */
export function unknownField(path: string, name: string, known: readonly string[]): Failure {
  const near = nearest(name, known);
  return new Failure('UNKNOWN_FIELD', `there is no field ${path}${near ? `: did you mean ${near}?` : ''}`, {
    field: path,
  });
}
