import { fileURLToPath } from 'node:url';
import { stateFolder } from '#cli/client/connection.ts';
import { runInTerminal } from '#cli/client/run-in-terminal.ts';
import type { Define } from '#cli/client/session.ts';

const program = fileURLToPath(new URL('../../../examples/fleet/demo.ts', import.meta.url));

/** `muster demo` */
export const define: Define = (command, session) => {
  command
    .description(
      'Shows a fleet at work, without any model: a scripted lead launches three scripted agents into their own worktrees, ' +
        'mails them, and gets answers. It needs the service on this machine, and takes about ten seconds. Its agents ' +
        'stay until muster demo --clean; an earlier demo is removed first.',
    )
    .option('--review', 'show a review instead: an author, a reviewer, two rounds, and the landing')
    .option('--clean', 'only remove what a demo created')
    .action(async ({ clean, review }: { clean?: true; review?: true }) => {
      const { io } = session;
      // This call reports an unreachable service as every other command does.
      await session.client().call('host.v1.HostService/ListHosts', {});
      const args = [process.execPath, program, stateFolder(io), ...(clean ? ['--clean'] : review ? ['--review'] : [])];
      session.exitWith(await runInTerminal(args, { ...process.env, ...io.env }));
    });
};
