import { isAsked, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { type LaunchAddition, noAddition } from './launch-addition.ts';

/** Other fields of a server's entry, in the CLI's format. */
type Entry = Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>>;

/** The arguments that pre-approve tools; `{tool}` stands for a tool's name. */
interface Allowing {
  readonly flag: string;
  readonly tool: string;
  /** The separator of tools in one argument; unset if each tool has its own flag. */
  readonly joinedBy?: string;
}

/**
 * How a CLI gets muster's tools, which `muster mcp` serves: always for one run only, never in a file of the person or
 * the repository. Tools that read, that concern only the caller, and mail are pre-approved. For a tool that starts,
 * steers or ends a CLI or writes files (`asks` in the table of operations), the CLI's own permissions apply, unless the
 * workflow pre-approves it.
 */
export type Tools =
  /** A flag with the server as JSON; `allowing` pre-approves tools. */
  | { readonly through: 'flag'; readonly flag: string; readonly entry?: Entry; readonly allowing: Allowing | 'trust' }
  /** Codex's configuration, passed in a flag. */
  | { readonly through: 'config' }
  /** opencode's configuration, which it reads from its environment. */
  | { readonly through: 'environment' }
  /** A settings file of muster's, named in a variable; its servers pre-approve tools. */
  | { readonly through: 'file'; readonly variable: string; readonly unless: Unless }
  /** It does not get them, because a person does not want it. */
  | { readonly through: 'nothing' };

/** The person's own settings that a settings file of muster's would replace. */
export interface Unless {
  readonly variables: readonly string[];
  readonly files: readonly string[];
}

/** Muster's tools, by whether a CLI asks a person before it calls them. */
interface ToolNames {
  readonly free: readonly string[];
  readonly asked: readonly string[];
}

/** The tools of agents, by whether a CLI asks before it calls them. A workflow may pre-approve some. */
export function toolNames(preApproved: readonly string[]): ToolNames {
  const rows = operations.filter(({ roles }) => roles.length > 0);
  const needs = new Set(rows.filter(isAsked).map(toolName));
  for (const tool of preApproved) needs.delete(tool);
  const names = rows.map(toolName);
  return { free: names.filter((name) => !needs.has(name)), asked: names.filter((name) => needs.has(name)) };
}

/**
 * The variables that identify the agent to `muster mcp`. A CLI may withhold them from its child processes unless it is
 * configured to pass them.
 */
const variables = ['SERVICE_AGENT_ID', 'SERVICE_BASE_URL', 'SERVICE_TOKEN'];
/**
 * The token itself is in no argument and no file. A CLI that withholds it is configured to read it from its
 * environment.
 */
const environment = Object.fromEntries(variables.map((name) => [name, `\${${name}}`]));
/** How long Codex waits for a tool, in seconds: longer than any tool takes. */
const codexWaits = 120;

/** What giving tools needs. */
interface Given {
  /** The program that serves them. */
  readonly muster: string;
  /** The settings file, if the CLI uses one. */
  readonly file: string;
  /** Tools that the workflow pre-approves. */
  readonly preApproved: readonly string[];
}

/** What a launch needs so that its CLI has muster's tools. */
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

/** The content of a settings file of muster's. */
export function settingsText(muster: string, preApproved: readonly string[]): string {
  return JSON.stringify({ mcpServers: trusting(muster, toolNames(preApproved), { env: environment }) });
}

/** Codex asks before each tool whose entry does not approve it. */
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
 * For a CLI that can only trust a whole server: two servers, one with the pre-approved tools and one with the others.
 */
function trusting(muster: string, { free, asked }: ToolNames, entry?: Entry): Readonly<Record<string, Entry>> {
  const trusted = serverOf(muster, { ...entry, trust: true, includeTools: free });
  if (asked.length === 0) return { muster: trusted };
  return { muster: trusted, 'muster-asks': serverOf(muster, { ...entry, trust: false, includeTools: asked }) };
}

/** The entry of a server, in the format of Claude Code, which others have adopted. */
function serverOf(muster: string, entry?: Entry): Entry {
  return { command: muster, args: ['mcp'], ...entry };
}
