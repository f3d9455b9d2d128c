import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { ReviewLauncher, ReviewNotCounting } from '#contract/review/review.ts';
import type { Row } from '#store/kernel/row.ts';

/** A file that a snapshot does not contain. */
interface StoredLeftOut {
  readonly path: string;
  readonly reason: string;
  readonly bytes?: number | undefined;
}

/** A review round: a snapshot of an agent's work, and the base that it is compared with. */
export const ReviewRoundEntity = defineEntity({
  name: 'ReviewRound',
  tableName: 'review_round',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    ordinal: p.integer(),
    /** The requested base; empty if the host chose it. */
    base: p.text(),
    baseSha: p.string(),
    snapshotSha: p.string(),
    treeSha: p.string(),
    /** Who started it: `person`, or an agent's id. */
    startedBy: p.string(),
    createdAt: p.bigint('number'),
    changedFiles: p.integer(),
    leftOut: p.json<readonly StoredLeftOut[]>(),
    leftOutCount: p.integer(),
  },
  uniques: [{ name: 'review_round_ordinal', properties: ['agent', 'ordinal'] }],
});
export type StoredRound = Row<typeof ReviewRoundEntity>;

/** A batch of comments. Each author has at most one open batch for each agent. */
export const ReviewEntity = defineEntity({
  name: 'Review',
  tableName: 'review',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    /** `person`, or an agent's id. */
    author: p.string(),
    /** Each commit of its machine increments it, and names the version that it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    /** The round to which its verdict applies; null until it is released. */
    round: p.string().name('round_id').nullable(),
    createdAt: p.bigint('number'),
    releasedAt: p.bigint('number').nullable(),
    /** Who launched its author; null until it is released, and if the author is a person. */
    launcher: p.json<ReviewLauncher>().nullable(),
    /** Why its verdict does not count; null if it counts, and until it is released. */
    notCounting: p.string().$type<ReviewNotCounting>().nullable(),
    /** When it was released or discarded. */
    closedAt: p.bigint('number').nullable(),
  },
  indexes: [{ name: 'review_by_agent', properties: ['agent', 'releasedAt'] }],
  uniques: [{ name: 'review_open', properties: ['agent', 'author'], where: 'closed_at is null' }],
});
export type StoredReview = Row<typeof ReviewEntity>;

/** A thread, and the lines of a round that it is about. A side without a range has neither number. */
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
    /** When it last changed, apart from drafts that only their author sees. */
    updatedAt: p.bigint('number'),
    /** When its first comment was released. Before that, only its author sees it. */
    releasedAt: p.bigint('number').nullable(),
    resolvedAt: p.bigint('number').nullable(),
  },
  indexes: [
    { name: 'review_thread_by_agent', properties: ['agent', 'updatedAt', 'id'] },
    { name: 'review_thread_by_review', properties: ['review'] },
  ],
});
export type StoredThread = Row<typeof ReviewThreadEntity>;

/** A message of a thread. */
export const ReviewMessageEntity = defineEntity({
  name: 'ReviewMessage',
  tableName: 'review_message',
  properties: {
    id: p.string().primary(),
    thread: p.string().name('thread_id'),
    agent: p.string().name('agent_id'),
    /** Null for a reply of the agent under review. */
    review: p.string().name('review_id').nullable(),
    /** `person`, or an agent's id. */
    author: p.string(),
    body: p.text(),
    suggestion: p.json<readonly string[]>(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
    /** Null while only its author sees it. */
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

/** The round of an agent that a reader last read. Comments that they write are about this round. */
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
