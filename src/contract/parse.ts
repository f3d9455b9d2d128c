import type { z } from 'zod';
import { Failure } from './failure.ts';
import { quoted } from './quoted.ts';

/** Checks a request against its schema; refuses with invalid_argument naming every field, its value and what to do. */
export function parseRequest<S extends z.ZodType>(schema: S, request: unknown): z.output<S> {
  const result = schema.safeParse(request);
  if (result.success) return result.data;
  throw new Failure('invalid_argument', result.error.issues.map((issue) => explain(issue, request)).join('; '));
}

function explain(issue: z.core.$ZodIssue, request: unknown): string {
  const field = issue.path.length > 0 ? issue.path.join('.') : 'the request';
  const value = valueAt(request, issue.path);
  if (value === undefined || value === '') return `${field} is missing: give it a value`;
  const said = issue.message.replace(/^Invalid input: /, '');
  return `${field} ${issue.code === 'invalid_type' ? 'has the wrong type: ' : ''}${said} (given: ${quoted(value, 80)})`;
}

function valueAt(request: unknown, path: readonly PropertyKey[]): unknown {
  let value = request;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}
