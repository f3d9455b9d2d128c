import { publishFact } from '#bus/facts.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { pageSize } from '#contract/page.ts';
import { type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';

/** A real gateway in front of a fake registry, which lists simulated agents and changes their states. */
export interface PageFleet {
  readonly gateway: GatewayFixture;
  /** The number of transitions so far. */
  readonly transitions: number;
  /** Changes the states of random agents at this rate per second, until the returned function is called. */
  startTransitions(perSecond: number): () => void;
}

const states = ['AGENT_STATE_THINKING', 'AGENT_STATE_IDLE', 'AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'] as const;
/** How often agents change state, in milliseconds. */
const beatMs = 50;

/** Starts a fleet of `size` agents. */
export async function pageFleet(size: number): Promise<PageFleet> {
  const rows = Array.from({ length: size }, (_, at) => rowOf(at));
  /** The index of the agent of each transition, in order. A cursor is a position in it. */
  const changed: number[] = [];
  const gateway = await gatewayFixture();
  gateway.answer('WatchAgents', ({ cursor }) => {
    const [kind, at = '0'] = String(cursor ?? 'all:0').split(':');
    if (kind === 'all') {
      const from = Number(at);
      const page = rows.slice(from, from + pageSize.max);
      const next = from + page.length;
      const more = next < size;
      return { agents: page, more, cursor: more ? `all:${next}` : `changed:${changed.length}` };
    }
    const fresh = changed.slice(Number(at), Number(at) + pageSize.max);
    const end = Number(at) + fresh.length;
    return { agents: [...new Set(fresh)].map((at) => rows[at]), more: end < changed.length, cursor: `changed:${end}` };
  });
  gateway.answer('ListWorkflows', () => ({ workflows: [] }));
  return {
    gateway,
    get transitions() {
      return changed.length;
    },
    startTransitions(perSecond) {
      const timer = setInterval(() => {
        for (let count = (perSecond * beatMs) / 1000; count > 0; count -= 1) {
          const at = Math.floor(Math.random() * size);
          rows[at] = nextRow(rows[at] ?? rowOf(at));
          changed.push(at);
        }
        publishFact(gateway.registry, { kind: 'agent.state-moved', seq: String(changed.length), subjectId: 'agt_0' });
      }, beatMs);
      return () => clearInterval(timer);
    },
  };
}

function rowOf(at: number): AgentRow {
  const id = `agt_${String(at).padStart(8, '0')}`;
  const isWaiting = at % 500 === 499;
  return {
    agent: {
      id,
      name: `mend-the-engine-${at}`,
      state: isWaiting ? 'AGENT_STATE_WAITING' : at % 3 === 0 ? 'AGENT_STATE_IDLE' : 'AGENT_STATE_THINKING',
      stateReason: isWaiting ? 'permission' : '',
      stateChangedAt: new Date(Date.now() - at * 1_000).toISOString(),
      createdAt: new Date(Date.now() - at * 60_000).toISOString(),
      alive: true,
      harness: 'claude',
      workflowId: 'wfl_bench',
      branch: `muster/mend-the-engine-${at}`,
      cwd: `/home/ada/worktrees/engine/mend-the-engine-${at}`,
      prompt: 'Find out why the login test is flaky and mend it. '.repeat(4),
      ...(at % 10 === 9 && { parentAgentId: `agt_${String(at - 1).padStart(8, '0')}` }),
    },
    ...(at % 20 === 0 && { unreadMail: true, unreadMailCount: 2 }),
  };
}

function nextRow(row: AgentRow): AgentRow {
  const place = states.indexOf((row.agent?.state ?? states[0]) as (typeof states)[number]);
  // One transition in forty is to WAITING.
  const state = Math.random() < 0.025 ? 'AGENT_STATE_WAITING' : states[(place + 1) % 2];
  return { ...row, agent: { ...row.agent, state, stateChangedAt: new Date().toISOString() } };
}
