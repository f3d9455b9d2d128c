import type { CliIo } from '#cli/client/io.ts';
import type { Session } from '#cli/client/session.ts';
import { type OutputFlags, writeRecord } from '#cli/print/output.ts';
import { Failure } from '#contract/failure.ts';
import type { HarnessLaunch } from '#contract/host/host.ts';
import { printable, printableJson } from '#contract/printable.ts';

export interface ConfirmFlags extends OutputFlags {
  readonly host?: string;
  readonly digest?: string;
}

/**
 * Shows the launch part of a harness's file, and confirms it if the person at the terminal agrees or gives its digest.
 * @throws FAILED_PRECONDITION when the person does not agree
 */
export async function confirm(session: Session, harness: string, flags: ConfirmFlags): Promise<void> {
  const { io } = session;
  const client = session.client();
  const hostId = flags.host ?? (await session.local()).hostId() ?? (await onlyHost(session));
  const { launches = [] } = await client.call('host.v1.HostService/ListHarnessLaunches', { hostId, harness });
  const seen = launches.find((launch) => launch.harness === harness);
  if (seen === undefined) {
    throw new Failure(
      'HARNESS_FILE_NOT_FOUND',
      `no rules file on host ${hostId} says what ${JSON.stringify(harness)} launches`,
    );
  }
  if (flags.digest === undefined) io.stderr.write(shown(seen));
  const digest = flags.digest ?? (await agreed(io, seen));
  const answer = await client.call('host.v1.HostService/ConfirmHarness', { hostId, harness, digest });
  const launch = answer.launch ?? {};
  const result = launch.confirmed === true ? 'is confirmed' : 'has changed: check it again';
  writeRecord(io, flags, launch, () => `what ${printable(harness)} launches ${result}\n`);
}

function shown({ harness = '', path = '', launch = '', digest = '' }: HarnessLaunch): string {
  return `${printable(path)} launches ${printable(harness)} like this:\n${printableJson(JSON.parse(launch), 2)}\ndigest ${digest}\n`;
}

/** The shown digest, if the person at the terminal agrees. */
async function agreed(io: CliIo, { harness = '', digest = '' }: HarnessLaunch): Promise<string> {
  const again = `muster harness confirm ${harness} --digest ${digest}`;
  if (!io.stdin.isTTY) throw new Failure('NOT_CONFIRMED', `nothing is confirmed: run \`${again}\` to confirm it`);
  io.stderr.write('Confirm it? [y/N] ');
  for await (const chunk of io.stdin) {
    const said = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    if (/^y(?:es)?$/i.test(said.trim())) return digest;
    break;
  }
  throw new Failure('NOT_CONFIRMED', `nothing is confirmed: ${harness} is launched as before`);
}

async function onlyHost(session: Session): Promise<string> {
  const { hosts = [] } = await session.client().call('host.v1.HostService/ListHosts', {});
  const [host, ...others] = hosts;
  if (host?.id !== undefined && others.length === 0) return host.id;
  const names = hosts.map(({ name }) => name).join(', ');
  throw new Failure('INVALID_USAGE', `no host runs on this computer: name one with --host (${names || 'none yet'})`);
}
