import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { printable } from '#contract/printable.ts';
import { define as defineProcess } from './process.ts';

/** `muster host`: without a subcommand it runs a host; its subcommands change hosts through the service. */
export const define: Define = (command, session, words) => {
  defineProcess(command, session, words);
  command.helpCommand(false);
  defineCordon(
    command.command('cordon <host>').summary('place no new agents on a host').description(cordonMeaning),
    session,
    false,
  );
  defineCordon(
    command
      .command('uncordon <host>')
      .summary('place agents on a host again, or admit a new one')
      .description('Places new agents on a host again. A host that nobody has admitted is admitted.'),
    session,
    true,
  );
};

const cordonMeaning =
  'Places no new agents on a host, even if a launch or a workflow names it. Those on it continue, and their children join them.';

function defineCordon(command: Command, { io, client }: Session, undo: boolean): void {
  command.addOption(outputOption()).action(async (hostId: string, flags: OutputFlags) => {
    const { host = {} } = await client().call('host.v1.HostService/DrainHost', { hostId, undo });
    const result = undo ? 'takes new agents' : 'takes no new agents; those on it continue';
    writeRecord(io, flags, host, () => `${printable(host.name ?? hostId)} ${result}\n`);
  });
}
