import { useEffect, useRef, useState } from 'react';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';
import type { Fleet } from '#page/fleet/fleet.ts';
import type { NamesOf, RowNames } from '#page/fleet/row-names.ts';
import { type Filter, filtered } from './filter.ts';
import { orderOf, type RosterLine } from './order.ts';

/** A list of up to this many agents is sorted at once; a longer one less often, the longer it is. */
const smallFleet = 500;
const minMs = 250;
const maxMs = 1_000;

/** The names by which a list can be filtered. */
export interface Choices {
  readonly project: readonly string[];
  readonly workflow: readonly string[];
  readonly host: readonly string[];
}

interface Roster {
  readonly lines: readonly RosterLine[];
  readonly choices: Choices;
}

/**
 * The lines of the roster, and the names by which they can be filtered. Each row updates at once; its position in a
 * long list follows within a second, so that neither the browser nor the reader is kept busy by rows that move.
 */
export function useLines({ rows }: Fleet, filter: Filter, namesOf: NamesOf): Roster {
  const [roster, setRoster] = useState<Roster>({ lines: [], choices: { project: [], workflow: [], host: [] } });
  const done = useRef({ at: 0, filter, namesOf, isFirst: true });
  useEffect(() => {
    const everyMs = rows.size <= smallFleet ? 0 : Math.min(maxMs, minMs + rows.size / 20);
    const { at, isFirst, ...last } = done.current;
    const isSameList = !isFirst && last.filter === filter && last.namesOf === namesOf;
    const waitMs = isSameList ? at + everyMs - performance.now() : 0;
    const update = (): void => {
      const names = namesOf(rows.values());
      const lines = orderOf(filtered(rows.values(), filter, names), names.project);
      setRoster({ lines, choices: choicesIn(rows.values(), names) });
      done.current = { at: performance.now(), filter, namesOf, isFirst: false };
    };
    if (waitMs <= 0) return update();
    const timer = window.setTimeout(update, waitMs);
    return () => window.clearTimeout(timer);
  }, [rows, filter, namesOf]);
  return roster;
}

function choicesIn(rows: Iterable<AgentRow>, names: RowNames): Choices {
  const found = { project: new Set<string>(), workflow: new Set<string>(), host: new Set<string>() };
  for (const { agent } of rows) {
    if (agent === undefined || agent.archivedAt !== '') continue;
    found.project.add(names.project(agent));
    found.workflow.add(names.workflow(agent));
    found.host.add(names.host(agent));
  }
  const sorted = (one: ReadonlySet<string>): string[] => [...one].filter(Boolean).sort();
  return { project: sorted(found.project), workflow: sorted(found.workflow), host: sorted(found.host) };
}
