import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { Decision } from '#machines/decide.ts';
import type { Tables } from '#store/store.ts';

/** A decision of a machine of the registry's own. */
interface Decided {
  readonly machine: string;
  readonly subject: string | number;
  /** What it was decided on; undefined for the beginning of a life. */
  readonly before?: StoredSnapshot | undefined;
  readonly event?: { readonly type: string } | undefined;
  readonly decision: Decision;
}

/** Writes the move of a machine down beside what came of it. Agents' moves are written down with their commits. */
export async function logTransition(
  { transitions }: Tables,
  { machine, subject, before, event, decision }: Decided,
): Promise<void> {
  const { snapshot, effects, facts } = decision;
  const from = before === undefined ? '' : phaseOf(before.value);
  const to = phaseOf(snapshot.value);
  await transitions.append({ machine, subject: String(subject), event, from, to, snapshot, effects, facts });
}
