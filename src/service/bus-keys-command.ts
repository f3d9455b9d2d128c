import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import { trustOf } from '#bus/identity/bus-keys.ts';
import { Failure } from '#contract/failure.ts';
import type { BusMember } from '#contract/process-context.ts';
import { isThere, writePrivateFile } from '#world/file/private-file.ts';
import { natsTrust } from '#world/net/nats-config.ts';
import { writeCredential } from './bus-credential-file.ts';
import { keepBusKeys } from './bus-keys.ts';

const usage = 'muster bus-keys FOLDER [--host NAME]';
/** A name that can be a file's. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * `muster bus-keys FOLDER [--host NAME]`: makes what your own NATS server and the processes on it need. What is there
 * already is kept, so that it can be run again for a further host.
 * @throws INVALID_USAGE when the arguments are wrong; KEY_UNREADABLE when the folder's keys are damaged
 */
export async function runBusKeys(args: readonly string[]): Promise<number> {
  const { folder, host } = readArguments(args);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [keysFile, trust] = [join(folder, 'bus.keys'), join(folder, 'bus-trust.conf')];
  const isNew = !isThere(keysFile);
  const keys = keepBusKeys(keysFile);
  if (isNew || !isThere(trust)) writePrivateFile(trust, natsTrust(await trustOf(keys)));
  const members: Record<string, BusMember> = { gateway: { kind: 'gateway' } };
  if (host !== undefined) members[host] = { kind: 'host', hostId: `hst_${ulid()}` };
  const files = Object.entries(members).map(([name, member]) => ({ name: `${name}.creds`, member }));
  for (const { name, member } of files) {
    const file = join(folder, name);
    if (isNew || !isThere(file)) await writeCredential(file, keys, member);
  }
  const names = ['bus.keys', 'bus-trust.conf', ...files.map(({ name }) => name)];
  process.stdout.write(`${folder} has ${names.join(', ')}\n`);
  return 0;
}

function readArguments(args: readonly string[]): { readonly folder: string; readonly host: string | undefined } {
  try {
    const options = { host: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (folder !== undefined && more.length === 0) {
      if (values.host === undefined || isHostName(values.host)) return { folder: resolve(folder), host: values.host };
      throw new Failure(
        'INVALID_USAGE',
        `--host is ${JSON.stringify(values.host)}: name the host in letters, digits, dots, - and _, and not gateway`,
      );
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('INVALID_USAGE', `muster bus-keys cannot read its arguments: ${usage}`, { cause: error });
  }
  throw new Failure('INVALID_USAGE', `muster bus-keys takes one folder: ${usage}`);
}

function isHostName(name: string): boolean {
  return plainName.test(name) && name !== 'gateway';
}
