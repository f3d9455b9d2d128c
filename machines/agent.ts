import { assign, setup } from 'xstate';
import type { AgentContext, AgentEvent, AgentInput, AgentStep } from './agent-context.ts';

const minute = 60_000;
const act = () => {};

const agentSetup = setup({
  types: {
    context: {} as AgentContext,
    input: {} as AgentInput,
    events: {} as AgentEvent,
    meta: {} as { limitMs: number },
  },
  actions: {
    // Effects: the agent's host performs them once they are committed.
    provisionWorktree: act,
    runSetup: act,
    openWindow: (_, _params: { resume: boolean }) => {},
    deliverBriefing: act,
    renameWindow: act,
    closePane: act,
    runTeardown: act,
    removeWorktree: (_, _params: { force: boolean }) => {},
    // Not an effect: takes back the effects that were asked for and are not done.
    cancelEffects: act,
    // What the machine remembers.
    beSettingUp: assign({ state: 'AGENT_STATE_SETTING_UP', reason: '' }),
    beFailedToCreate: assign({ state: 'AGENT_STATE_FAILED_TO_CREATE' }),
    beFailedToCleanUp: assign({ state: 'AGENT_STATE_FAILED_TO_CLEANUP' }),
    beUnfinished: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: 'archived while it was being set up' }),
    beEnded: assign({ state: 'AGENT_STATE_UNCERTAIN' }),
    beResumed: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed', failedStep: undefined }),
    noteArchiving: assign({ cleanup: 'archive' as const }),
    noteDeleting: assign(({ event }) => ({
      cleanup: 'delete' as const,
      ...(event.type === 'DELETE' ? { force: event.force } : {}),
    })),
    noteRestored: assign({ cleanup: undefined, force: false }),
    noteReading: assign(({ event }) =>
      event.type === 'READING' || event.type === 'BRIEFED'
        ? { state: event.reading.state, reason: event.reading.reason }
        : {},
    ),
    noteBriefed: assign({ briefed: true, failedStep: undefined }),
    notePrepared: assign({ prepared: true }),
    noteName: assign(({ event }) => (event.type === 'RENAME' ? { name: event.name } : {})),
    noteWorktree: assign(({ event }) =>
      event.type === 'WORKTREE_READY' ? { worktree: event.worktree, worktreeRemoved: false } : {},
    ),
    noteWorktreeRemoved: assign({ worktreeRemoved: true }),
    notePane: assign(({ event }) => (event.type === 'WINDOW_OPENED' ? { paneId: event.paneId } : {})),
    notePaneGone: assign(({ event }) => ({
      paneId: undefined,
      ...(event.type === 'PANE_GONE' ? { reason: event.reason } : {}),
    })),
    noteCheckout: assign(({ context, event }) =>
      event.type === 'CHECKOUT_READ'
        ? { checkout: event.checkout, worktreeRemoved: context.worktree !== undefined && event.worktreeGone }
        : {},
    ),
    noteFailure: assign(({ event }) =>
      event.type === 'STEP_FAILED' ? { failedStep: event.step, reason: `${event.step}: ${event.reason}` } : {},
    ),
    noteEarlyEnd: assign(({ event }) => ({
      failedStep: 'briefing' as const,
      paneId: undefined,
      reason: event.type === 'PANE_GONE' ? `briefing: the CLI ended before it took its briefing: ${event.reason}` : '',
    })),
    noteLate: assign((_, { step }: { step: AgentStep }) => ({
      failedStep: step,
      reason: `${step}: took too long and was given up`,
    })),
  },
  guards: {
    needsWorktree: ({ context }) => context.provision && (context.worktree === undefined || context.worktreeRemoved),
    needsSetup: ({ context }) => context.provision && context.hasSetup && !context.prepared,
    needsBriefing: ({ context }) => !context.briefed,
    needsTeardown: ({ context }) => context.worktree !== undefined && context.hasTeardown && !context.worktreeRemoved,
    needsRemoval: ({ context }) => context.provision && !context.worktreeRemoved,
    endedBriefed: ({ event }) => event.type === 'PANE_GONE' && event.briefed,
    wasArchiving: ({ context }) => context.cleanup === 'archive',
    readsIdle: ({ context }) => context.state === 'AGENT_STATE_IDLE',
    readsThinking: ({ context }) => context.state === 'AGENT_STATE_THINKING',
    readsWaiting: ({ context }) => context.state === 'AGENT_STATE_WAITING',
    asks: ({ event }) => event.type === 'READING' && event.reading.state === 'AGENT_STATE_WAITING',
    asksNoMore: ({ event }) => event.type === 'READING' && event.reading.state !== 'AGENT_STATE_WAITING',
    isDue: ({ event }, { name }: { name: string }) => event.type === 'DEADLINE' && event.name === name,
  },
});

/** The end of a step that must not take for ever. */
function late(name: string, step: AgentStep, target: string) {
  return {
    guard: { type: 'isDue', params: { name } },
    target,
    actions: ['cancelEffects', { type: 'noteLate', params: { step } }],
  } as const;
}

const archive = { target: '#agent.archiving', actions: ['cancelEffects', 'noteArchiving'] } as const;
const archiveUnfinished = {
  target: '#agent.archiving',
  actions: ['cancelEffects', 'noteArchiving', 'beUnfinished'],
} as const;
const remove = { target: '#agent.cleaningUp', actions: ['cancelEffects', 'noteDeleting'] } as const;
const restore = { target: '#agent.settingUp', actions: ['noteRestored'] } as const;
const rename = { actions: ['noteName', 'renameWindow'] } as const;
const renameWindowless = { actions: ['noteName'] } as const;

/** The life of one agent, from its creation until nothing of it is left. */
export const agentMachine = agentSetup.createMachine({
  id: 'agent',
  context: ({ input }) => ({
    ...input,
    firstName: input.name,
    state: 'AGENT_STATE_SETTING_UP',
    reason: '',
    prepared: false,
    worktreeRemoved: false,
    checkout: {},
    briefed: false,
    force: false,
  }),
  initial: 'settingUp',
  on: { CHECKOUT_READ: { actions: ['noteCheckout'] } },
  states: {
    settingUp: {
      entry: ['beSettingUp'],
      initial: 'choosing',
      on: {
        STEP_FAILED: { target: 'failedToCreate', actions: ['cancelEffects', 'noteFailure'] },
        ARCHIVE: archiveUnfinished,
        DELETE: remove,
        RENAME: rename,
      },
      states: {
        choosing: {
          always: [
            { guard: 'needsWorktree', target: 'provisioning' },
            { guard: 'needsSetup', target: 'preparing' },
            { target: 'opening' },
          ],
        },
        provisioning: {
          meta: { limitMs: 15 * minute },
          entry: ['provisionWorktree'],
          on: {
            WORKTREE_READY: { target: 'choosing', actions: ['noteWorktree'] },
            DEADLINE: late('settingUp.provisioning', 'provisioning', '#agent.failedToCreate'),
          },
        },
        preparing: {
          meta: { limitMs: 30 * minute },
          entry: ['runSetup'],
          on: {
            SETUP_DONE: { target: 'opening', actions: ['notePrepared'] },
            DEADLINE: late('settingUp.preparing', 'preparing', '#agent.failedToCreate'),
          },
        },
        opening: {
          meta: { limitMs: minute },
          entry: [{ type: 'openWindow', params: ({ context }) => ({ resume: context.briefed }) }],
          on: {
            WINDOW_OPENED: [
              { guard: 'needsBriefing', target: 'briefing', actions: ['notePane'] },
              { target: '#agent.live', actions: ['notePane', 'beResumed'] },
            ],
            DEADLINE: late('settingUp.opening', 'opening', '#agent.failedToCreate'),
          },
        },
        briefing: {
          entry: ['deliverBriefing'],
          initial: 'delivering',
          on: {
            BRIEFED: { target: '#agent.live', actions: ['noteBriefed', 'noteReading'] },
            PANE_GONE: [
              {
                guard: 'endedBriefed',
                target: '#agent.dormant',
                actions: ['cancelEffects', 'noteBriefed', 'notePaneGone', 'beEnded'],
              },
              { target: '#agent.failedToCreate', actions: ['cancelEffects', 'noteEarlyEnd'] },
            ],
          },
          states: {
            delivering: {
              meta: { limitMs: 2 * minute },
              on: {
                READING: { guard: 'asks', target: 'asked', actions: ['noteReading'] },
                DEADLINE: late('settingUp.briefing.delivering', 'briefing', '#agent.failedToCreate'),
              },
            },
            asked: {
              on: { READING: { guard: 'asksNoMore', target: 'delivering', actions: ['beSettingUp'] } },
            },
          },
        },
      },
    },
    failedToCreate: {
      entry: ['beFailedToCreate'],
      on: { RETRY: { target: 'settingUp' }, ARCHIVE: archive, DELETE: remove, RENAME: rename },
    },
    live: {
      initial: 'deciding',
      on: {
        READING: { target: '.deciding', actions: ['noteReading'] },
        PANE_GONE: { target: 'dormant', actions: ['cancelEffects', 'notePaneGone'] },
        ARCHIVE: archive,
        DELETE: remove,
        RENAME: rename,
      },
      states: {
        deciding: {
          always: [
            { guard: 'readsIdle', target: 'idle' },
            { guard: 'readsThinking', target: 'thinking' },
            { guard: 'readsWaiting', target: 'waiting' },
            { target: 'uncertain' },
          ],
        },
        idle: {},
        thinking: {},
        waiting: {},
        uncertain: {},
      },
    },
    dormant: {
      on: { RESTORE: restore, ARCHIVE: archive, DELETE: remove, RENAME: renameWindowless },
    },
    archiving: {
      meta: { limitMs: minute },
      entry: ['closePane'],
      on: {
        BRIEFED: { actions: ['noteBriefed', 'closePane'] },
        PANE_CLOSED: { target: 'archived', actions: ['notePaneGone'] },
        STEP_FAILED: { target: 'failedToCleanup', actions: ['noteFailure'] },
        DEADLINE: late('archiving', 'closing', 'failedToCleanup'),
        DELETE: remove,
      },
    },
    archived: {
      on: { RESTORE: restore, DELETE: remove, RENAME: renameWindowless },
    },
    cleaningUp: {
      initial: 'closing',
      on: { STEP_FAILED: { target: 'failedToCleanup', actions: ['cancelEffects', 'noteFailure'] } },
      states: {
        closing: {
          meta: { limitMs: minute },
          entry: ['closePane'],
          on: {
            BRIEFED: { actions: ['noteBriefed', 'closePane'] },
            PANE_CLOSED: [
              { guard: 'needsTeardown', target: 'tearingDown', actions: ['notePaneGone'] },
              { guard: 'needsRemoval', target: 'removing', actions: ['notePaneGone'] },
              { target: '#agent.gone', actions: ['notePaneGone'] },
            ],
            DEADLINE: late('cleaningUp.closing', 'closing', '#agent.failedToCleanup'),
          },
        },
        tearingDown: {
          meta: { limitMs: 10 * minute },
          entry: ['runTeardown'],
          on: {
            TEARDOWN_DONE: { target: 'removing' },
            DEADLINE: late('cleaningUp.tearingDown', 'tearing down', '#agent.failedToCleanup'),
          },
        },
        removing: {
          meta: { limitMs: 5 * minute },
          entry: [{ type: 'removeWorktree', params: ({ context }) => ({ force: context.force }) }],
          on: {
            WORKTREE_REMOVED: { target: '#agent.gone', actions: ['noteWorktreeRemoved'] },
            DEADLINE: late('cleaningUp.removing', 'removing', '#agent.failedToCleanup'),
          },
        },
      },
    },
    failedToCleanup: {
      entry: ['beFailedToCleanUp'],
      on: {
        RETRY: [{ guard: 'wasArchiving', target: 'archiving' }, { target: 'cleaningUp' }],
        RESTORE: restore,
        ARCHIVE: archive,
        DELETE: remove,
        RENAME: renameWindowless,
      },
    },
    gone: { type: 'final' },
  },
});
