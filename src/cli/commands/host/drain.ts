import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Session } from '#cli/client/session.ts';
import { everyAgent } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { Failure } from '#contract/failure.ts';
import type { Host } from '#contract/host/host.ts';
import type { StartedMove } from '#contract/host/started-move.ts';
import { printable } from '#contract/printable.ts';
import { quoted } from '#contract/quoted.ts';

const service = 'host.v1.HostService';

/** How often a command that waits for a host to be drained asks, in milliseconds. */
const askedEveryMs = 1_000;

interface DrainFlags extends OutputFlags {
  readonly wait?: boolean;
  readonly move?: boolean;
}

/** `muster host drain`: closes a host to new agents, waits for those on it, or has them move away. */
export function defineDrain(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Places no new agents on a host, and says how many are at work there. Nothing is ended: agents at work finish their turn, ' +
        'and their windows stay. With --move, each moves to another host once it is at rest.',
    )
    .option('--wait', 'wait until no agent is at work there; ends at once if the host is silent or lost')
    .option('--move', 'move its agents to other hosts, as muster move does')
    .addOption(outputOption())
    .action(async (hostId: string, { wait, move, ...flags }: DrainFlags) => {
      const client = connect();
      const answer = await client.call(`${service}/DrainHost`, { hostId, ...(move && { move }) });
      const { moves = [] } = answer;
      for (const one of moves) io.stderr.write(`${moveText(one)}\n`);
      if (wait && move) await untilMoved(io, client, moves);
      const host = wait ? await untilAtRest(io, client, answer.host ?? {}, hostId) : (answer.host ?? {});
      writeRecord(io, flags, host, () => `${nameOf(host, hostId)} takes no new agents; ${whatContinues(host)}\n`);
    });
}

/** Whether an agent of a host whose agents are to move does so, in one line. */
function moveText({ agent: { name = '', movingTo = '' } = {}, refusal, notCarried = [] }: StartedMove): string {
  if (refusal !== undefined) return `${printable(name)} stays: ${printable(refusal)}`;
  const without = notCarried.length === 0 ? '' : ` without ${notCarried.map(printable).join('; ')}`;
  return `${printable(name)} moves to ${printable(movingTo)}${without}`;
}

/** Waits until the agents have moved, and prints which did not. */
async function untilMoved(io: CliIo, client: Client, moves: readonly StartedMove[]): Promise<void> {
  const waiting = new Set(
    moves.flatMap(({ agent, refusal }) => (refusal === undefined && agent?.id ? [agent.id] : [])),
  );
  while (waiting.size > 0) {
    const agents = await everyAgent(client, false);
    for (const id of waiting) {
      const { agent } = agents.find((row) => row.agent?.id === id) ?? {};
      if (agent?.movingTo !== undefined) continue;
      waiting.delete(id);
      if (agent?.failedMove !== undefined) {
        io.stderr.write(`${printable(agent.name ?? id)} did not move: ${printable(agent.failedMove)}\n`);
      }
    }
    if (waiting.size > 0) await sleep(askedEveryMs);
  }
}

/** Waits until no agent is at work on a host. */
async function untilAtRest(io: CliIo, client: Client, before: Host, hostId: string): Promise<Host> {
  let host = before;
  for (let said = ''; host.agentsAtWork; ) {
    requireHeard(host);
    const text = whatContinues(host);
    if (said !== text) io.stderr.write(`${nameOf(host, hostId)}: ${text}\n`);
    said = text;
    await sleep(askedEveryMs);
    const { hosts = [] } = await client.call(`${service}/ListHosts`, {});
    host = hosts.find((one) => one.id === before.id) ?? {};
    if (!host.draining) throw new Failure('HOST_IN_USE', `${quoted(hostId)} takes new agents again: drain it again`);
  }
  return host;
}

/** @throws UNAVAILABLE when what agents on a host do is not known */
function requireHeard({ name = '', state, seenAt = '' }: Host): void {
  if (state === 'HOST_STATE_ONLINE') return;
  const since = `${quoted(name)} has been silent since ${seenAt}`;
  throw new Failure(
    'HOST_LOST',
    `${since}, so the state of its agents is unknown: wait until it is back, then drain it again`,
  );
}

/** The name of a host in an answer. */
export function nameOf({ name }: Host, hostId: string): string {
  return printable(name ?? hostId);
}

/** How many agents stay on a host that takes no new ones. */
export function whatContinues({ agents = 0, agentsAtWork = 0 }: Host): string {
  if (agents === 0) return 'no agents are on it';
  const many = agents === 1 ? '1 agent stays on it' : `${agents} agents stay on it`;
  if (agentsAtWork === 0) return `${many}, none at work`;
  return `${many}, ${agentsAtWork} at work`;
}
