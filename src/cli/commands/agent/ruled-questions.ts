import type { Client } from '#cli/client/client.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { Failure } from '#contract/failure.ts';

/** How many agents that launched each other are looked at for the workflow whose rules count. */
const maxLine = 50;

interface RuledQuestionsOptions {
  readonly client: Client;
  /** How long a rule has to answer, in milliseconds: from the question on, and again from each answer of a rule. */
  readonly ruleMs: number;
  /** Reports a question that no rule has answered. */
  readonly report: (fact: Fact) => void;
}

/** Questions that a rule may answer: they are kept back until it has had the time for that. */
export class RuledQuestions {
  readonly #options: RuledQuestionsOptions;
  readonly #kept = new Map<string, { readonly fact: Fact; readonly timer: NodeJS.Timeout }>();

  constructor(options: RuledQuestionsOptions) {
    this.#options = options;
  }

  /** Keeps the fact of a question back; false if no rule may answer it. */
  async keep(fact: Fact): Promise<boolean> {
    const { subjectId = '' } = fact;
    const mayBeAnswered = await this.#hasRules(subjectId).catch(ifRefused(false));
    if (mayBeAnswered) this.#wait(subjectId, fact);
    return mayBeAnswered;
  }

  /** Waits again after a rule has answered a question of an agent: it may ask something else. */
  answered(agentId: string): void {
    const kept = this.#kept.get(agentId);
    if (kept !== undefined) this.#wait(agentId, kept.fact);
  }

  stop(): void {
    for (const { timer } of this.#kept.values()) clearTimeout(timer);
    this.#kept.clear();
  }

  #wait(agentId: string, fact: Fact): void {
    clearTimeout(this.#kept.get(agentId)?.timer);
    const timer = setTimeout(() => void this.#end(agentId, fact), this.#options.ruleMs);
    this.#kept.set(agentId, { fact, timer });
  }

  /** Reports what the agent asks now, unless it no longer waits. */
  async #end(agentId: string, fact: Fact): Promise<void> {
    const { timer } = this.#kept.get(agentId) ?? {};
    const agent = await this.#agent(agentId).catch(ifRefused(undefined));
    // A rule has answered meanwhile.
    if (this.#kept.get(agentId)?.timer !== timer) return;
    this.#kept.delete(agentId);
    if (agent === undefined) this.#options.report(fact);
    else if (waits(agent)) this.#options.report(askedNow(fact, agent));
  }

  /** Whether rules are in force for an agent: those of the workflow that the first in its line was launched into. */
  async #hasRules(agentId: string): Promise<boolean> {
    let agent = await this.#agent(agentId);
    for (let steps = 0; agent.spawnedByAgentId !== undefined && steps < maxLine; steps += 1)
      agent = await this.#agent(agent.spawnedByAgentId);
    const { workflowId } = agent;
    if (workflowId === undefined) return false;
    const { rules = [], enabled = false } = await this.#options.client.call(
      'approval.v1.ApprovalService/GetApprovals',
      { workflowId },
    );
    return enabled && rules.length > 0;
  }

  async #agent(agentId: string): Promise<Agent> {
    return (await this.#options.client.call('agent.v1.AgentService/GetAgent', { agentId })).agent?.agent ?? {};
  }
}

function waits({ state, alive }: Agent): boolean {
  return state === 'AGENT_STATE_WAITING' || (state === 'AGENT_STATE_UNCERTAIN' && alive === true);
}

/** The fact of a question with what the agent asks now: a rule may have answered the first. */
function askedNow({ detail = '{}', ...fact }: Fact, { waitingFor, stateReason: reason }: Agent): Fact {
  return { ...fact, detail: JSON.stringify({ ...(JSON.parse(detail) as object), waitingFor, reason }) };
}

/** What is taken for the answer to a call that is refused, or for which the service is out of reach. */
function ifRefused<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Failure) return value;
    throw error;
  };
}
