import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where muster is, and who calls. */
export interface Address {
  /** The address of a gateway, such as `http://127.0.0.1:7433`. */
  readonly url: string;
  readonly token: string;
}

/**
 * The address and token of the environment, as the command `muster` finds them. In an agent’s pane these are the
 * agent’s own (`SERVICE_BASE_URL`, `SERVICE_TOKEN`). Elsewhere it is the service of this computer (`MUSTER_URL` or
 * `MUSTER_PORT`) and the operator’s token in the state folder (`MUSTER_HOME`).
 * @throws Error when there is no token, or others than its owner can read its file
 */
export function fromEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): Address {
  const named = env['SERVICE_BASE_URL'] || env['MUSTER_URL'] || `http://127.0.0.1:${env['MUSTER_PORT'] || 7433}`;
  if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol)) {
    throw new Error(`The address of muster is ${JSON.stringify(named)}: it must begin with http:// or https://`);
  }
  const url = named.replace(/\/+$/, '');
  if (env['SERVICE_TOKEN']) return { url, token: env['SERVICE_TOKEN'] };
  if (env['SERVICE_AGENT_ID']) {
    throw new Error('SERVICE_AGENT_ID is set and SERVICE_TOKEN is not: an agent never acts as the operator');
  }
  return { url, token: operatorToken(join(stateFolder(env), 'operator.token')) };
}

function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'] || homedir();
  const named = env['MUSTER_HOME'];
  if (!named) return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'muster');
  return named.startsWith('~/') ? join(home, named.slice(2)) : resolve(named);
}

function operatorToken(file: string): string {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch (cause) {
    throw new Error(`There is no readable token in ${file}: start muster first, or set MUSTER_HOME`, { cause });
  }
  try {
    if ((fstatSync(opened).mode & 0o077) !== 0) {
      throw new Error(`Others than its owner can use ${file}: run chmod 600 on it, then muster token rotate`);
    }
    return readFileSync(opened, 'utf8').trim();
  } finally {
    closeSync(opened);
  }
}
