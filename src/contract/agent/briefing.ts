import { summaryLength } from '#contract/page.ts';

/**
 * The default opening of a reviewer's briefing. A reviewer needs it there, because its doorbell cannot ring before its
 * first turn.
 */
export const reviewerOpening =
  'You are a reviewer: change no file here. Your muster tools say how to review; without them, muster review --help does.';

/** The parts of a briefing. */
interface BriefingParts {
  readonly harness: string;
  /** The workflow's context. */
  readonly context: string;
  /** The instructions for a reviewer; empty for other roles. */
  readonly opening: string;
  /** Which round a reviewer is to review; empty if there is none. */
  readonly round: string;
  readonly prompt: string;
  /** The schema that its result must fit, as JSON text; empty or unset if there is none. */
  readonly resultSchema?: string | undefined;
}

/** What asks an agent for a result that fits a schema. */
function resultPart(schema = ''): string {
  if (schema === '') return '';
  return `When you are done, report your result with report_result (or muster report-result -): JSON that fits this schema:\n${schema}`;
}

/**
 * The whole briefing of an agent: its workflow's context, a reviewer's instructions and round, and the prompt,
 * separated by blank lines, and the schema of its result. How to work in a review is not here: it is in the MCP server's instructions, and comes with
 * the first doorbell of a review. A shell runs its prompt as a command line, so its briefing is the prompt alone.
 */
export function briefingOf({ harness, context, opening, round, prompt, resultSchema }: BriefingParts): string {
  if (harness === 'shell') return prompt;
  return [context, opening, round, prompt, resultPart(resultSchema)].filter((part) => part !== '').join('\n\n');
}

/** An agent's task in one line: the first line of its prompt that is not blank, without a heading’s marks. */
export function taskOf(prompt: string): string {
  const lines = prompt.split('\n').map((line) => line.replace(/^\s*#{1,6}\s+/, '').trim());
  return [...(lines.find((line) => line !== '') ?? '')].slice(0, summaryLength).join('');
}
