import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { requireClosed } from '#contract/access/secret-file.ts';
import { Failure } from '#contract/failure.ts';
import { traceparentOf } from '#contract/tracer.ts';
import type { CliIo } from './io.ts';

/** The address of the service, and the caller's credentials. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined if there is no operator's token yet. */
  readonly token: string | undefined;
  /** The state folder of the operator's token; undefined for an agent, which has a token in its environment. */
  readonly home?: string;
  /** The trace that the command is part of, as a W3C traceparent. */
  readonly trace?: string;
}

/** The file of a state folder that contains the operator's token. */
export const tokenFile = 'operator.token';

/** The state folder if MUSTER_HOME is unset: `muster` in XDG_STATE_HOME or `~/.local/state`. */
export function defaultStateFolder(env: CliIo['env']): string {
  return join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'muster');
}

/**
 * The state folder: MUSTER_HOME, else the default one.
 * @throws INVALID_SETTING when MUSTER_HOME is empty, because the default may be another installation
 */
export function stateFolder({ env, cwd }: Pick<CliIo, 'env' | 'cwd'>): string {
  const named = env['MUSTER_HOME'];
  if (named !== undefined && named.trim() === '')
    throw new Failure('INVALID_SETTING', `MUSTER_HOME is ${JSON.stringify(named)}: name the state folder, or unset it`);
  if (named === undefined) return defaultStateFolder(env);
  return named.startsWith('~/') ? join(env['HOME'] || homedir(), named.slice(2)) : resolve(cwd, named);
}

/** Whether an agent or its script runs the command: muster sets the agent's id and a token in their environment. */
export function actsAsAgent({ env }: Pick<CliIo, 'env'>): boolean {
  return Boolean(env['SERVICE_TOKEN'] || env['SERVICE_AGENT_ID']);
}

/**
 * The connection of a command: in an agent's pane, the address and token from its environment; else the service on this
 * computer and the operator's token.
 * @throws UNAUTHENTICATED when an agent has no token, because it must not act as the operator
 */
export function findConnection(io: CliIo): Connection {
  const { env } = io;
  const baseUrl = baseUrlFrom(env);
  const traceparent = traceparentOf(env['TRACEPARENT']);
  const trace = traceparent === undefined ? {} : { trace: traceparent };
  if (env['SERVICE_TOKEN']) return { baseUrl, token: env['SERVICE_TOKEN'], ...trace };
  if (env['SERVICE_AGENT_ID']) {
    throw new Failure(
      'CREDENTIAL_MISSING',
      `SERVICE_AGENT_ID is ${env['SERVICE_AGENT_ID']} and SERVICE_TOKEN is unset: run muster in the agent’s own ` +
        'pane, or have a person run `muster token` for this agent and set SERVICE_TOKEN to what it prints',
    );
  }
  const home = stateFolder(io);
  return { baseUrl, token: readToken(join(home, tokenFile)), home, ...trace };
}

function baseUrlFrom(env: CliIo['env']): string {
  const named = env['SERVICE_BASE_URL'] || env['MUSTER_URL'];
  const url = URL.parse(named || `http://127.0.0.1:${env['MUSTER_PORT'] || 7433}`);
  if (!named && env['MUSTER_PORT'] === '0') {
    throw new Failure(
      'INVALID_SETTING',
      'MUSTER_PORT is 0, which lets the service take any free port: set MUSTER_URL to the address that muster start printed',
    );
  }
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  const variable = env['SERVICE_BASE_URL'] ? 'SERVICE_BASE_URL' : env['MUSTER_URL'] ? 'MUSTER_URL' : 'MUSTER_PORT';
  throw new Failure(
    'INVALID_SETTING',
    `${variable} is ${JSON.stringify(env[variable])}: it must be ` +
      (variable === 'MUSTER_PORT' ? 'a port such as 7433' : 'an http or https address such as http://127.0.0.1:7433'),
  );
}

function readToken(file: string): string | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      const token = readFileSync(opened, 'utf8').trim();
      const { mode, uid } = fstatSync(opened);
      requireClosed({ path: file, mode, uid, reader: process.getuid?.() });
      return token || undefined;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Failure('FILE_UNREADABLE', `${file}, the operator's token, cannot be read: run muster as its owner`, {
      cause: error,
    });
  }
}
