import type { AnyStateMachine } from 'xstate';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import type { MachineDefinition } from '#machines/decide.ts';
import { doorbellDefinition } from '#machines/doorbell/doorbell.ts';
import { sweepDefinition } from '#machines/forge/sweep.ts';
import { hostDefinition } from '#machines/host/host.ts';
import { reviewBatchDefinition } from '#machines/review/review-batch.ts';
import { firingDefinition } from '#machines/schedule/firing.ts';
import { scheduleDefinition } from '#machines/schedule/schedule.ts';

/** All machines of muster, by name. */
export const definitions: Readonly<Record<string, MachineDefinition<AnyStateMachine>>> = {
  agent: agentDefinition,
  doorbell: doorbellDefinition,
  firing: firingDefinition,
  host: hostDefinition,
  'review-batch': reviewBatchDefinition,
  schedule: scheduleDefinition,
  sweep: sweepDefinition,
};

/** The names of the machines. */
export const machineNames: readonly string[] = Object.keys(definitions);

/** A machine by its name; undefined if there is none. */
export function findDefinition(name: string): MachineDefinition<AnyStateMachine> | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}
