import type { Performance, Performer } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { Isolation } from '#actors/host/isolation/isolation.ts';
import { subjectOf } from '#actors/host/isolation/sandbox-spec.ts';
import type { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import { withTerminal } from '#actors/host/typing/terminal-mutex.ts';
import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { splitFlags } from '#machines/flags.ts';
import { type CommandLine, commandLineOf, type Harness } from '#machines/harness/definition.ts';
import { joined } from '#machines/harness/launch-addition.ts';
import type { PortBlocks } from '#world/net/port-blocks.ts';
import type { Handovers, PrivateVariables } from '#world/terminal/handover.ts';
import type { Terminal, Terminals, WindowSpec } from '#world/terminal/terminal.ts';
import { type CliStart, type CliStartOptions, cliStartOf, fittingHarness, versionOf } from './cli-start.ts';
import { freshStart } from './fresh-start.ts';
import { ownEnvironment } from './own-environment.ts';
import { reportingOf } from './reporting.ts';
import { toolingOf } from './tooling.ts';

export interface OpenWindowOptions extends CliStartOptions {
  readonly terminals: Terminals;
  /** The folder of settings files for CLIs that take muster's tools from one. */
  readonly settings: string;
  /** The URL at which agents reach the service. */
  readonly baseUrl: string;
  readonly registry: Pick<RegistryClient, 'token'>;
  readonly isolation: Pick<Isolation, 'around'>;
  readonly clock: Pick<MonotonicClock, 'monotonic'>;
  readonly profiles: Pick<HostProfiles, 'read'>;
  /** The ports of worktrees. */
  readonly ports: Pick<PortBlocks, 'checked'>;
  /** Identifies this boot of the computer; empty if the system has no id for it. */
  readonly boot?: string;
  /** Passes the secrets of profiles to windows. */
  readonly handovers: Pick<Handovers, 'isPending' | 'prepare'>;
}

type WindowOpened = Extract<AgentEvent, { type: 'WINDOW_OPENED' }>;

/** Opens the agent's window and starts its CLI in it, or adopts an existing window. */
export function openWindow(options: OpenWindowOptions): Performer {
  return {
    step: 'opening',
    perform: (performance) => withTerminal(performance.record.family, () => open(options, performance)),
  };
}

async function open(options: OpenWindowOptions, { record, effect }: Performance): Promise<AgentEvent> {
  const terminal = await options.terminals.of(record.family);
  const there = (await terminal.panes()).find(({ agentId }) => agentId === record.id);
  if (there && !there.dead && !options.handovers.isPending(record.id)) return adopted(options, record, there.paneId);
  const start = await cliStartOf(options, record);
  const { cwd, program, given, withWorkflowVariables } = start;
  const harness = await fittingHarness(start);
  const profile = await options.profiles.read(record, harness);
  const environment = { ...withWorkflowVariables(given), ...profile.environment };
  const tooling = toolingOf(harness, record.launch, environment, options.settings);
  const added = joined(tooling, await reportingOf(harness, program, environment));
  const { argv, sessionId } = commandLine(record, harness, added.args, effect.params['resume'] === true);
  const ports = await options.ports.checked(cwd);
  const plain = { ...withWorkflowVariables({ ...given, ...added.env, ...harness.env }), ...profile.environment };
  const env = { ...plain, PATH: given['PATH'] ?? '', ...ports };
  const isolated = { cwd, env, programs: [program], isBeside: false };
  const around = await options.isolation.around(subjectOf(record), isolated);
  const mayStart = freshStart(options.clock);
  const own = await ownEnvironment(record, options, 'window');
  mayStart();
  if (there) await terminal.close(there.paneId);
  const paneId = await opened(options, terminal, profile.secrets, {
    agentId: record.id,
    name: readAgentContext(record.snapshot).name,
    cwd,
    argv: [...around([program, ...argv.slice(1)])],
    env: { ...env, ...own },
  });
  return {
    type: 'WINDOW_OPENED',
    paneId,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(options.boot && { boot: options.boot }),
    ...(await knownVersion(start)),
  };
}

/**
 * Opens the window, and passes it its secrets. A window that did not receive them is closed before its program starts.
 */
async function opened(
  { handovers }: Pick<OpenWindowOptions, 'handovers'>,
  terminal: Pick<Terminal, 'open' | 'close'>,
  secrets: PrivateVariables,
  spec: WindowSpec,
): Promise<string> {
  if (Object.keys(secrets).length === 0) return (await terminal.open(spec)).paneId;
  const handover = await handovers.prepare(spec.agentId);
  let paneId: string | undefined;
  try {
    paneId = (await terminal.open({ ...spec, env: { ...spec.env, ...handover.env } })).paneId;
    await handover.deliver(secrets);
    return paneId;
  } catch (error) {
    handover.drop();
    if (paneId !== undefined) await terminal.close(paneId);
    throw error;
  }
}

/**
 * The window of a launch whose result was not recorded: its CLI has started, so a part that is missing now does not
 * matter.
 */
async function adopted(options: OpenWindowOptions, record: AgentRecord, paneId: string): Promise<AgentEvent> {
  const start = await cliStartOf(options, record).catch(() => undefined);
  const boot = options.boot && { boot: options.boot };
  return { type: 'WINDOW_OPENED', paneId, ...boot, ...(start && (await knownVersion(start))) };
}

/**
 * The CLI's version if this host knows it. If not, the CLI is run to report it, and opening the window does not wait
 * for that.
 */
async function knownVersion(start: CliStart): Promise<Pick<WindowOpened, 'harnessVersion' | 'versionPending'>> {
  const harnessVersion = await versionOf(start, 0);
  if (harnessVersion !== undefined) return { harnessVersion };
  return start.harness.versionArgs === undefined ? {} : { versionPending: true };
}

/** A person's flags come last, so that they override what muster adds. */
function commandLine(
  { launch, snapshot }: AgentRecord,
  harness: Harness,
  added: readonly string[],
  resume: boolean,
): CommandLine {
  const flags = splitFlags(launch.flags);
  if (!flags) throw new Failure('FLAGS_UNREADABLE', `the flags have a quote that is not closed: ${launch.flags}`);
  const known = readAgentContext(snapshot).session?.id;
  return commandLineOf(harness, [...added, ...flags], { resume, known, fresh: launch.sessionId });
}
