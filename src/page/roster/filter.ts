import { agentKinds } from '#contract/agent/attention.ts';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { type StatusKind, statusOf } from '#page/fleet/agent-status.ts';
import type { RowNames } from '#page/fleet/row-names.ts';
import { type SearchableRow, searched } from './search.ts';

/** A filter of agents. Empty parts match all. */
export interface Filter {
  /** Words that must all match: see `searched`. */
  readonly words: string;
  /** The statuses of the agents. */
  readonly kinds: ReadonlySet<StatusKind>;
  /** The names of the project, the workflow and the host. */
  readonly project: string;
  readonly workflow: string;
  readonly host: string;
  /** Whether to include agents that a schedule hides. */
  readonly withHidden: boolean;
}

export const noFilter: Filter = {
  words: '',
  kinds: new Set(),
  project: '',
  workflow: '',
  host: '',
  withHidden: false,
};

/** A filter in the page's address. */
export interface FilterSearch {
  readonly q?: string | undefined;
  /** Statuses, separated by commas. */
  readonly state?: string | undefined;
  readonly project?: string | undefined;
  readonly workflow?: string | undefined;
  readonly host?: string | undefined;
  readonly hidden?: true | undefined;
}

/** Reads a filter from an address. Invalid parts are ignored. */
export function readFilterSearch(said: Readonly<Record<string, unknown>>): FilterSearch {
  const text = (key: string) => {
    const value = said[key];
    return (typeof value === 'string' || typeof value === 'number') && value !== '' ? { [key]: String(value) } : {};
  };
  return {
    ...text('q'),
    ...text('state'),
    ...text('project'),
    ...text('workflow'),
    ...text('host'),
    ...(said['hidden'] === true ? { hidden: true } : {}),
  };
}

/** Reads a filter from the search parameters of the address. */
export function filterFrom({ q, state, project, workflow, host, hidden }: FilterSearch): Filter {
  const kinds = new Set(agentKinds.filter((kind) => state?.split(',').includes(kind)));
  return {
    words: q ?? '',
    kinds,
    project: project ?? '',
    workflow: workflow ?? '',
    host: host ?? '',
    withHidden: hidden ?? false,
  };
}

/** The filter for an address. Empty parts are set to undefined, so that they are removed from the address. */
export function searchFrom({ words, kinds, project, workflow, host, withHidden }: Filter): FilterSearch {
  return {
    q: words || undefined,
    state: [...kinds].join() || undefined,
    project: project || undefined,
    workflow: workflow || undefined,
    host: host || undefined,
    hidden: withHidden || undefined,
  };
}

/** The number of agents by status, and of hidden ones. */
export interface Counts {
  readonly ofKind: Readonly<Partial<Record<StatusKind, number>>>;
  readonly hidden: number;
}

/** Whether a row is in the list at all. Archived agents have their own screen. */
function isPresent({ agent }: AgentRow): boolean {
  return agent !== undefined && agent.archivedAt === '';
}

/** Counts agents that are not archived. Hidden ones count only as hidden, unless they are included. */
export function countsOf(rows: Iterable<AgentRow>, withHidden: boolean): Counts {
  const ofKind: Partial<Record<StatusKind, number>> = {};
  let hidden = 0;
  for (const row of rows) {
    if (row.agent === undefined || !isPresent(row)) continue;
    if (row.hidden) hidden += 1;
    if (row.hidden && !withHidden) continue;
    const { kind } = statusOf(row.agent);
    ofKind[kind] = (ofKind[kind] ?? 0) + 1;
  }
  return { ofKind, hidden };
}

/** The rows that match a filter. */
export function filtered(rows: Iterable<AgentRow>, filter: Filter, names: RowNames): AgentRow[] {
  return searched([...narrowed(rows, filter, names)], filter.words);
}

/** The rows that match a filter, apart from its words. */
function* narrowed(rows: Iterable<AgentRow>, filter: Filter, names: RowNames): Generator<SearchableRow> {
  const { kinds, project, workflow, host, withHidden } = filter;
  for (const row of rows) {
    const { agent } = row;
    if (agent === undefined || !isPresent(row) || (row.hidden && !withHidden)) continue;
    const status = statusOf(agent);
    if (kinds.size > 0 && !kinds.has(status.kind)) continue;
    if (project !== '' && names.project(agent) !== project) continue;
    if (workflow !== '' && names.workflow(agent) !== workflow) continue;
    if (host !== '' && names.host(agent) !== host) continue;
    yield { row, beside: [status.word, names.project(agent), names.workflow(agent), names.host(agent)] };
  }
}
