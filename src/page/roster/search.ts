import { wordFilter } from '#contract/agent/row-text.ts';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';

/** A row, with other texts by which it can be found, such as its status and project. */
export interface SearchableRow {
  readonly row: AgentRow;
  readonly beside: readonly string[];
}

/** Words up to this length would be found in almost every row. */
const maxShort = 2;

/**
 * The rows that match all words. One or two letters match the start of a name or of one of its words, or its initials,
 * such as `af` for `api-fix`, so that two keys find an agent among hundreds. If no name matches, they are searched in
 * the whole row, as longer words are.
 */
export function searched(rows: readonly SearchableRow[], words: string): AgentRow[] {
  const given = words.toLowerCase().split(/\s+/).filter(Boolean);
  const short = given.filter((word) => [...word].length <= maxShort);
  const others = wordFilter(given.filter((word) => !short.includes(word)).join(' '));
  const named = rows.filter(({ row: { agent }, beside }) => {
    if (agent === undefined || !others(agent, beside)) return false;
    return short.every((word) => begins(agent.name, word));
  });
  const all = wordFilter(words);
  const found = named.length > 0 ? named : rows.filter(({ row: { agent }, beside }) => agent && all(agent, beside));
  return found.map(({ row }) => row);
}

function begins(name: string, letters: string): boolean {
  const parts = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const initials = parts.map((part) => [...part][0] ?? '').join('');
  return initials.startsWith(letters) || parts.some((part) => part.startsWith(letters));
}
