import { type AnyStateMachine, type AnyTransitionDefinition, getNextTransitions, type SnapshotFrom } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { decide, limitsOf, restore } from '#machines/decide.ts';
import { type Change, changesOf } from './changes.ts';
import { findDefinition } from './definitions.ts';
import { nameOf } from './drawing.ts';
import { sampleEvents } from './sample-event.ts';

/** What one event would do to an instance. */
export interface Prospect {
  readonly event: string;
  /** The event that was tried. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Whether the state accepts it; if not, `to`, `effects` and `facts` are empty. */
  readonly accepted: boolean;
  readonly to: string;
  /** By kind, in order. */
  readonly effects: readonly string[];
  readonly facts: readonly string[];
  /** Guards that prevent transitions. */
  readonly refusedBy: readonly string[];
  /** The changes to the context. */
  readonly changes: readonly Change[];
}

type MachineSnapshot = SnapshotFrom<AnyStateMachine>;

/**
 * What each possible event would do to an instance, decided without performing anything. Empty for an instance in a
 * final state.
 * @throws Error when there is no such machine, or the snapshot is not one of this machine
 */
export function prospectsOf(machine: string, stored: StoredSnapshot): readonly Prospect[] {
  const definition = findDefinition(machine);
  if (definition === undefined) throw new Error(`there is no machine ${machine}`);
  const live = restore(definition.machine, stored);
  if (live.status !== 'active') return [];
  const ways = Map.groupBy(getNextTransitions(live), ({ eventType }) => eventType);
  ways.delete('');
  const deadlines = Object.keys(limitsOf(live));
  return [...ways].flatMap(([event, ways]) =>
    sampleEvents(machine, event, stored, deadlines).map((sample): Prospect => {
      const decision = decide(definition, stored, sample);
      return {
        event,
        sample,
        accepted: decision !== undefined,
        to: decision === undefined ? '' : phaseOf(decision.snapshot.value),
        effects: decision?.effects.map(({ kind }) => kind) ?? [],
        facts: decision?.facts.map(({ kind }) => kind) ?? [],
        refusedBy: refusing(live, sample, ways),
        changes: decision === undefined ? [] : changesOf(stored.context, decision.snapshot.context),
      };
    }),
  );
}

/** The guards that refuse an event, of the transitions before the one that it takes. */
function refusing(
  live: MachineSnapshot,
  event: { readonly type: string },
  ways: readonly AnyTransitionDefinition[],
): string[] {
  const refused: string[] = [];
  for (const { guard } of ways) {
    if (guard === undefined || holds(live, event, guard)) break;
    refused.push(nameOf(guard));
  }
  return [...new Set(refused)];
}

function holds(live: MachineSnapshot, event: { readonly type: string }, guard: unknown): boolean {
  const { params } = (typeof guard === 'object' ? guard : {}) as { readonly params?: unknown };
  const check = live.machine.implementations.guards[nameOf(guard)];
  return typeof check === 'function' && check({ context: live.context, event } as never, params as never);
}
