import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certify, makeMemberKey, memberNamed } from '#bus/identity/bus-keys.ts';
import { nameIn, readCredential } from '#bus/identity/credential.ts';
import type { BusMember, BusUser } from '#contract/access/bus-member.ts';
import { Failure } from '#contract/failure.ts';
import type { BusCredential, Config } from '#contract/process-context.ts';
import { readSecretFile } from '#world/file/private-file.ts';
import { requireBusKeys } from './bus-keys.ts';

/** The address and credential with which a process joins the bus. */
export interface BusAccess {
  readonly busUrl: string;
  readonly busMember: BusMember;
  readonly busCredential: BusCredential;
  /** The authority's certificates in PEM; undefined for the system's authorities. */
  readonly busAuthority: string | undefined;
}

/**
 * The access of a process to the configured bus. A registry and its health check certify themselves, because
 * they have the keys of the bus; any other process has a credential of its own in a file.
 * @throws FAILED_PRECONDITION when no bus is configured, when there is no credential for this kind of process or others
 *   may read it, or when the named authority is missing
 */
export async function busAccess(config: Config, kind: BusUser): Promise<BusAccess> {
  if (config.busUrl === undefined) {
    throw new Failure(
      'BUS_NOT_CONFIGURED',
      `MUSTER_BUS_URL is unset, so the ${kind} has no bus to join. Set it, or run \`muster start\`, which runs its own bus.`,
    );
  }
  const addresses = config.busUrl.split(',').map((address) => new URL(address.trim()));
  if (addresses.some(({ username }) => username !== '')) {
    throw new Failure(
      'BUS_NOT_CONFIGURED',
      'MUSTER_BUS_URL has a user in it, and muster joins by credentials alone: leave the user out, and name a file in ' +
        'MUSTER_BUS_CREDENTIALS.',
    );
  }
  const busUrl = addresses.map((address) => `${address.protocol}//${address.host}`).join(',');
  const busAuthority = busAuthorityIn(config);
  const busCredential = hasKeys(kind) ? await selfCertified(config, kind) : credentialIn(config, kind);
  const busMember = hasKeys(kind) ? { kind } : memberNamed(nameIn(busCredential.jwt()) ?? kind);
  return { busUrl, busMember, busCredential, busAuthority };
}

/** The file with the keys of the bus: the configured one, or the state folder's. */
export function busKeysFileOf({ busKeysFile, home }: Pick<Config, 'busKeysFile' | 'home'>): string {
  return busKeysFile ?? join(home, 'bus.keys');
}

/** Whether a kind of process runs where the keys of the bus are: the registry, and what looks at its health. */
function hasKeys(kind: BusUser): boolean {
  return kind === 'registry' || kind === 'start';
}

async function selfCertified(config: Config, kind: BusUser): Promise<BusCredential> {
  const keys = requireBusKeys(busKeysFileOf(config));
  const { publicKey, seed } = makeMemberKey();
  const jwt = await certify(keys, { kind }, publicKey);
  return { jwt: () => jwt, seed };
}

function credentialIn({ busCredentialsFile: file }: Config, kind: BusUser): BusCredential {
  const refuse = (why: string) => new Failure('BUS_NOT_CONFIGURED', why);
  if (file === undefined) {
    throw refuse(`The ${kind} needs a credential for the bus: name its file in MUSTER_BUS_CREDENTIALS.`);
  }
  const found = readCredential(readSecretFile(file) ?? '');
  if (found === undefined) {
    throw refuse(`${file} (MUSTER_BUS_CREDENTIALS) has no credential of the bus, with a certificate and a key.`);
  }
  const name = nameIn(found.jwt()) ?? '';
  if (memberNamed(name).kind !== kind)
    throw refuse(`${file} (MUSTER_BUS_CREDENTIALS) is the credential of ${name}, and not of a ${kind}.`);
  // The host renews it in the file.
  return { jwt: () => readCredential(readSecretFile(file) ?? '')?.jwt() ?? found.jwt(), seed: found.seed };
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of the bus's configured authority; undefined if none is configured.
 * @throws FAILED_PRECONDITION when its file cannot be read or has no certificate
 */
export function busAuthorityIn({ busAuthorityFile: file }: Pick<Config, 'busAuthorityFile'>): string | undefined {
  if (file === undefined) return undefined;
  const refuse = (why: string, cause?: unknown) =>
    new Failure('BUS_NOT_CONFIGURED', `${file} (MUSTER_BUS_CA) ${why}.`, { cause });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw refuse(`cannot be read (${code}): name the PEM file of the CA that signed the bus’s certificate`, error);
  }
  const found = text.match(certificate);
  if (found === null) throw refuse('has no certificate in PEM: name the file of the CA’s certificate, not its key');
  try {
    for (const one of found) new X509Certificate(one);
  } catch (error) {
    throw refuse('has a certificate that cannot be read: create the file again', error);
  }
  return found.join('\n');
}
