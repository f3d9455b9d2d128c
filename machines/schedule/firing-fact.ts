import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { FactDraft } from '#machines/decide.ts';
import { readFiringContext } from './firing-context.ts';

/** The facts of a transition of a firing: none for a transition that people would not see. */
export function firingFacts(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  if (before === undefined || !isSeen(before, after)) return [];
  const { attempt, message } = readFiringContext(after);
  const detail = { from: firingPhase(before), to: firingPhase(after), attempt, message };
  return [{ kind: 'schedule.run-moved', detail }];
}

/** Whether a person would see a difference between two snapshots. A renewed lease is not a difference. */
export function isSeen(before: StoredSnapshot, after: StoredSnapshot): boolean {
  const shown = (snapshot: StoredSnapshot) => `${firingPhase(snapshot)} ${readFiringContext(snapshot).message}`;
  return shown(before) !== shown(after);
}

/** The name of the state that a stored firing's machine is in. */
export function firingPhase({ value }: StoredSnapshot): string {
  return phaseOf(value);
}
