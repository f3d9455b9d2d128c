import type { AnyStateMachine } from 'xstate';
import { agentLife } from './agent-view.ts';
import type { Life } from './decide.ts';
import { doorbellLife } from './doorbell.ts';
import { firingLife } from './firing.ts';
import { hostLife } from './host.ts';
import { reviewBatchLife } from './review-batch.ts';
import { scheduleLife } from './schedule.ts';
import { sweepLife } from './sweep.ts';

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
