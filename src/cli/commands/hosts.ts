import type { Host } from '#contract/host.ts';
import { paintFor } from '../color.ts';
import { ago } from '../duration.ts';
import { type OutputFlags, outputOption, writeList } from '../output.ts';
import { printable } from '../printable.ts';
import type { Define } from '../session.ts';
import { textTable } from '../text-table.ts';
import { shortName } from '../words.ts';

const columns = ['NAME', 'STATE', 'SEEN', 'AGENTS', 'HARNESSES', 'ID'].map((title) => ({ title }));

/** `muster hosts` */
export const define: Define = (command, session) => {
  command
    .description('Lists the machines that agents run on.')
    .addOption(outputOption())
    .action(async (flags: OutputFlags) => {
      const { io } = session;
      const paint = paintFor(io);
      const { hosts = [] } = await session.client().call('host.v1.HostService/ListHosts', {});
      const cells = ({
        name = '',
        state = 'HOST_STATE_UNSPECIFIED',
        seenAt,
        agents = 0,
        harnesses = [],
        id = '',
      }: Host) => {
        const style = state === 'HOST_STATE_ONLINE' ? 'green' : 'red';
        return [
          { text: printable(name) },
          { text: shortName(state), paint: (text: string) => paint(style, text) },
          { text: ago(seenAt, io.now()) },
          { text: String(agents) },
          { text: printable(harnesses.join(', ')) },
          { text: id },
        ];
      };
      writeList(io, flags, hosts, () => textTable(columns, hosts.map(cells), io.stdout.columns));
    });
};
