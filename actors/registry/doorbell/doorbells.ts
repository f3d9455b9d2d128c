import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { advanceInstance, beginInstance, type Kind } from '#actors/registry/kernel/instance.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Doorbell, DoorbellCause } from '#contract/doorbell.ts';
import { Failure } from '#contract/failure.ts';
import {
  bellViewOf,
  type DoorbellEvent,
  doorbellDefinition,
  type doorbellMachine,
} from '#machines/doorbell/doorbell.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { DoorbellColumns } from '#store/agent/agent-journal.ts';
import type { StoredDoorbell } from '#store/doorbell/doorbell-entity.ts';
import type { Tables } from '#store/tables.ts';

/** What raises a doorbell. */
interface Raise {
  readonly cause: DoorbellCause;
  readonly count: number;
}

/** The fields of an agent that change with its doorbell. */
interface DoorbellChange {
  /** The number of waiting mails, if it changes too. */
  readonly unreadMail?: number;
  /** Its row, if this transaction has just read it. */
  readonly known?: StoredAgent | undefined;
}

const doorbellKind: Kind<'doorbell', typeof doorbellMachine> = {
  machine: 'doorbell',
  definition: doorbellDefinition,
  columns(snapshot, now, { rungAt }) {
    const { state } = bellViewOf(snapshot);
    const closedAt = state === 'DOORBELL_STATE_CLAIMED' || state === 'DOORBELL_STATE_DROPPED' ? now : null;
    if (state === 'DOORBELL_STATE_RAISED') return { closedAt, rungAt: null };
    return { closedAt, rungAt: state === 'DOORBELL_STATE_RUNG' ? (rungAt ?? now) : rungAt };
  },
  toFact: ({ kind, detail }, { id, agent }) => ({ kind, subjectId: agent, detail: { doorbellId: id, ...detail } }),
};

/**
 * Raises an agent's doorbell, or adds to the open one, so that any number of causes makes one ring. Returns the
 * doorbell.
 */
export async function raiseBell(
  writing: Change,
  agentId: string,
  { cause, count }: Raise,
  called: DoorbellChange = {},
): Promise<StoredDoorbell> {
  // Its row shows since when a doorbell is open.
  const isNone = called.known?.bellRaisedAt === null;
  const open = isNone ? undefined : await writing.tables.doorbells.openOf(agentId);
  const forReview = open?.forReview || cause === 'DOORBELL_CAUSE_REVIEW';
  const bell = open
    ? await advanceInstance(writing, doorbellKind, open, { type: 'RAISE', cause, count }, { forReview })
    : await beginBell(writing, agentId, { cause, count });
  if (bell === undefined) throw new Failure('INTERNAL', `Doorbell ${open?.id} is open and cannot be raised`);
  await show(writing, bell, called);
  return bell;
}

function beginBell({ isWaiting, ids, ...writing }: Change, agent: string, raise: Raise): Promise<StoredDoorbell> {
  const forReview = raise.cause === 'DOORBELL_CAUSE_REVIEW';
  const times = { raisedAt: writing.now, rungAt: null, closedAt: null };
  const row = { id: ids.id('bel'), agent, forReview, ...times };
  const input = { ...raise, awaited: isWaiting(agent) };
  return beginInstance(writing, doorbellKind, input, (snapshot) => ({ ...row, snapshot }));
}

/**
 * Sends an event to a doorbell's machine; returns the updated doorbell, or undefined if its state does not accept the
 * event.
 */
export async function advanceDoorbell(
  writing: Change,
  bell: StoredDoorbell,
  event: DoorbellEvent,
  called: DoorbellChange = {},
): Promise<StoredDoorbell | undefined> {
  const advanced = await advanceInstance(writing, doorbellKind, bell, event);
  if (advanced !== undefined) await show(writing, advanced, called);
  return advanced;
}

/** Withdraws an agent's open doorbell; returns whether there was one. */
export async function dropBell(writing: Change, agentId: string): Promise<boolean> {
  const open = await writing.tables.doorbells.openOf(agentId);
  if (open !== undefined) await advanceDoorbell(writing, open, { type: 'DROP' });
  return open !== undefined;
}

/**
 * Rings an agent again for everything that still waits for it, because its previous window has ended. Returns whether
 * anything waits.
 */
export async function renewBell(writing: Change, agentId: string): Promise<boolean> {
  const { doorbells, agents } = writing.tables;
  const open = await doorbells.openOf(agentId);
  const unreadMail = (await agents.find(agentId))?.unreadMail ?? 0;
  const mail = unreadMail > 0 ? { DOORBELL_CAUSE_MAIL: unreadMail } : {};
  const comments = await unclaimedComments(writing.tables, agentId);
  const review = comments.length > 0 ? { DOORBELL_CAUSE_REVIEW: comments.length } : {};
  const causes = Object.entries({ ...(open && bellViewOf(open.snapshot).causes), ...mail, ...review });
  await dropBell(writing, agentId);
  for (const [cause, count] of causes) {
    const { id: doorbell } = await raiseBell(writing, agentId, { cause: cause as DoorbellCause, count });
    if (cause === 'DOORBELL_CAUSE_REVIEW') await writing.tables.reviews.changeMessages(comments, { doorbell });
  }
  return open !== undefined || causes.length > 0;
}

/** What an agent has not yet claimed of a review, by its doorbells. */
async function unclaimedComments({ doorbells, reviews }: Tables, agentId: string): Promise<readonly string[]> {
  const called = await reviews.called(agentId);
  const bells = await doorbells.byId([...new Set(called.flatMap(({ doorbell }) => doorbell ?? []))]);
  return called.filter(({ doorbell }) => !isClaimed(bells.get(doorbell ?? ''))).map(({ id }) => id);
}

/** Whether an agent has claimed a doorbell. */
export function isClaimed(bell: StoredDoorbell | undefined): boolean {
  return bell !== undefined && bellViewOf(bell.snapshot).state === 'DOORBELL_STATE_CLAIMED';
}

/** Records what an agent's row and its host's record show of a doorbell. */
async function show({ tables, now, ring }: Change, bell: StoredDoorbell, { unreadMail, known }: DoorbellChange = {}) {
  const { journal, mail } = tables;
  const { id, agent, raisedAt, rungAt, closedAt, snapshot } = bell;
  const { state, causes, wantsRing } = bellViewOf(snapshot);
  if (state === 'DOORBELL_STATE_RUNG' && causes.DOORBELL_CAUSE_MAIL !== undefined) await mail.ring(agent, now);
  const waiting: Partial<DoorbellColumns> = {
    ...(unreadMail === undefined ? {} : { unreadMail }),
    bell: wantsRing ? { id, causes } : null,
    bellRaisedAt: closedAt === null ? raisedAt : null,
    bellRungAt: closedAt === null ? rungAt : null,
  };
  const called = await journal.setWaiting(agent, waiting, known);
  if (called !== undefined) ring(called.host);
}

/** A doorbell as a message of the contract. */
export function doorbellOf({ id, agent, snapshot, raisedAt, rungAt }: StoredDoorbell): Doorbell {
  const { state, causes } = bellViewOf(snapshot);
  return {
    id,
    agentId: agent,
    state,
    causes: Object.entries(causes).map(([cause, count]) => ({ cause: cause as DoorbellCause, count })),
    raisedAt: timeOf(raisedAt),
    rungAt: rungAt == null ? undefined : timeOf(rungAt),
  };
}
