import type { Agent } from '#contract/agent.ts';
import { stateText } from '../agent-state.ts';
import type { Client } from '../client.ts';
import { findAgent } from '../find-agent.ts';
import { formatOf, type OutputFlags, outputOption, writeJson, writeJsonLine } from '../output.ts';
import { printable } from '../printable.ts';
import type { Define } from '../session.ts';

interface VerbFlags extends OutputFlags {
  readonly force?: true;
}

interface Verb {
  readonly description: string;
  /** What is told once the service has taken it on. */
  readonly said: string;
  readonly archivedFirst?: true;
  /** Whether an agent must be named whole: what it does cannot be taken back. */
  readonly wholeOnly?: true;
  readonly call: (client: Client, agentId: string, flags: VerbFlags) => Promise<{ readonly agent?: Agent | undefined }>;
}

const verbs: Readonly<Record<string, Verb>> = {
  archive: {
    description: 'Ends the CLI of agents and hides them and their children. Work, worktree and branch stay.',
    said: 'archived',
    call: (client, agentId) => client.call('agent.v1.AgentService/ArchiveAgent', { agentId }),
  },
  restore: {
    description: 'Brings archived or dormant agents back: a new window, the CLI’s own conversation resumed.',
    said: 'restoring',
    archivedFirst: true,
    call: (client, agentId) => client.call('agent.v1.AgentService/RestoreAgent', { agentId }),
  },
  retry: {
    description:
      'Carries on with a launch or a clean-up that failed, from what stands, once you have mended the reason.',
    said: 'trying again',
    call: (client, agentId) => client.call('agent.v1.AgentService/RetryAgent', { agentId }),
  },
  delete: {
    description:
      'Closes an agent’s window, runs the teardown, and removes its worktree and branch where nothing would be lost. ' +
      'Otherwise nothing is removed, and `muster show` says what stands in the way.',
    said: 'deleting',
    wholeOnly: true,
    call: (client, agentId, { force }) =>
      client.call('agent.v1.AgentService/DeleteAgent', { agentId, ...(force && { force }) }),
  },
};

/** `muster archive`, `restore`, `retry` and `delete`: the command's own name says which. */
export const define: Define = (command, session) => {
  const { io } = session;
  const verb = verbs[command.name()];
  if (verb === undefined) throw new Error(`${command.name()} is no verb for agents`);
  const named = verb.wholeOnly ? 'a whole name, an id or a mark' : 'a name, an id, a mark, or the beginning of a name';
  command.description(`${verb.description}\n\nNAME is ${named}.`);
  if (command.name() === 'delete') {
    command.option('--force', 'remove unsaved work too; a last snapshot is kept under refs/muster/kept/');
  }
  command.addOption(outputOption()).action(async (names: string[], flags: VerbFlags) => {
    const client = session.client();
    const found = [];
    for (const name of names) found.push(await findAgent(client, name, verb));
    const format = formatOf(io, flags);
    const answers: Agent[] = [];
    for (const { id, name } of found) {
      const { agent = { id, name } } = await verb.call(client, id, flags);
      answers.push(agent);
      if (format === 'table') io.stdout.write(`${verb.said} ${printable(name)}: ${printable(stateText({ agent }))}\n`);
      if (format === 'jsonl') writeJsonLine(io, agent);
    }
    if (format === 'json') writeJson(io, answers);
  });
};
