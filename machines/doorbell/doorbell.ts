import { assign, setup } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { DoorbellCause, DoorbellState } from '#contract/doorbell.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';

/** How often each cause has raised a doorbell that is not claimed yet. */
export type BellCauses = Readonly<Partial<Record<DoorbellCause, number>>>;

/** A cause that raises a doorbell. */
interface Raise {
  readonly cause: DoorbellCause;
  readonly count: number;
}

/** The initial input of a doorbell's machine. */
export interface DoorbellInput extends Raise {
  /** Whether the agent waits for it to be raised, so that nothing needs to be typed. */
  readonly awaited: boolean;
}

/** The context of a doorbell's machine. */
export interface DoorbellContext {
  readonly causes: BellCauses;
  readonly awaited: boolean;
}

/** Reads the context of a doorbell's machine from a stored snapshot. */
export const readDoorbellContext = contextReader<DoorbellContext>('doorbell', {
  causes: ['object'],
  awaited: ['boolean'],
});

/** Everything that can happen to a doorbell. */
export type DoorbellEvent =
  | ({ readonly type: 'RAISE' } & Raise)
  /** The agent's host has typed its line. */
  | { readonly type: 'RUNG' }
  /** The agent was waiting for it, and got the answer. */
  | { readonly type: 'TOLD' }
  | { readonly type: 'CLAIM' }
  /** The agent took everything from one cause. */
  | { readonly type: 'MET'; readonly cause: DoorbellCause }
  /** The agent has ended. */
  | { readonly type: 'DROP' }
  | { readonly type: 'DEADLINE'; readonly name: string };

/**
 * How long a waiting caller may take to be notified, and then to claim the doorbell, in milliseconds. After that a line
 * is typed.
 */
const notifiedWithin = 3_000;
const claimedWithin = 30_000;

const ends = {
  CLAIM: 'claimed',
  MET: [{ guard: 'isLastCause', target: 'claimed', actions: ['noteMet'] }, { actions: ['noteMet'] }],
  DROP: 'dropped',
} as const;

/** The machine of one doorbell, from the first cause that raises it until it is claimed. */
export const doorbellMachine = setup({
  types: {
    context: {} as DoorbellContext,
    input: {} as DoorbellInput,
    events: {} as DoorbellEvent,
    meta: {} as { limitMs: number },
  },
  actions: {
    noteCause: assign(({ context, event }) =>
      event.type === 'RAISE' ? { causes: raisedBy(context.causes, event) } : {},
    ),
    noteMet: assign(({ context, event }) =>
      event.type === 'MET' ? { causes: without(context.causes, event.cause) } : {},
    ),
  },
  guards: {
    isAwaited: ({ context }) => context.awaited,
    isLastCause: ({ context, event }) =>
      event.type === 'MET' && Object.keys(without(context.causes, event.cause)).length === 0,
    isDue: ({ event }, { name }: { name: string }) => event.type === 'DEADLINE' && event.name === name,
  },
}).createMachine({
  id: 'doorbell',
  context: ({ input: { awaited, ...raise } }) => ({ causes: raisedBy({}, raise), awaited }),
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'isAwaited', target: 'awaited' }, { target: 'raised' }] },
    raised: {
      on: { RAISE: { actions: ['noteCause'] }, RUNG: 'rung', TOLD: 'told', ...ends },
    },
    awaited: {
      meta: { limitMs: notifiedWithin },
      on: {
        RAISE: { actions: ['noteCause'] },
        RUNG: 'rung',
        TOLD: 'told',
        DEADLINE: { guard: { type: 'isDue', params: { name: 'awaited' } }, target: 'raised' },
        ...ends,
      },
    },
    told: {
      meta: { limitMs: claimedWithin },
      on: {
        RAISE: { actions: ['noteCause'] },
        RUNG: 'rung',
        DEADLINE: { guard: { type: 'isDue', params: { name: 'told' } }, target: 'raised' },
        ...ends,
      },
    },
    rung: { on: { RAISE: { actions: ['noteCause'] }, ...ends } },
    claimed: { type: 'final' },
    dropped: { type: 'final' },
  },
});

function raisedBy(causes: BellCauses, { cause, count }: Raise): BellCauses {
  return { ...causes, [cause]: (causes[cause] ?? 0) + count };
}

function without(causes: BellCauses, cause: DoorbellCause): BellCauses {
  const { [cause]: _, ...rest } = causes;
  return rest;
}

const states: Readonly<Record<string, DoorbellState>> = {
  raised: 'DOORBELL_STATE_RAISED',
  awaited: 'DOORBELL_STATE_RAISED',
  told: 'DOORBELL_STATE_RUNG',
  rung: 'DOORBELL_STATE_RUNG',
  claimed: 'DOORBELL_STATE_CLAIMED',
  dropped: 'DOORBELL_STATE_DROPPED',
};

/** The view of a doorbell. */
export interface DoorbellView {
  readonly state: DoorbellState;
  readonly causes: BellCauses;
  /** Whether its agent's host is to type a line. */
  readonly wantsRing: boolean;
}

/** Reads the view from a stored snapshot. */
export function bellViewOf(snapshot: StoredSnapshot): DoorbellView {
  const phase = phaseOf(snapshot.value);
  const { causes } = readDoorbellContext(snapshot);
  return { state: states[phase] ?? 'DOORBELL_STATE_UNSPECIFIED', causes, wantsRing: phase === 'raised' };
}

/** The doorbell machine and the facts of its transitions. */
export const doorbellDefinition: MachineDefinition<typeof doorbellMachine> = { machine: doorbellMachine, factsBetween };

function factsBetween(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  const now = bellViewOf(after);
  const was = before && bellViewOf(before);
  const detail = { causes: now.causes };
  if (was === undefined || count(now) > count(was)) return [{ kind: 'doorbell.raised', detail }];
  if (was.state === now.state) return [];
  if (now.state === 'DOORBELL_STATE_RUNG') return [{ kind: 'doorbell.rung', detail }];
  if (now.state === 'DOORBELL_STATE_CLAIMED') return [{ kind: 'doorbell.claimed', detail: { causes: was.causes } }];
  return now.state === 'DOORBELL_STATE_DROPPED' ? [{ kind: 'doorbell.dropped', detail }] : [];
}

function count({ causes }: DoorbellView): number {
  return Object.values(causes).reduce((sum, one) => sum + one, 0);
}
