import { hostname } from 'node:os';
import type { Command } from 'commander';
import { RemoteWindow } from '#cli/attach/remote-window.ts';
import type { Client, ResponseOf } from '#cli/client/client.ts';
import { runInTerminal, shellLine } from '#cli/client/run-in-terminal.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everyAgent, findAgent, foundIn, type ListedAgent } from '#cli/find/find-agent.ts';
import { agentTree } from '#cli/print/agent-tree.ts';
import { type OutputFlags, outputOption, writeJson } from '#cli/print/output.ts';
import { inWords } from '#cli/print/words.ts';
import { Failure } from '#contract/failure.ts';
import type { ViewedWindow } from '#contract/pane/viewer.ts';
import { printable } from '#contract/printable.ts';

interface AttachFlags extends OutputFlags {
  readonly readOnly?: true;
  readonly remote?: true;
  readonly print?: true;
}
type AttachResponse = ResponseOf<'agent.v1.AgentService/AttachAgent'>;

/** `muster attach` */
export const define: Define = (command: Command, session) => {
  command
    .description(
      'Opens an agent’s window in this terminal; the prefix and d (Ctrl-b d) leave it, and the agent continues. ' +
        'Without a name: a viewer with every live agent in a window of its own (Ctrl-b n is the next one).\n\n' +
        'The window of an agent on another host is opened through the service, without ssh. It is only watched until ' +
        'Ctrl-b t takes the agent over, which interrupts its turn: then what you type reaches it, and nothing else does. ' +
        'Ctrl-b t again, or to leave, gives it back.',
    )
    .option('-r, --read-only', 'watch without typing')
    .option('--remote', 'open the window through the service, also on this host')
    .option('--print', 'print the command that opens the named agent’s window, instead of running it')
    .addOption(outputOption(['json']))
    .action(async (name: string | undefined, flags: AttachFlags) => {
      const client = session.client();
      if (name === undefined) return view(session, client, flags);
      await attach(session, client, await findAgent(client, name), flags);
    });
};

/** Opens an agent's window, or prints the command that does. */
export async function attach(session: Session, client: Client, agent: ListedAgent, flags: AttachFlags): Promise<void> {
  const { io } = session;
  const way = await wayTo(client, agent, flags);
  const isHere = !flags.remote && way !== undefined && (await isOwnHost(session, way));
  if (flags.print || flags.output !== undefined) {
    const command = await ownCommand(session, agent, way, flags);
    if (flags.output !== undefined) return writeJson(io, { ...way, command });
    return io.stdout.write(`${shellLine(command)}\n`);
  }
  if (!isHere) return attachRemotely(session, agent, way, flags);
  const command = await ownCommand(session, agent, way, flags);
  refuseWithoutTerminal(session, `\`muster attach ${agent.id} --print\` prints the command to run in one`);
  session.exitWith(await runInTerminal(command, { ...io.env }));
}

async function attachRemotely(
  session: Session,
  found: ListedAgent,
  way: AttachResponse | undefined,
  flags: AttachFlags,
): Promise<void> {
  const { stdin, stdout } = session.io;
  if (!stdin.isTTY || !stdin.setRawMode || !stdout.isTTY)
    throw new Failure('TERMINAL_REQUIRED', `attach needs a terminal: \`muster read ${found.id}\` prints its screen`);
  const hostName = way?.hostName;
  await new RemoteWindow(session, { found, hostName, readOnly: flags.readOnly ?? false }).run();
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
      const command = await ownCommand(session, agent, await wayTo(client, agent, flags), flags);
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

/** The agent's window; undefined if only the service can show it, as that of an embedded pane. */
async function wayTo(
  client: Client,
  { id }: ListedAgent,
  { print, output }: AttachFlags,
): Promise<AttachResponse | undefined> {
  try {
    return await client.call('agent.v1.AgentService/AttachAgent', { agentId: id });
  } catch (error) {
    const isShown = !print && output === undefined && error instanceof Failure && error.isFor('ATTACH_NOT_POSSIBLE');
    if (isShown) return undefined;
    throw error;
  }
}

/** The command that opens the window. It is built here, and takes only checked names from the service's answer. */
async function ownCommand(
  session: Session,
  { id }: ListedAgent,
  way: AttachResponse | undefined,
  flags: AttachFlags,
): Promise<readonly string[]> {
  const local = await session.local();
  const readOnly = flags.readOnly ?? false;
  if (flags.remote || way === undefined || !(await isOwnHost(session, way)))
    return local.remoteAttachCommand(id, readOnly);
  const { family = '', windowId = '' } = way;
  return local.attachCommand({ family, windowId }, readOnly);
}

/** Whether an agent's window is on this computer, and in this state folder if that has a host of its own. */
async function isOwnHost(session: Session, { hostId, hostName }: AttachResponse): Promise<boolean> {
  const own = (await session.local()).hostId();
  return own === undefined || !hostId ? !hostName || hostName === hostname() : hostId === own;
}

function refuseWithoutTerminal({ io }: Session, instead: string): void {
  if (io.stdout.isTTY) return;
  throw new Failure('TERMINAL_REQUIRED', `attach needs a terminal: ${instead}`);
}
