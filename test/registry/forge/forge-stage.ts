import type { ForgeConnection } from '#contract/forge/forge-connection.ts';
import { type LogProbe, logProbe } from '#test/bus/log-probe.ts';
import { type Double, transportTo } from '#test/forge/doubles/double.ts';
import { githubDouble } from '#test/forge/doubles/github.ts';
import { ForgeWorld } from '#test/forge/doubles/world.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

/** A connection that was just made. */
export type MadeConnection = ForgeConnection & { readonly id: string };

/** A registry whose forges are all one fake. */
export interface ForgeStage {
  readonly world: ForgeWorld;
  readonly fixture: RegistryFixture;
  readonly log: LogProbe;
  /** The hosts that were dialled. */
  readonly asked: string[];
  /** Answers as GitHub, until a test sets another. */
  double: Double;
  /** Connects `git.forge.test` as a GitHub by the environment variable `FORGE_TOKEN`, unless it is set otherwise. */
  add(given?: object): Promise<MadeConnection>;
  check(connectionId: string): Promise<{ readonly login: string }>;
  connections(): Promise<MadeConnection[]>;
}

/** Starts one; its fixture is to be closed. */
export async function forgeStage(): Promise<ForgeStage> {
  const world = new ForgeWorld();
  const log = logProbe();
  const asked: string[] = [];
  const fixture = await registryFixture({
    // A registry learns that a forge refuses a credential when it is refused itself.
    registries: 1,
    log,
    environment: { FORGE_TOKEN: world.token },
    forgeTransport: transportTo((request) => {
      asked.push(request.url.host);
      return stage.double(request);
    }),
  });
  const stage: ForgeStage = {
    world,
    fixture,
    log,
    asked,
    double: githubDouble(world),
    async add(given = {}) {
      const request = { host: 'git.forge.test', kind: 'FORGE_KIND_GITHUB', credentialEnv: 'FORGE_TOKEN', ...given };
      return (await fixture.call<{ connection: MadeConnection }>('CreateForgeConnection', request)).connection;
    },
    check: (connectionId) => fixture.call('CheckForgeConnection', { connectionId }),
    async connections() {
      return (await fixture.call<{ connections?: MadeConnection[] }>('ListForgeConnections')).connections ?? [];
    },
  };
  return stage;
}
