import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import { trustOf } from '#bus/identity/bus-keys.ts';
import { keyIn } from '#bus/identity/credential.ts';
import { revokeOnBus } from '#bus/join/revoke.ts';
import type { BusMember } from '#contract/access/bus-member.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { isThere, readSecretFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { natsTrust } from '#world/net/nats-config.ts';
import { writeCredential } from './bus-credential-file.ts';
import { busAuthorityIn } from './bus-credentials.ts';
import { keepBusKeys, requireBusKeys } from './bus-keys.ts';
import { addRevocations, readRevocations, revocationsFileIn } from './bus-revocations.ts';

const usage = 'muster bus-keys FOLDER [--host NAME [--id ID] | --revoke NAME]';
/** A name that can be a file's. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** The id of a host, as its host.id has it. */
const hostIdForm = /^hst_[0-9A-Za-z]{1,64}$/;

/** The parsed arguments. */
interface BusKeysArguments {
  readonly folder: string;
  readonly host: string | undefined;
  /** The id of the host, if it has one already. */
  readonly id: string | undefined;
  readonly revoke: string | undefined;
}

/** The files of a folder with the keys of a bus. */
const filesIn = (folder: string) => ({
  keys: join(folder, 'bus.keys'),
  trust: join(folder, 'bus-trust.conf'),
  revoked: revocationsFileIn(folder),
});

/**
 * `muster bus-keys FOLDER`: makes what your own NATS server and the processes on it need. What is there already is
 * kept, so that it can be run again for a further host, or to revoke a credential.
 * @throws INVALID_USAGE when the arguments are wrong; KEY_UNREADABLE when the folder's keys are damaged;
 *   BUS_UNAVAILABLE when the servers did not learn of a revocation
 */
export async function runBusKeys(args: readonly string[], config: Config, now: number): Promise<number> {
  const asked = readArguments(args);
  const said =
    asked.revoke === undefined ? await make(asked) : await revoke(asked.folder, asked.revoke, { config, now });
  process.stdout.write(`${said}\n`);
  return 0;
}

async function make({ folder, host, id = `hst_${ulid()}` }: BusKeysArguments): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = filesIn(folder);
  const isNew = !isThere(files.keys);
  const keys = keepBusKeys(files.keys);
  if (isNew || !isThere(files.trust)) {
    writePrivateFile(files.trust, natsTrust(await trustOf(keys, readRevocations(files.revoked))));
  }
  const members: Record<string, BusMember> = { gateway: { kind: 'gateway' } };
  if (host !== undefined) members[host] = { kind: 'host', hostId: id };
  const credentials = Object.entries(members).map(([name, member]) => ({ name: `${name}.creds`, member }));
  for (const { name, member } of credentials) {
    const file = join(folder, name);
    if (isNew || !isThere(file)) await writeCredential(file, keys, member);
  }
  return `${folder} has ${['bus.keys', 'bus-trust.conf', ...credentials.map(({ name }) => name)].join(', ')}`;
}

/** Revokes a credential in the folder, then on the running bus, and removes its file last: it can be repeated. */
async function revoke(
  folder: string,
  name: string,
  { config, now }: { readonly config: Config; readonly now: number },
): Promise<string> {
  const { busUrl: url } = config;
  if (url === undefined) {
    throw new Failure(
      'BUS_NOT_CONFIGURED',
      'MUSTER_BUS_URL is unset: set it to the bus whose servers are to refuse it',
    );
  }
  const files = filesIn(folder);
  const keys = requireBusKeys(files.keys);
  const file = join(folder, `${name}.creds`);
  const publicKey = keyIn(readSecretFile(file) ?? '');
  if (publicKey === undefined) {
    throw new Failure('INVALID_USAGE', `${file} has no credential: name one of ${folder}, without .creds`);
  }
  const revoked = addRevocations(files.revoked, { [publicKey]: Math.floor(now / 1_000) });
  writePrivateFile(files.trust, natsTrust(await trustOf(keys, revoked)));
  await revokeOnBus({ url, authority: busAuthorityIn(config), keys, now }, revoked);
  removePrivateFile(file);
  return `The bus refuses ${name} from now on. Give its servers the new bus-trust.conf before they start again`;
}

function readArguments(args: readonly string[]): BusKeysArguments {
  const { values, positionals } = wordsOf(args);
  const { host, id, revoke: revoked } = values;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    throw new Failure('INVALID_USAGE', `muster bus-keys takes one folder: ${usage}`);
  }
  if ((host !== undefined && revoked !== undefined) || (id !== undefined && host === undefined)) {
    throw new Failure('INVALID_USAGE', `These options do not go together: ${usage}`);
  }
  requireForm('--host', host, isHostName, 'name the host in letters, digits, dots, - and _, and not gateway');
  requireForm('--id', id, (given) => hostIdForm.test(given), 'give what host.id of that host holds, such as hst_01J…');
  requireForm('--revoke', revoked, (given) => plainName.test(given), 'give a name as --host takes it');
  return { folder: resolve(folder), host, id, revoke: revoked };
}

function wordsOf(args: readonly string[]) {
  try {
    const options = { host: { type: 'string' }, id: { type: 'string' }, revoke: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure('INVALID_USAGE', `muster bus-keys cannot read its arguments: ${usage}`, { cause: error });
  }
}

/** @throws INVALID_USAGE when an option is given and has another form */
function requireForm(option: string, given: string | undefined, isFit: (given: string) => boolean, rule: string): void {
  if (given === undefined || isFit(given)) return;
  throw new Failure('INVALID_USAGE', `${option} is ${JSON.stringify(given)}: ${rule}`);
}

function isHostName(name: string): boolean {
  return plainName.test(name) && name !== 'gateway';
}
