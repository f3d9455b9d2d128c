import { agentSetup } from './agent-setup.ts';
import { backTo, removeFrom, removeWhile } from './deletion.ts';
import { late } from './late.ts';
import { move, moving } from './moving.ts';
import { budgetEvents } from './over-budget.ts';

const minute = 60_000;

const lateToArchive = late('archiving', 'closing', 'failedToCleanup');
const archive = { target: '#agent.archiving', actions: ['cancelEffects', 'noteArchiving'] } as const;
const archiveUnfinished = {
  target: '#agent.archiving',
  actions: ['cancelEffects', 'noteArchiving', 'setUnfinished'],
} as const;

const removeFailed = {
  target: '#agent.cleaningUp',
  actions: ['setUncertain', { type: 'noteDeleting', params: { from: 'failedToCleanup' } }],
} as const;
const restore = { target: '#agent.settingUp', actions: ['cancelEffects', 'noteRestored'] } as const;
const unhold = { guard: 'isHeld', actions: ['noteUnheld'] } as const;
/** An agent that was never placed has nothing on any host, so it is deleted or archived at once. */
const removeQueued = { guard: 'isQueued', target: '#agent.gone' } as const;
const archiveQueued = {
  guard: 'isQueued',
  target: '#agent.archived',
  actions: ['noteArchiving', 'setUnfinished'],
} as const;
const rename = { actions: ['noteName', 'renameWindow'] } as const;
const renameWindowless = { actions: ['noteName'] } as const;
const renameQueued = { guard: 'isQueued', ...renameWindowless } as const;

/** The machine of one agent, from its creation until its deletion is complete. */
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
    archived: false,
    force: false,
    turns: 0,
  }),
  initial: 'settingUp',
  on: {
    CHECKOUT_READ: { actions: ['noteCheckout'] },
    VERSION_READ: { guard: 'isOfItsWindow', actions: ['noteVersion'] },
    CONNECTION_REFUSED: { guard: 'isNewlyRefused', actions: ['noteRefusedConnection'] },
    CONNECTIONS_ALLOWED: { actions: ['noteAllowedConnections'] },
    REPORTED: { guard: 'isNewReport', actions: ['noteReport'] },
    ABANDON: { target: '.gone', actions: ['cancelEffects', 'noteAbandoned'] },
    // Limits measure working time: while the host is unreachable, they are paused and the steps wait for it.
    HOST_LOST: { actions: ['noteHostLost'] },
    HOST_BACK: { guard: 'isAway', actions: ['noteHostBack'] },
  },
  states: {
    settingUp: {
      entry: ['setSettingUp'],
      initial: 'choosing',
      on: {
        STEP_FAILED: { target: 'failedToCreate', actions: ['cancelEffects', 'noteFailure'] },
        ARCHIVE: [archiveQueued, archiveUnfinished],
        DELETE: [removeQueued, removeWhile('settingUp')],
        RENAME: [renameQueued, rename],
      },
      states: {
        choosing: {
          always: [
            { guard: 'isQueued', target: 'queued' },
            { guard: 'needsWorktree', target: 'provisioning' },
            { guard: 'needsSetup', target: 'preparing' },
            { target: 'opening' },
          ],
        },
        // No host can take it yet. It waits without a limit.
        queued: {
          entry: ['setQueued'],
          on: {
            QUEUED: { actions: ['noteQueued'] },
            PLACED: { target: 'choosing', actions: ['notePlaced'] },
          },
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
              { guard: 'needsBriefingAndVersion', target: 'briefing', actions: ['notePane', 'readVersion'] },
              { guard: 'needsBriefing', target: 'briefing', actions: ['notePane'] },
              { guard: 'needsVersion', target: '#agent.live', actions: ['notePane', 'readVersion', 'setResumed'] },
              { target: '#agent.live', actions: ['notePane', 'setResumed'] },
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
                actions: ['cancelEffects', 'noteBriefed', 'notePaneGone', 'setEnded'],
              },
              { target: '#agent.failedToCreate', actions: ['cancelEffects', 'noteEarlyEnd'] },
            ],
          },
          states: {
            delivering: {
              meta: { limitMs: 5 * minute },
              on: {
                READING: [
                  {
                    guard: 'asksForTheFirstTime',
                    target: 'asked',
                    actions: ['noteReading', 'noteDecided', 'runOnWaiting'],
                  },
                  { guard: 'asks', target: 'asked', actions: ['noteReading', 'noteDecided'] },
                  { guard: 'getsStuck', actions: ['noteStuck'] },
                  { guard: 'getsUnstuck', actions: ['setSettingUp'] },
                ],
                DEADLINE: late('settingUp.briefing.delivering', 'briefing', '#agent.failedToCreate'),
              },
            },
            asked: {
              on: {
                READING: [
                  { guard: 'askedNothing', target: 'delivering', actions: ['setSettingUp'] },
                  { actions: ['noteReading'] },
                ],
              },
            },
          },
        },
      },
    },
    failedToCreate: {
      entry: ['setFailedToCreate'],
      on: {
        RETRY: { target: 'settingUp', actions: ['noteFreshScripts', 'noteFreshLaunch'] },
        ARCHIVE: [archiveQueued, archive],
        DELETE: [removeQueued, removeFrom('failedToCreate')],
        RENAME: [renameQueued, rename],
      },
    },
    live: {
      initial: 'deciding',
      on: {
        READING: { target: '.deciding', actions: ['noteReading'] },
        PROMPTED: { target: '.deciding', actions: ['beginTurn', 'noteReading'] },
        DOUBTED: { actions: ['noteDoubt'] },
        ...budgetEvents,
        HOLD: { actions: ['noteHeld', 'stopTurn'] },
        UNHOLD: [{ guard: 'isHeldAndMoves', target: '.deciding', actions: ['noteUnheld'] }, unhold],
        MOVE: { target: '.deciding', actions: ['noteMove'] },
        CANCEL_MOVE: { guard: 'isParked', actions: ['noteMoveCancelled'] },
        PARK: { guard: 'mayBeParked', actions: ['notePark'] },
        UNPARK: { guard: 'isSetAside', actions: ['noteUnparked'] },
        LEFT_LIMITED: { guard: 'isLimited', actions: ['noteLeftLimited'] },
        RESUMED: { guard: 'isSetAside', actions: ['noteResumed'] },
        DEADLINE: [
          { guard: 'isToLook', actions: ['lookAgain'] },
          { guard: 'isToContinueAlone', actions: ['noteLeftAlone'] },
          { guard: 'isToContinue', actions: ['noteResuming', 'resumeWork'] },
          { guard: 'isParkOver', actions: ['noteLapsed'] },
        ],
        UNSTOPPED: { guard: 'isHeld', actions: ['noteUnstopped'] },
        PANE_GONE: { target: 'dormant', actions: ['cancelEffects', 'notePaneGone'] },
        ARCHIVE: archive,
        DELETE: removeFrom('live'),
        RENAME: rename,
      },
      states: {
        deciding: {
          always: [
            {
              guard: 'mayDepart',
              target: '#agent.moving',
              actions: ['cancelEffects', { type: 'noteDeparting', params: { was: 'live' } }],
            },
            { guard: 'hasComeToRest', target: 'idle', actions: ['noteDecided', 'runOnIdle'] },
            { guard: 'readsIdle', target: 'idle', actions: ['noteDecided'] },
            { guard: 'readsThinking', target: 'thinking', actions: ['noteDecided'] },
            { guard: 'beginsToWait', target: 'waiting', actions: ['noteDecided', 'runOnWaiting'] },
            { guard: 'readsWaiting', target: 'waiting', actions: ['noteDecided'] },
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
      on: {
        ...budgetEvents,
        HOLD: { actions: ['noteHeld'] },
        UNHOLD: unhold,
        RESTORE: restore,
        MOVE: move('dormant'),
        ARCHIVE: archive,
        DELETE: removeFrom('dormant'),
        RENAME: renameWindowless,
      },
    },
    archiving: {
      meta: { limitMs: minute },
      entry: ['closePane'],
      on: {
        BRIEFED: { actions: ['noteBriefed', 'closePane'] },
        PANE_CLOSED: { target: 'archived', actions: ['notePaneGone'] },
        STEP_FAILED: { target: 'failedToCleanup', actions: ['noteFailure', 'noteShown'] },
        DEADLINE: { ...lateToArchive, actions: [...lateToArchive.actions, 'noteShown'] },
        RESTORE: restore,
        DELETE: removeWhile('archiving'),
        RENAME: renameWindowless,
      },
    },
    archived: {
      on: {
        RESTORE: restore,
        MOVE: move('archived'),
        DELETE: [removeQueued, removeFrom('archived')],
        RENAME: renameWindowless,
      },
    },
    cleaningUp: {
      initial: 'choosing',
      on: { STEP_FAILED: { target: 'failedToCleanup', actions: ['cancelEffects', 'noteFailure'] } },
      states: {
        choosing: { always: [{ guard: 'needsInspection', target: 'inspecting' }, { target: 'closing' }] },
        inspecting: {
          meta: { limitMs: 5 * minute },
          entry: ['inspectWorktree'],
          on: {
            WORKTREE_INSPECTED: { target: 'closing' },
            READING: { guard: { type: 'wasDeletedFrom', params: { from: 'live' } }, actions: ['noteReading'] },
            PANE_GONE: [
              {
                guard: { type: 'wasDeletedFrom', params: { from: 'live' } },
                actions: ['notePaneGone', 'noteDeletedDormant'],
              },
              { actions: ['forgetPane'] },
            ],
            STEP_FAILED: { target: 'refused', actions: ['noteRefused'] },
            DEADLINE: {
              guard: { type: 'isDue', params: { name: 'cleaningUp.inspecting' } },
              target: 'refused',
              actions: ['cancelEffects', 'noteRefused'],
            },
          },
        },
        // Nothing was changed.
        refused: {
          always: [
            backTo('live'),
            backTo('dormant'),
            backTo('archived'),
            backTo('archiving'),
            backTo('settingUp'),
            backTo('failedToCreate'),
            { target: '#agent.failedToCleanup', actions: ['noteStillFailed'] },
          ],
        },
        closing: {
          meta: { limitMs: minute },
          entry: ['cancelEffects', 'noteClosing', 'closePane'],
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
      entry: ['setFailedToCleanUp'],
      on: {
        PANE_GONE: { actions: ['forgetPane'] },
        RETRY: [
          {
            guard: 'wasArchiving',
            target: 'archiving',
            actions: ['noteFreshScripts', 'noteArchiving', 'setUndecided'],
          },
          { ...removeFailed, actions: ['noteFreshScripts', ...removeFailed.actions] },
        ],
        RESTORE: restore,
        ARCHIVE: { ...archive, actions: [...archive.actions, 'setUndecided'] },
        DELETE: removeFailed,
        RENAME: renameWindowless,
      },
    },
    moving,
    gone: { type: 'final' },
  },
});
