import { z } from 'zod';

/** The nodes of a GraphQL connection, without null nodes, which may not be seen; empty if the whole list is null. */
export function nodesOf<S extends z.ZodType>(node: S) {
  return z
    .object({ nodes: z.array(node.nullable()).nullish() })
    .nullish()
    .transform((list) => (list?.nodes ?? []).filter((one): one is NonNullable<typeof one> => one != null));
}
