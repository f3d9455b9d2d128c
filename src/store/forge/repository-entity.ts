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
    /** The address that agents push to: host and path in lower case. */
    address: p.string(),
    /** The same as the first agent spelled it. */
    spelled: p.string(),
    /** Its web address according to the forge, where it may have been renamed since. */
    url: p.string().nullable(),
    /** The web address in the form of `address`. */
    place: p.string().nullable(),
    /** The repository that this is another name for; that one is swept instead. */
    sameAs: p.string().nullable(),
    /** The connection through which it is read; null if its forge is not connected. */
    connection: p.string().name('connection_id').nullable(),
    /** Each commit of its machine increments it, and names the version that it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    // Columns that are derived from the snapshot.
    /** The name of the machine's state. */
    state: p.string(),
    /** When it is due, or when its lease ends. */
    dueAt: p.bigint('number').nullable(),
    // The state between sweeps.
    /** When the last sweep ended; null before the first one has. */
    sweptAt: p.bigint('number').nullable(),
    /** When all open pull requests were last read. */
    wholeAt: p.bigint('number').nullable(),
    /** The forge's mark for a check whether anything has changed since the last sweep, such as an ETag. */
    mark: p.text().nullable(),
    /** When, by the forge's clock, one of the pull requests that were read last changed. */
    newestAt: p.bigint('number').nullable(),
    /** Branches whose pull requests were read in every state. */
    branches: p.json<readonly string[]>(),
    /** How many requests, of the forge's rate limit, a usual sweep takes. */
    cost: p.integer(),
    /** The rate limit, in requests per hour; null if the forge does not report it. */
    allowance: p.integer().nullable(),
    /** The repository on the same forge that it was forked from. Its branches' pull requests may be there. */
    parent: p.string().nullable(),
    /** The data that the credential may not read; null if nothing is missing. */
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
