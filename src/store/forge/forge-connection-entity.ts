import { defineEntity, p } from '@mikro-orm/sql';
import type { ForgeKind } from '#contract/forge/forge.ts';
import type { Row } from '#store/kernel/row.ts';

/** Where the credential of a connection comes from. `sealed` holds it encrypted. */
export type CredentialSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: readonly string[] }
  | { readonly sealed: string };

/** A forge that a person connected. */
export const ForgeConnectionEntity = defineEntity({
  name: 'ForgeConnection',
  tableName: 'forge_connection',
  properties: {
    id: p.string().primary(),
    host: p.string(),
    kind: p.string().$type<ForgeKind>(),
    /** The root of the forge's addresses, without a slash at its end. */
    root: p.text(),
    credential: p.json<CredentialSource>(),
    createdAt: p.bigint('number'),
  },
  uniques: [{ name: 'forge_connection_host', properties: ['host'] }],
});
/** A connection as stored. */
export type StoredForgeConnection = Row<typeof ForgeConnectionEntity>;
