import { z } from 'zod';
import { shapeOf, unwrapped } from '#contract/parse/known-fields.ts';
import { fieldType } from '#gateway/proto/field-type.ts';

const texts = ['agt_1', 'a', 'Enter', 'flags', '2026-11-21T09:00:00Z', '9007199254740993'];

/** A message of a schema with every field filled in, in protobuf's JSON; messages in messages to a depth of two. */
export function sampleOf(schema: z.ZodType, depth = 2): Record<string, unknown> {
  const fields = Object.entries(shapeOf(schema)).flatMap(([name, field]) => {
    const sample = sampleField(field, name, depth);
    return sample === undefined ? [] : [[name, sample] as const];
  });
  return Object.fromEntries(fields);
}

function sampleField(field: z.ZodType, name: string, depth: number): unknown {
  const type = fieldType(field, name);
  const bare = unwrapped(field);
  const element = bare instanceof z.ZodArray ? unwrapped(bare.element as z.ZodType) : bare;
  const one = (): unknown => {
    if (type.kind === 'message') return depth === 0 ? undefined : sampleOf(type.schema, depth - 1);
    if (type.kind === 'enum') return type.values[1];
    if (type.kind === 'scalar' && type.scalar === 'bool') return true;
    if (type.kind === 'scalar' && type.scalar === 'int32') return 3;
    if (type.kind === 'scalar' && type.scalar === 'double') return 1.5;
    return texts.find((text) => element.safeParse(text).success);
  };
  const value = one();
  return value !== undefined && type.repeated ? [value] : value;
}
