import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Client, ResponseOf } from '#cli/client/client.ts';
import { runInTerminal, shellLine } from '#cli/client/run-in-terminal.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everyAgent, type FoundAgent, findAgent, foundIn } from '#cli/find/find-agent.ts';
import { agentTree } from '#cli/print/agent-tree.ts';
import { type OutputFlags, outputOption, writeJson } from '#cli/print/output.ts';
import { inWords } from '#cli/print/words.ts';
import { Failure } from '#contract/failure.ts';
import type { ViewedWindow } from '#contract/pane/viewer.ts';
import { printable } from '#contract/printable.ts';

interface AttachFlags extends OutputFlags {
  readonly readOnly?: true;
  readonly print?: true;
}
type Way = ResponseOf<'agent.v1.AgentService/AttachAgent'>;

/** `muster attach` */
export const define: Define = (command: Command, session) => {
  command
    .description(
      'Opens an agent’s window in this terminal; the prefix and d (Ctrl-b d) leave it, and the agent continues. ' +
        'Without a name: a viewer with every live agent in a window of its own (Ctrl-b n is the next one).',
    )
    .option('-r, --read-only', 'watch without typing')
    .option('--print', 'print the command that opens the named agent’s window, instead of running it')
    .addOption(outputOption(['json']))
    .action(async (name: string | undefined, flags: AttachFlags) => {
      const client = session.client();
      if (name === undefined) return view(session, client, flags);
      await attach(session, client, await findAgent(client, name), flags);
    });
};

/** Opens an agent's window, or prints the command that does. */
export async function attach(session: Session, client: Client, agent: FoundAgent, flags: AttachFlags): Promise<void> {
  const { io } = session;
  const way = await wayTo(client, agent);
  const command = await ownCommand(session, agent, way, flags);
  if (flags.output !== undefined) return writeJson(io, { ...way, command });
  if (flags.print) return io.stdout.write(`${shellLine(command)}\n`);
  refuseWithoutTerminal(session, `\`muster attach ${agent.id} --print\` prints the command to run in one`);
  session.exitWith(await runInTerminal(command, { ...io.env }));
}

async function view(session: Session, client: Client, flags: AttachFlags): Promise<void> {
  const rows = agentTree(await everyAgent(client, false)).map(({ row }) => row);
  const live = foundIn(rows).filter(({ agent }) => agent.alive);
  if (live.length === 0)
    throw new Failure('NO_LIVE_AGENT', 'no agent is live: launch one with muster new "what to do"');
  const names = live.map(({ name }) => name).join(', ');
  if (flags.print || flags.output) {
    const flag = flags.print ? '--print' : `-o ${flags.output}`;
    throw new Failure('INVALID_USAGE', `${flag} takes one agent: name one of the live ones: ${names}`);
  }
  refuseWithoutTerminal(session, `the live agents are ${names}`);
  const windows: ViewedWindow[] = [];
  for (const agent of live) {
    try {
      const command = await ownCommand(session, agent, await wayTo(client, agent), flags);
      windows.push({ name: agent.name, command });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      session.io.stderr.write(`${printable(agent.name)} is left out: ${printable(inWords(error.message))}\n`);
    }
  }
  if (windows.length === 0) throw new Failure('TERMINAL_REQUIRED', 'no window can be opened from here');
  const { TMUX: _outer, ...env } = session.io.env;
  const viewer = await (await session.local()).openViewer(windows, env);
  try {
    session.exitWith(await runInTerminal(viewer.command, env));
  } finally {
    await viewer.close();
  }
}

function wayTo(client: Client, { id }: FoundAgent): Promise<Way> {
  return client.call('agent.v1.AgentService/AttachAgent', { agentId: id });
}

/** The command that opens the window. It is built here, and takes only checked names from the service's answer. */
async function ownCommand(
  { local }: Session,
  { id, name }: FoundAgent,
  { hostName, family = '', windowId = '' }: Way,
  { readOnly }: AttachFlags,
): Promise<readonly string[]> {
  if (hostName && hostName !== hostname())
    throw new Failure('AGENT_ON_OTHER_HOST', `${name} runs on the host ${hostName}; run there: muster attach ${id}`);
  return (await local()).attachCommand({ family, windowId }, readOnly ?? false);
}

function refuseWithoutTerminal({ io }: Session, instead: string): void {
  if (io.stdout.isTTY) return;
  throw new Failure('TERMINAL_REQUIRED', `attach needs a terminal: ${instead}`);
}
