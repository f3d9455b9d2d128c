import { z } from 'zod';
import { messageMeta } from '#contract/message.ts';
import type { Operation } from '#contract/operation.ts';
import { elementOf } from '#contract/parse/declared-type.ts';
import { shapeOf } from '#contract/parse/known-fields.ts';

/** A field of a request, or of a message inside it. */
export interface SharedField {
  readonly name: string;
  readonly required: boolean;
  readonly meaning: string;
}

/** The minimum number of operations that must share a field for it to be explained once for all. */
const fewest = 2;

/**
 * The fields that several operations have with the same meaning, such as a page's cursor, so that an agent reads their
 * meaning once and not with every tool. Of fields with one name, the most frequent one.
 */
export function sharedFields(rows: readonly Operation[]): readonly SharedField[] {
  const counts = new Map<string, SharedField & { count: number }>();
  for (const { request } of rows) {
    for (const field of fieldsIn(request)) {
      const key = JSON.stringify(field);
      counts.set(key, { ...field, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  const byCount = [...counts.values()].filter(({ count }) => count >= fewest).toSorted((a, b) => b.count - a.count);
  const named = new Map<string, SharedField>();
  for (const { count: _, ...field } of byCount) {
    const key = `${field.name} ${field.required}`;
    if (!named.has(key)) named.set(key, field);
  }
  return [...named.values()];
}

/** The meanings of shared fields, in one paragraph. */
export function sharedText(fields: readonly SharedField[]): string {
  const lines = fields.map(({ name, required, meaning }) => `${name}${required ? '' : ' (optional)'}: ${meaning}`);
  return lines.length === 0 ? '' : `Fields that several tools have. ${lines.join(' ')}`;
}

function fieldsIn(message: z.ZodType): SharedField[] {
  const meanings = messageMeta(message)?.meanings ?? {};
  return Object.entries(shapeOf(message)).flatMap(([name, field]) => [
    { name, required: !(field instanceof z.ZodOptional), meaning: meanings[name] ?? '' },
    ...fieldsIn(elementOf(field)),
  ]);
}
