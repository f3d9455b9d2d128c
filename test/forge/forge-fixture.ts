import { expect } from 'chai';
import type { ForgeKind } from '#contract/forge/forge.ts';
import type { ForgeClient } from '#world/forge/forge-client.ts';
import { ForgeError, type ForgeErrorKind } from '#world/forge/forge-error.ts';
import { openForge } from '#world/forge/open-forge.ts';
import { bitbucketDouble } from './doubles/bitbucket.ts';
import type { Double } from './doubles/double.ts';
import { giteaDouble } from './doubles/gitea.ts';
import { githubDouble } from './doubles/github.ts';
import { gitlabDouble } from './doubles/gitlab.ts';
import { type DoubleServer, serveDouble } from './doubles/server.ts';
import { ForgeWorld } from './doubles/world.ts';

/** The fakes of all four forges. */
export const doubles: Readonly<Record<ForgeKind, (world: ForgeWorld) => Double>> = {
  github: githubDouble,
  gitlab: gitlabDouble,
  gitea: giteaDouble,
  bitbucket: bitbucketDouble,
};

/** A fake forge on loopback, and a client of it with a test clock. */
export interface ForgeFixture {
  readonly kind: ForgeKind;
  readonly world: ForgeWorld;
  readonly server: DoubleServer;
  /** Milliseconds since 1970, as the client has it. */
  now: number;
  readonly client: ForgeClient;
  /** A client with another credential, or another address. */
  clientWith(over: { readonly credential?: string; readonly root?: string; readonly timeoutMs?: number }): ForgeClient;
  close(): Promise<void>;
}

/** Starts both. Answers may take 20 s, as on a busy machine, and hold 512 KiB. */
export async function forgeFixture(kind: ForgeKind): Promise<ForgeFixture> {
  const world = new ForgeWorld();
  const server = await serveDouble(doubles[kind](world));
  const clientWith: ForgeFixture['clientWith'] = ({
    credential = world.token,
    root = server.address,
    timeoutMs = 20_000,
  }) =>
    openForge({
      kind,
      host: 'forge.test',
      root,
      credential: async () => credential,
      now: () => fixture.now,
      limits: { timeoutMs, maxBytes: 512 * 1024 },
    });
  const fixture: ForgeFixture = {
    kind,
    world,
    server,
    now: Date.parse('2026-11-21T12:00:00Z'),
    client: clientWith({}),
    clientWith,
    close: () => server.close(),
  };
  return fixture;
}

/** The error of a call to a forge. Fails the test if there is none. */
export async function forgeErrorOf(asking: Promise<unknown>): Promise<ForgeError> {
  const outcome = await asking.then(
    () => 'an answer',
    (error: unknown) => error,
  );
  expect(outcome).instanceOf(ForgeError);
  return outcome as ForgeError;
}

/** As `forgeErrorOf`, of a kind. */
export async function refusedAs(kind: ForgeErrorKind, asking: Promise<unknown>): Promise<ForgeError> {
  const error = await forgeErrorOf(asking);
  expect(error.kind, error.message).equal(kind);
  return error;
}
