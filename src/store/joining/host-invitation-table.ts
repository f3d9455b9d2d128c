import type { EntityManager } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { HostInvitationEntity, type StoredInvitation } from './host-invitation-entity.ts';

/** The invitations for machines to join as hosts. */
export class HostInvitationTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredInvitation | undefined> {
    return rowOf(this.#em, HostInvitationEntity, { id });
  }

  findByToken(tokenHash: string): Promise<StoredInvitation | undefined> {
    return rowOf(this.#em, HostInvitationEntity, { tokenHash });
  }

  /** All of them, the newest first. */
  all(): Promise<readonly StoredInvitation[]> {
    return rowsOf(this.#em, HostInvitationEntity, {}, { orderBy: { createdAt: 'desc', id: 'desc' } });
  }

  async insert(invitation: StoredInvitation): Promise<void> {
    await this.#em.insert(HostInvitationEntity, { ...invitation, labels: jsonOf(invitation.labels) });
  }

  /** Ends an invitation, by a host that joined or by a withdrawal; false if it has ended already. */
  async end(id: string, endedAt: number, hostId: string | null): Promise<boolean> {
    return (await this.#em.nativeUpdate(HostInvitationEntity, { id, endedAt: null }, { endedAt, hostId })) > 0;
  }

  /** Deletes those that ended or expired before a time. */
  async prune(before: number): Promise<void> {
    await this.#em.nativeDelete(HostInvitationEntity, { expiresAt: { $lt: before } });
  }
}
