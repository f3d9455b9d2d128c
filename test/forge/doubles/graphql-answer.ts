import { type DocumentNode, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { DoubleAnswer } from './double.ts';

const documents = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();

/** An error as GitHub reports it: with its own type. */
export function typedError(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** Checks a query against a schema. @throws Error when the schema does not have a part of it */
export function checkedDocument(schema: GraphQLSchema, query: string): DocumentNode {
  const known = documents.get(schema) ?? new Map<string, DocumentNode>();
  documents.set(schema, known);
  const made = known.get(query) ?? parse(query);
  if (!known.has(query)) {
    const faults = validate(schema, made);
    if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
    known.set(query, made);
  }
  return made;
}

/** Answers a query by executing it against the forge's own schema: what it cannot answer, no forge could. */
export async function graphqlAnswer(schema: GraphQLSchema, body: string, rootValue: object): Promise<DoubleAnswer> {
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
  const document = checkedDocument(schema, query);
  const { data, errors } = await execute({ schema, document, rootValue, variableValues: variables });
  const told = errors?.map(({ message, path, extensions }) => ({ type: extensions['type'], message, path }));
  return { status: 200, body: { data, ...(told && { errors: told }) } };
}

/** A page of a connection by cursors, as both GraphQL forges hand it over. */
export function connection<Item>(
  items: readonly Item[],
  { first = 100, after }: { first?: number | null; after?: string | null },
): object {
  const from = after == null ? 0 : placeOf(after);
  const to = from + Math.min(first ?? 100, 100);
  const nodes = items.slice(from, to);
  const endCursor = nodes.length === 0 ? null : Buffer.from(`place:${from + nodes.length}`).toString('base64');
  return {
    nodes,
    count: items.length,
    totalCount: items.length,
    pageInfo: { hasNextPage: to < items.length, endCursor },
  };
}

function placeOf(cursor: string): number {
  const [, place] = /^place:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (place === undefined)
    throw typedError('INVALID_CURSOR_ARGUMENTS', `\`${cursor}\` does not appear to be a valid cursor.`);
  return Number(place);
}
