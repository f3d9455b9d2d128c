import type { RequestOf } from '#cli/client/client.ts';
import { Failure } from '#contract/failure.ts';
import type { Workflow } from '#contract/workflow.ts';

type Update = RequestOf<'workflow.v1.WorkflowService/UpdateWorkflow'>;
type Clearable = NonNullable<Update['clear']>[number];

/** Fields with parts that can be emptied separately, although `clear` only empties the whole. */
const parted = ['scripts', 'notify'] as const;
const needed: ReadonlySet<string> = new Set(['name', 'cwd']);

/**
 * An update of a workflow that also empties the fields given as empty texts, which the service would treat as unset. If
 * the field has parts, its other parts stay.
 *
 * @throws INVALID_ARGUMENT when a workflow needs an emptied field
 */
export function withEmptied(request: Update, before: Workflow): Update {
  const empty = Object.entries(request).filter(([, value]) => value === '');
  const missing = empty.find(([field]) => needed.has(field));
  if (missing !== undefined) throw new Failure('INVALID_USAGE', `--${missing[0]} is empty, and a workflow needs one`);
  const inPart = parted.filter((field) => Object.values(request[field] ?? {}).includes(''));
  const kept = inPart.map((field) => {
    const rest = request.clear?.includes(field) ? {} : before[field];
    return [field, { ...rest, ...request[field] }] as const;
  });
  const clear = [...(request.clear ?? []), ...empty.map(([field]) => field as Clearable), ...inPart];
  return { ...request, ...Object.fromEntries(kept), ...(clear.length > 0 && { clear: [...new Set(clear)] }) };
}
