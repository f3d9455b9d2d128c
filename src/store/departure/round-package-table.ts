import type { EntityManager } from '@mikro-orm/sql';
import { rowOf } from '#store/kernel/rows.ts';
import { RoundPackageEntity, RoundPieceEntity, type StoredRoundPackage } from './round-package-entity.ts';
import { type UnsavedRound, unsavedRounds } from './unsaved-rounds.ts';

/** The packages with which agents can move from lost hosts. */
export class RoundPackageTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(agent: string): Promise<StoredRoundPackage | undefined> {
    return rowOf(this.#em, RoundPackageEntity, { agent });
  }

  /** Agents whose newest round since a time, in milliseconds since 1970, is not stored. */
  unkept(since: number, limit: number): Promise<readonly UnsavedRound[]> {
    return unsavedRounds(this.#em, since, limit);
  }

  /** Stores a piece of a package that is not complete yet. */
  async addPiece(agent: string, packageId: string, place: number, data: string): Promise<void> {
    await this.#em.insert(RoundPieceEntity, { id: `${packageId}/${place}`, agent, packageId, data });
  }

  /** A piece; undefined if there is none. */
  async piece(packageId: string, place: number): Promise<string | undefined> {
    return (await rowOf(this.#em, RoundPieceEntity, { id: `${packageId}/${place}` }))?.data;
  }

  /** Replaces an agent's package by one whose pieces are stored, and removes all other pieces. */
  async replace(next: StoredRoundPackage): Promise<void> {
    const { agent, id } = next;
    await this.#em.nativeDelete(RoundPackageEntity, { agent });
    await this.#em.nativeDelete(RoundPieceEntity, { agent, packageId: { $ne: id } });
    await this.#em.insert(RoundPackageEntity, next);
  }

  /** Removes the pieces of a package that was not completed. */
  async drop(packageId: string): Promise<void> {
    await this.#em.nativeDelete(RoundPieceEntity, { packageId });
  }

  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(RoundPackageEntity, { agent });
    await this.#em.nativeDelete(RoundPieceEntity, { agent });
  }
}
