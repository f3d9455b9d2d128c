import { askCall, editCall, shellCall } from './acts.ts';
import { directiveOf } from './directive.ts';
import type { ModelRequest } from './model-request.ts';
import type { Part } from './part.ts';

/** What every short answer says, so that a test finds it on the screen. */
export const shortAnswer = 'Hello from the stub model: the turn ends here.';

const paragraph =
  'A paragraph of ordinary words that fills a row or two of the pane, so that an answer becomes taller than the screen.';

/** What a CLI shows at work, and a question of its own, which an answer only quotes. */
const quotation = `# Findings

Do you want to proceed? That is what the old code printed, followed by:

\`\`\`
❯ 1. Yes
  2. No

Esc to cancel · Enter to confirm
\`\`\`

- [ ] Allow once
- [x] Reject

> Thinking… (esc to interrupt)

The above are quotations, and the work is finished.`;

/** What the stub answers to a request. A request without tools, such as for a title, never acts on what it is asked. */
export function scriptOf(request: ModelRequest): Part[] {
  if (request.tools.length === 0) return [{ kind: 'text', text: 'A task' }];
  const { verb, argument, results } = directiveOf(request);
  const answer: Part = { kind: 'text', text: shortAnswer };
  if (verb === 'write') return [{ kind: 'held', as: 'text' }, answer];
  if (verb === 'think') return [{ kind: 'held', as: 'thought' }, answer];
  if (verb === 'wait') return [{ kind: 'held', as: 'silence' }, answer];
  if (verb === 'stall') return [begun(argument), { kind: 'held', as: 'silence' }, answer];
  if (verb === 'tool') return [{ kind: 'held', as: 'silence' }, results === 0 ? shellCall(request, argument) : answer];
  if (verb === 'call' && results === 0) return [ownCall(request, argument)];
  if (verb === 'edit' && results === 0) return [editCall(request, argument)];
  if (verb === 'ask' && results === 0) return [askCall(request)];
  if (verb === 'fail') return [{ kind: 'refusal', status: Number(argument) }];
  if (verb === 'cut') return [{ kind: 'text', text: paragraph }, { kind: 'cut' }];
  if (verb === 'long') return [begun('long'), answer];
  if (verb === 'quote') return [{ kind: 'text', text: quotation }];
  return [answer];
}

/** What an answer begins with. */
function begun(what: string): Part {
  if (what !== 'long') return { kind: what === 'thought' ? 'thought' : 'text', text: paragraph };
  return { kind: 'text', text: Array.from({ length: 30 }, (_, at) => `${at + 1}: ${paragraph}`).join('\n\n') };
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
