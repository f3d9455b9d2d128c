import { z } from 'zod';
import { type Field, fieldsOf } from '#cli/rpc/field.ts';
import type { Operation } from '#contract/operation.ts';
import { shapeOf, unwrapped } from '#contract/parse/known-fields.ts';
import { isSoak } from '#test/support/soak.ts';

/** A request that an operation does not take, and what is wrong with it. */
export interface InvalidRequest {
  readonly what: string;
  readonly request: object;
}

/** A request without one of its fields, and the same with that field empty. */
interface EmptyField {
  readonly name: string;
  readonly without: object;
  readonly empty: readonly object[];
}

const otherKinds: Readonly<Record<Field['type']['kind'], readonly unknown[]>> = {
  string: [7, true, { a: 1 }],
  boolean: ['yes', 1],
  int32: ['many', 1.5, 2 ** 31],
  int64: ['1 OR 1=1', '9223372036854775808', true],
  timestamp: ['tomorrow', 5],
  enum: ['BOGUS', 'view_full'],
  message: ['text', 5],
};
/** Of how many wrong values of a field one is tried; a soak tries all. */
const oneOf = isSoak ? 1 : 12;

/** What a text may not be, if it is not free. */
const oddTexts = [
  '  ',
  'not OK',
  'ä',
  '-x',
  'a\nb',
  '\0',
  'x'.repeat(41),
  'x'.repeat(501),
  'x'.repeat(4_097),
  'x'.repeat(50_001),
];

/**
 * For each field of an operation's request, what it may not hold: another kind, a name that there is not, a text that
 * its schema does not take, nothing if it is needed. `good` is a request that is taken. Each field begins with another
 * kind of wrong value, so that every kind is tried with many fields.
 */
export function invalidRequests(row: Operation, good: object): InvalidRequest[] {
  return fieldsOf(row.request).flatMap((field, place) => {
    const name = field.path.join('.');
    const put = (value: unknown) => withField(good, field.path, value);
    const others = findFault(field, schemaAt(row.request, field.path));
    const values = field.list ? [5, ...others.map((one) => [one])] : [[], ...others];
    const tried = values.filter((_, index) => (index + place + row.method.length) % oneOf === 0);
    const wrong = tried.map((value) => ({
      what: `${name}: ${JSON.stringify(value)?.slice(0, 40)}`,
      request: put(value),
    }));
    const missing = field.required ? [{ what: `no ${name}`, request: put(undefined) }] : [];
    return [...wrong, ...missing];
  });
}

/**
 * For each field that may be left out, the request with nothing in it: every one is taken as if it had been left out.
 * Null is too, except for MCP, whose schemas have none.
 */
export function emptyFields(row: Operation, good: object): EmptyField[] {
  return fieldsOf(row.request)
    .filter((field) => !field.required && field.path.length === 1 && emptyOf(field).length > 0)
    .map((field) => ({
      name: field.path.join('.'),
      without: withField(good, field.path, undefined),
      empty: emptyOf(field).map((value) => withField(good, field.path, value)),
    }));
}

function emptyOf({ type, list }: Field): unknown[] {
  if (list) return [[]];
  switch (type.kind) {
    case 'string':
      return [''];
    case 'int32':
      return [0];
    // provisionEnabled distinguishes false and unset, so false is not tried.
    default:
      return [];
  }
}

/** The schema of a field, or of an element if it is a list. */
function schemaAt(message: z.ZodType, path: readonly string[]): z.ZodType {
  return path.reduce((schema, name) => {
    const field = unwrapped(shapeOf(schema)[name] ?? z.never());
    return field instanceof z.ZodArray ? unwrapped(field.element as z.ZodType) : field;
  }, message);
}

function findFault({ type }: Field, schema: z.ZodType): unknown[] {
  const odd = type.kind === 'string' ? oddTexts.filter((text) => !schema.safeParse(text).success) : [];
  return [...otherKinds[type.kind], ...odd];
}

function withField(request: object, [name = '', ...inside]: readonly string[], value: unknown): object {
  const held = (request as Record<string, unknown>)[name];
  const inner = typeof held === 'object' && held !== null && !Array.isArray(held) ? held : {};
  return { ...request, [name]: inside.length === 0 ? value : withField(inner, inside, value) };
}
