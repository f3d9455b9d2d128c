import type { EntityManager, FilterQuery, InferEntity } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import { countOf, rowOf, rowsOf } from '#store/kernel/rows.ts';
import {
  ReviewEntity,
  ReviewMessageEntity,
  ReviewThreadEntity,
  type StoredMessage,
  type StoredReview,
  type StoredThread,
} from './entities.ts';

/** Which threads are listed. Unreleased ones are listed only for their author. */
export interface ThreadPage {
  /** Who reads: `person`, or an agent's id. */
  readonly viewer: string;
  readonly agent: string;
  readonly review?: string | undefined;
  readonly round?: string | undefined;
  readonly filePath?: string | undefined;
  readonly resolved?: boolean | undefined;
  readonly unreadByHuman?: boolean | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
}

type MessageQuery = FilterQuery<InferEntity<typeof ReviewMessageEntity>>;

/** Batches of review comments, the threads that they opened, and the threads' messages. */
export class ReviewTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredReview | undefined> {
    return rowOf(this.#em, ReviewEntity, { id });
  }

  /** The batch that an author is writing. */
  openOf(agent: string, author: string): Promise<StoredReview | undefined> {
    return rowOf(this.#em, ReviewEntity, { agent, author, closedAt: null });
  }

  /** Batches by their ids. */
  byId(ids: readonly string[]): Promise<StoredReview[]> {
    return rowsOf(this.#em, ReviewEntity, { id: { $in: [...ids] } });
  }

  /** The batch on an agent's work that was released last. */
  lastReleased(agent: string): Promise<StoredReview | undefined> {
    return this.#last({ agent, releasedAt: { $ne: null } });
  }

  /** The batch whose verdict is the current one: the last released of those that count. */
  lastCounting(agent: string): Promise<StoredReview | undefined> {
    return this.#last({ agent, releasedAt: { $ne: null }, notCounting: null });
  }

  /** How many rounds of an agent have a released review. */
  async roundsReviewed(agent: string): Promise<number> {
    const where = { agent, releasedAt: { $ne: null } };
    const rows = await rowsOf(this.#em, ReviewEntity, where, { columns: ['round'] });
    return new Set(rows.map(({ round }) => round)).size;
  }

  /** Who has released a review of an agent's work. */
  async releasedBy(agent: string): Promise<ReadonlySet<string>> {
    const where = { agent, releasedAt: { $ne: null } };
    return new Set((await rowsOf(this.#em, ReviewEntity, where, { columns: ['author'] })).map(({ author }) => author));
  }

  thread(id: string): Promise<StoredThread | undefined> {
    return rowOf(this.#em, ReviewThreadEntity, { id });
  }

  threadsById(ids: readonly string[]): Promise<StoredThread[]> {
    return rowsOf(this.#em, ReviewThreadEntity, { id: { $in: [...ids] } });
  }

  /** A page of threads, most recently updated first. */
  threads({ viewer, after, limit, ...wanted }: ThreadPage): Promise<StoredThread[]> {
    const given = Object.fromEntries(
      Object.entries({ ...wanted, resolved: undefined }).filter(([, value]) => value !== undefined),
    );
    const { resolved } = wanted;
    return rowsOf(
      this.#em,
      ReviewThreadEntity,
      {
        ...given,
        ...(resolved === undefined ? {} : { resolvedAt: resolved ? { $ne: null } : null }),
        $or: [{ releasedAt: { $ne: null } }, { author: viewer }],
        ...past(after),
      },
      { orderBy: newestFirst, limit },
    );
  }

  /** How many threads of an agent have a reply that no person has read. */
  unreadOf(agent: string): Promise<number> {
    return countOf(this.#em, ReviewThreadEntity, { agent, unreadByHuman: true });
  }

  async insertThread(thread: StoredThread): Promise<void> {
    await this.#em.insert(ReviewThreadEntity, { ...thread, quotedLines: jsonOf(thread.quotedLines) });
  }

  async changeThreads(ids: readonly string[], columns: Partial<StoredThread>): Promise<void> {
    await this.#em.nativeUpdate(ReviewThreadEntity, { id: { $in: [...ids] } }, columns);
  }

  message(id: string): Promise<StoredMessage | undefined> {
    return rowOf(this.#em, ReviewMessageEntity, { id });
  }

  /** The messages of threads that a viewer may see, oldest first. */
  messages(threads: readonly string[], viewer: string): Promise<StoredMessage[]> {
    const seen = [{ sentAt: { $ne: null } }, { author: viewer }];
    return this.#messages({ thread: { $in: [...threads] }, $or: seen });
  }

  /** The comments of a batch, oldest first. */
  messagesOf(review: string): Promise<StoredMessage[]> {
    return this.#messages({ review });
  }

  /** The messages to an agent for which a doorbell was raised, oldest first. */
  called(agent: string): Promise<StoredMessage[]> {
    return this.#messages({ agent, doorbell: { $ne: null } });
  }

  async insertMessage(message: StoredMessage): Promise<void> {
    await this.#em.insert(ReviewMessageEntity, { ...message, suggestion: jsonOf(message.suggestion) });
  }

  async changeMessages(ids: readonly string[], columns: Partial<StoredMessage>): Promise<void> {
    await this.#em.nativeUpdate(ReviewMessageEntity, { id: { $in: [...ids] } }, columns);
  }

  /** Deletes messages, and those of the threads that are not released. */
  async remove(messages: readonly string[], threads: readonly string[]): Promise<void> {
    await this.#em.nativeDelete(ReviewMessageEntity, { id: { $in: [...messages] } });
    await this.#em.nativeDelete(ReviewThreadEntity, { id: { $in: [...threads] }, releasedAt: null });
  }

  /** The open batches of an author, for all agents. */
  openBy(author: string): Promise<StoredReview[]> {
    return rowsOf(this.#em, ReviewEntity, { author, closedAt: null });
  }

  /** Deletes all reviews of an agent's work. */
  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(ReviewMessageEntity, { agent });
    await this.#em.nativeDelete(ReviewThreadEntity, { agent });
    await this.#em.nativeDelete(ReviewEntity, { agent });
  }

  async #last(where: FilterQuery<InferEntity<typeof ReviewEntity>>): Promise<StoredReview | undefined> {
    const order = { releasedAt: 'desc', id: 'desc' } as const;
    return (await rowsOf(this.#em, ReviewEntity, where, { orderBy: order, limit: 1 }))[0];
  }

  #messages(where: MessageQuery): Promise<StoredMessage[]> {
    return rowsOf(this.#em, ReviewMessageEntity, where, { orderBy: { createdAt: 'asc', id: 'asc' } });
  }
}
