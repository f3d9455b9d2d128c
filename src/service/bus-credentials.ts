import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';

/** How a process joins the bus. */
export interface BusAccess {
  readonly busUrl: string;
  readonly busUser: string;
  readonly busPassword: string;
}

const passwords = z.record(z.string(), z.string());

/**
 * How a user joins the configured bus: its password stands in the credentials file, else user and password stand in the
 * address itself.
 * @throws Failure `failed_precondition` where there is no bus, or no password for the user.
 */
export function busAccess(config: Config, user: string): BusAccess {
  if (config.busUrl === undefined) {
    throw new Failure(
      'failed_precondition',
      `MUSTER_BUS_URL is unset, so the ${user} has no bus to join. Set it, or run \`muster start\`, which brings a bus.`,
    );
  }
  const addresses = config.busUrl.split(',').map((address) => new URL(address.trim()));
  const busUrl = addresses.map((address) => `${address.protocol}//${address.host}`).join(',');
  const { username = '', password = '' } = addresses[0] ?? {};
  if (config.busCredentialsFile !== undefined) {
    return { busUrl, busUser: user, busPassword: passwordFrom(config.busCredentialsFile, user) };
  }
  if (username === '') {
    throw new Failure(
      'failed_precondition',
      `The bus needs a password for the user ${user}: name a file in MUSTER_BUS_CREDENTIALS that holds ` +
        `{"${user}": "<password>"} and that only you can read, or write ${user}:<password>@ into MUSTER_BUS_URL.`,
    );
  }
  return { busUrl, busUser: decodeURIComponent(username), busPassword: decodeURIComponent(password) };
}

function passwordFrom(file: string, user: string): string {
  let found: string | undefined;
  try {
    found = passwords.parse(JSON.parse(readFileSync(file, 'utf8')))[user];
  } catch (error) {
    throw new Failure('failed_precondition', `${file} (MUSTER_BUS_CREDENTIALS) is not a JSON object of passwords.`, {
      cause: error,
    });
  }
  if (found === undefined) {
    throw new Failure('failed_precondition', `${file} (MUSTER_BUS_CREDENTIALS) has no password for the user ${user}.`);
  }
  return found;
}
