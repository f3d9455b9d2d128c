import type { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { forgeKinds } from '#contract/forge/forge.ts';
import {
  checkForgeConnection,
  createForgeConnection,
  deleteForgeConnection,
  listForgeConnections,
} from '#contract/operations/forge.ts';
import { quoted } from '#contract/quoted.ts';
import type { CredentialSource, StoredForgeConnection } from '#store/forge/forge-connection-entity.ts';
import { isCredential } from '#world/forge/credential.ts';
import { forgeHost, forgeRoot } from '#world/forge/forge-address.ts';
import { ForgeError } from '#world/forge/forge-error.ts';
import { isFixedPath } from '#world/process/secret-source.ts';
import { asking } from './asking.ts';
import { connectionOf, findConnection, kindNames } from './connection-resource.ts';
import type { ForgeScope } from './forge-scope.ts';
import type { ManagedForges } from './forges.ts';

type ConnectionRequest = z.output<typeof createForgeConnection.request>;

/** Lists connections, without their credentials. */
export const listForgeConnectionsHandler = handler(listForgeConnections, (_request, _caller, { store }) =>
  store.read(async ({ forgeConnections }) => ({ connections: (await forgeConnections.all()).map(connectionOf) })),
);

/** Connects a forge without sending it a request: the check does that. */
export const createForgeConnectionHandler = handler(
  createForgeConnection,
  async (request, _caller, scope: ForgeScope) => {
    const { store, ids, clock, forges } = scope;
    const kind = forgeKinds.find((one) => kindNames[one] === request.kind);
    if (kind === undefined) {
      throw new Failure('INVALID_FIELD', `kind is ${request.kind}: give ${Object.values(kindNames).join(', ')}`, {
        field: 'kind',
      });
    }
    const host = forgeHost(request.host);
    const id = ids.id('fgc');
    const connection: StoredForgeConnection = {
      id,
      host,
      kind,
      root: forgeRoot(kind, host, request.baseAddress ?? ''),
      credential: credentialOf(request, id, forges),
      createdAt: clock.now(),
    };
    await store.write(async ({ forgeConnections, facts }) => {
      const other = await forgeConnections.findByHost(host);
      if (other !== undefined) {
        throw new Failure(
          'FORGE_CONNECTION_EXISTS',
          `The host ${quoted(host)} has the connection ${other.id} already: delete that one first`,
          { field: 'host', metadata: { connectionId: other.id } },
        );
      }
      await forgeConnections.insert(connection);
      await facts.append([{ kind: 'forge.connected', subjectId: id, detail: { host, kind } }]);
    });
    return { connection: connectionOf(connection) };
  },
);

/** Removes a connection. */
export const deleteForgeConnectionHandler = handler(deleteForgeConnection, ({ connectionId }, _caller, { store }) =>
  store.write(async (tables) => {
    const { id, host, kind } = await findConnection(tables, connectionId);
    await tables.forgeConnections.remove(id);
    await tables.facts.append([{ kind: 'forge.disconnected', subjectId: id, detail: { host, kind } }]);
    return {};
  }),
);

/** Asks a forge which user its credential belongs to. */
export const checkForgeConnectionHandler = handler(
  checkForgeConnection,
  async ({ connectionId }, _caller, scope: ForgeScope) => {
    const connection = await scope.store.read((tables) => findConnection(tables, connectionId));
    const { client } = scope.forges.open(connection);
    const { login, warnings, quota } = await asking((signal) => client.check({ signal }).catch(orNotThere));
    return {
      login,
      warnings: [...warnings],
      ...(quota && {
        quotaRemaining: String(quota.remaining),
        quotaLimit: String(quota.limit),
        quotaResetAt: timeOf(quota.resetAt),
      }),
    };
  },
);

/** The request names no repository, so NOT_FOUND means that the forge or the right to use it is missing. */
function orNotThere(error: unknown): never {
  if (!(error instanceof ForgeError) || error.kind !== 'not_found') throw error;
  throw new Failure(
    'FORGE_REFUSED',
    'The server at the base address is not a forge of that kind, or gives this credential no access: check the address, the ' +
      'kind and the rights of the credential',
  );
}

/** The source of a credential. An error never repeats it: it may be the credential itself, in the wrong field. */
function credentialOf(given: ConnectionRequest, id: string, forges: ManagedForges): CredentialSource {
  const { credential, credentialEnv: env, credentialFile: file, credentialCommand: command = [] } = given;
  const count = [credential, env, file, command.length > 0].filter(Boolean).length;
  const refuse = (why: string): Failure => new Failure('INVALID_FIELD', why, { field: 'credential' });
  if (count !== 1) {
    throw refuse(
      `${count === 0 ? 'No credential is' : 'More than one credential is'} given: give exactly one of credential, ` +
        'credentialEnv, credentialFile and credentialCommand',
    );
  }
  if (env) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(env)) return { env };
    throw refuse('credentialEnv is not a name of an environment variable: give one such as GITHUB_TOKEN');
  }
  if (file) {
    if (isFixedPath(file) && !file.includes('\0')) return { file };
    throw refuse('credentialFile is not an absolute path, nor does it begin with ~/');
  }
  if (command.length > 0) {
    if (command[0] !== '' && !command.some((word) => word.includes('\0'))) return { command };
    throw refuse('credentialCommand names no program, or has a NUL character');
  }
  if (credential && isCredential(credential)) return forges.seal(credential, id);
  throw refuse('credential must be one line of visible characters, without spaces');
}
