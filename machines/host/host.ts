import { assign, setup } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';

/** How long a host may be silent before it counts as lost, in milliseconds. It beats every 5 s. */
export const hostSilenceMs = 30_000;

/** The deadline that a host's silence runs into. */
export const hostDeadline = 'online';

/** What is remembered of a host: what it said of itself when it last beat. */
export interface HostContext {
  readonly name: string;
  readonly harnesses: readonly string[];
  /** Whether a person wants no new agents on it. */
  readonly draining?: boolean | undefined;
  /** Whether it came beside others, and no person has said that agents are to be placed on it if nobody names it. */
  readonly newcomer?: boolean | undefined;
  /** Whether a person has ever taken it in. Unset for the first host, and for those of before. */
  readonly everTakenIn?: boolean | undefined;
}

/** Reads what a host's machine remembers off a stored snapshot. */
export const readHostContext = contextReader<HostContext>('host', { name: ['string'], harnesses: ['object'] });

/** Everything that can happen to a host, as the registry sees it. */
export type HostEvent =
  | ({ readonly type: 'BEAT' } & Omit<HostContext, 'draining' | 'newcomer' | 'everTakenIn'>)
  | { readonly type: 'DRAIN' }
  | { readonly type: 'UNDRAIN' }
  /** A person wants to know of it no more. */
  | { readonly type: 'FORGET' }
  /** The host has not beaten for `hostSilenceMs`. */
  | { readonly type: 'DEADLINE'; readonly name: typeof hostDeadline };

/** The instance of one machine that agents are placed on. */
export const hostMachine = setup({
  types: {
    context: {} as HostContext,
    input: {} as HostContext,
    events: {} as HostEvent,
    meta: {} as { limitMs: number },
  },
  actions: {
    noteBeat: assign(({ event }) => (event.type === 'BEAT' ? { name: event.name, harnesses: event.harnesses } : {})),
    noteDraining: assign({ draining: true }),
    noteTaking: assign({ draining: false, newcomer: false, everTakenIn: true }),
    noteForgotten: assign({ draining: false, newcomer: true }),
  },
  guards: { isLeftOut: ({ context }) => context.draining === true || context.newcomer === true },
}).createMachine({
  id: 'host',
  context: ({ input }) => input,
  initial: 'online',
  on: {
    BEAT: { target: '.online', actions: ['noteBeat'] },
    DRAIN: { actions: ['noteDraining'] },
    UNDRAIN: { guard: 'isLeftOut', actions: ['noteTaking'] },
  },
  states: {
    online: { meta: { limitMs: hostSilenceMs }, on: { DEADLINE: { target: 'lost' } } },
    lost: { on: { FORGET: { target: 'forgotten', actions: ['noteForgotten'] } } },
    // If it comes after all, it comes as a newcomer: a person who wanted to know of it no more has not taken it in.
    forgotten: {},
  },
});

/** The host machine and the facts of its transitions. */
export const hostDefinition: MachineDefinition<typeof hostMachine> = { machine: hostMachine, factsBetween };

function factsBetween(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  const { name, harnesses, draining = false, newcomer = false } = readHostContext(after);
  const was = before && readHostContext(before);
  const wasDraining = was?.draining ?? false;
  const now = phaseOf(after.value);
  const facts: FactDraft[] = [];
  if (!before || phaseOf(before.value) !== now) {
    const wasLost = before !== undefined && phaseOf(before.value) === 'lost';
    const kind = ({ lost: 'host.lost', forgotten: 'host.forgotten' } as const)[now] ?? 'host.seen';
    facts.push({ kind, detail: kind === 'host.seen' && wasLost ? { name, wasLost } : { name } });
  }
  if (was !== undefined && saying(was) !== saying({ name, harnesses })) {
    facts.push({ kind: 'host.changed', detail: { name, harnesses } });
  }
  const isTakenIn = was?.newcomer === true && !newcomer;
  if (draining !== wasDraining || isTakenIn) facts.push({ kind: 'host.drained', detail: { name, draining } });
  return facts;
}

/** What a host says of itself, to be compared. */
function saying({ name, harnesses }: HostContext): string {
  return JSON.stringify([name, harnesses.toSorted()]);
}
