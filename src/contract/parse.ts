import type { z } from 'zod';
import { Failure } from './failure.ts';
import { quoted } from './quoted.ts';

/** How many of the things that are wrong with a request are told. */
const maxTold = 10;

/** Checks a request against its schema; refuses with invalid_argument naming the fields, their values and what to do. */
export function parseRequest<S extends z.ZodType>(schema: S, request: unknown): z.output<S> {
  const result = schema.safeParse(request);
  if (result.success) return result.data;
  const { issues } = result.error;
  const told = issues.slice(0, maxTold).map((issue) => explain(issue, request));
  if (issues.length > maxTold) told.push(`${issues.length - maxTold} more are wrong`);
  throw new Failure('invalid_argument', told.join('; '));
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
