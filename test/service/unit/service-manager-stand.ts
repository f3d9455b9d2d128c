import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands in for the programs of systemd: it notes how they are called. */
export interface ServiceManagerStand {
  /** A PATH with these programs first. */
  readonly path: string;
  readonly calls: () => string[];
}

/** Puts such programs into a folder; a call of `systemctl` that contains `fails` fails. Each prints what `says` has for it. */
export function standForSystemd(
  folder: string,
  fails = '',
  says: Readonly<Record<string, string>> = {},
): ServiceManagerStand {
  const bin = join(folder, `bin-${fails || 'well'}`);
  const log = join(bin, 'calls');
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  const failing = fails === '' ? '' : `case "$*" in *${fails}*) echo "${fails} is refused" >&2; exit 1;; esac\n`;
  for (const name of ['systemctl', 'loginctl', 'journalctl']) {
    const printing = says[name] === undefined ? '' : `printf '%s\\n' '${says[name]}'\n`;
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${failing}${printing}`, { mode: 0o700 });
  }
  return {
    path: `${bin}:${process.env['PATH'] ?? ''}`,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  };
}
