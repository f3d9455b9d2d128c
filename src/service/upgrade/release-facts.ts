import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { ownProtocols, ProtocolRange } from '#contract/wire/protocol-range.ts';
import { version } from '#gateway/http/version.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { worksWith } from '#store/database/executed-migrations.ts';
import { instanceEntities } from '#store/instance/instance-entities.ts';
import { migrations, release } from '#store/migrations/list.ts';

/** How long a copy of muster may take to describe itself, in milliseconds. */
const timeoutMs = 60_000;

const run = promisify(execFile);

/** What another version has to know about one. Later versions may add to it, and never change it. */
const ReleaseFacts = z.object({
  version: z.string(),
  /** The versions of the messages on the bus that it speaks. */
  protocols: ProtocolRange,
  /** The names of its migrations. */
  migrations: z.array(z.string()),
  /** The versions of its machines' snapshots, by machine. */
  snapshots: z.record(z.string(), z.int()),
});
export type ReleaseFacts = z.infer<typeof ReleaseFacts>;

/** The facts about this version. */
export function ownFacts(): ReleaseFacts {
  return {
    version,
    protocols: ownProtocols,
    migrations: migrations.map(({ name }) => name),
    snapshots: Object.fromEntries(
      Object.keys(instanceEntities).map((name) => [name, snapshotUpgrades.versionOf(name)]),
    ),
  };
}

/** Asks a copy of muster in a folder for the facts about it. @throws UPGRADE_NOT_POSSIBLE when it does not run here */
export async function factsOf(folder: string): Promise<ReleaseFacts> {
  const argv = [join(folder, 'bin', 'muster.mjs'), 'upgrade', '--describe'];
  try {
    const { stdout } = await run(process.execPath, argv, { timeout: timeoutMs });
    return ReleaseFacts.parse(JSON.parse(stdout));
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Failure(
      'UPGRADE_NOT_POSSIBLE',
      `Nothing was changed: the new version does not run here${said === '' ? '' : `: ${said.slice(0, 1_000)}`}`,
      { cause: error },
    );
  }
}

/**
 * Whether this version cannot work with the database once the next one has opened it, because that changes tables or machines'
 * snapshots in a way that this version does not know.
 */
export function changesTables(next: ReleaseFacts, own = ownFacts()): boolean {
  const known = new Set(own.migrations);
  return (
    next.migrations.some((name) => !known.has(name) && !worksWith(release, name)) ||
    Object.entries(next.snapshots).some(([machine, number]) => number !== (own.snapshots[machine] ?? 0))
  );
}
