import { wordFilter } from '#contract/agent/row-text.ts';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';

/** A row, with what else of it may be looked for: its state, its project and such. */
export interface SearchedRow {
  readonly row: AgentRow;
  readonly beside: readonly string[];
}

/** A word of so few letters stands somewhere in almost every row. */
const maxShort = 2;

/**
 * The rows that a person means by words, all of which must be found. One or two letters mean how a name or one of its
 * words begins, or its initials, such as `af` for `api-fix`: so two keys find an agent among hundreds. Where no name
 * begins like that, they are looked for in all of the row, as longer words are.
 */
export function searched(rows: readonly SearchedRow[], words: string): AgentRow[] {
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
