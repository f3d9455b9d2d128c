import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { noHost } from '#cli/find/no-host.ts';
import { counted } from '#cli/print/counted.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { Failure } from '#contract/failure.ts';
import type { Host } from '#contract/host/host.ts';
import { printable } from '#contract/printable.ts';

interface RemoveFlags extends OutputFlags {
  readonly now?: boolean;
  readonly yes?: boolean;
}

/** How many agents are named. */
const maxNamed = 10;

/** `muster host remove`. */
export function defineRemove(command: Command, session: Parameters<Define>[1]): void {
  command
    .command('remove <host>')
    .summary('remove a host permanently')
    .description(
      'Removes a host that joined by an invitation. Its keys are refused permanently, and its connection ends within a second. Says what ' +
        'happens to its agents, and asks first.',
    )
    .option('--now', 'even if it has agents, which are left behind')
    .option('-y, --yes', 'do not ask')
    .addOption(outputOption())
    .action((hostId: string, flags: RemoveFlags) => remove(session, hostId, flags));
}

async function remove({ io, client: connect }: Session, hostId: string, flags: RemoveFlags): Promise<void> {
  const client = connect();
  const { now = false } = flags;
  const { hosts = [] } = await client.call('host.v1.HostService/ListHosts', {});
  const host = hosts.find(({ id, name }) => id === hostId || name === hostId);
  if (host === undefined) throw noHost(hostId);
  if (!flags.yes) await requireYes(io, hostId, await consequences(client, host, now));
  const answer = await client.call('host.v1.HostService/RemoveHost', { hostId, now });
  const left = answer.agents?.length ?? 0;
  const behind = left === 0 ? '' : `; ${counted(left, 'agent')} stayed behind: muster delete --abandon gives them up`;
  writeRecord(io, flags, answer, () => `${printable(answer.host?.name ?? hostId)} is removed${behind}\n`);
}

/** The consequences of removing a host, which a person must accept. */
async function consequences(client: Client, host: Host, now: boolean): Promise<string> {
  const { agents: rows = [] } = await client.call('agent.v1.AgentService/ListAgents', {});
  const agents = rows.flatMap(({ agent = {} }) => (agent.hostId === host.id ? [agent.name ?? ''] : []));
  const first =
    'Its keys are refused permanently, and muster on that machine stops. Windows and worktrees there stay as they are.';
  if (agents.length === 0) return `${first} No agent is on it.`;
  const names = agents.slice(0, maxNamed).join(', ') + (agents.length > maxNamed ? ', …' : '');
  const then = now
    ? 'muster can no longer read or steer them, and shows their last known state. Their programs continue.'
    : 'Archive or delete them first, or leave them behind with --now.';
  return `${first} ${counted(host.agents ?? agents.length, 'agent')} on it: ${names}. ${then}`;
}

/** @throws NOT_CONFIRMED when the person at the terminal does not agree, or there is none */
async function requireYes(io: CliIo, hostId: string, what: string): Promise<void> {
  io.stderr.write(`${printable(what)}\n`);
  if (!io.stdin.isTTY) throw new Failure('NOT_CONFIRMED', 'nothing is removed: run it with --yes to remove the host');
  io.stderr.write(`Remove ${printable(hostId)}? [y/N] `);
  for await (const chunk of io.stdin) {
    const said = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    if (/^y(?:es)?$/i.test(said.trim())) return;
    break;
  }
  throw new Failure('NOT_CONFIRMED', 'nothing is removed');
}
