import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { databaseEngine } from '#actors/registry/database-engine.ts';
import { databaseIn } from '#actors/registry/installation-files.ts';
import type { Client } from '#cli/client/client.ts';
import { clientOf } from '#cli/client/client.ts';
import { findConnection } from '#cli/client/connection.ts';
import { processIo } from '#cli/client/io.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { copyDatabase } from '#store/sqlite/database-copy.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import type { OtherHost } from './skew.ts';

/** The service of this installation, as its operator. */
export function ownService(config: Config): Client {
  const env = { MUSTER_URL: config.baseUrl, ...process.env, MUSTER_HOME: config.home };
  return clientOf(findConnection({ ...processIo(), env }));
}

/**
 * The hosts on other machines, from the service that runs.
 * @throws UPGRADE_NOT_POSSIBLE when it does not answer
 */
export async function hostsOfService(client: Client, ownId: string | undefined): Promise<readonly OtherHost[]> {
  try {
    const { hosts = [] } = await client.call('host.v1.HostService/ListHosts', {});
    return hosts
      .filter(({ id }) => id !== ownId)
      .map(({ name = '', musterVersion, protocol }) => ({ name, version: musterVersion, protocol }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'UPGRADE_NOT_POSSIBLE',
      `Nothing was changed: muster runs, and does not say which hosts it has: ${error.message}. If it has another address, set ` +
        'MUSTER_URL or MUSTER_PORT as for other commands',
      { cause: error },
    );
  }
}

/** The hosts on other machines, from the database of an installation that does not run, which stays unchanged. */
export async function hostsOfDatabase(config: Config, ownId: string | undefined): Promise<readonly OtherHost[]> {
  const { tmp } = prepareStateFolder(config.home);
  const folder = mkdtempSync(join(tmp, 'hosts-'));
  try {
    const store = await openStore({
      engine: databaseAddress(config) === undefined ? copiedEngine(config.home, folder) : databaseEngine(config),
      clock: systemTimer,
      viewOf,
      upgrades: snapshotUpgrades,
    });
    const hosts = await store.read((tables) => tables.hosts.all()).finally(() => store.close());
    return hosts
      .filter(({ id }) => id !== ownId)
      .map(({ name, condition }) => ({ name, version: condition?.musterVersion, protocol: condition?.protocol }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copiedEngine(home: string, folder: string): SqliteEngine {
  const copy = join(folder, 'muster.db');
  copyDatabase(databaseIn(home), copy);
  return new SqliteEngine(copy);
}
