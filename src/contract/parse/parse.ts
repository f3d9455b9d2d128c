import type { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** How many faults of a request the message names. */
const maxSaid = 10;
/** How many fields at fault a failure lists. The number is limited because gRPC sends them in a header. */
const maxViolations = 20;

/**
 * Checks a request against its schema.
 * @throws INVALID_ARGUMENT when it does not fit, naming the fields at fault, their values and what to do
 */
export function parseRequest<S extends z.ZodType>(schema: S, request: unknown): z.output<S> {
  const result = schema.safeParse(request);
  if (result.success) return result.data;
  const violations = result.error.issues.slice(0, maxViolations).map((issue) => ({
    field: issue.path.join('.'),
    description: explain(issue, request),
  }));
  const said = violations.slice(0, maxSaid).map(({ description }) => description);
  const more = result.error.issues.length - said.length;
  if (more > 0) said.push(`${more} more are wrong`);
  throw new Failure('INVALID_FIELD', said.join('; '), { violations: violations.filter(({ field }) => field !== '') });
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
