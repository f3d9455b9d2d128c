import { z } from 'zod';
import { ForgeError } from './forge-error.ts';
import type { ForgeHttp, HttpAnswer } from './forge-http.ts';

/** An error of a GraphQL answer; `type` is GitHub's own. */
const GraphqlError = z.object({
  type: z.string().optional(),
  message: z.string().catch(''),
  path: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .catch(undefined),
});
export type GraphqlError = z.infer<typeof GraphqlError>;

const Envelope = z.object({
  data: z.unknown().optional(),
  errors: z.array(GraphqlError).optional(),
});

export interface GraphqlAnswer<Data> {
  readonly data: Data;
  /** Errors next to the data, for fields that the credential may not see. */
  readonly errors: readonly GraphqlError[];
  readonly answer: HttpAnswer;
}

/**
 * Sends a query and parses its data, in which null stands for an error.
 * @throws ForgeError
 */
export async function askGraphql<S extends z.ZodType>(
  http: ForgeHttp,
  question: { path: string; query: string; variables: unknown; schema: S; signal: AbortSignal | undefined },
): Promise<GraphqlAnswer<z.output<S>>> {
  const { path, query, variables, schema, signal } = question;
  const answer = await http.ask({ path, body: { query, variables }, signal });
  const { data, errors = [] } = http.read(Envelope, answer);
  for (const { type, message } of errors) {
    if (type === 'RATE_LIMITED' || type === 'RATE_LIMIT') throw http.rateLimited(answer.quota?.resetAt);
    if (type === 'INVALID_CURSOR_ARGUMENTS' || /cursor/i.test(message)) {
      throw new ForgeError(
        'bad_cursor',
        `The forge ${http.host} does not know the page’s cursor: start from the first page`,
      );
    }
  }
  if (data == null && errors.length > 0) throw absence(http, errors);
  return { data: http.read(schema, { json: data }), errors, answer };
}

const unseen = new Set(['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_SCOPES']);

/** Why the requested object is missing: it does not exist or may not be seen, unless the errors say otherwise. */
export function absence(http: ForgeHttp, errors: readonly GraphqlError[]): ForgeError {
  const [first] = errors;
  if (first === undefined || unseen.has(first.type ?? '')) return http.notFound();
  if (/doesn't exist on type|Cannot query field|undefinedField/i.test(first.message)) {
    return new ForgeError('malformed', `The forge ${http.host} does not support the request: its version is too old`);
  }
  return new ForgeError('server', `The forge ${http.host} failed to answer the request`);
}
