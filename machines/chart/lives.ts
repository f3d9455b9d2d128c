import type { AnyStateMachine } from 'xstate';
import { agentLife } from '#machines/agent/agent-view.ts';
import type { Life } from '#machines/decide.ts';
import { doorbellLife } from '#machines/doorbell/doorbell.ts';
import { sweepLife } from '#machines/forge/sweep.ts';
import { hostLife } from '#machines/host/host.ts';
import { reviewBatchLife } from '#machines/review/review-batch.ts';
import { firingLife } from '#machines/schedule/firing.ts';
import { scheduleLife } from '#machines/schedule/schedule.ts';

/** Every kind of life of muster, by the name that its machine is asked for. */
export const lives: Readonly<Record<string, Life<AnyStateMachine>>> = {
  agent: agentLife,
  doorbell: doorbellLife,
  firing: firingLife,
  host: hostLife,
  'review-batch': reviewBatchLife,
  schedule: scheduleLife,
  sweep: sweepLife,
};

/** The names of the machines. */
export const machineNames: readonly string[] = Object.keys(lives);

/** A kind of life by its name; undefined where there is none of that name. */
export function lifeOf(name: string): Life<AnyStateMachine> | undefined {
  return Object.hasOwn(lives, name) ? lives[name] : undefined;
}
