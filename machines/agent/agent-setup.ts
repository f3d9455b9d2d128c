import { assign, setup } from 'xstate';
import type { AgentContext, AgentEvent, AgentInput, AgentScript, AgentStep, DeletedFrom } from './agent-context.ts';
import { type AgentFault, faultOf } from './agent-fault.ts';
import { endedBy, exitedBy } from './ending.ts';
import type { Move } from './move.ts';
import {
  departing,
  mayDepart,
  moveOver,
  orderedTo,
  packed,
  returned,
  turnedBack,
  whyTurnedBack,
} from './move-steps.ts';
import { isNewReport, newestReports, shownBy } from './newest-reports.ts';
import { parkDeadline } from './parking/park.ts';
import {
  isToContinueAlone,
  lapsed,
  leftAlone,
  limitAfter,
  parkedBy,
  resumed,
  resuming,
  unlimited,
} from './parking/parking.ts';
import { isNewlyRefused, withoutAllowed, withRefused } from './refused-connections.ts';
import { turnOf } from './turn.ts';

const act = () => {};

/** The session of a window: the one that its CLI was started with, or the known one. */
function sessionOf({ session }: AgentContext, reported: string | undefined): AgentContext['session'] {
  return reported === undefined || reported === session?.id ? session : { id: reported, at: 0 };
}

/**
 * Whether a state's script, if there is one, is due: once whenever the state is decided again, never while a person
 * holds the agent.
 */
function isNewTo({ scripts, state, decided, heldAt }: AgentContext, script: AgentScript): boolean {
  return scripts.includes(script) && decided !== state && heldAt === undefined;
}

/** Whether a window was opened whose CLI version is still unknown. */
function asksVersion(event: AgentEvent): boolean {
  return event.type === 'WINDOW_OPENED' && event.versionPending === true;
}

/** Whether the time of a parked agent is over. */
function isParkDeadline(event: AgentEvent): boolean {
  return event.type === 'DEADLINE' && event.name === parkDeadline;
}

const earlyEnd = 'briefing: the CLI ended before it visibly accepted its briefing';

/** The reason for a failure of the step `what`. */
function failedAs(
  what: string,
  { reason, account }: Pick<Extract<AgentEvent, { type: 'STEP_FAILED' }>, 'reason' | 'account'>,
): { readonly reason: string; readonly fault: AgentFault | undefined } {
  const whole = `${what}: ${reason}`;
  return { reason: whole, fault: faultOf(whole, account && { ...account, summary: `${what}: ${account.summary}` }) };
}

/** The parts of an agent's machine: its types, the effects that it may request, its assignments and its guards. */
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
    readVersion: act,
    deliverBriefing: act,
    renameWindow: act,
    inspectWorktree: act,
    closePane: act,
    runTeardown: act,
    removeWorktree: (_, _params: { force: boolean }) => {},
    stopTurn: act,
    resumeWork: act,
    lookAgain: act,
    runOnIdle: act,
    runOnWaiting: act,
    packWork: act,
    unpackWork: act,
    dropPackage: (_, _params: { moveId: string }) => {},
    // Not an effect: cancels the requested effects that are not done.
    cancelEffects: act,
    // Assignments to the context.
    setSettingUp: assign({ state: 'AGENT_STATE_SETTING_UP', reason: '', stuck: undefined }),
    setFailedToCreate: assign({ state: 'AGENT_STATE_FAILED_TO_CREATE' }),
    setFailedToCleanUp: assign({ state: 'AGENT_STATE_FAILED_TO_CLEANUP' }),
    setUnfinished: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: 'archived while it was being set up' }),
    setUncertain: assign({ state: 'AGENT_STATE_UNCERTAIN' }),
    setUndecided: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: '', failedStep: undefined }),
    setEnded: assign({ state: 'AGENT_STATE_UNCERTAIN' }),
    setResumed: assign({ state: 'AGENT_STATE_UNCERTAIN', reason: 'resumed', failedStep: undefined }),
    setQueued: assign(({ context }) => ({ reason: context.queued ?? '' })),
    noteQueued: assign(({ event }) => (event.type === 'QUEUED' ? { queued: event.reason, reason: event.reason } : {})),
    notePlaced: assign(({ event }) =>
      event.type === 'PLACED'
        ? { queued: undefined, reason: '', failedStep: undefined, provision: event.provision, scripts: event.scripts }
        : {},
    ),
    noteFreshScripts: assign(({ context, event }) => ({
      scripts: event.type === 'RETRY' && event.fresh ? event.fresh.scripts : context.scripts,
    })),
    // A new setup script runs although an earlier one ended well, and the worktree is adopted to copy other files into
    // it.
    noteFreshLaunch: assign(({ context, event }) => {
      const { setup, copies } = (event.type === 'RETRY' ? event.fresh : undefined) ?? {};
      return {
        prepared: context.prepared && !setup,
        worktree: copies ? undefined : context.worktree,
      };
    }),
    noteArchiving: assign({ cleanup: 'archive' as const, archived: true, refused: undefined }),
    // An agent whose archive failed stays listed.
    noteShown: assign({ archived: false }),
    noteDeleting: assign(({ context, event }, { from }: { from: DeletedFrom }) => ({
      cleanup: 'delete' as const,
      deleted: { from, cleanup: context.cleanup },
      refused: undefined,
      ...(event.type === 'DELETE' ? { force: event.force } : {}),
    })),
    noteDeletedDormant: assign({ deleted: { from: 'dormant' as const, cleanup: undefined } }),
    noteRefused: assign(({ context, event }) => ({
      cleanup: context.deleted?.cleanup,
      force: false,
      refused:
        event.type === 'STEP_FAILED' ? event.reason : 'it could not be checked in time whether work would be lost',
    })),
    // If an older version began the deletion, the previous state is unknown.
    noteStillFailed: assign(({ context }) => ({
      cleanup: context.cleanup ?? ('delete' as const),
      ...(context.deleted === undefined && { reason: `inspecting: ${context.refused}` }),
    })),
    noteClosing: assign({ reason: 'deleting', failedStep: undefined }),
    noteAbandoned: assign({ abandoned: true, paneId: undefined, reason: 'abandoned with its host' }),
    noteRestored: assign({ cleanup: undefined, archived: false, force: false, refused: undefined }),
    noteReading: assign(({ context, event }) =>
      event.type === 'READING' || event.type === 'BRIEFED' || event.type === 'PROMPTED'
        ? {
            state: event.reading.state,
            reason: event.reading.reason,
            asked: event.reading.asked,
            drafted: event.reading.drafted,
            asksUnseen: event.reading.asksUnseen,
            stuck: event.reading.stuck,
            exited: exitedBy(context, event.reading),
            report: shownBy(event.reading.state, context.report),
            doubted: false,
            ...limitAfter(context, event.reading),
            refused: event.reading.state === 'AGENT_STATE_THINKING' ? undefined : context.refused,
            unstopped: event.reading.state === 'AGENT_STATE_THINKING' ? context.unstopped : undefined,
          }
        : {},
    ),
    // It is still being set up: only the reason for the delay has changed.
    noteStuck: assign(({ event }) => (event.type === 'READING' ? { stuck: true, reason: event.reading.reason } : {})),
    noteDecided: assign(({ context }) => ({ decided: context.state, ...turnOf(context) })),
    noteDoubt: assign(({ event }) => (event.type === 'DOUBTED' ? { reason: event.reason, doubted: true } : {})),
    noteBriefed: assign({ briefed: true, failedStep: undefined, inTurn: true, starts: undefined }),
    beginTurn: assign({ inTurn: true, starts: undefined }),
    notePrepared: assign({ prepared: true }),
    noteName: assign(({ event }) => (event.type === 'RENAME' ? { name: event.name } : {})),
    noteWorktree: assign(({ event }) =>
      event.type === 'WORKTREE_READY' ? { worktree: event.worktree, worktreeRemoved: false, prepared: false } : {},
    ),
    noteWorktreeRemoved: assign(({ event }) => ({
      worktreeRemoved: true,
      kept: event.type === 'WORKTREE_REMOVED' ? event.kept : undefined,
    })),
    // A report of an earlier window's CLI does not count for this one.
    notePane: assign(({ context, event }) =>
      event.type === 'WINDOW_OPENED'
        ? {
            paneId: event.paneId,
            ended: undefined,
            exited: undefined,
            report: undefined,
            refusedConnections: undefined,
            harnessVersion: event.harnessVersion,
            session: sessionOf(context, event.sessionId),
            boot: event.boot,
            inTurn: false,
            starts: context.briefed || undefined,
            ...unlimited,
          }
        : {},
    ),
    noteVersion: assign(({ event }) => (event.type === 'VERSION_READ' ? { harnessVersion: event.harnessVersion } : {})),
    noteRefusedConnection: assign(({ context, event }) => withRefused(context, event)),
    noteAllowedConnections: assign(({ context, event }) => withoutAllowed(context, event)),
    noteReport: assign(({ context, event }) => (event.type === 'REPORTED' ? newestReports(context, event) : {})),
    notePaneGone: assign(({ event }) => ({
      paneId: undefined,
      doubted: false,
      ...unlimited,
      ...(event.type === 'PANE_GONE' ? endedBy(event) : {}),
    })),
    forgetPane: assign({ paneId: undefined }),
    noteHeld: assign(({ event }) => (event.type === 'HOLD' ? { heldAt: event.at } : {})),
    notePark: assign(({ event }) => parkedBy(event)),
    noteUnparked: assign({ park: undefined, tried: undefined }),
    noteResuming: assign(({ context }) => resuming(context)),
    noteLeftAlone: assign(({ context }) => leftAlone(context)),
    noteLapsed: assign(({ context }) => lapsed(context)),
    noteResumed: assign(({ context, event }) => resumed(context, event)),
    noteLeftLimited: assign(({ event }) => ({
      park: undefined,
      needs: event.type === 'LEFT_LIMITED' ? event.why : undefined,
    })),
    noteHostLost: assign(({ event }) => {
      if (event.type !== 'HOST_LOST') return {};
      const { host, since, left } = event;
      return { away: { host, since, left } };
    }),
    noteHostBack: assign({ away: undefined }),
    noteOverBudget: assign(({ event }) => (event.type === 'BUDGET_SPENT' ? { overBudget: event.budget } : {})),
    noteWithinBudget: assign({ overBudget: undefined }),
    noteUnheld: assign({ heldAt: undefined, unstopped: undefined }),
    noteUnstopped: assign(({ event }) => (event.type === 'UNSTOPPED' ? { unstopped: event.reason } : {})),
    noteCheckout: assign(({ context, event }) =>
      event.type === 'CHECKOUT_READ'
        ? { checkout: event.checkout, worktreeRemoved: context.worktree !== undefined && event.worktreeGone }
        : {},
    ),
    noteFailure: assign(({ event }) =>
      event.type === 'STEP_FAILED' ? { failedStep: event.step, ...failedAs(event.step, event) } : {},
    ),
    noteEarlyEnd: assign(({ event }) => ({
      failedStep: 'briefing' as const,
      paneId: undefined,
      ...(event.type === 'PANE_GONE' ? failedAs(earlyEnd, event) : { reason: '' }),
    })),
    noteMove: assign(({ event }) => orderedTo(event)),
    noteDeparting: assign(({ context }, { was }: { was: NonNullable<Move['left']>['was'] }) => ({
      ...departing(context, was),
      ...unlimited,
    })),
    notePacked: assign(({ context, event }) => packed(context, event)),
    noteUnpacked: assign(({ event }) => (event.type === 'UNPACKED' ? { worktree: event.worktree } : {})),
    noteTurnedBack: assign(({ context, event }, { step }: { step: string }) =>
      turnedBack(context, whyTurnedBack(context, event, step)),
    ),
    noteReturned: assign(({ context }) => returned(context)),
    noteMoveOver: assign(({ context }) => moveOver(context)),
    noteMoveCancelled: assign({ move: undefined, failedMove: 'a person cancelled it' }),
    noteNotResumed: assign(({ event }) => ({
      state: 'AGENT_STATE_UNCERTAIN' as const,
      reason: `its move failed, and it could not be resumed${event.type === 'STEP_FAILED' ? `: ${event.reason}` : ''}`,
    })),
    noteLate: assign((_, { step }: { step: AgentStep }) => ({
      failedStep: step,
      reason: `${step}: took too long, so muster gave up`,
    })),
  },
  guards: {
    isQueued: ({ context }) => context.queued !== undefined,
    needsWorktree: ({ context }) => context.provision && (context.worktree === undefined || context.worktreeRemoved),
    needsSetup: ({ context }) => context.provision && context.scripts.includes('setup') && !context.prepared,
    needsBriefing: ({ context }) => !context.briefed,
    needsVersion: ({ event }) => asksVersion(event),
    needsBriefingAndVersion: ({ context, event }) => !context.briefed && asksVersion(event),
    isNewlyRefused: ({ context, event }) => isNewlyRefused(context, event),
    isOfItsWindow: ({ context, event }) => event.type === 'VERSION_READ' && event.paneId === context.paneId,
    needsInspection: ({ context }) => context.provision && !context.worktreeRemoved && !context.force,
    needsTeardown: ({ context }) =>
      context.worktree !== undefined && context.scripts.includes('teardown') && !context.worktreeRemoved,
    needsRemoval: ({ context }) => context.provision,
    endedBriefed: ({ event }) => event.type === 'PANE_GONE' && event.briefed,
    wasDeletedFrom: ({ context }, { from }: { from: DeletedFrom }) => context.deleted?.from === from,
    wasArchiving: ({ context }) => context.cleanup === 'archive',
    hasComeToRest: ({ context }) =>
      context.state === 'AGENT_STATE_IDLE' && context.limit === undefined && isNewTo(context, 'onIdle'),
    beginsToWait: ({ context }) => context.state === 'AGENT_STATE_WAITING' && isNewTo(context, 'onWaiting'),
    readsIdle: ({ context }) => context.state === 'AGENT_STATE_IDLE',
    readsThinking: ({ context }) => context.state === 'AGENT_STATE_THINKING',
    readsWaiting: ({ context }) => context.state === 'AGENT_STATE_WAITING',
    asksForTheFirstTime: ({ context, event }) =>
      event.type === 'READING' &&
      event.reading.state === 'AGENT_STATE_WAITING' &&
      isNewTo({ ...context, state: event.reading.state }, 'onWaiting'),
    asks: ({ event }) => event.type === 'READING' && event.reading.state === 'AGENT_STATE_WAITING',
    askedNothing: ({ event }) => event.type === 'READING' && event.reading.state !== 'AGENT_STATE_WAITING',
    getsStuck: ({ context, event }) =>
      event.type === 'READING' && event.reading.stuck === true && context.stuck !== true,
    getsUnstuck: ({ context, event }) =>
      event.type === 'READING' && event.reading.stuck !== true && context.stuck === true,
    isParked: ({ context }) => context.move !== undefined,
    mayDepart: ({ context }) => mayDepart(context),
    isHeldAndMoves: ({ context }) => context.heldAt !== undefined && context.move !== undefined,
    isHostGone: ({ event }) => event.type === 'CANCEL_MOVE' && event.gone === true,
    isFromRound: ({ context }) => context.move?.fromRound === true,
    hasPane: ({ context }) => context.paneId !== undefined,
    keepsPane: ({ context }) => context.move?.left?.paneId !== undefined,
    arrivesWithSetup: ({ context, event }) =>
      event.type === 'UNPACKED' && event.worktree !== undefined && context.scripts.includes('setup'),
    arrivesAwake: ({ context }) => context.move?.left?.was === 'live',
    isArchived: ({ context }) => context.archived,
    showsItsCli: ({ event }) => event.type === 'READING' && event.reading.state !== 'AGENT_STATE_UNCERTAIN',
    isLimited: ({ context }) => context.limit !== undefined,
    mayBeParked: ({ context, event }) =>
      context.heldAt === undefined &&
      event.type === 'PARK' &&
      JSON.stringify(event.park) !== JSON.stringify(context.park),
    isSetAside: ({ context }) => context.park !== undefined,
    isParkOver: ({ context, event }) => isParkDeadline(event) && context.park !== undefined,
    isToLook: ({ context, event }) => isParkDeadline(event) && context.park?.looks !== undefined,
    isToContinueAlone: ({ context, event }) => isParkDeadline(event) && isToContinueAlone(context),
    isToContinue: ({ context, event }) =>
      isParkDeadline(event) &&
      context.park?.resume === true &&
      context.limit !== undefined &&
      context.heldAt === undefined &&
      context.overBudget === undefined,
    isAway: ({ context }) => context.away !== undefined,
    isOverBudget: ({ context }) => context.overBudget !== undefined,
    isHeld: ({ context }) => context.heldAt !== undefined,
    isNewReport: ({ context, event }) =>
      event.type === 'REPORTED' && isNewReport(context, newestReports(context, event)),
    isDue: ({ event }, { name }: { name: string }) => event.type === 'DEADLINE' && event.name === name,
  },
});
