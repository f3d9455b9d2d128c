import { InvalidArgumentError, Option } from 'commander';
import { machineNames } from '#cli/client/built-in.ts';
import type { Define } from '#cli/client/session.ts';

interface InspectFlags {
  readonly machine?: string;
  readonly port: number;
  readonly origin?: readonly string[];
  readonly context?: boolean;
}

/** `muster inspect` */
export const define: Define = (command, session) => {
  command
    .description(
      'Lets tools for Stately’s inspector protocol attach to running state machines. It prints the address of a ' +
        'WebSocket on this machine, which sends each instance (the newest 100 of a machine) and each transition as it ' +
        'happens. With NAME, only agents of that name. It sends only states and event types, unless ' +
        'you give --context.',
    )
    .addOption(new Option('-m, --machine <machine>', 'only the instances of one machine').choices([...machineNames]))
    .option('--context', 'also send contexts and event data, such as folders and reasons')
    .addOption(new Option('--port <port>', 'where to listen; 0 is any free port').default(0).argParser(portIn))
    .addOption(
      new Option(
        '--origin <origin...>',
        'the pages that may attach, instead of those on this computer and https://stately.ai',
      ).argParser(originsIn),
    )
    .action(async (agents: readonly string[], { machine, port, origin: origins, context = false }: InspectFlags) => {
      if (agents.length > 0 && machine !== undefined && machine !== 'agent') {
        command.error(`error: a NAME is an agent's, and --machine is ${machine}: leave one of them out`);
      }
      const machines = agents.length > 0 ? ['agent'] : machine === undefined ? machineNames : [machine];
      const { serveInspector } = await import('#cli/inspect/serve.ts');
      await serveInspector(session, { machines, agents, port, origins, withContext: context });
    });
};

function portIn(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError('It must be a port, from 0 to 65535.');
}

function originsIn(text: string, earlier: readonly string[] = []): readonly string[] {
  if (URL.parse(text)?.origin === text && text !== 'null') return [...earlier, text];
  throw new InvalidArgumentError('It must be an origin, such as https://example.org.');
}
