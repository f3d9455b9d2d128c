import { Option } from 'commander';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { type Paint, paintFor, type Style } from '#cli/print/color.ts';
import { ago } from '#cli/print/duration.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { type Cell, textTable } from '#cli/print/text-table.ts';
import { shortName } from '#cli/print/words.ts';
import { Failure } from '#contract/failure.ts';
import type { Host } from '#contract/host/host.ts';
import { clockText, maxClockOffsetMs, standingWord } from '#contract/host/host-standing.ts';
import { cutOffWarning, foundTerminalsWarning, rivalWarning } from '#contract/host/host-warnings.ts';
import { byteText, percentText, readLoad, scarceFrom } from '#contract/host/load-reading.ts';
import { printable } from '#contract/printable.ts';

interface HostsFlags extends OutputFlags {
  readonly forget?: string;
  readonly forgetNew?: boolean;
  readonly forgetKey?: string;
}

const columns = [
  { title: 'NAME' },
  { title: 'STATE' },
  { title: 'FOR' },
  { title: 'AGENTS' },
  { title: 'AT WORK' },
  { title: 'LOAD/CPU' },
  { title: 'MEMORY' },
  { title: 'DISK FREE' },
  { title: 'VERSION' },
  { title: 'PROTOCOL' },
  { title: 'CLOCK' },
  { title: 'LABELS', min: 12 },
  { title: 'HARNESSES', min: 9, cutFirst: true },
  { title: 'ID' },
];

/** The colours of the states in which a host does not answer. */
const styles: Readonly<Record<string, Style>> = { HOST_STATE_SILENT: 'yellow', HOST_STATE_LOST: 'red' };

/** `muster hosts` */
export const define: Define = (command, session) => {
  command
    .description('Lists the hosts, which are the computers that agents run on, and their load.')
    .addOption(
      new Option('--forget <host>', 'forget a lost host that will never return, once it has no agents').conflicts(
        'forgetKey',
      ),
    )
    .addOption(
      new Option('--forget-new', 'forget all new hosts that are lost and have no agents').conflicts([
        'forget',
        'forgetKey',
      ]),
    )
    .option('--forget-key <host>', 'let a host that lost its key use a new one')
    .addOption(outputOption())
    .action((flags: HostsFlags) => {
      if (flags.forget !== undefined) return forget(session, flags, flags.forget);
      if (flags.forgetKey !== undefined) return forgetKey(session, flags, flags.forgetKey);
      if (flags.forgetNew) return forgetNew(session, flags);
      return list(session, flags);
    });
};

async function list({ io, client }: Session, flags: HostsFlags): Promise<void> {
  const { hosts = [] } = await client().call('host.v1.HostService/ListHosts', {});
  writeList(io, flags, hosts, () => table(io, hosts));
}

function table(io: CliIo, hosts: readonly Host[]): string {
  const paint = paintFor(io);
  const cells = (host: Host) => {
    const { name = '', state = 'HOST_STATE_UNSPECIFIED', stateSince, agents = 0, maxAgents, labels = [] } = host;
    const standing = standingWord(host);
    const style = styles[state] ?? (host.draining || host.newcomer ? 'yellow' : 'green');
    return [
      { text: printable(name) },
      {
        text: [shortName(state), host.newcomer ? 'new' : '', standing].filter((word) => word !== '').join(', '),
        paint: (text: string) => paint(style, text),
      },
      { text: ago(stateSince, io.now()) },
      { text: maxAgents === undefined ? String(agents) : `${agents} of ${maxAgents}` },
      { text: atWorkText(host) },
      ...loadCells(host, paint),
      { text: printable(host.musterVersion ?? '') },
      { text: host.protocol ? String(host.protocol) : '' },
      clockCell(host, paint),
      { text: printable(labels.join(' ')) },
      { text: printable((host.harnesses ?? []).join(', ')) },
      { text: host.id ?? '' },
    ];
  };
  return textTable(columns, hosts.map(cells), io.stdout.columns) + hosts.map(warningLines).join('');
}

/** How many agents work; of a host that does not answer, how many did when it last answered. */
function atWorkText({ state, agentsAtWork = 0 }: Host): string {
  const isKnown = state === 'HOST_STATE_ONLINE' || agentsAtWork === 0;
  return isKnown ? String(agentsAtWork) : `${agentsAtWork} (last known)`;
}

/** The warnings about a host, one per line; empty if there are none. */
function warningLines(host: Host): string {
  const { name = '', state, rival, foundTerminals = [], gatewayFault = '' } = host;
  const isCutOff = state === 'HOST_STATE_ONLINE' && gatewayFault !== '';
  const warnings = [
    ...(rival === undefined ? [] : [rivalWarning(rival)]),
    ...(foundTerminals.length === 0 ? [] : [foundTerminalsWarning(foundTerminals)]),
    ...(isCutOff ? [cutOffWarning(host)] : []),
    ...(host.faults ?? []),
  ];
  return warnings.map((warning) => `${printable(name)}: ${printable(warning)}\n`).join('');
}

/** By how much the clock of a host is ahead; red if that is too much. */
function clockCell({ clockOffsetMs }: Host, paint: Paint): Cell {
  const text = clockText(clockOffsetMs);
  const isOff = Math.abs(Number(clockOffsetMs ?? 0)) >= maxClockOffsetMs;
  return isOff ? { text, paint: (shown) => paint('red', shown) } : { text };
}

/** The load of a host; dimmed if the host does not answer. */
function loadCells({ load, state }: Host, paint: Paint): readonly Cell[] {
  const { processors, memory, disk } = readLoad(load ?? {});
  const cell = (text: string, share: number): Cell => {
    const style = state !== 'HOST_STATE_ONLINE' ? 'dim' : share >= scarceFrom ? 'red' : undefined;
    return style === undefined ? { text } : { text, paint: (shown) => paint(style, shown) };
  };
  return [
    processors ? cell(processors.share.toFixed(2), processors.share) : { text: '' },
    memory ? cell(`${percentText(memory.share)} of ${byteText(memory.totalBytes)}`, memory.share) : { text: '' },
    disk ? cell(byteText(disk.freeBytes), disk.share) : { text: '' },
  ];
}

async function forgetKey({ io, client }: Session, flags: HostsFlags, hostId: string): Promise<void> {
  const { host = {} } = await client().call('host.v1.HostService/ForgetHostKey', { hostId });
  const result = 'is bound to the next key that it uses, within seconds if it is running';
  writeRecord(io, flags, host, () => `${printable(host.name ?? hostId)} ${result}\n`);
}

async function forget({ io, client }: Session, flags: HostsFlags, hostId: string): Promise<void> {
  const { host = {} } = await client().call('host.v1.HostService/ForgetHost', { hostId });
  writeRecord(io, flags, host, () => `${printable(host.name ?? hostId)} is forgotten\n`);
}

/** Forgets all lost hosts that were never admitted. There may be many, for example from an attack. */
async function forgetNew({ io, client }: Session, flags: HostsFlags): Promise<void> {
  const { hosts = [] } = await client().call('host.v1.HostService/ListHosts', {});
  const gone = hosts.filter(
    ({ newcomer, state, agents = 0 }) => newcomer && state === 'HOST_STATE_LOST' && agents === 0,
  );
  const forgotten: Host[] = [];
  for (const { id = '' } of gone) {
    try {
      const { host = {} } = await client().call('host.v1.HostService/ForgetHost', { hostId: id });
      forgotten.push(host);
    } catch (error) {
      // It is back, or it has archived agents.
      if (!(error instanceof Failure) || error.code !== 'failed_precondition') throw error;
    }
  }
  const lines = forgotten.map(({ name, id = '' }) => `${printable(name ?? id)} (${id}) is forgotten\n`).join('');
  writeList(io, flags, forgotten, () => lines || 'No new host is lost\n');
}
