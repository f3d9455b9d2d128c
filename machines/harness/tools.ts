import { isAsked, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { type LaunchAddition, noAddition } from './launch-addition.ts';

/** What else is in the entry of a server, in the CLI's own words. */
type Entry = Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>>;

/** How a CLI's arguments say which tools need no question; `{tool}` stands for a tool's name. */
interface Allowing {
  readonly flag: string;
  readonly tool: string;
  /** What is between tools in one argument; left out if each has its own flag. */
  readonly joinedBy?: string;
}

/**
 * How a CLI is given muster's tools, which `muster mcp` serves: always for its one run, never in a file of the person's
 * or the repository's. What reads, what concerns the caller alone, and mail need no question to the person; a tool that
 * starts, steers or ends a CLI or writes files (`asks` in the table of operations) is left to the CLI's own
 * permissions, unless the workflow says that it needs none.
 */
export type Tools =
  /** A flag takes the server as JSON; `allowing` says which tools need no question. */
  | { readonly through: 'flag'; readonly flag: string; readonly entry?: Entry; readonly allowing: Allowing | 'trust' }
  /** Codex's configuration, given as a flag. */
  | { readonly through: 'config' }
  /** opencode's configuration, which it takes from its environment. */
  | { readonly through: 'environment' }
  /** A settings file of muster's, which a variable names; its servers say which tools need no question. */
  | { readonly through: 'file'; readonly variable: string; readonly unless: Unless }
  /** It is not: a person does not want it. */
  | { readonly through: 'nothing' };

/** What a settings file of muster's would take the place of, if it is there. */
export interface Unless {
  readonly variables: readonly string[];
  readonly files: readonly string[];
}

/** Muster's tools, by whether a CLI asks a person before it calls them. */
interface ToolNames {
  readonly free: readonly string[];
  readonly asked: readonly string[];
}

/** Which of the tools that agents have need a question; a workflow may say that some of these do not. */
export function toolNames(preApproved: readonly string[]): ToolNames {
  const rows = operations.filter(({ roles }) => roles.length > 0);
  const needs = new Set(rows.filter(isAsked).map(toolName));
  for (const tool of preApproved) needs.delete(tool);
  const names = rows.map(toolName);
  return { free: names.filter((name) => !needs.has(name)), asked: names.filter((name) => needs.has(name)) };
}

/**
 * What `muster mcp` learns from whose tools it serves; a CLI may withhold it from its children unless it is configured
 * not to.
 */
const variables = ['SERVICE_AGENT_ID', 'SERVICE_BASE_URL', 'SERVICE_TOKEN'];
/**
 * The token itself is in no argument and in no file: a CLI that withholds it is configured to take it from its
 * environment.
 */
const environment = Object.fromEntries(variables.map((name) => [name, `\${${name}}`]));
/** How long Codex waits for a tool, in seconds: longer than any waits. */
const codexWaits = 120;

/** What tools are given by. */
interface Given {
  /** The program that serves them. */
  readonly muster: string;
  /** The settings file, where one is used. */
  readonly file: string;
  /** Tools that need no question although they are asked about otherwise. */
  readonly preApproved: readonly string[];
}

/** What a launch needs for its CLI to have muster's tools. */
export function toolsAddition(tools: Tools | undefined, { muster, file, preApproved }: Given): LaunchAddition {
  const names = toolNames(preApproved);
  switch (tools?.through) {
    case 'flag': {
      const { flag, entry, allowing } = tools;
      const servers = allowing === 'trust' ? trusting(muster, names, entry) : { muster: serverOf(muster, entry) };
      const allowed = allowing === 'trust' ? [] : argumentsOf(allowing, names);
      return { args: [flag, JSON.stringify({ mcpServers: servers }), ...allowed], env: {} };
    }
    case 'config':
      return { args: ['-c', `mcp_servers.muster={${codexServer(muster, names)}}`], env: {} };
    case 'environment': {
      const server = { type: 'local', command: [muster, 'mcp'], enabled: true };
      const permission = Object.fromEntries(names.asked.map((tool) => [`muster_${tool}`, 'ask']));
      return { args: [], env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: { muster: server }, permission }) } };
    }
    case 'file':
      return { args: [], env: { [tools.variable]: file } };
    default:
      return noAddition;
  }
}

/** What is in a settings file of muster's. */
export function settingsText(muster: string, preApproved: readonly string[]): string {
  return JSON.stringify({ mcpServers: trusting(muster, toolNames(preApproved), { env: environment }) });
}

/** Codex asks before a tool unless the entry of that tool says that it is approved. */
function codexServer(muster: string, { free }: ToolNames): string {
  return [
    `command=${JSON.stringify(muster)}`,
    'args=["mcp"]',
    `env_vars=${JSON.stringify(variables)}`,
    `tool_timeout_sec=${codexWaits}`,
    'default_tools_approval_mode="prompt"',
    `tools={${free.map((tool) => `${tool}={approval_mode="approve"}`).join(',')}}`,
  ].join(',');
}

function argumentsOf({ flag, tool: spelled, joinedBy }: Allowing, { free }: ToolNames): string[] {
  const tools = free.map((tool) => spelled.replace('{tool}', tool));
  return joinedBy === undefined ? tools.flatMap((tool) => [flag, tool]) : [flag, tools.join(joinedBy)];
}

/**
 * A CLI that trusts a server as a whole or not at all has two: one with the tools that need no question, one with the
 * others.
 */
function trusting(muster: string, { free, asked }: ToolNames, entry?: Entry): Readonly<Record<string, Entry>> {
  const trusted = serverOf(muster, { ...entry, trust: true, includeTools: free });
  if (asked.length === 0) return { muster: trusted };
  return { muster: trusted, 'muster-asks': serverOf(muster, { ...entry, trust: false, includeTools: asked }) };
}

/** The entry of a server, in the form that Claude Code began and others took over. */
function serverOf(muster: string, entry?: Entry): Entry {
  return { command: muster, args: ['mcp'], ...entry };
}
