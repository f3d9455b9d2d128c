import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { harnessNames } from '#cli/client/built-in.ts';
import type { Client, RequestOf } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent, typedName } from '#cli/find/find-agent.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { outcomeOf } from '#cli/print/outcome.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import type { Agent, AgentRole } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { attach } from './attach.ts';

interface NewFlags extends OutputFlags {
  readonly workflow?: string;
  readonly title?: string;
  readonly dir?: string;
  readonly flags?: string;
  readonly harness?: string;
  readonly worktree?: boolean;
  readonly parent?: string;
  readonly role?: keyof typeof roles;
  readonly host?: string;
  readonly key?: string;
  readonly ring?: true;
  readonly attach?: true;
}
type CreateAgentRequest = RequestOf<'agent.v1.AgentService/CreateAgent'>;

const roles = {
  implementer: 'AGENT_ROLE_IMPLEMENTER',
  reviewer: 'AGENT_ROLE_REVIEWER',
  orchestrator: 'AGENT_ROLE_ORCHESTRATOR',
} as const satisfies Record<string, AgentRole>;

/** `muster new` */
export const define: Define = (command: Command, session) => {
  command
    .description(
      'Launches an agent with an opening prompt; - reads it from standard input. It prints the agent as soon as it is ' +
        'accepted, while it is still being set up.',
    )
    .option('-w, --workflow <name>', 'name or id of the workflow (the parent’s own, else "default")')
    .option('-t, --title <title>', 'its name; muster makes one from the prompt otherwise')
    .option('-d, --dir <path>', 'start directory (the workflow’s own)')
    .option('--flags <flags>', 'flags for its CLI (the workflow’s own)')
    .option('--harness <name>', `which CLI to run (the workflow’s own): ${harnessNames.join(', ')}, or one of your own`)
    .option('--worktree', 'give it a worktree and a branch of its own')
    .option('--no-worktree', 'run it in the directory itself')
    .option(
      '-p, --parent <agent>',
      'attach it to this agent as its child, a reviewer unless --role says otherwise; a child has none of its own',
    )
    .addOption(new Option('--role <role>', 'what it is launched to do').choices(Object.keys(roles)))
    .option('--host <name>', 'place it on this host')
    .option('--key <key>', 'idempotency key: a repeat with it gives the same agent')
    .option('--ring', 'for an agent that launches it: be called whenever it finishes, fails or waits for a person')
    .option('-a, --attach', 'open its window as soon as it has one')
    .addOption(outputOption())
    .action((prompt: string, flags: NewFlags) => launch(session, prompt, flags));
};

async function launch(session: Session, prompt: string, flags: NewFlags): Promise<void> {
  const { io } = session;
  const client = session.client();
  const request = await requestFrom(io, client, prompt, flags);
  const { agent = {} } = await client.call('agent.v1.AgentService/CreateAgent', request);
  const { id = '', name = id } = agent;
  writeRecord(io, flags, agent, () => `${printable(name)}  ${id}\n`);
  if (isNumbered(name, flags.title)) io.stderr.write(`${flags.title} is taken: it is ${printable(name)}\n`);
  const own = typedName(agent);
  if (!flags.attach) return io.stderr.write(`See it with: muster read ${own} (or open it: muster attach ${own})\n`);
  await untilOpen(io, client, agent);
  await attach(session, client, await findAgent(client, id), {});
}

/** Whether it got another name than was asked for, since that is taken: the same with a number. */
function isNumbered(name: string, title = ''): boolean {
  return title !== '' && name.startsWith(`${title}-`) && /^\d+$/.test(name.slice(title.length + 1));
}

async function requestFrom(io: CliIo, client: Client, prompt: string, flags: NewFlags): Promise<CreateAgentRequest> {
  const { title, dir, harness, worktree, host, key } = flags;
  const parent = flags.parent === undefined ? undefined : await findAgent(client, flags.parent);
  const own = flags.workflow === undefined ? parent?.agent.workflowId : undefined;
  return {
    prompt: prompt === '-' ? await textSource(io).read('the prompt', prompt) : prompt,
    workflowId: own ?? (await findWorkflow(client, flags.workflow ?? 'default')).id,
    ...(title !== undefined && { title }),
    ...(dir !== undefined && { dir: dir.startsWith('~') ? dir : resolve(io.cwd, dir) }),
    ...(flags.flags !== undefined && { flags: flags.flags }),
    ...(harness !== undefined && { harness }),
    ...(worktree !== undefined && { provisionEnabled: worktree }),
    ...(parent !== undefined && { parentAgentId: parent.id }),
    ...(flags.role !== undefined && { role: roles[flags.role] }),
    ...(flags.ring && { ringOnResult: true }),
    ...(host !== undefined && { host }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
}

/** Waits until the agent has a window. @throws Failure `failed_precondition` with the reason where its launch fails. */
async function untilOpen(io: CliIo, client: Client, agent: Agent): Promise<void> {
  const { id = '', name = id } = agent;
  const isOver = ({ alive, state }: Agent): boolean => alive === true || state !== 'AGENT_STATE_SETTING_UP';
  const still = `${printable(name)} is still being set up`;
  const end = await outcomeOf(io, client, { id, still, minutes: 60, isOver });
  if (end?.alive) return;
  const why = end === undefined ? 'it was deleted' : (end.stateReason ?? 'no reason was given');
  throw new Failure(
    'failed_precondition',
    `${name} could not be launched: ${why}. Mend it, then muster retry ${typedName(agent)}`,
  );
}
