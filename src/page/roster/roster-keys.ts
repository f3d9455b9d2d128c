import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { acts } from '#page/acts/act.ts';
import { useActStarter } from '#page/acts/act-starter.tsx';
import { useOffered } from '#page/acts/use-offered.ts';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import type { Agent, AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { statusOf } from '#page/fleet/agent-status.ts';
import { type Step, stepOf } from '#page/list/list-keys.ts';
import { type KeyMap, useKeys } from '#page/parts/keys.ts';
import { showNotice } from '#page/parts/notices.tsx';
import type { RosterLine } from './order.ts';

interface RosterKeys {
  readonly rows: ReadonlyMap<string, AgentRow>;
  readonly lines: readonly RosterLine[];
  readonly chosen: string | undefined;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly move: (step: Step) => void;
}

/** How many rows a page key moves if it is pressed outside the list. */
const rowsInView = 12;

/** The keys of the roster. */
export function useRosterKeys({ rows, lines, chosen, search, move }: RosterKeys): void {
  const navigate = useNavigate();
  const { launch, help } = useActStarter();
  const before = useRef<"'" | 'm'>(undefined);
  const agent = rows.get(chosen ?? '')?.agent;
  const open = (agentId: string): void => void navigate({ to: '/agents/$agentId', params: { agentId } });
  const focus = (id: string): void => document.getElementById(id)?.focus();
  const nextWaiting = (): void => {
    const waits = lines.filter(({ id }) => {
      const one = rows.get(id)?.agent;
      return one !== undefined && statusOf(one).kind === 'waiting';
    });
    const next = waits[(waits.findIndex(({ id }) => id === chosen) + 1) % waits.length];
    if (next !== undefined) open(next.id);
  };
  const actKeys = useActKeys(agent);
  const keys: KeyMap = {
    ...actKeys,
    j: () => move(1),
    k: () => move(-1),
    w: nextWaiting,
    n: launch,
    '?': help,
    '/': () => search.current?.focus(),
    o:
      chosen === undefined
        ? undefined
        : () => void navigate({ to: '/agents/$agentId/pane', params: { agentId: chosen } }),
    v:
      chosen === undefined
        ? undefined
        : () => void navigate({ to: '/agents/$agentId/review', params: { agentId: chosen } }),
    p: () => focus('prompt'),
    a: () => focus('answer'),
    "'": () => {
      before.current = "'";
    },
    m: () => {
      before.current = 'm';
    },
    Escape: chosen === undefined ? undefined : () => void navigate({ to: '/' }),
  };
  const stepIn = (key: string): boolean => {
    const step = document.activeElement === document.body ? stepOf(key, rowsInView) : undefined;
    if (step !== undefined) move(step);
    return step !== undefined;
  };
  useKeys(keys, (key) => {
    const first = before.current;
    before.current = undefined;
    if (first === "'" && /^[a-z]$/.test(key)) jump(rows, key, open);
    else if (first === 'm' && /^[a-z ]$/.test(key) && agent !== undefined) void mark(agent.id, key.trim());
    else return stepIn(key);
    return true;
  });
}

/** The keys of all acts. Those that the agent is not offered do nothing. */
function useActKeys(agent: Agent | undefined): KeyMap {
  const { begin } = useActStarter();
  const offered = useOffered();
  const own = agent === undefined ? [] : offered(agent);
  const keys = acts.map(({ key }) => {
    const act = own.find((one) => one.key === key);
    return [key, act && agent && (() => begin(act, agent))] as const;
  });
  return Object.fromEntries(keys);
}

function jump(rows: ReadonlyMap<string, AgentRow>, letter: string, open: (agentId: string) => void): void {
  const marked = [...rows.values()].find(({ mark: own }) => own === letter);
  if (marked?.agent !== undefined) open(marked.agent.id);
  else
    showNotice({
      tone: 'failed',
      text: `No agent has the mark ${letter}: press m ${letter} to mark the selected agent`,
    });
}

async function mark(agentId: string, letter: string): Promise<void> {
  try {
    await agents.markAgent({ agentId, mark: letter });
  } catch (error) {
    showNotice({ tone: 'failed', text: actFailureText(error) });
  }
}
