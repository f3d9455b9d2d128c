import { directiveOf } from './directive.ts';
import type { ModelRequest, OfferedTool } from './model-request.ts';

/** One part of an answer. A part that is held continues until the test releases it. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'held'; readonly as: 'text' | 'thought' | 'silence' }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** What every short answer says, so that a test finds it on the screen. */
export const shortAnswer = 'Hello from the stub model: the turn ends here.';

/** What the stub answers to a request. A request without tools, such as for a title, never acts on what it is asked. */
export function scriptOf(request: ModelRequest): Part[] {
  if (request.tools.length === 0) return [{ kind: 'text', text: 'A task' }];
  const { verb, argument, results } = directiveOf(request);
  const answer: Part = { kind: 'text', text: shortAnswer };
  if (verb === 'write') return [{ kind: 'held', as: 'text' }, answer];
  if (verb === 'think') return [{ kind: 'held', as: 'thought' }, answer];
  if (verb === 'wait') return [{ kind: 'held', as: 'silence' }, answer];
  if (verb === 'tool') return [{ kind: 'held', as: 'silence' }, results === 0 ? shellCall(request, argument) : answer];
  if (verb === 'call' && results === 0) return [ownCall(request, argument)];
  return [answer];
}

/**
 * A call of one of muster's tools, which each CLI names in its own way: `mcp__muster__list_agents`,
 * `muster_list_agents`.
 */
function ownCall({ tools }: ModelRequest, argument: string): Part {
  const [, name = '', input = '{}'] = /^(\S+)\s*(.*)$/s.exec(argument) ?? [];
  const tool = tools.find((one) => one.name.includes('muster') && one.name.endsWith(name));
  if (tool === undefined) {
    return { kind: 'text', text: `There is no ${name} among ${tools.map((one) => one.name).join(', ')}.` };
  }
  return { kind: 'call', tool: tool.name, input: JSON.parse(input) as Record<string, unknown> };
}

/** What the four CLIs call the tool that runs a command. */
const shells = ['Bash', 'exec_command', 'shell_command', 'run_shell_command', 'bash'];

function shellCall({ tools }: ModelRequest, command: string): Part {
  const tool = tools.find(({ name }) => shells.includes(name));
  if (tool === undefined) {
    return { kind: 'text', text: `There is no shell among ${tools.map(({ name }) => name).join(', ')}.` };
  }
  return { kind: 'call', tool: tool.name, input: inputOf(tool, command) };
}

function inputOf({ takes }: OfferedTool, command: string): Record<string, unknown> {
  const optional: Record<string, unknown> = {
    description: 'Run a command',
    // Codex asks a person only where the model wants out of the sandbox.
    sandbox_permissions: 'require_escalated',
    justification: 'Do you want to run the command outside the sandbox?',
  };
  const given = Object.entries(optional).filter(([name]) => takes.includes(name));
  return { [takes.includes('cmd') ? 'cmd' : 'command']: command, ...Object.fromEntries(given) };
}
