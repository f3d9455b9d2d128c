import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** The package of an agent's last round, for a move from a lost host: its pieces, and its requirements. */
export const RoundPackageEntity = defineEntity({
  name: 'RoundPackage',
  tableName: 'round_package',
  properties: {
    agent: p.string().primary().name('agent_id'),
    /** Names its pieces. */
    id: p.string(),
    /** The number of the round. */
    round: p.integer(),
    bytes: p.bigint('number'),
    digest: p.string(),
    /** Commits that another host must have. */
    needs: p.json<readonly string[]>(),
    notCarried: p.json<readonly string[]>().name('not_carried'),
    /** When it was packed, in milliseconds since 1970. */
    at: p.bigint('number'),
  },
});
export type StoredRoundPackage = Row<typeof RoundPackageEntity>;

/** A piece of such a package, as Base64. */
export const RoundPieceEntity = defineEntity({
  name: 'RoundPiece',
  tableName: 'round_piece',
  properties: {
    /** The package's id, `/`, and the place of the piece, counting from 0. */
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    packageId: p.string().name('package_id'),
    data: p.text(),
  },
  indexes: [{ name: 'round_piece_by_agent', properties: ['agent'] }],
});
