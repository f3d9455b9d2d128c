import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { Failure } from '#contract/failure.ts';
import type { ForgeKind } from '#contract/forge/forge.ts';
import type { ForgeConnection, ForgeKindName } from '#contract/forge/forge-connection.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredForgeConnection } from '#store/forge/forge-connection-entity.ts';
import type { Tables } from '#store/tables.ts';

/** The kinds in the contract. */
export const kindNames: Readonly<Record<ForgeKind, ForgeKindName>> = {
  github: 'FORGE_KIND_GITHUB',
  gitlab: 'FORGE_KIND_GITLAB',
  gitea: 'FORGE_KIND_GITEA',
  bitbucket: 'FORGE_KIND_BITBUCKET',
};

/** A connection as clients see it: never with a credential. */
export function connectionOf({ id, host, kind, root, credential, createdAt }: StoredForgeConnection): ForgeConnection {
  return {
    id,
    host,
    kind: kindNames[kind],
    baseAddress: root,
    ...('env' in credential && { credentialEnv: credential.env }),
    ...('file' in credential && { credentialFile: credential.file }),
    ...('command' in credential && { credentialCommand: [...credential.command] }),
    credentialKept: 'sealed' in credential,
    createdAt: timeOf(createdAt),
  };
}

/**
 * The connection with an id.
 * @throws NOT_FOUND when there is none
 */
export async function findConnection({ forgeConnections }: Tables, id: string): Promise<StoredForgeConnection> {
  const connection = await forgeConnections.find(id);
  if (connection !== undefined) return connection;
  throw new Failure(
    'FORGE_CONNECTION_NOT_FOUND',
    `There is no forge connection ${quoted(id)}: list_forge_connections lists them`,
    { field: 'connectionId', metadata: { connectionId: id } },
  );
}
