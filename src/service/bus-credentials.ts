import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { readSecretFile } from '#world/file/private-file.ts';

/** The address and credentials with which a process joins the bus. */
export interface BusAccess {
  readonly busUrl: string;
  readonly busUser: string;
  readonly busPassword: string;
  /** The authority's certificates in PEM; undefined for the system's authorities. */
  readonly busAuthority: string | undefined;
}

const passwords = z.record(z.string(), z.string());

/**
 * The access of a user to the configured bus. The password comes from the credentials file, else from the address.
 * @throws FAILED_PRECONDITION when no bus is configured, when there is no password for the user or others may read it,
 *   or when the named authority is missing
 */
export function busAccess(config: Config, user: string): BusAccess {
  if (config.busUrl === undefined) {
    throw new Failure(
      'BUS_NOT_CONFIGURED',
      `MUSTER_BUS_URL is unset, so the ${user} has no bus to join. Set it, or run \`muster start\`, which runs its own bus.`,
    );
  }
  const addresses = config.busUrl.split(',').map((address) => new URL(address.trim()));
  const busUrl = addresses.map((address) => `${address.protocol}//${address.host}`).join(',');
  const { username = '', password = '' } = addresses[0] ?? {};
  const busAuthority = busAuthorityIn(config);
  if (config.busCredentialsFile !== undefined) {
    return { busUrl, busUser: user, busPassword: passwordFrom(config.busCredentialsFile, user), busAuthority };
  }
  if (username === '') {
    throw new Failure(
      'BUS_NOT_CONFIGURED',
      `The bus needs a password for the user ${user}: name a file in MUSTER_BUS_CREDENTIALS that contains ` +
        `{"${user}": "<password>"} and that only you can read, or write ${user}:<password>@ into MUSTER_BUS_URL.`,
    );
  }
  return { busUrl, busUser: decodeURIComponent(username), busPassword: decodeURIComponent(password), busAuthority };
}

function passwordFrom(file: string, user: string): string {
  let found: string | undefined;
  try {
    found = passwords.parse(JSON.parse(readSecretFile(file) ?? ''))[user];
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('BUS_NOT_CONFIGURED', `${file} (MUSTER_BUS_CREDENTIALS) is not a JSON object of passwords.`, {
      cause: error,
    });
  }
  if (found === undefined) {
    throw new Failure('BUS_NOT_CONFIGURED', `${file} (MUSTER_BUS_CREDENTIALS) has no password for the user ${user}.`);
  }
  return found;
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
