import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ScheduledBackups } from '#contract/backup/scheduled-backups.ts';
import type { Config } from '#contract/process-context.ts';
import { mainFile } from '#service/state-folder.ts';
import { runGroup } from '#world/process/group/process-group.ts';
import { removeOldBackups, repeatedName } from './repeated-backups.ts';

/** The minimum time limit of a backup, and the time for its clean-up after the end, in milliseconds. */
const [minTimeoutMs, graceMs] = [3_600_000, 2_000];
/** How much of an error message is kept, in characters. */
const maxWhy = 1_000;

/**
 * The scheduled backups that the settings ask for; undefined if they ask for none. `environment` has these settings.
 * Each is made by `muster backup` in a process of its own, because copying a database would keep a registry from
 * answering.
 */
export function scheduledBackups(
  { backups, home }: Config,
  environment: NodeJS.ProcessEnv,
): ScheduledBackups | undefined {
  if (backups === undefined) return undefined;
  const { everyMs, folder, keep, passphraseFile } = backups;
  return {
    everyMs,
    async make(now, signal) {
      const path = join(folder, repeatedName(now));
      const encryption = passphraseFile === undefined ? [] : ['--passphrase-file', passphraseFile];
      let said = '';
      try {
        const { exitCode, timedOut } = await runGroup({
          file: process.execPath,
          args: [mainFile, 'backup', ...encryption, path],
          cwd: home,
          env: { ...withoutGaps(environment), MUSTER_HOME: home },
          timeoutMs: Math.max(minTimeoutMs, everyMs),
          graceMs,
          signal,
          onStdout: () => {},
          onStderr: (chunk) => {
            said = (said + chunk.toString()).slice(-maxWhy);
          },
        });
        if (exitCode !== 0) return { why: said.trim() || (timedOut ? 'it took too long' : 'it was ended by a signal') };
        removeOldBackups(folder, keep);
        return { path, bytes: statSync(path).size };
      } catch (error) {
        return { why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

function withoutGaps(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
