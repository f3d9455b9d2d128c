import { type LaunchAddition, noAddition } from './launch-addition.ts';

/** What else stands in the entry of a server, in the CLI's own words. */
type Entry = Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>>;

/**
 * How a CLI is given muster's tools, which `muster mcp` serves: always for its one run, never in a file of the person's or
 * the repository's. What asks a person before each call is told that these may be called: whoever calls them is known, and
 * muster itself decides what each agent may do.
 */
export type Tools =
  /** A flag takes the server as JSON; `allowing` are the arguments that let its tools be called. */
  | { readonly through: 'flag'; readonly flag: string; readonly entry?: Entry; readonly allowing?: readonly string[] }
  /** Codex's configuration, given as a flag. */
  | { readonly through: 'config' }
  /** opencode's configuration, which it takes from its environment. */
  | { readonly through: 'environment' }
  /** A settings file of muster's, which a variable names. */
  | { readonly through: 'file'; readonly variable: string; readonly entry?: Entry; readonly unless: Unless }
  /** It is not: a person does not want it. */
  | { readonly through: 'nothing' };

/** What a settings file of muster's would take the place of, where it is there. */
export interface Unless {
  readonly variables: readonly string[];
  readonly files: readonly string[];
}

/** What tells `muster mcp` whose tools it serves; a CLI may keep it from what it starts, unless it is told. */
const variables = ['SERVICE_AGENT_ID', 'SERVICE_BASE_URL', 'SERVICE_TOKEN'];
/** The token itself stands in no argument and in no file: a CLI that withholds it is told to take it from its environment. */
const environment = Object.fromEntries(variables.map((name) => [name, `\${${name}}`]));
/** How long Codex waits for a tool, in seconds: longer than any waits. */
const codexWaits = 120;

/** What a launch needs for its CLI to have muster's tools. `muster` is the program; `file` the settings file where one is used. */
export function toolsAddition(tools: Tools | undefined, muster: string, file: string): LaunchAddition {
  switch (tools?.through) {
    case 'flag':
      return { args: [tools.flag, serversIn(muster, tools.entry), ...(tools.allowing ?? [])], env: {} };
    case 'config': {
      const words = [`command=${JSON.stringify(muster)}`, 'args=["mcp"]', `env_vars=${JSON.stringify(variables)}`];
      const waits = `tool_timeout_sec=${codexWaits}`;
      const server = [...words, waits, 'default_tools_approval_mode="approve"'].join(',');
      return { args: ['-c', `mcp_servers.muster={${server}}`], env: {} };
    }
    case 'environment': {
      const server = { type: 'local', command: [muster, 'mcp'], enabled: true };
      return { args: [], env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: { muster: server } }) } };
    }
    case 'file':
      return { args: [], env: { [tools.variable]: file } };
    default:
      return noAddition;
  }
}

/** What stands in a settings file of muster's. */
export function settingsText(muster: string, entry?: Entry): string {
  return serversIn(muster, { env: environment, ...entry });
}

/** The servers of a CLI as JSON, in the form that Claude Code began and others took over. */
function serversIn(muster: string, entry?: Entry): string {
  return JSON.stringify({ mcpServers: { muster: { command: muster, args: ['mcp'], ...entry } } });
}
