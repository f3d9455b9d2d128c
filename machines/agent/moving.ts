import { agentSetup } from './agent-setup.ts';

const minute = 60_000;

/** The end of a step whose time limit has expired. */
function late(name: string, step: string, target: string) {
  return {
    guard: { type: 'isDue', params: { name: `moving.${name}` } },
    target,
    actions: ['cancelEffects', { type: 'noteTurnedBack', params: { step } }],
  } as const;
}

/** An event that ends a step and the move. */
function ends(step: string, target: string) {
  return { target, actions: ['cancelEffects', { type: 'noteTurnedBack', params: { step } }] } as const;
}

/** The move of an agent without a window to another host. */
export function move(was: 'dormant' | 'archived') {
  return { target: '#agent.moving', actions: ['noteMove', { type: 'noteDeparting', params: { was } }] } as const;
}
/** The return from a lost host on which a person vouches that the agent does not run. */
const backFromGone = {
  guard: 'isHostGone',
  target: '#agent.moving.returning',
  actions: ['cancelEffects', 'forgetPane', 'noteHostBack', { type: 'noteTurnedBack', params: { step: 'resuming' } }],
} as const;
/** Do not wait for an unreachable host on which the agent does not run yet. */
const backFromCarrying = ends('carrying', 'returning');
const backFromPreparing = ends('preparing', 'returning');

/**
 * The states of an agent that moves to another host. Each belongs to one host (`movePlace`): the write that enters a
 * state of the other host places the agent there. It has one CLI at most: the first is ended before its work is packed,
 * and the agent returns only from states in which the other host has none.
 */
export const moving = agentSetup.createStateConfig({
  initial: 'choosing',
  states: {
    choosing: {
      always: [
        { guard: 'isFromRound', target: 'unpacking', actions: ['notePacked'] },
        { guard: 'hasPane', target: 'closing' },
        { target: 'packing' },
      ],
    },
    // On the host that it leaves.
    closing: {
      meta: { limitMs: minute },
      entry: ['closePane'],
      on: {
        BRIEFED: { actions: ['noteBriefed', 'closePane'] },
        PANE_CLOSED: { target: 'packing', actions: ['forgetPane'] },
        PANE_GONE: { actions: ['forgetPane'] },
        STEP_FAILED: ends('closing', 'returning'),
        CANCEL_MOVE: ends('closing', 'returning'),
        DEADLINE: late('closing', 'closing', 'returning'),
      },
    },
    packing: {
      meta: { limitMs: 30 * minute },
      entry: ['packWork'],
      on: {
        PACKED: { target: 'unpacking', actions: ['notePacked'] },
        STEP_FAILED: ends('packing', 'returning'),
        CANCEL_MOVE: ends('packing', 'returning'),
        DEADLINE: late('packing', 'packing', 'returning'),
      },
    },
    // On the host that it moves to.
    unpacking: {
      meta: { limitMs: 60 * minute },
      entry: ['unpackWork'],
      on: {
        UNPACKED: [
          { guard: 'arrivesWithSetup', target: 'preparing', actions: ['noteUnpacked'] },
          { guard: 'arrivesAwake', target: 'opening', actions: ['noteUnpacked'] },
          { target: 'resting', actions: ['noteUnpacked'] },
        ],
        STEP_FAILED: backFromCarrying,
        CANCEL_MOVE: backFromCarrying,
        HOST_LOST: backFromCarrying,
        DEADLINE: late('unpacking', 'carrying', 'returning'),
      },
    },
    preparing: {
      meta: { limitMs: 30 * minute },
      entry: ['runSetup'],
      on: {
        SETUP_DONE: [
          { guard: 'arrivesAwake', target: 'opening', actions: ['notePrepared'] },
          { target: 'resting', actions: ['notePrepared'] },
        ],
        STEP_FAILED: backFromPreparing,
        CANCEL_MOVE: backFromPreparing,
        HOST_LOST: backFromPreparing,
        DEADLINE: late('preparing', 'preparing', 'returning'),
      },
    },
    // From here on it may have a window there, which must be closed before it returns.
    opening: {
      meta: { limitMs: minute },
      entry: [{ type: 'openWindow', params: ({ context }) => ({ resume: context.briefed }) }],
      on: {
        WINDOW_OPENED: { target: 'settling', actions: ['notePane'] },
        STEP_FAILED: ends('opening', 'undoing'),
        CANCEL_MOVE: [backFromGone, ends('opening', 'undoing')],
        DEADLINE: late('opening', 'opening', 'undoing'),
      },
    },
    settling: {
      meta: { limitMs: 2 * minute },
      on: {
        READING: { guard: 'showsItsCli', target: '#agent.live', actions: ['noteMoveOver', 'noteReading'] },
        PANE_GONE: ends('resuming', 'undoing'),
        CANCEL_MOVE: [backFromGone, ends('resuming', 'undoing')],
        // Its CLI runs, and its screen is unknown. Rows show that as for any agent.
        DEADLINE: {
          guard: { type: 'isDue', params: { name: 'moving.settling' } },
          target: '#agent.live',
          actions: ['noteMoveOver', 'setResumed'],
        },
      },
    },
    undoing: {
      initial: 'closing',
      on: { CANCEL_MOVE: backFromGone },
      states: {
        closing: {
          entry: ['closePane'],
          on: {
            PANE_CLOSED: { target: '#agent.moving.returning', actions: ['forgetPane'] },
            STEP_FAILED: { target: 'pausing' },
          },
        },
        // It is retried, because the agent must not run on two hosts.
        pausing: {
          meta: { limitMs: 10_000 },
          on: { DEADLINE: { guard: { type: 'isDue', params: { name: 'moving.undoing.pausing' } }, target: 'closing' } },
        },
      },
    },
    // It had no window, so none is opened.
    resting: {
      always: [
        { guard: 'isArchived', target: '#agent.archived', actions: ['noteMoveOver', 'setEnded'] },
        { target: '#agent.dormant', actions: ['noteMoveOver', 'setEnded'] },
      ],
    },
    // On the host that it came from.
    returning: {
      entry: ['noteReturned', { type: 'dropPackage', params: ({ context }) => ({ moveId: context.move?.id ?? '' }) }],
      initial: 'choosing',
      states: {
        choosing: {
          always: [
            { guard: 'keepsPane', target: '#agent.live', actions: ['noteMoveOver', 'setUncertain'] },
            { guard: 'arrivesAwake', target: 'opening' },
            { target: '#agent.moving.resting' },
          ],
        },
        opening: {
          meta: { limitMs: minute },
          entry: [{ type: 'openWindow', params: ({ context }) => ({ resume: context.briefed }) }],
          on: {
            WINDOW_OPENED: { target: '#agent.live', actions: ['notePane', 'noteMoveOver', 'setResumed'] },
            STEP_FAILED: { target: '#agent.dormant', actions: ['cancelEffects', 'noteMoveOver', 'noteNotResumed'] },
            DEADLINE: {
              guard: { type: 'isDue', params: { name: 'moving.returning.opening' } },
              target: '#agent.dormant',
              actions: ['cancelEffects', 'noteMoveOver', 'noteNotResumed'],
            },
          },
        },
      },
    },
  },
});
