import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** Where the value of a secret comes from, on the agent's host. `sealed` holds it encrypted. */
export type SecretSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: readonly string[] }
  | { readonly sealed: string };

/** A secret of a profile: the variable that agents get it in, and its source. */
export interface StoredSecret {
  readonly variable: string;
  readonly source: SecretSource;
}

/** A profile: variables, secrets by reference, and the account that the agents' CLI uses. */
export const ProfileEntity = defineEntity({
  name: 'Profile',
  tableName: 'profile',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    /** Each as `NAME=value`. */
    environment: p.json<readonly string[]>(),
    secrets: p.json<readonly StoredSecret[]>(),
    /** The folder of the CLI; empty if it is the usual one. */
    home: p.text(),
    account: p.string(),
    /** Milliseconds since 1970. */
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
  indexes: [{ name: 'profile_by_update', properties: ['updatedAt', 'id'] }],
  uniques: [{ name: 'profile_name', properties: ['name'] }],
});
export type StoredProfile = Row<typeof ProfileEntity>;
