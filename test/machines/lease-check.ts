import { begin, decide } from '#machines/decide.ts';
import { firingDefinition } from '#machines/schedule/firing.ts';
import type { FiringContext, FiringEvent } from '#machines/schedule/firing-context.ts';
import { firingPhase } from '#machines/schedule/firing-fact.ts';

const maxAttempts = 2;

/** A job as the check sees it, whoever keeps it. */
export interface Job {
  readonly state: string;
  readonly attempt: number;
  /** Which claim holds it: what a fenced outcome must name. */
  readonly holder: { readonly attempt: number; readonly lease: string } | undefined;
  readonly cancelRequested: boolean;
  /** What the keeper needs besides that. */
  readonly kept?: unknown;
}

/** How a queue answers an event: with the job as it is then, or undefined if it refuses. */
export interface QueueRules {
  readonly first: Job;
  apply(job: Job, event: FiringEvent): Job | undefined;
}

/** The result of the check. */
export interface CheckResult {
  readonly states: number;
  readonly transitions: number;
  /** A description of each accepted transition that no queue may accept. */
  readonly broken: readonly string[];
}

/** Our own machine. The time of an event is what makes a lease end: it ends when the check says so. */
export function machineRules(): QueueRules {
  const jobOf = (snapshot: { value: unknown; context: unknown }): Job => {
    const { attempt, lease } = snapshot.context as FiringContext;
    const phase = firingPhase(snapshot);
    return {
      state: phase === 'cancelling' ? 'running' : phase,
      attempt,
      holder: lease === null ? undefined : { attempt, lease },
      cancelRequested: phase === 'cancelling',
      kept: { value: snapshot.value, context: { ...(snapshot.context as object), message: '', agentId: null } },
    };
  };
  const { snapshot } = begin(firingDefinition, { state: 'available', maxAttempts, until: null, message: '' });
  return {
    first: jobOf(snapshot),
    apply(job, event) {
      const decision = decide(firingDefinition, job.kept as never, event);
      return decision && jobOf(decision.snapshot);
    },
  };
}

/** Which jobs an outcome of a worker, and the rescuer, may change: the conditions of the queue's own statements. */
interface Guards {
  /** `state`: the job is running; `attempt`: that, and it is the same attempt; `any`: it is there. */
  readonly outcome: 'state' | 'attempt' | 'any';
  /** `running`: whatever runs; `expired`: what runs, and whose lease has ended. */
  readonly rescue: 'running' | 'expired';
  /** Whether an outcome after a requested cancel must respect it. */
  readonly cancelWins: boolean;
}

/** The guards of other queues as their statements have them, read in their sources in November 2026. */
const guards: Readonly<Record<string, Guards>> = {
  'River before #1373': { outcome: 'state', rescue: 'running', cancelWins: false },
  'River after #1373': { outcome: 'state', rescue: 'expired', cancelWins: true },
  'Oban Basic': { outcome: 'any', rescue: 'running', cancelWins: false },
  'pg-boss': { outcome: 'state', rescue: 'expired', cancelWins: true },
  'graphile/worker': { outcome: 'any', rescue: 'expired', cancelWins: true },
};

/** Those queues as the check takes them. */
export const peers: Readonly<Record<string, QueueRules>> = Object.fromEntries(
  Object.entries(guards).map(([name, one]) => [name, guardedRules(one)]),
);

function guardedRules({ outcome, rescue, cancelWins }: Guards): QueueRules {
  const ended = ['completed', 'cancelled', 'discarded'];
  const takes = (job: Job, attempt: number): boolean => {
    if (outcome === 'any') return job.state !== 'gone';
    return job.state === 'running' && (outcome === 'state' || job.attempt === attempt);
  };
  const to = (job: Job, state: string): Job => ({ ...job, state, holder: undefined, cancelRequested: false });
  const failed = (job: Job): Job => to(job, job.attempt < maxAttempts ? 'retryable' : 'discarded');
  return {
    first: { state: 'available', attempt: 0, holder: undefined, cancelRequested: false },
    apply(job, event) {
      switch (event.type) {
        case 'CLAIM': {
          const attempt = job.attempt + 1;
          const holder = { attempt, lease: event.lease };
          return job.state === 'available' ? { ...job, state: 'running', attempt, holder } : undefined;
        }
        case 'COMPLETE':
          if (!takes(job, event.attempt)) return undefined;
          return to(job, cancelWins && job.cancelRequested ? 'cancelled' : 'completed');
        case 'FAIL':
          if (!takes(job, event.attempt)) return undefined;
          return cancelWins && job.cancelRequested ? to(job, 'cancelled') : failed(job);
        case 'DUE':
          if (job.state === 'retryable') return to(job, 'available');
          if (job.state !== 'running' || (rescue === 'expired' && event.now < 100)) return undefined;
          return cancelWins && job.cancelRequested ? to(job, 'cancelled') : failed(job);
        case 'CANCEL':
          if (job.state === 'running') return { ...job, cancelRequested: true };
          return ended.includes(job.state) ? undefined : to(job, 'cancelled');
        default:
          return undefined;
      }
    },
  };
}

/** The job, and which claim each of two workers believes that it holds. */
interface World {
  readonly job: Job;
  readonly workers: readonly ({ readonly attempt: number; readonly lease: string } | undefined)[];
  readonly claims: number;
  /** Whether a cancel was accepted. */
  readonly cancelled: boolean;
}

interface Step {
  readonly name: string;
  readonly event: FiringEvent;
  /** The worker that takes it. */
  readonly worker?: number;
}

/**
 * Explores every interleaving of two workers, a rescuer and a cancel, and records transitions that no queue may accept.
 */
export function checkLeases({ first, apply }: QueueRules): CheckResult {
  const start: World = { job: first, workers: [undefined, undefined], claims: 0, cancelled: false };
  const seen = new Map([[JSON.stringify(start), start]]);
  const broken: string[] = [];
  let transitions = 0;
  for (const world of seen.values()) {
    for (const step of stepsIn(world)) {
      const job = apply(world.job, step.event);
      if (job === undefined) continue;
      transitions += 1;
      const why = ruleBroken(world, step, job);
      if (why !== undefined) broken.push(`${world.job.state} attempt ${world.job.attempt}: ${step.name}: ${why}`);
      const next = worldAfter(world, step, job);
      const key = JSON.stringify(next);
      if (!seen.has(key)) seen.set(key, next);
    }
  }
  return { states: seen.size, transitions, broken };
}

function stepsIn({ workers, claims, job }: World): Step[] {
  const steps: Step[] = [
    { name: 'a lease ends, or a wait', event: { type: 'DUE', now: 1_000, until: 500, reason: '' } },
    { name: 'the rescuer looks too early', event: { type: 'DUE', now: 10, until: 500, reason: '' } },
    { name: 'a cancel', event: { type: 'CANCEL', reason: '' } },
  ];
  for (const [worker, hold] of workers.entries()) {
    if (claims < 4) {
      const event = { type: 'CLAIM', lease: `claim ${claims + 1}`, until: 100 } as const;
      steps.push({ name: `worker ${worker} claims`, event, worker });
    }
    if (hold === undefined) continue;
    steps.push({ name: `worker ${worker} completes`, event: { type: 'COMPLETE', agentId: '', ...hold }, worker });
    steps.push({ name: `worker ${worker} fails`, event: { type: 'FAIL', reason: '', until: 500, ...hold }, worker });
    steps.push({ name: `worker ${worker} lives`, event: { type: 'HEARTBEAT', until: 100, ...hold }, worker });
  }
  return job.state === 'gone' ? [] : steps;
}

function worldAfter({ workers, claims, cancelled }: World, { event, worker }: Step, job: Job): World {
  const isClaim = event.type === 'CLAIM';
  const holds = workers.map((hold, index) => {
    if (index !== worker || event.type === 'HEARTBEAT') return hold;
    return isClaim ? job.holder : undefined;
  });
  return {
    job,
    workers: holds,
    claims: claims + Number(isClaim),
    cancelled: event.type === 'CANCEL' || (cancelled && !isClaim && job.state !== 'available'),
  };
}

const ends = ['completed', 'cancelled', 'discarded'];

/** Which rule an accepted step breaks; undefined if it breaks none. */
function ruleBroken({ job, cancelled }: World, { event }: Step, after: Job): string | undefined {
  if (after.attempt > maxAttempts) return 'more attempts than allowed';
  if ('lease' in event && 'attempt' in event) {
    const holds = job.holder?.attempt === event.attempt && job.holder.lease === event.lease;
    if (!holds) return 'an outcome of a claim that is over was taken';
  }
  if (ends.includes(job.state) && after.state !== job.state) return 'what had ended moved';
  if (event.type === 'DUE' && event.now === 10 && job.state === 'running') return 'a worker was rescued that lives';
  if (cancelled && after.state === 'completed') return 'it was completed after a cancel was accepted';
  return undefined;
}
