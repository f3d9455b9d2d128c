import { InvalidArgumentError } from 'commander';
import { machineNames } from '#cli/client/built-in.ts';
import type { Define } from '#cli/client/session.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textTable } from '#cli/print/text-table.ts';
import { printable, printableLines } from '#contract/printable.ts';

interface GraphFlags extends OutputFlags {
  readonly table?: true;
  readonly live?: string;
  readonly at?: string;
}

const columns = ['FROM', 'EVENT', 'GUARD', 'TO', 'EFFECTS'].map((title) => ({ title }));

/** `muster graph` */
export const define: Define = (command, session) => {
  command
    .description(`Prints a state machine as a Mermaid state diagram. MACHINE is one of ${machineNames.join(', ')}.`)
    .option('--table', 'print its transitions instead')
    .option('--live <name>', 'show one instance, such as an agent by its name, updated live')
    .option('--at <seq>', 'with --live: show the moment after that transition, once', place)
    .addOption(outputOption(['json']))
    .action(async (name: string, flags: GraphFlags) => {
      if (flags.live !== undefined) {
        const { showLive, showMoment } = await import('#cli/graph/live.ts');
        return flags.at === undefined
          ? showLive(session, name, flags.live)
          : showMoment(session, name, flags.live, flags.at);
      }
      const machine = await session.client().call('fact.v1.FactService/GetMachine', { name });
      writeRecord(session.io, { output: flags.output ?? 'table' }, machine, () => {
        if (!flags.table) return `${printableLines(machine.mermaid ?? '').trimEnd()}\n`;
        const rows = (machine.transitions ?? []).map(({ from = '', event = '', guard = '', to = '', effects = [] }) =>
          [from, event, guard, to, effects.join(', ')].map((text) => ({ text: printable(text) })),
        );
        return textTable(columns, rows);
      });
    });
};

/** A transition's position in the log. */
function place(value: string): string {
  if (/^[1-9][0-9]{0,17}$/.test(value)) return value;
  throw new InvalidArgumentError('It is a transition’s number, from the first column.');
}
