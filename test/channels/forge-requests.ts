import { testForge } from '#test/forge/test-forge.ts';
import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import type { Trial } from './trial.ts';

const nothing = () => ({});

/** A connection to a shared fake GitHub. */
export async function aConnection({ call }: RegistryFixture, host: string): Promise<{ connectionId: string }> {
  const { connections = [] } = await call<{ connections?: { id: string; host: string }[] }>('ListForgeConnections');
  const known = connections.find((one) => one.host === host);
  if (known !== undefined) return { connectionId: known.id };
  const given = { host, kind: 'FORGE_KIND_GITHUB', credential: testForge.token };
  const { connection } = await call<{ connection: { id: string } }>('CreateForgeConnection', given);
  return { connectionId: connection.id };
}

/** Confirms a repository for the workflow that the fixture's agents are in, whose orchestrators then may ask for it. */
export async function confirmed({ call }: RegistryFixture, remoteUrl: string): Promise<void> {
  const { workflows } = await call<{ workflows: { id: string; name: string }[] }>('ListWorkflows', {
    pagination: { pageSize: 200 },
  });
  const { id: workflowId } = workflows.find(({ name }) => name === 'default') ?? {};
  await call('ConfirmRepository', { workflowId, remoteUrl });
}

const noConnection = { request: { connectionId: 'fgc_none' }, code: 'not_found' } as const;

/** How the operations about forges are tried. */
export const forgeTrials: Readonly<Record<string, Trial>> = {
  ListForgePullRequests: {
    request: () => ({ remoteUrl: 'git@github.com:owner/name.git', branch: 'login-fix', pagination: { pageSize: 1 } }),
    prepare: async (fixture) => {
      await aConnection(fixture, 'github.com');
      await confirmed(fixture, 'git@github.com:owner/name.git');
      return {};
    },
    refused: { request: { remoteUrl: 'git@nowhere.test:owner/name' }, code: 'failed_precondition' },
  },
  ListForgeConnections: { request: nothing },
  CreateForgeConnection: {
    request: (agentId) => ({
      host: `${agentId.toLowerCase()}.test`,
      kind: 'FORGE_KIND_GITEA',
      credentialCommand: ['pass', 'show', 'forge'],
    }),
    refused: {
      request: { host: 'a b', kind: 'FORGE_KIND_GITEA', credentialEnv: 'TOKEN' },
      code: 'invalid_argument',
    },
  },
  CheckForgeConnection: {
    request: nothing,
    prepare: (fixture) => aConnection(fixture, 'github.com'),
    refused: noConnection,
  },
  DeleteForgeConnection: {
    request: nothing,
    prepare: (fixture, agentId) => aConnection(fixture, `for-${agentId.toLowerCase()}.test`),
    refused: noConnection,
  },
};
