import { assign, setup } from 'xstate';
import type { AgentContext, AgentEvent, AgentInput, AgentScript, AgentStep } from './agent-context.ts';

const act = () => {};

type Heard = Pick<AgentContext, 'report' | 'session'>;

/** What is known once a report has come: the newer of both, for reports overtake each other. */
function heard(known: Heard, { report, session }: Extract<AgentEvent, { type: 'REPORTED' }>): Heard {
  return { report: newer(known.report, report), session: newer(known.session, session) };
}

function newer<T extends { readonly at: number }>(known: T | undefined, told: T | undefined): T | undefined {
  return told !== undefined && told.at >= (known?.at ?? 0) ? told : known;
}

function isNews(known: Heard, { report, session }: Heard): boolean {
  return (known.report?.reason ?? '') !== (report?.reason ?? '') || known.session?.id !== session?.id;
}

/** The session of a window: the one that its CLI was told, or that which is known. */
function sessionOf({ session }: AgentContext, told: string | undefined): AgentContext['session'] {
  return told === undefined || told === session?.id ? session : { id: told, at: 0 };
}

/** Whether a script that there may be for a state is due: once whenever the state is decided anew, never while a person holds the agent. */
function isNewTo({ scripts, state, decided, heldAt }: AgentContext, script: AgentScript): boolean {
  return scripts.includes(script) && decided !== state && heldAt === undefined;
}

/** What an agent's machine is made of: its types, the effects it may ask for, what it remembers, what it asks itself. */
export const agentSetup = setup({
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
    inspectWorktree: act,
    closePane: act,
    runTeardown: act,
    removeWorktree: (_, _params: { force: boolean }) => {},
    stopTurn: act,
    runOnIdle: act,
    runOnWaiting: act,
    // Not an effect: takes back the effects that were asked for and are not done.
    cancelEffects: act,
    // What the machine remembers.
    beSettingUp: assign({ state: 'AGENT_STATE_SETTING_UP', reason: '' }),
    beFailedToCreate: assign({ state: 'AGENT_STATE_FAILED_TO_CREATE' }),
    beFailedToCleanUp: assign({ state: 'AGENT_STATE_FAILED_TO_CLEANUP' }),
    beUnfinished: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: 'archived while it was being set up' }),
    beUndecided: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: '', failedStep: undefined }),
    beEnded: assign({ state: 'AGENT_STATE_UNCERTAIN' }),
    beResumed: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed', failedStep: undefined }),
    noteArchiving: assign({ cleanup: 'archive' as const, archived: true }),
    // What cannot be ended is hidden from nobody.
    noteShown: assign({ archived: false }),
    noteDeleting: assign(({ event }) => ({
      cleanup: 'delete' as const,
      reason: 'deleting',
      ...(event.type === 'DELETE' ? { force: event.force } : {}),
    })),
    noteAbandoned: assign({ abandoned: true, paneId: undefined, reason: 'abandoned with its host' }),
    noteRestored: assign({ cleanup: undefined, archived: false, force: false }),
    noteReading: assign(({ context, event }) =>
      event.type === 'READING' || event.type === 'BRIEFED'
        ? {
            state: event.reading.state,
            reason: event.reading.reason,
            asked: event.reading.asked,
            doubted: false,
            unstopped: event.reading.state === 'AGENT_STATE_THINKING' ? context.unstopped : undefined,
          }
        : {},
    ),
    noteDecided: assign(({ context }) => ({ decided: context.state })),
    noteDoubt: assign(({ event }) => (event.type === 'DOUBTED' ? { reason: event.reason, doubted: true } : {})),
    noteBriefed: assign({ briefed: true, failedStep: undefined }),
    notePrepared: assign({ prepared: true }),
    noteName: assign(({ event }) => (event.type === 'RENAME' ? { name: event.name } : {})),
    noteWorktree: assign(({ event }) =>
      event.type === 'WORKTREE_READY' ? { worktree: event.worktree, worktreeRemoved: false, prepared: false } : {},
    ),
    noteWorktreeRemoved: assign(({ event }) => ({
      worktreeRemoved: true,
      kept: event.type === 'WORKTREE_REMOVED' ? event.kept : undefined,
    })),
    // What the CLI of an earlier window said is no word of this one's.
    notePane: assign(({ context, event }) =>
      event.type === 'WINDOW_OPENED'
        ? { paneId: event.paneId, report: undefined, session: sessionOf(context, event.sessionId) }
        : {},
    ),
    noteReport: assign(({ context, event }) => (event.type === 'REPORTED' ? heard(context, event) : {})),
    notePaneGone: assign(({ event }) => ({
      paneId: undefined,
      doubted: false,
      ...(event.type === 'PANE_GONE' ? { reason: event.reason } : {}),
    })),
    forgetPane: assign({ paneId: undefined }),
    noteHeld: assign(({ event }) => (event.type === 'HOLD' ? { heldAt: event.at } : {})),
    noteHostLost: assign(({ event }) => {
      if (event.type !== 'HOST_LOST') return {};
      const { host, since, left } = event;
      return { away: { host, since, left } };
    }),
    noteHostBack: assign({ away: undefined }),
    noteUnheld: assign({ heldAt: undefined, unstopped: undefined }),
    noteUnstopped: assign(({ event }) => (event.type === 'UNSTOPPED' ? { unstopped: event.reason } : {})),
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
      reason:
        event.type === 'PANE_GONE'
          ? `briefing: the CLI ended before it was seen to take its briefing: ${event.reason}`
          : '',
    })),
    noteLate: assign((_, { step }: { step: AgentStep }) => ({
      failedStep: step,
      reason: `${step}: took too long and was given up`,
    })),
  },
  guards: {
    needsWorktree: ({ context }) => context.provision && (context.worktree === undefined || context.worktreeRemoved),
    needsSetup: ({ context }) => context.provision && context.scripts.includes('setup') && !context.prepared,
    needsBriefing: ({ context }) => !context.briefed,
    needsInspection: ({ context }) => context.provision && !context.worktreeRemoved && !context.force,
    needsTeardown: ({ context }) =>
      context.worktree !== undefined && context.scripts.includes('teardown') && !context.worktreeRemoved,
    needsRemoval: ({ context }) => context.provision,
    endedBriefed: ({ event }) => event.type === 'PANE_GONE' && event.briefed,
    wasArchiving: ({ context }) => context.cleanup === 'archive',
    comesToRest: ({ context }) => context.state === 'AGENT_STATE_IDLE' && isNewTo(context, 'onIdle'),
    beginsToWait: ({ context }) => context.state === 'AGENT_STATE_WAITING' && isNewTo(context, 'onWaiting'),
    readsIdle: ({ context }) => context.state === 'AGENT_STATE_IDLE',
    readsThinking: ({ context }) => context.state === 'AGENT_STATE_THINKING',
    readsWaiting: ({ context }) => context.state === 'AGENT_STATE_WAITING',
    asksForTheFirstTime: ({ context, event }) =>
      event.type === 'READING' &&
      event.reading.state === 'AGENT_STATE_WAITING' &&
      isNewTo({ ...context, state: event.reading.state }, 'onWaiting'),
    asks: ({ event }) => event.type === 'READING' && event.reading.state === 'AGENT_STATE_WAITING',
    asksNoMore: ({ event }) => event.type === 'READING' && event.reading.state !== 'AGENT_STATE_WAITING',
    isAway: ({ context }) => context.away !== undefined,
    isHeld: ({ context }) => context.heldAt !== undefined,
    tellsNews: ({ context, event }) => event.type === 'REPORTED' && isNews(context, heard(context, event)),
    isDue: ({ event }, { name }: { name: string }) => event.type === 'DEADLINE' && event.name === name,
  },
});
