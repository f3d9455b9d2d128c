import type { EntityManager, FilterQuery, InferEntity } from '@mikro-orm/sql';
import { insertAll } from '#store/kernel/insert-all.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { MailEntity, type StoredMail } from './mail-entity.ts';

/** A mail that is to be recorded. */
export type NewMail = Omit<StoredMail, 'seq' | 'rungAt' | 'takenAt' | 'claimId' | 'body'> & { readonly body: string };

/** Which mail is listed. */
export interface MailPage {
  /** Undefined for all mail. */
  readonly box?: { readonly toAgentId: string } | { readonly sender: string } | undefined;
  /** Only mail that was taken, or only mail that was not. */
  readonly taken?: boolean | undefined;
  /** Only mail that was accepted before this position. */
  readonly before?: bigint | undefined;
  readonly limit: number;
  readonly bodies: boolean;
}

type MailCondition = FilterQuery<InferEntity<typeof MailEntity>>;

const columns = [
  'seq',
  'id',
  'toAgentId',
  'sender',
  'senderName',
  'senderRole',
  'subject',
  'opening',
  'openingCut',
  'kind',
  'inReplyTo',
  'setOffBy',
  'hops',
  'idempotencyKey',
  'claimId',
  'sentAt',
  'rungAt',
  'takenAt',
] as const;
const withBodies = [...columns, 'body'] as const;

/** All mail, in the order in which it was accepted. */
export class MailTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** A mail without its body. */
  find(id: string): Promise<StoredMail | undefined> {
    return rowOf(this.#em, MailEntity, { id });
  }

  /** The mail that a sender sent with an idempotency key. */
  findByKey(sender: string, idempotencyKey: string): Promise<StoredMail | undefined> {
    return rowOf(this.#em, MailEntity, { sender, idempotencyKey });
  }

  async insert(mail: NewMail): Promise<void> {
    const row = { ...mail, claimId: null, rungAt: null, takenAt: null };
    // Of two sends with one key at a time, PostgreSQL refuses one for its transaction, which is then run again.
    const [inserted] = await insertAll(this.#em, MailEntity, [row], ['seq']);
    if (inserted === undefined) throw new Error(`There is already a mail ${mail.id}, or one with its idempotency key`);
  }

  /** The oldest mail of an agent that was not taken, with bodies. */
  async waiting(toAgentId: string, limit: number): Promise<readonly StoredMail[]> {
    return this.#list({ toAgentId, takenAt: null }, { orderBy: { seq: 'asc' }, limit, bodies: true });
  }

  /** The mail that one call took, with bodies, in order. */
  async takenBy(toAgentId: string, claimId: string): Promise<readonly StoredMail[]> {
    return this.#list({ toAgentId, claimId }, { orderBy: { seq: 'asc' }, bodies: true });
  }

  /** The mail that an agent took last. */
  async lastTaken(toAgentId: string): Promise<StoredMail | undefined> {
    const order = { takenAt: 'desc', seq: 'desc' } as const;
    const [last] = await this.#list({ toAgentId, takenAt: { $ne: null } }, { orderBy: order, limit: 1, bodies: false });
    return last;
  }

  /** A page of mail, newest first. */
  async page({ box, taken, before, limit, bodies }: MailPage): Promise<readonly StoredMail[]> {
    const where = {
      ...box,
      ...(taken === undefined ? {} : { takenAt: taken ? { $ne: null } : null }),
      ...(before === undefined ? {} : { seq: { $lt: before } }),
    };
    return this.#list(where, { orderBy: { seq: 'desc' }, limit, bodies });
  }

  async take(mail: readonly StoredMail[], claimId: string, takenAt: number): Promise<void> {
    await this.#em.nativeUpdate(MailEntity, { seq: { $in: mail.map(({ seq }) => seq) } }, { claimId, takenAt });
  }

  /** Marks all mail that an agent has not taken as rung for. */
  async ring(toAgentId: string, rungAt: number): Promise<void> {
    await this.#em.nativeUpdate(MailEntity, { toAgentId, takenAt: null, rungAt: null }, { rungAt });
  }

  /** How many mails a sender has sent since a time. */
  countSince(sender: string, time: number): Promise<number> {
    return this.#em.count(MailEntity, { sender, sentAt: { $gt: time } });
  }

  /** How many mails a mail has caused. */
  countSetOffBy(setOffBy: string): Promise<number> {
    return this.#em.count(MailEntity, { setOffBy });
  }

  /** The recipients of mail that was sent before a time and not taken. */
  async waitingSince(before: number): Promise<ReadonlySet<string>> {
    const where = { takenAt: null, sentAt: { $lt: before } };
    return new Set((await rowsOf(this.#em, MailEntity, where, { columns: ['toAgentId'] })).map((row) => row.toAgentId));
  }

  /** Deletes mail that was taken before a time, or sent before it to deleted agents; returns how many. */
  async prune(before: number, gone: readonly string[], limit: number): Promise<number> {
    const lost = { takenAt: null, sentAt: { $lt: before }, toAgentId: { $in: [...gone] } };
    const old = { $or: [{ takenAt: { $lt: before } }, lost] };
    const rows = await rowsOf(this.#em, MailEntity, old, { orderBy: { seq: 'asc' }, limit, columns: ['seq'] });
    return this.#em.nativeDelete(MailEntity, { seq: { $in: rows.map(({ seq }) => seq) } });
  }

  #list(
    where: MailCondition,
    { bodies, ...wanted }: { bodies: boolean; orderBy: Record<string, 'asc' | 'desc'>; limit?: number },
  ): Promise<StoredMail[]> {
    return rowsOf(this.#em, MailEntity, where, { ...wanted, columns: bodies ? withBodies : columns });
  }
}
