import type { Agent } from '#contract/agent/agent.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { Workflow } from '#contract/workflow.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { moment } from '#test/support/moment.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
export const thinking: AgentEvent = { type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } };
export const idle: AgentEvent = { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } };

/** A screen that shows a usage limit, with its end if it shows one. */
export const atLimit = (until: number | undefined, said = 'usage-limit, 3pm'): AgentEvent => ({
  type: 'READING',
  reading: {
    state: 'AGENT_STATE_IDLE',
    reason: said,
    limit: { kind: 'usage', ...(until !== undefined && { until }) },
  },
});

/** A screen that shows a usage limit after which the CLI continues by itself. */
export const continuing = (until: number, said = 'usage-limit, 3pm'): AgentEvent => ({
  type: 'READING',
  reading: { state: 'AGENT_STATE_IDLE', reason: said, limit: { kind: 'usage', until, continues: true } },
});

/** A screen that shows that the credential is refused. */
export const refused: AgentEvent = {
  type: 'READING',
  reading: { state: 'AGENT_STATE_IDLE', reason: 'auth', limit: { kind: 'credential' } },
};

/** A host's report that it has read the screen of a parked agent again. */
export const resumed = (outcome: 'continued' | 'left' | 'failed' | 'looked', why = ''): AgentEvent => ({
  type: 'RESUMED',
  outcome,
  why,
});

/** A registry, and agents whose accounts are limited. */
export interface LimitStage {
  readonly fixture: RegistryFixture;
  readonly flow: Made<Workflow>;
  /** Launches an agent that is at rest; its id. */
  launched(workflowId?: string, harness?: string): Promise<string>;
  tell(id: string, ...events: AgentEvent[]): Promise<void>;
  agent(agentId: string): Promise<Agent>;
  parkOf(id: string): Promise<Agent['park']>;
  /** The kinds of facts about limits, and about what people are notified of, oldest first. */
  facts(subjectId: string): Promise<string[]>;
  /** The kinds of effects that are to be performed. */
  effects(id: string): Promise<string[]>;
  /** Lets time pass, after which the host beats. */
  pass(milliseconds: number): Promise<void>;
  /** Time passes until something is so; the host beats meanwhile. */
  until(what: string, isSo: () => Promise<boolean | undefined>): Promise<unknown>;
  /** Sets what happens to agents at a limit. */
  policy(onUsageLimit: string, workflowId?: string): Promise<unknown>;
}

export async function limitStage(): Promise<LimitStage> {
  const fixture = await registryFixture({ registries: 1 });
  const flow = await fixture.workflow({ harness: 'claude', provisionEnabled: false });
  const agent = async (agentId: string): Promise<Agent> =>
    (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId })).agent.agent;
  const pass = async (milliseconds: number): Promise<void> => {
    fixture.clock.pass(milliseconds);
    await fixture.host.beat();
  };
  return {
    fixture,
    flow,
    agent,
    pass,
    async launched(workflowId = flow.id, harness) {
      const { id } = await fixture.create({ workflowId, provisionEnabled: false, ...(harness && { harness }) });
      await fixture.host.bringUp(id);
      return id;
    },
    async tell(id, ...events) {
      for (const event of events) await fixture.host.tell(id, event);
    },
    parkOf: async (id) => (await agent(id)).park,
    facts: async (subjectId) =>
      (await fixture.call<{ facts: Fact[] }>('ListFacts', { subjectId })).facts
        .map(({ kind = '' }) => kind)
        .filter((kind) => /^account\.|^agent\.(?:waits|finished|parked|unparked|resumed)$/.test(kind))
        .toReversed(),
    effects: async (id) =>
      (await fixture.store.read(({ agents }) => agents.whole(id))).record.effects.map(({ kind }) => kind),
    until: (what, isSo) =>
      moment(what, async () => {
        await pass(5_000);
        return (await isSo()) === true ? true : undefined;
      }),
    policy: (onUsageLimit, workflowId = flow.id) => fixture.call('UpdateWorkflow', { workflowId, onUsageLimit }),
  };
}
