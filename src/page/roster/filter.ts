import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { type LookKind, lookOf } from '#page/fleet/look.ts';

/** Which agents a person wants to see. */
export interface Filter {
  /** Words that must all be found in the agent's name, branch, reason, question, harness, state, folder or id. */
  readonly words: string;
  /** What they are at; everything where it is empty. */
  readonly kinds: ReadonlySet<LookKind>;
  /** Also those that a schedule keeps out of sight. */
  readonly withHidden: boolean;
}

export const noFilter: Filter = { words: '', kinds: new Set(), withHidden: false };

/** How many agents there are of each kind, and how many are kept out of sight. */
export interface Counts {
  readonly ofKind: Readonly<Partial<Record<LookKind, number>>>;
  readonly hidden: number;
}

/** Whether a row belongs in the list at all: archived agents have a screen of their own. */
function isPresent({ agent }: AgentRow): boolean {
  return agent !== undefined && agent.archivedAt === '';
}

/** Counts those that are not archived; hidden ones only as hidden, unless they are wanted. */
export function countsOf(rows: Iterable<AgentRow>, withHidden: boolean): Counts {
  const ofKind: Partial<Record<LookKind, number>> = {};
  let hidden = 0;
  for (const row of rows) {
    if (row.agent === undefined || !isPresent(row)) continue;
    if (row.hidden) hidden += 1;
    if (row.hidden && !withHidden) continue;
    const { kind } = lookOf(row.agent);
    ofKind[kind] = (ofKind[kind] ?? 0) + 1;
  }
  return { ofKind, hidden };
}

/** The rows that a filter leaves. */
export function* filtered(rows: Iterable<AgentRow>, { words, kinds, withHidden }: Filter): Generator<AgentRow> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    if (row.agent === undefined || !isPresent(row) || (row.hidden && !withHidden)) continue;
    const look = lookOf(row.agent);
    if (kinds.size > 0 && !kinds.has(look.kind)) continue;
    if (wanted.length > 0) {
      const { name, branch, stateReason, waitingFor, harness, cwd, id } = row.agent;
      const text = `${name} ${branch} ${stateReason} ${waitingFor} ${harness} ${look.word} ${cwd} ${id}`.toLowerCase();
      if (!wanted.every((word) => text.includes(word))) continue;
    }
    yield row;
  }
}
