import { machineNames } from '../built-in.ts';
import { type OutputFlags, outputOption, writeRecord } from '../output.ts';
import { printable, printableLines } from '../printable.ts';
import type { Define } from '../session.ts';
import { textTable } from '../text-table.ts';

interface GraphFlags extends OutputFlags {
  readonly table?: true;
}

const columns = ['FROM', 'EVENT', 'GUARD', 'TO', 'EFFECTS'].map((title) => ({ title }));

/** `muster graph` */
export const define: Define = (command, session) => {
  command
    .description(`Prints a state machine as a Mermaid state diagram. MACHINE is one of ${machineNames.join(', ')}.`)
    .option('--table', 'print its transitions instead')
    .addOption(outputOption(['json']))
    .action(async (name: string, flags: GraphFlags) => {
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
