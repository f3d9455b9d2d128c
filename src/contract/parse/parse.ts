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
  // Of several faults of a field, the last is the narrowest: int32 and its own maximum, for example.
  const issues = [...new Map(result.error.issues.map((issue) => [issue.path.join('.'), issue])).values()];
  const violations = issues.slice(0, maxViolations).map((issue) => ({
    field: issue.path.join('.'),
    description: explain(issue, request),
  }));
  const said = violations.slice(0, maxSaid).map(({ description }) => description);
  const more = issues.length - said.length;
  if (more > 0) said.push(`${more} more are wrong`);
  throw new Failure('INVALID_FIELD', said.join('; '), { violations: violations.filter(({ field }) => field !== '') });
}

function explain(issue: z.core.$ZodIssue, request: unknown): string {
  const field = issue.path.length > 0 ? issue.path.join('.') : 'the request';
  const value = valueAt(request, issue.path);
  if (value === undefined || value === '') return `${field} is missing: give it a value`;
  return `${field} ${ruleOf(issue)} (given: ${quoted(value, 80)})`;
}

/** What a value has to be, in words. The schemas' own words stay if they say it. */
function ruleOf(issue: z.core.$ZodIssue): string {
  // A schema's own words begin otherwise than those of zod.
  if (!/^(?:Too |Invalid )/.test(issue.message)) return issue.message;
  const said = issue.message.replace(/^Invalid input: /, '');
  switch (issue.code) {
    case 'invalid_type':
      return `has the wrong type: ${said}`;
    case 'invalid_value':
      // Unset is no choice.
      return `must be one of ${issue.values.filter((one) => !String(one).endsWith('_UNSPECIFIED')).join(', ')}`;
    case 'too_small':
      return `must ${sizeOf(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${sizeOf(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time in RFC 3339, such as 2026-12-01T09:00:00Z' : said;
    default:
      return said;
  }
}

function sizeOf(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'array') return `have ${bound} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  return origin === 'string' ? `have ${bound} ${limit} characters` : `be ${bound} ${limit}`;
}

function valueAt(request: unknown, path: readonly PropertyKey[]): unknown {
  let value = request;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}
