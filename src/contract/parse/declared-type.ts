import { z } from 'zod';
import { enumerationMeta, messageMeta } from '#contract/message.ts';
import type { Operation } from '#contract/operation.ts';
import { shapeOf, unwrapped } from './known-fields.ts';

/** A message or an enumeration of the contract, and the meanings of its fields or values by name. */
export interface DeclaredType {
  readonly schema: z.ZodType;
  readonly meanings: Readonly<Record<string, string>>;
}

/** Every message and enumeration that operations and further resources use, at any depth, by full name. */
export function declaredTypes(
  rows: readonly Operation[],
  resources: readonly z.ZodType[],
): ReadonlyMap<string, DeclaredType> {
  const found = new Map<string, DeclaredType>();
  for (const { request, response } of rows) for (const one of [request, response]) collect(one, found);
  for (const resource of resources) collect(resource, found);
  return found;
}

/** The type of a field, or of its elements if it is a list. */
export function elementOf(field: z.ZodType): z.ZodType {
  const bare = unwrapped(field);
  return bare instanceof z.ZodArray ? elementOf(bare.element as z.ZodType) : bare;
}

function collect(schema: z.ZodType, found: Map<string, DeclaredType>): void {
  const meta = messageMeta(schema) ?? enumerationMeta(schema);
  if (meta === undefined || found.has(meta.fullName)) return;
  found.set(meta.fullName, { schema, meanings: meta.meanings });
  for (const field of Object.values(shapeOf(schema))) collect(elementOf(field), found);
}
