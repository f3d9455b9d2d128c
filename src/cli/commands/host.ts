import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { counted } from '#cli/print/counted.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { Failure } from '#contract/failure.ts';
import type { Host } from '#contract/host/host.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { intervalMs, intervalRule } from '#contract/parse/interval.ts';
import { printable } from '#contract/printable.ts';
import { quoted } from '#contract/quoted.ts';
import { defineDrain, nameOf, whatContinues } from './host/drain.ts';
import { defineInvitations } from './host/invitations.ts';
import { defineRemove } from './host/remove.ts';
import { define as defineProcess } from './process.ts';

const service = 'host.v1.HostService';

interface LimitFlags extends OutputFlags {
  readonly agents?: number | 'default';
  readonly launches?: number | 'default';
  readonly setups?: number | 'default';
  readonly atWork?: number | 'default';
  readonly disk?: number | 'default';
}

/** `muster host`: without a subcommand it runs a host; its subcommands change hosts through the service. */
export const define: Define = (command, session, words) => {
  defineProcess(command, session, words);
  command.helpCommand(false);
  defineCordon(command.command('cordon <host>').summary('place no new agents on a host'), session);
  defineUncordon(command.command('uncordon <host>').summary('place agents on a host again, or admit it'), session);
  defineDrain(command.command('drain <host>').summary('cordon a host, and wait until no agent is at work'), session);
  defineLabel(command.command('label <host> <labels...>').summary('set or remove labels of a host'), session);
  defineLimit(command.command('limit <host>').summary('limit what a host takes at once'), session);
  definePatience(command.command('patience <host> <time>').summary('set when a silent host is lost'), session);
  defineInvitations(command, session);
  defineRemove(command, session);
};

function defineCordon(command: Command, { io, client }: Session): void {
  command
    .description(
      'Places no new agents on a host, even if a launch or a workflow names it. Those on it continue, and their children join them.',
    )
    .addOption(outputOption())
    .action(async (hostId: string, flags: OutputFlags) => {
      const { host = {} } = await client().call(`${service}/DrainHost`, { hostId });
      writeRecord(io, flags, host, () => `${nameOf(host, hostId)} takes no new agents; ${whatContinues(host)}\n`);
    });
}

function defineUncordon(command: Command, { io, client }: Session): void {
  command
    .description('Places new agents on a host again. Also admits a new host.')
    .addOption(outputOption())
    .action(async (hostId: string, flags: OutputFlags) => {
      const { host = {} } = await client().call(`${service}/DrainHost`, { hostId, undo: true });
      writeRecord(io, flags, host, () => `${nameOf(host, hostId)} takes new agents\n`);
    });
}

function defineLabel(command: Command, { io, client }: Session): void {
  command
    .description(
      'Sets and removes labels of a host: KEY=VALUE sets one, and KEY- removes it. Launches and workflows select hosts by them.',
    )
    .addOption(outputOption())
    .action(async (hostId: string, words: readonly string[], flags: OutputFlags) => {
      const removed = words.filter((word) => !word.includes('='));
      for (const word of removed) {
        if (!word.endsWith('-')) throw new Failure('INVALID_USAGE', `${quoted(word)} is neither KEY=VALUE nor KEY-`);
      }
      const setLabels = words.filter((word) => word.includes('='));
      const removeLabels = removed.map((word) => word.slice(0, -1));
      const { host = {} } = await client().call(`${service}/UpdateHost`, { hostId, setLabels, removeLabels });
      const { labels = [] } = host;
      const all = labels.length === 0 ? 'no labels' : labels.map(printable).join(' ');
      writeRecord(io, flags, host, () => `${nameOf(host, hostId)} has ${all}\n`);
    });
}

function defineLimit(command: Command, { io, client }: Session): void {
  command
    .description(
      'Limits how many agents a host has and how many are at work, how many launches and setup scripts are in progress on it at ' +
        'once, and how much of its disk stays free. A launch without room waits. The word default removes a limit that was set.',
    )
    .option('--agents <count>', 'agents, not counting archived ones (default: no limit)', countOrDefault)
    .option('--at-work <count>', 'agents at work, from which launches wait (default: no limit)', countOrDefault)
    .option('--launches <count>', 'launches in progress (default: 16)', countOrDefault)
    .option('--setups <count>', 'launches whose setup script is still to end (default: 4)', countOrDefault)
    .option('--disk <MiB>', 'free space below which launches wait (default: 1024)', countOrDefault)
    .addOption(outputOption())
    .action(async (hostId: string, { agents, launches, setups, atWork, disk, ...flags }: LimitFlags) => {
      const given = {
        maxAgents: agents,
        maxLaunches: launches,
        maxSetups: setups,
        maxAtWork: atWork,
        minDiskFreeMib: disk,
      };
      const fields = Object.entries(given).filter(([, value]) => value !== undefined);
      if (fields.length === 0)
        throw new Failure('INVALID_USAGE', 'give --agents, --at-work, --launches, --setups or --disk');
      const { host = {} } = await client().call(`${service}/UpdateHost`, {
        hostId,
        ...Object.fromEntries(fields.filter(([, value]) => value !== 'default')),
        clear: fields.filter(([, value]) => value === 'default').map(([field]) => field as keyof typeof given),
      });
      writeRecord(io, flags, host, () => `${nameOf(host, hostId)} takes at most ${limitText(host)}\n`);
    });
}

function countOrDefault(text: string): number | 'default' {
  return text === 'default' ? text : atLeastOne(text);
}

function limitText({ maxAgents, maxLaunches = 0, maxSetups = 0, maxAtWork, minDiskFreeMib = 0 }: Host): string {
  const agents = maxAgents === undefined ? 'any number of agents' : counted(maxAgents, 'agent');
  const working = maxAtWork === undefined ? '' : `, ${maxAtWork} at work`;
  const floor = minDiskFreeMib > 0 ? `, and none below ${byteText(minDiskFreeMib * 1024 ** 2)} of free disk` : '';
  const atOnce = `${counted(maxLaunches, 'launch', 'launches')} and ${counted(maxSetups, 'setup script')} at once`;
  return `${agents}${working}, ${atOnce}${floor}`;
}

function definePatience(command: Command, { io, client }: Session): void {
  command
    .description(
      'Sets how long a host may be silent before it counts as lost: TIME such as 30m, 4h or 1d, or default (5m). Give a laptop that ' +
        'sleeps hours.',
    )
    .addOption(outputOption())
    .action(async (hostId: string, time: string, flags: OutputFlags) => {
      const ms = intervalMs(time);
      if (ms === undefined && time !== 'default')
        throw new Failure('INVALID_USAGE', `${quoted(time)} is not ${intervalRule}, nor default`);
      const wanted = ms === undefined ? { clear: ['patienceSeconds' as const] } : { patienceSeconds: ms / 1_000 };
      const { host = {} } = await client().call(`${service}/UpdateHost`, { hostId, ...wanted });
      const { patienceSeconds = 0 } = host;
      writeRecord(io, flags, host, () => `${nameOf(host, hostId)} is lost after ${patienceSeconds} s of silence\n`);
    });
}
