import type { Command } from 'commander';
import { type OutputFlags, outputOption, writeList } from '../output.ts';
import type { Define, Session } from '../session.ts';
import { textTable } from '../text-table.ts';
import { atLeastOne } from '../whole-number.ts';

interface NextFlags extends OutputFlags {
  readonly tz?: string;
  readonly count: number;
}

/** `muster schedule` */
export const define: Define = (command, session) => {
  command.helpCommand(false).description('A schedule launches an agent whenever its cron expression comes round.');
  defineNext(command.command('next <cron>').summary('show when a cron expression fires next'), session);
};

function defineNext(command: Command, { io, local }: Session): void {
  command
    .description(
      'Shows the times at which a cron expression fires next. It has five fields in one argument: minute, hour, day of month, ' +
        'month, day of week; with *, lists, ranges, steps, names, L and #. A fixed time fires once on each local day that it ' +
        'names, also where the clock leaves it out or shows it twice; an open one at each minute that really comes.',
    )
    .option('--tz <zone>', 'the clock that it is read against, such as Europe/Paris; this machine’s own without it')
    .option('-n, --count <number>', 'how many times to show', atLeastOne, 5)
    .addOption(outputOption())
    .action(async (cron: string, { tz = '', count, ...flags }: NextFlags) => {
      const times = (await local()).firingTimes(cron, tz, io.now(), count);
      writeList(io, flags, times, () =>
        textTable(
          [{ title: 'LOCAL TIME' }, { title: 'UTC' }],
          times.map(({ local: there, at }) => [{ text: there }, { text: at }]),
        ),
      );
    });
}
