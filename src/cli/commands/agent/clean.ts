import type { Define } from '#cli/client/session.ts';
import { findAgent, type ListedAgent, typedName } from '#cli/find/find-agent.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { type OutputFlags, outputOption, writeList } from '#cli/print/output.ts';
import type { CleanedAgent } from '#contract/agent/cleaned-agent.ts';
import { Failure } from '#contract/failure.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { printable } from '#contract/printable.ts';

interface CleanFlags extends OutputFlags {
  readonly workflow?: string;
  readonly dryRun?: true;
}

/** `muster clean` */
export const define: Define = (command, { io, client: connect }) => {
  command
    .description(
      'Deletes what archived agents no longer need on disk: first the build folders that their workflow names ' +
        '(muster workflow edit NAME --build-folder node_modules) and git ignores, then worktrees whose work is pushed or in the base ' +
        'branch. Says why it keeps the rest. Branches stay, and muster restore makes a worktree again. Without names: all ' +
        'archived agents.',
    )
    .option('--workflow <name>', 'only agents of this workflow')
    .option('--dry-run', 'only say what would be deleted')
    .addOption(outputOption())
    .action(async (names: readonly string[], { workflow, dryRun: isDry, ...flags }: CleanFlags) => {
      const dryRun = isDry === true;
      const client = connect();
      const agentIds: string[] = [];
      for (const name of names) agentIds.push(archived(await findAgent(client, name, { archivedFirst: true })));
      const workflowId = workflow === undefined ? '' : (await findWorkflow(client, workflow)).id;
      const cleaned: CleanedAgent[] = [];
      let cursor = '';
      do {
        const page = await client.call('agent.v1.AgentService/CleanAgents', {
          agentIds,
          ...(workflowId && { workflowId }),
          dryRun,
          pagination: { cursor },
        });
        cleaned.push(...(page.agents ?? []));
        cursor = page.nextPageToken ?? '';
      } while (cursor !== '');
      writeList(io, flags, cleaned, () => cleanedText(cleaned, dryRun));
    });
};

/** The id of an archived agent. @throws WRONG_AGENT_STATE when it is not archived */
function archived({ id, name, agent }: ListedAgent): string {
  if (agent.archivedAt) return id;
  const way = `muster archive ${typedName(agent)} archives it`;
  throw new Failure('WRONG_AGENT_STATE', `${name} is not archived, so nothing of it is deleted: ${way}`, {
    metadata: { agentId: id, state: agent.state ?? '', phase: '' },
  });
}

function cleanedText(cleaned: readonly CleanedAgent[], dryRun: boolean): string {
  if (cleaned.length === 0) return 'No archived agent has anything on disk\n';
  const freed = (one: CleanedAgent): number => (one.freed ?? []).reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const total = cleaned.reduce((sum, one) => sum + freed(one), 0);
  const lines = cleaned.flatMap((one) => [
    `${printable(one.name ?? '')}  ${one.agentId}`,
    ...(one.freed ?? []).map(
      ({ path = '', bytes = '0', worktree = false }) =>
        `  ${dryRun ? 'would delete' : 'deleted'} ${worktree ? 'the worktree ' : ''}${printable(path)}  ${byteText(Number(bytes))}`,
    ),
    ...(one.kept ?? []).map((why) => `  keeps ${printable(why)}`),
  ]);
  return `${lines.join('\n')}\n${dryRun ? 'Would free' : 'Freed'} ${byteText(total)}\n`;
}
