import type { Define } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { printableScreen, printableScreenText } from '#contract/printable.ts';

interface ReadFlags extends OutputFlags {
  readonly attributes?: true;
}

const reset = '\u001b[0m';

/** `muster read` */
export const define: Define = (command, session) => {
  command
    .description(
      'Prints what an agent’s pane shows now, as plain text, also into a pipe. The JSON has the screen’s digest, ' +
        'title and reading.',
    )
    .option(
      '-a, --attributes',
      'include colours and other attributes as escape sequences, as muster why --screen reads them',
    )
    .addOption(outputOption(undefined, 'the text'))
    .action(async (name: string, flags: ReadFlags) => {
      const client = session.client();
      const { id } = await findAgent(client, name);
      const pane = await client.call('agent.v1.AgentService/ReadPane', {
        agentId: id,
        ...(flags.attributes && { attributes: true }),
      });
      const text = pane.screen?.text ?? '';
      writeRecord(session.io, { output: flags.output ?? 'table' }, pane, () =>
        flags.attributes ? `${printableScreen(text)}${reset}\n` : `${printableScreenText(text)}\n`,
      );
    });
};
