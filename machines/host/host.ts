import { assign, setup } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';
import { defaultPatienceMs, minSilenceMs } from './beats.ts';

/** The deadlines of a host: when it counts as silent, and when as lost. */
export const hostDeadlines = { online: 'online', silent: 'silent' } as const;

/** The context of a host: the report of its last beat, and the decisions of people about it. */
export interface HostContext {
  readonly name: string;
  readonly harnesses: readonly string[];
  /** Whether a person wants no new agents on it. */
  readonly draining?: boolean | undefined;
  /**
   * Whether it joined an installation that had other hosts, and no person has admitted it: muster then places agents on
   * it only by name.
   */
  readonly newcomer?: boolean | undefined;
  /** Whether a person has ever admitted it. Unset for the first host, and for hosts older than this field. */
  readonly everTakenIn?: boolean | undefined;
}

/** Reads the context of a host's machine from a stored snapshot. */
export const readHostContext = contextReader<HostContext>('host', { name: ['string'], harnesses: ['object'] });

/** Everything that can happen to a host, as the registry sees it. */
export type HostEvent =
  | ({ readonly type: 'BEAT' } & Omit<HostContext, 'draining' | 'newcomer' | 'everTakenIn'>)
  | { readonly type: 'DRAIN' }
  | { readonly type: 'UNDRAIN' }
  /** A person forgets it. */
  | { readonly type: 'FORGET' }
  /** A person removes it permanently. */
  | { readonly type: 'REMOVE' }
  /** The host has been silent for `maxSilence`, or for its own limit. */
  | { readonly type: 'DEADLINE'; readonly name: keyof typeof hostDeadlines };

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
    noteAdmitted: assign({ draining: false, newcomer: false, everTakenIn: true }),
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
    UNDRAIN: { guard: 'isLeftOut', actions: ['noteAdmitted'] },
    REMOVE: { target: '.removed', actions: ['noteForgotten'] },
  },
  states: {
    online: { meta: { limitMs: minSilenceMs }, on: { DEADLINE: { target: 'silent' } } },
    // The state of its agents is unknown, but it is expected back. The registry sets its deadline.
    silent: { meta: { limitMs: defaultPatienceMs - minSilenceMs }, on: { DEADLINE: { target: 'lost' } } },
    lost: { on: { FORGET: { target: 'forgotten', actions: ['noteForgotten'] } } },
    // If it returns, it is a new host: forgetting a host does not admit it.
    forgotten: {},
    removed: { type: 'final' },
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
    const kind =
      ({ silent: 'host.silent', lost: 'host.lost', forgotten: 'host.forgotten', removed: 'host.removed' } as const)[
        now
      ] ?? 'host.seen';
    facts.push({ kind, detail: kind === 'host.seen' && wasLost ? { name, wasLost } : { name } });
  }
  if (was !== undefined && descriptionKey(was) !== descriptionKey({ name, harnesses })) {
    facts.push({ kind: 'host.changed', detail: { name, harnesses } });
  }
  const wasAdmitted = was?.newcomer === true && !newcomer;
  if (draining !== wasDraining || wasAdmitted) facts.push({ kind: 'host.drained', detail: { name, draining } });
  return facts;
}

/** A host's report about itself, for comparison. */
function descriptionKey({ name, harnesses }: HostContext): string {
  return JSON.stringify([name, harnesses.toSorted()]);
}
