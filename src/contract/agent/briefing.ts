import { summaryLength } from '#contract/page.ts';

/**
 * What a reviewer reads before its prompt, unless a person has written something else: it has no doorbell before its
 * first turn.
 */
export const reviewerOpening =
  'You are a reviewer: change no file here. Your muster tools say how to review; without them, muster review --help does.';

/** What a briefing is made of. */
interface BriefingParts {
  readonly harness: string;
  /** The workflow's context. */
  readonly context: string;
  /** What a reviewer reads first; empty for others. */
  readonly opening: string;
  /** What a reviewer is to know of the round that it reviews; empty if there is nothing. */
  readonly round: string;
  readonly prompt: string;
}

/**
 * The whole briefing of an agent: its workflow's context, for a reviewer what it is, and its prompt, with blank lines
 * between. The rest of what its role does in a review is in the instructions of the MCP server, and comes with its
 * first doorbell of one. A shell takes its prompt as a command line, so there it is the prompt alone.
 */
export function briefingOf({ harness, context, opening, round, prompt }: BriefingParts): string {
  if (harness === 'shell') return prompt;
  return [context, opening, round, prompt].filter((part) => part !== '').join('\n\n');
}

/** What an agent is asked to do on one line: the first of its prompt that says something, without a heading’s marks. */
export function taskOf(prompt: string): string {
  const lines = prompt.split('\n').map((line) => line.replace(/^\s*#{1,6}\s+/, '').trim());
  return [...(lines.find((line) => line !== '') ?? '')].slice(0, summaryLength).join('');
}
