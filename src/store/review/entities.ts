import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { ReviewLauncher, ReviewNotCounting } from '#contract/review/review.ts';
import type { Row } from '#store/kernel/row.ts';

/** A file that a snapshot does not hold. */
interface StoredLeftOut {
  readonly path: string;
  readonly reason: string;
  readonly bytes?: number | undefined;
}

/** One round: a snapshot of an agent's work, with what it was compared with. */
export const ReviewRoundEntity = defineEntity({
  name: 'ReviewRound',
  tableName: 'review_round',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    ordinal: p.integer(),
    /** What the base was asked for; empty if it was left to the host. */
    base: p.text(),
    baseSha: p.string(),
    snapshotSha: p.string(),
    treeSha: p.string(),
    /** Who had it cut: `person`, or an agent's id. */
    startedBy: p.string(),
    createdAt: p.bigint('number'),
    changedFiles: p.integer(),
    leftOut: p.json<readonly StoredLeftOut[]>(),
    leftOutCount: p.integer(),
  },
  uniques: [{ name: 'review_round_ordinal', properties: ['agent', 'ordinal'] }],
});
export type StoredRound = Row<typeof ReviewRoundEntity>;

/** One batch of comments. At most one of each author on each agent is open. */
export const ReviewEntity = defineEntity({
  name: 'Review',
  tableName: 'review',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    /** `person`, or an agent's id. */
    author: p.string(),
    /** Grows with every commit of its machine. A commit names the one it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    /** The round that its verdict was given on; null until it is released. */
    round: p.string().name('round_id').nullable(),
    createdAt: p.bigint('number'),
    releasedAt: p.bigint('number').nullable(),
    /** Who launched its author; null until it is released, and for a person. */
    launcher: p.json<ReviewLauncher>().nullable(),
    /** Why its verdict does not count; null if it does, and until it is released. */
    notCounting: p.string().$type<ReviewNotCounting>().nullable(),
    /** When it was released or discarded. */
    closedAt: p.bigint('number').nullable(),
  },
  indexes: [{ name: 'review_by_agent', properties: ['agent', 'releasedAt'] }],
  uniques: [{ name: 'review_open', properties: ['agent', 'author'], where: 'closed_at is null' }],
});
export type StoredReview = Row<typeof ReviewEntity>;

/** One thread, at its place in a round. A side without a range has neither number. */
export const ReviewThreadEntity = defineEntity({
  name: 'ReviewThread',
  tableName: 'review_thread',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    review: p.string().name('review_id'),
    round: p.string().name('round_id'),
    /** `person`, or an agent's id. */
    author: p.string(),
    baseSha: p.string(),
    filePath: p.text(),
    oldStart: p.integer().nullable(),
    oldEnd: p.integer().nullable(),
    newStart: p.integer().nullable(),
    newEnd: p.integer().nullable(),
    quotedLines: p.json<readonly string[]>(),
    unreadByHuman: p.boolean(),
    createdAt: p.bigint('number'),
    /** When anything last moved in it that is not its author's alone. */
    updatedAt: p.bigint('number'),
    /** When its first comment was released: until then it is its author's alone. */
    releasedAt: p.bigint('number').nullable(),
    resolvedAt: p.bigint('number').nullable(),
  },
  indexes: [
    { name: 'review_thread_by_agent', properties: ['agent', 'updatedAt', 'id'] },
    { name: 'review_thread_by_review', properties: ['review'] },
  ],
});
export type StoredThread = Row<typeof ReviewThreadEntity>;

/** One message of a thread. */
export const ReviewMessageEntity = defineEntity({
  name: 'ReviewMessage',
  tableName: 'review_message',
  properties: {
    id: p.string().primary(),
    thread: p.string().name('thread_id'),
    agent: p.string().name('agent_id'),
    /** Null for an answer of the agent under review. */
    review: p.string().name('review_id').nullable(),
    /** `person`, or an agent's id. */
    author: p.string(),
    body: p.text(),
    suggestion: p.json<readonly string[]>(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
    /** Null while it is its author's alone. */
    sentAt: p.bigint('number').nullable(),
    /** The newest doorbell that was raised for it. */
    doorbell: p.string().name('doorbell_id').nullable(),
  },
  indexes: [
    { name: 'review_message_by_thread', properties: ['thread', 'id'] },
    { name: 'review_message_by_review', properties: ['review'] },
    { name: 'review_message_by_doorbell', properties: ['agent', 'doorbell'] },
  ],
});
export type StoredMessage = Row<typeof ReviewMessageEntity>;

/** Which round of an agent a reader looked at last: what they write is about that one. */
export const ReviewReadingEntity = defineEntity({
  name: 'ReviewReading',
  tableName: 'review_reading',
  properties: {
    agent: p.string().name('agent_id').primary(),
    /** `person`, or an agent's id. */
    reader: p.string().primary(),
    round: p.string().name('round_id'),
  },
});
