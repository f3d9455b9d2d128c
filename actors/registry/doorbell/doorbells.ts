import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { logTransition } from '#actors/registry/kernel/transition-log.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Doorbell, DoorbellCause } from '#contract/doorbell.ts';
import { Failure } from '#contract/failure.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';
import { bellViewOf, type DoorbellEvent, doorbellLife } from '#machines/doorbell/doorbell.ts';
import type { Waiting } from '#store/agent/agent-journal.ts';
import type { StoredDoorbell } from '#store/doorbell/doorbell-entity.ts';
import type { Tables } from '#store/store.ts';

/** What raises a doorbell, and how much mail waits then where that moves too. */
interface Raise {
  readonly cause: DoorbellCause;
  readonly count: number;
  readonly unreadMail?: number;
}

/** Raises an agent's doorbell, or adds to the one that is open: however much comes, it is one ring. Gives the doorbell's id. */
export async function raiseBell(
  writing: Change,
  agentId: string,
  { cause, count, unreadMail }: Raise,
): Promise<string> {
  const { tables, ids, now, isWaiting } = writing;
  const open = await tables.doorbells.openOf(agentId);
  const event: DoorbellEvent = { type: 'RAISE', cause, count };
  const decision = open
    ? decide(doorbellLife, open.snapshot, event)
    : begin(doorbellLife, { cause, count, awaited: isWaiting(agentId) });
  if (decision === undefined) throw new Failure('internal', `Doorbell ${open?.id} is open and cannot be raised`);
  const bell = open ?? {
    id: ids.id('bel'),
    agent: agentId,
    raisedAt: now,
    rungAt: null,
    closedAt: null,
    forReview: false,
  };
  const forReview = bell.forReview || cause === 'DOORBELL_CAUSE_REVIEW';
  const move = { before: open?.snapshot, event: open && event, decision };
  await write(writing, { ...bell, forReview }, move, unreadMail);
  return bell.id;
}

/** Tells a doorbell's machine of an event; gives the doorbell as it is then, undefined where the event made no sense. */
export async function moveBell(
  writing: Change,
  bell: StoredDoorbell,
  event: DoorbellEvent,
): Promise<StoredDoorbell | undefined> {
  const decision = decide(doorbellLife, bell.snapshot, event);
  return decision && write(writing, bell, { before: bell.snapshot, event, decision });
}

/** Takes an agent's open doorbell back; gives whether there was one. */
export async function dropBell(writing: Change, agentId: string): Promise<boolean> {
  const open = await writing.tables.doorbells.openOf(agentId);
  if (open !== undefined) await moveBell(writing, open, { type: 'DROP' });
  return open !== undefined;
}

/** Calls an agent anew to all that still waits for it: whom the last ring reached has ended since. Gives whether anything does. */
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
    const doorbell = await raiseBell(writing, agentId, { cause: cause as DoorbellCause, count });
    if (cause === 'DOORBELL_CAUSE_REVIEW') await writing.tables.reviews.changeMessages(comments, { doorbell });
  }
  return open !== undefined || causes.length > 0;
}

/** What of a review an agent has not claimed yet, as its doorbells tell. */
async function unclaimedComments({ doorbells, reviews }: Tables, agentId: string): Promise<readonly string[]> {
  const called = await reviews.called(agentId);
  const bells = await doorbells.byId([...new Set(called.flatMap(({ doorbell }) => doorbell ?? []))]);
  return called.filter(({ doorbell }) => !isClaimed(bells.get(doorbell ?? ''))).map(({ id }) => id);
}

/** Whether an agent has claimed a doorbell. */
export function isClaimed(bell: StoredDoorbell | undefined): boolean {
  return bell !== undefined && bellViewOf(bell.snapshot).state === 'DOORBELL_STATE_CLAIMED';
}

/** What a doorbell's machine made of an event; `before` and `event` are undefined for a new doorbell. */
interface BellMove {
  readonly before: StoredDoorbell['snapshot'] | undefined;
  readonly event: DoorbellEvent | undefined;
  readonly decision: Decision;
}

/** Writes down what a doorbell's machine has decided, and what of it the agent's row and its host's record show. */
async function write(
  { tables, now, ring }: Change,
  bell: Omit<StoredDoorbell, 'snapshot'>,
  move: BellMove,
  unreadMail?: number,
): Promise<StoredDoorbell> {
  const { before, decision } = move;
  const was = before && bellViewOf(before).state;
  const { agents, journal, doorbells, deadlines, facts, mail } = tables;
  const { agent: agentId, id } = bell;
  const view = bellViewOf(decision.snapshot);
  const isRung = view.state === 'DOORBELL_STATE_RUNG';
  const isClosed = view.state === 'DOORBELL_STATE_CLAIMED' || view.state === 'DOORBELL_STATE_DROPPED';
  const rungAt = isRung && was !== view.state ? now : view.state === 'DOORBELL_STATE_RAISED' ? null : bell.rungAt;
  const moved = { ...bell, rungAt, snapshot: decision.snapshot, closedAt: isClosed ? now : null };
  await doorbells.save(moved);
  await logTransition(tables, { machine: 'doorbell', subject: id, ...move });
  await deadlines.set({ owner: 'doorbell', ownerId: id }, decision.deadlines);
  await facts.append(
    decision.facts.map(({ kind, detail }) => ({ kind, subjectId: agentId, detail: { doorbellId: id, ...detail } })),
  );
  if (isRung && view.causes.DOORBELL_CAUSE_MAIL !== undefined) await mail.ring(agentId, now);
  const waiting: Partial<Waiting> = {
    ...(unreadMail === undefined ? {} : { unreadMail }),
    bell: view.wantsRing ? { id, causes: view.causes } : null,
    bellRaisedAt: isClosed ? null : bell.raisedAt,
    bellRungAt: isClosed ? null : rungAt,
  };
  const agent = (await journal.setWaiting(agentId, waiting)) ? await agents.find(agentId) : undefined;
  if (agent !== undefined) ring(agent.host);
  return moved;
}

/** A doorbell as it is shown. */
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
