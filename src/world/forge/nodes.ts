import { z } from 'zod';

/**
 * The nodes of a GraphQL connection. One that may not be seen is null, and so is the list if none may: they are left
 * out.
 */
export function nodesOf<S extends z.ZodType>(node: S) {
  return z
    .object({ nodes: z.array(node.nullable()).nullish() })
    .nullish()
    .transform((list) => (list?.nodes ?? []).filter((one): one is NonNullable<typeof one> => one != null));
}
