import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { requireClosed } from '#contract/access/secret-file.ts';
import { Failure } from '#contract/failure.ts';
import { traceparentOf } from '#contract/tracer.ts';
import type { CliIo } from './io.ts';

/** How the service is reached, and as whom. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined if the operator's token was not made yet. */
  readonly token: string | undefined;
  /** The state folder that the operator's token was looked for in; undefined for an agent, whose pane was given one. */
  readonly home?: string;
  /** The trace that the command is part of, as W3C's traceparent. */
  readonly trace?: string;
}

/** The file of a state folder that holds the operator's token. */
export const tokenFile = 'operator.token';

/** The state folder: MUSTER_HOME, else `muster` in XDG_STATE_HOME or `~/.local/state`. */
export function stateFolder({ env, cwd }: CliIo): string {
  const home = env['HOME'] || homedir();
  const named = env['MUSTER_HOME'];
  if (!named) return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'muster');
  return named.startsWith('~/') ? join(home, named.slice(2)) : resolve(cwd, named);
}

/** Whether an agent runs the command, or a script of it: muster gives both their id, and a token. */
export function actsAsAgent({ env }: Pick<CliIo, 'env'>): boolean {
  return Boolean(env['SERVICE_TOKEN'] || env['SERVICE_AGENT_ID']);
}

/**
 * In an agent's pane the address and the token that the pane was given; else the service on this machine and the
 * operator's token. An agent without a token is refused: it must not pass for the operator.
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
      `SERVICE_AGENT_ID is ${env['SERVICE_AGENT_ID']} and SERVICE_TOKEN is unset: run muster in the agent’s own  ` +
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
      requireClosed({ path: file, mode: fstatSync(opened).mode });
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
