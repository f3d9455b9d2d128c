import { type Command, Option } from 'commander';
import { harnessNames } from '#cli/client/built-in.ts';
import type { Client, RequestOf } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent, typedName } from '#cli/find/find-agent.ts';
import { findProfile } from '#cli/find/find-profile.ts';
import { outcomeOf } from '#cli/print/outcome.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { atLeastOne, workMinutes } from '#cli/print/whole-number.ts';
import type { Agent, AgentRole } from '#contract/agent/agent.ts';
import { leftBehindText } from '#contract/agent/left-behind-text.ts';
import { Failure } from '#contract/failure.ts';
import type { Isolation } from '#contract/host/isolation.ts';
import { printable, printableLines } from '#contract/printable.ts';
import { attach } from './attach.ts';
import { awaitAgents, awaitedLine, exitCodeFor, outcomes } from './awaited.ts';
import { timeLimitMs } from './given-time.ts';
import { type LaunchPlace, launchPlace, type PlaceFlags } from './launch-place.ts';
import { withNewWorkflow } from './new-workflow.ts';

interface NewFlags extends OutputFlags, PlaceFlags {
  readonly title?: string;
  readonly flags?: string;
  readonly harness?: string;
  readonly worktree?: boolean;
  readonly withChanges?: true;
  readonly parent?: string;
  readonly role?: keyof typeof roles;
  readonly key?: string;
  readonly hostSelector?: string[];
  readonly isolation?: keyof typeof isolations;
  readonly profile?: string;
  readonly budgetTurns?: number;
  readonly budgetWork?: number;
  readonly ring?: true;
  readonly attach?: true;
  readonly wait?: true;
  readonly result?: true;
  readonly for?: (keyof typeof outcomes)[];
  readonly timeout?: string;
  readonly resultSchema?: string;
}
type CreateAgentRequest = RequestOf<'agent.v1.AgentService/CreateAgent'>;

const roles = {
  implementer: 'AGENT_ROLE_IMPLEMENTER',
  reviewer: 'AGENT_ROLE_REVIEWER',
  orchestrator: 'AGENT_ROLE_ORCHESTRATOR',
} as const satisfies Record<string, AgentRole>;

const isolations = {
  none: 'ISOLATION_NONE',
  sandbox: 'ISOLATION_SANDBOX',
  container: 'ISOLATION_CONTAINER',
} as const satisfies Record<string, Isolation>;

/** How a launch would copy what the worktree lacks. */
const way = '--with-changes copies them';

/** `muster new` */
export const define: Define = (command: Command, session) => {
  command
    .description(
      'Launches an agent with an opening prompt; - reads it from standard input. It prints the agent as soon as it is ' +
        'accepted, while it is still being set up. In a git repository it uses the workflow of that repository, which is ' +
        'created if there is none.',
    )
    .option(
      '-w, --workflow <name>',
      'name or id of the workflow (the parent’s, else that of this repository, else "default")',
    )
    .option('-t, --title <title>', 'its name; by default made from the prompt')
    .option('-d, --dir <path>', 'start directory (the workflow’s own)')
    .option(
      '--flags <flags>',
      "flags for its CLI (the workflow’s own, unless --harness names another CLI); '' for none",
    )
    .option('--harness <name>', `which CLI to run (the workflow’s own): ${harnessNames.join(', ')}, or one of your own`)
    .option('--worktree', 'give it its own worktree and branch')
    .option('--no-worktree', 'run it in the directory itself')
    .option(
      '--with-changes',
      'start its worktree from the directory’s commit, with its uncommitted, untracked and ignored files and its submodules',
    )
    .option(
      '-p, --parent <agent>',
      'make it a child of this agent, a reviewer unless --role says otherwise; a child cannot have children',
    )
    .addOption(new Option('--role <role>', 'what it is launched to do').choices(Object.keys(roles)))
    .option('--host <name>', 'place it on this host')
    .option(
      '--host-selector <labels...>',
      'place it on a host with these labels, such as gpu=yes; it waits until there is one',
    )
    .addOption(
      new Option('--isolation <kind>', 'what separates it from its host (the workflow’s own)').choices(
        Object.keys(isolations),
      ),
    )
    .option('--profile <name>', 'the profile that it gets variables, secrets and an account from (the workflow’s own)')
    .option('--budget-turns <count>', 'how many turns it may begin in a day', atLeastOne)
    .option('--budget-work <time>', 'how long it may work in a day, such as 90m or 8h', workMinutes)
    .option('--key <key>', 'idempotency key: repeating a launch with it returns the same agent')
    .option('--ring', 'if you are an agent: ring your doorbell whenever it finishes, ends, fails or waits for a person')
    .option('-a, --attach', 'open its window as soon as it has one')
    .option('--wait', 'wait until it finishes a turn, ends, fails or waits for you, and exit as muster wait does')
    .option('--result', 'with --wait: print the result that it reports, and nothing else on standard output')
    .addOption(
      new Option('--for <outcomes...>', 'with --wait: the outcomes that are exit code 0 (anything)').choices(
        Object.keys(outcomes),
      ),
    )
    .option('--timeout <time>', 'with --wait: how long, such as 30m or 2h')
    .option(
      '--result-schema <schema>',
      'the JSON Schema that its result must fit; @path reads a file. Its briefing asks for such a result',
    )
    .addOption(outputOption())
    .action((prompt: string, flags: NewFlags) => launch(session, prompt, flags));
};

async function launch(session: Session, prompt: string, flags: NewFlags): Promise<void> {
  const { io } = session;
  checkWaitFlags(flags);
  const client = session.client();
  const { request, made } = await requestFrom(session, client, prompt, flags);
  const created = client.call('agent.v1.AgentService/CreateAgent', request);
  const { agent = {}, leftBehind } = await (made === undefined ? created : withNewWorkflow(io, client, made, created));
  const { id = '', name = id } = agent;
  if (flags.result) io.stderr.write(`${printable(name)}  ${id}\n`);
  else writeRecord(io, flags, agent, () => `${printable(name)}  ${id}\n`);
  if (isNumbered(name, flags.title)) io.stderr.write(`${flags.title} is taken: it is ${printable(name)}\n`);
  const lacked = leftBehind && leftBehindText(leftBehind, way);
  if (lacked) io.stderr.write(`${lacked}\n`);
  const own = typedName(agent);
  if (agent.queued) io.stderr.write(`It ${printable(agent.stateReason ?? 'waits to be placed')}\n`);
  if (flags.wait) return awaitOne(session, client, agent, flags);
  if (!flags.attach)
    return io.stderr.write(`Follow it with: muster show ${own} (once it has a window: muster read ${own})\n`);
  await untilOpen(io, client, agent);
  await attach(session, client, await findAgent(client, id), {});
}

/** @throws INVALID_ARGUMENT when flags of a wait are given without it */
function checkWaitFlags({ wait, result, for: until, timeout, attach }: NewFlags): void {
  const [needing] =
    Object.entries({ '--result': result, '--for': until, '--timeout': timeout }).find(([, one]) => one) ?? [];
  if (!wait && needing !== undefined) throw new Failure('INVALID_USAGE', `${needing} needs --wait: add it`);
  if (wait && attach) throw new Failure('INVALID_USAGE', '--wait and --attach exclude each other: give one of them');
  if (timeout !== undefined) timeLimitMs('--timeout', timeout);
}

/** Waits for the new agent, and prints its outcome or its result. */
async function awaitOne(session: Session, client: Client, agent: Agent, flags: NewFlags): Promise<void> {
  const { io } = session;
  const { id = '' } = agent;
  const until = (flags.for ?? []).map((word) => outcomes[word]);
  const timeoutMs = flags.timeout === undefined ? undefined : timeLimitMs('--timeout', flags.timeout);
  const agents = await awaitAgents(session, client, { agentIds: [id], until }, timeoutMs);
  const said = agents.map(awaitedLine).join('');
  io.stderr.write(said);
  session.exitWith(exitCodeFor(agents, until));
  if (!flags.result || (exitCodeFor(agents, until) !== 0 && !agents.some(({ hasResult }) => hasResult))) return;
  const { result } = await client.call('agent.v1.AgentService/GetResult', { agentId: id }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.reason !== 'NO_RESULT') throw error;
    throw error.saying(`it reported no result: muster read ${typedName(agent)} shows its screen`);
  });
  io.stdout.write(`${printableLines(result?.text ?? '')}\n`);
}

/** Whether a number was added to its requested name because that was taken. */
function isNumbered(name: string, title = ''): boolean {
  return title !== '' && name.startsWith(`${title}-`) && /^\d+$/.test(name.slice(title.length + 1));
}

async function requestFrom(
  session: Session,
  client: Client,
  prompt: string,
  flags: NewFlags,
): Promise<{ readonly request: CreateAgentRequest; readonly made?: LaunchPlace['made'] }> {
  const { title, harness, worktree, host, hostSelector, key } = flags;
  const parent = flags.parent === undefined ? undefined : await findAgent(client, flags.parent);
  const texts = textSource(session.io);
  const { fields, ...place } = await launchPlace(session, client, flags, parent);
  const request: CreateAgentRequest = {
    prompt: prompt === '-' ? await texts.read('the prompt', prompt) : prompt,
    ...fields,
    ...(title !== undefined && { title }),
    ...(flags.flags === '' && { clear: ['flags'] as const }),
    ...(flags.flags && { flags: flags.flags }),
    ...(harness !== undefined && { harness }),
    ...(worktree !== undefined && { provisionEnabled: worktree }),
    ...(flags.withChanges && { withChanges: true }),
    ...(parent !== undefined && { parentAgentId: parent.id }),
    ...(flags.role !== undefined && { role: roles[flags.role] }),
    ...(flags.ring && { ringOnResult: true }),
    ...(host !== undefined && { host }),
    ...(hostSelector !== undefined && { hostSelector }),
    ...(flags.isolation !== undefined && { isolation: isolations[flags.isolation] }),
    ...(flags.profile && { profileId: (await findProfile(client, flags.profile)).id }),
    ...(flags.budgetTurns !== undefined && { budgetTurns: flags.budgetTurns }),
    ...(flags.budgetWork !== undefined && { budgetWorkMinutes: flags.budgetWork }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(flags.resultSchema && { resultSchema: await texts.read('--result-schema', flags.resultSchema) }),
  };
  return { request, ...place };
}

/** Waits until the agent has a window. @throws FAILED_PRECONDITION with the reason when its launch fails. */
async function untilOpen(io: CliIo, client: Client, agent: Agent): Promise<void> {
  const { id = '', name = id } = agent;
  const isOver = ({ alive, state }: Agent): boolean => alive === true || state !== 'AGENT_STATE_SETTING_UP';
  const still = `${printable(name)} is still being set up`;
  const end = await outcomeOf(io, client, { id, still, minutes: 60, isOver });
  if (end?.alive) return;
  const why = end === undefined ? 'it was deleted' : (end.stateReason ?? 'no reason was given');
  throw new Failure(
    'LAUNCH_FAILED',
    `${name} could not be launched: ${why}. Fix it, then run muster retry ${typedName(agent)}`,
  );
}
