import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { messageMeta } from '#contract/message.ts';
import { nearest } from './nearest.ts';

/** The fields of a message by name, as zod holds them; none if the schema is not a message. */
export function shapeOf(message: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const bare = unwrapped(message);
  return bare instanceof z.ZodObject && messageMeta(bare) !== undefined ? bare.shape : {};
}

/** The schema without what makes it optional. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

/**
 * Refuses names that a message does not have, at any depth, for the channels that are strict.
 * @throws INVALID_ARGUMENT naming the field and the nearest one that there is.
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

function unknownField(path: string, name: string, known: readonly string[]): Failure {
  const near = nearest(name, known);
  return new Failure('UNKNOWN_FIELD', `there is no field ${path}${near ? `: did you mean ${near}?` : ''}`, {
    field: path,
  });
}
