import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Bus, Endpoint, Served } from '#bus/bus.ts';
import { hostSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { findGitDirectory } from '#world/git/git-directory.ts';
import type { Terminals } from '#world/terminal.ts';
import type { Host } from './host.ts';

/** Answers what the registry asks of this host. */
export function serveCalls(bus: Bus, hostId: string, host: Host, terminals: Terminals): Promise<Served> {
  const answers: Readonly<Record<string, (body: unknown) => Promise<unknown>>> = {
    [hostCalls.attach.verb]: (body) => attach(host, terminals, body),
    [hostCalls.directory.verb]: directory,
  };
  const endpoints = Object.entries(answers).map(
    ([verb, handle]): Endpoint => ({ name: verb, subject: hostSubject(hostId, verb), handle }),
  );
  return bus.serve({ name: 'muster-host', version: '1.0.0', description: 'One machine that agents run on', endpoints });
}

async function attach(host: Host, terminals: Terminals, body: unknown): Promise<{ command: string[] }> {
  const { agentId, readOnly } = parseRequest(hostCalls.attach.request, body);
  const actor = host.actor(agentId);
  const paneId = actor?.context.paneId;
  if (!actor || paneId === undefined) {
    throw new Failure('failed_precondition', `agent ${agentId} has no window: restore it first`);
  }
  return { command: await terminals.attachCommand(actor.record.family, paneId, readOnly) };
}

async function directory(body: unknown): Promise<{ path: string; isDirectory: boolean; isRepository: boolean }> {
  const { path } = parseRequest(hostCalls.directory.request, body);
  const expanded = /^~(\/|$)/.test(path) ? join(homedir(), path.slice(1)) : path;
  if (!isAbsolute(expanded)) {
    throw new Failure('invalid_argument', `the directory ${path} is not absolute: begin it with / or ~/`);
  }
  const real = await realpath(expanded).catch(() => undefined);
  if (real === undefined) return { path: resolve(expanded), isDirectory: false, isRepository: false };
  const isDirectory = (await stat(real)).isDirectory();
  const isRepository = isDirectory && (await findGitDirectory(real))?.workTree !== undefined;
  return { path: real, isDirectory, isRepository };
}
