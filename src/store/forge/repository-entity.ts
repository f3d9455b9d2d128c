import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Row } from '#store/kernel/row.ts';

/**
 * A repository on a forge that agents push to, and when its pull requests are read. Times are milliseconds since 1970.
 */
export const RepositoryEntity = defineEntity({
  name: 'Repository',
  tableName: 'repository',
  properties: {
    id: p.string().primary(),
    /** How agents name it: host and path in small letters. */
    address: p.string(),
    /** The same as the first agent spelled it. */
    spelled: p.string(),
    /** Its web address as the forge has it, which may have renamed it since; and that as the one above. */
    url: p.string().nullable(),
    place: p.string().nullable(),
    /** The repository that it turned out to be another name of; that one is swept instead. */
    sameAs: p.string().nullable(),
    /** The connection that it is read by; null if its forge is not connected. */
    connection: p.string().name('connection_id').nullable(),
    /** Grows with every commit of its machine. A commit names the one it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    // What the snapshot decides.
    /** The name of the machine's state. */
    state: p.string(),
    /** When it is due, or its lease ends. */
    dueAt: p.bigint('number').nullable(),
    // What sweeps remember.
    /** When the last sweep ended; null before the first has. */
    sweptAt: p.bigint('number').nullable(),
    /** When the open pull requests were last read one and all. */
    wholeAt: p.bigint('number').nullable(),
    /** What the forge gave to ask by whether anything is new. */
    mark: p.text().nullable(),
    /** When the forge last saw a pull request change, of those that were read. */
    newestAt: p.bigint('number').nullable(),
    /** Branches whose pull requests were read whatever their state. */
    branches: p.json<readonly string[]>(),
    /** How many requests the last sweep took of the forge's allowance, and how many an hour that is, if it says so. */
    cost: p.integer(),
    allowance: p.integer().nullable(),
    /** The repository on the same forge that it was forked from: its branches' pull requests may live there. */
    parent: p.string().nullable(),
    /** What the credential may not see; null if nothing is missing. */
    warning: p.text().nullable(),
    createdAt: p.bigint('number'),
  },
  indexes: [
    { name: 'repository_by_due', properties: ['dueAt'] },
    { name: 'repository_by_place', properties: ['place'] },
    { name: 'repository_by_connection', properties: ['connection'] },
  ],
  uniques: [{ name: 'repository_address', properties: ['address'] }],
});
/** A repository as stored. */
export type StoredRepository = Row<typeof RepositoryEntity>;
