import type { Define } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { ownNamed } from '#cli/find/own-agent.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { printableLines } from '#contract/printable.ts';

interface ReportFlags extends OutputFlags {
  readonly agent?: string;
}

/** `muster result` and `muster report-result` */
export const define: Define = (command, session) => {
  const { io } = session;
  if (command.name() === 'result') {
    command
      .description('Prints the result that an agent reported, and nothing else. The exit code is 4 if there is none.')
      .addOption(outputOption())
      .action(async (name: string, flags: OutputFlags) => {
        const client = session.client();
        const { id: agentId } = await findAgent(client, name);
        const { result = {} } = await client.call('agent.v1.AgentService/GetResult', { agentId });
        writeRecord(io, flags, result, () => `${printableLines(result.text ?? '')}\n`);
      });
    return;
  }
  command
    .description(
      'Reports the result of an agent’s work: a text, - for standard input, or @path for a file. The last one counts. If the ' +
        'agent was launched with a schema, the result must be JSON that fits it.',
    )
    .option('--agent <name>', 'the agent; in an agent’s pane: itself')
    .addOption(outputOption())
    .action(async (text: string, flags: ReportFlags) => {
      const client = session.client();
      const own = await ownNamed(session, client, flags.agent, 'muster report-result TEXT --agent');
      const result = await textSource(io).read('the result', text);
      const { agent = {} } = await client.call('agent.v1.AgentService/ReportResult', { ...own, result });
      writeRecord(io, flags, agent, () => 'Reported\n');
    });
};
