import { publishFact } from '#bus/facts.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { pageSize } from '#contract/page.ts';
import { type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';

/** A gateway of muster's own before a registry that only reports a fleet of made-up agents, and moves them. */
export interface PageFleet {
  readonly gateway: GatewayFixture;
  /** How many moves there were until now. */
  readonly moves: number;
  /** Moves so many agents a second from one state to the next, until the answer is called. */
  move(perSecond: number): () => void;
}

const states = ['AGENT_STATE_THINKING', 'AGENT_STATE_IDLE', 'AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'] as const;
/** How often some of them change state, in milliseconds. */
const beatMs = 50;

/** Starts one with so many agents. */
export async function pageFleet(size: number): Promise<PageFleet> {
  const rows = Array.from({ length: size }, (_, at) => rowOf(at));
  /** Who moved, in order; where one is in it is its number. */
  const moved: number[] = [];
  const gateway = await gatewayFixture();
  gateway.answer('WatchAgents', ({ cursor }) => {
    const [kind, at = '0'] = String(cursor ?? 'all:0').split(':');
    if (kind === 'all') {
      const from = Number(at);
      const page = rows.slice(from, from + pageSize.max);
      const next = from + page.length;
      return { agents: page, cursor: next < size ? `all:${next}` : `moved:${moved.length}` };
    }
    const fresh = moved.slice(Number(at), Number(at) + pageSize.max);
    return { agents: [...new Set(fresh)].map((one) => rows[one]), cursor: `moved:${Number(at) + fresh.length}` };
  });
  gateway.answer('ListWorkflows', () => ({ workflows: [] }));
  return {
    gateway,
    get moves() {
      return moved.length;
    },
    move(perSecond) {
      const timer = setInterval(() => {
        for (let count = (perSecond * beatMs) / 1000; count > 0; count -= 1) {
          const at = Math.floor(Math.random() * size);
          rows[at] = movedRow(rows[at] ?? rowOf(at));
          moved.push(at);
        }
        publishFact(gateway.registry, { kind: 'agent.state-moved', seq: String(moved.length), subjectId: 'agt_0' });
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

function movedRow(row: AgentRow): AgentRow {
  const place = states.indexOf((row.agent?.state ?? states[0]) as (typeof states)[number]);
  // One in forty begins to wait.
  const state = Math.random() < 0.025 ? 'AGENT_STATE_WAITING' : states[(place + 1) % 2];
  return { ...row, agent: { ...row.agent, state, stateChangedAt: new Date().toISOString() } };
}
