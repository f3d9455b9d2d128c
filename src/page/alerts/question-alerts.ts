import { mayRuleAnswer, ruleMs } from '#contract/fact/notice-of-fact.ts';
import { RuledQuestions } from '#contract/fact/ruled-questions.ts';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';
import type { FactListener } from '#page/fleet/watch.ts';

/** How long alerts that become due one after the other are gathered, in milliseconds. */
const togetherMs = 100;

/** An agent that waits, and since when. */
export interface WaitingAgent {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly since: string;
}

interface QuestionAlertsOptions {
  /** An agent that waits now; undefined if it does not. */
  readonly waiting: (agentId: string) => WaitingAgent | undefined;
  /** Alerts a person to agents. */
  readonly alert: (agents: readonly WaitingAgent[]) => void;
}

/** Alerts a person to agents that begin to wait: at once, or once no rule has answered, if their facts say that one may. */
export class QuestionAlerts implements FactListener {
  readonly kinds = ['agent.waits', 'agent.approved'];
  readonly #alert: QuestionAlertsOptions['alert'];
  readonly #questions: RuledQuestions<WaitingAgent>;
  /** The agents whose last question a rule may answer. */
  readonly #ruled = new Set<string>();
  readonly #due: WaitingAgent[] = [];

  constructor({ waiting, alert }: QuestionAlertsOptions) {
    this.#alert = alert;
    this.#questions = new RuledQuestions({
      ruleMs,
      askedNow: async (agentId) => waiting(agentId),
      report: (agent) => this.#gather(agent),
    });
  }

  note(facts: readonly Pick<Fact, 'kind' | 'subjectId' | 'detail'>[]): void {
    for (const { kind, subjectId, detail } of facts) {
      if (kind === 'agent.approved') this.#questions.answered(subjectId);
      if (kind !== 'agent.waits') continue;
      if (mayRuleAnswer(JSON.parse(detail))) this.#ruled.add(subjectId);
      else this.#ruled.delete(subjectId);
    }
  }

  /** Takes agents that have begun to wait, after the facts about it. */
  begin(agents: readonly WaitingAgent[]): void {
    const plain = agents.filter(({ id }) => !this.#ruled.has(id));
    if (plain.length > 0) this.#alert(plain);
    for (const agent of agents) if (!plain.includes(agent)) this.#questions.keep(agent.id, agent);
  }

  #gather(agent: WaitingAgent): void {
    if (this.#due.push(agent) === 1) setTimeout(() => this.#alert(this.#due.splice(0)), togetherMs);
  }
}
