import type { EntityManager } from '@mikro-orm/sql';
import type { AgentState } from '#contract/agent/agent-state.ts';
import type { Clock } from '#contract/clock.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import { storedValue } from '#store/database/stored-value.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { AgentTransitionEntity, type StoredAgentTransition } from './agent-transition-entity.ts';

/**
 * How many transitions of each agent are kept, and after how many new ones the rest are deleted. A read returns at most
 * as many as are kept.
 */
export const maxTransitions = 100;
const forgetEvery = 20;

/** A transition of an agent's state that is to be recorded. */
interface NewAgentTransition {
  readonly from: AgentState;
  readonly to: AgentState;
  readonly reason: string;
  readonly sighting: Sighting | undefined;
}

const columns = [
  'agent',
  'ordinal',
  'at',
  'fromState',
  'toState',
  'reason',
  'harness',
  'rules',
  'rule',
  'evidence',
] as const;

/** The last transitions of each agent's state, with the screens of its pane. */
export class AgentTransitionTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Records a transition; the oldest ones beyond the limit are deleted. */
  async append(agent: string, { from, to, reason, sighting }: NewAgentTransition): Promise<void> {
    const { harness, rules, rule, evidence, screen } = sighting ?? {};
    const [{ ordinal = 0 } = {}] = await this.#em.execute<{ ordinal: number }[]>(
      `insert into "move" ("agent_id", "ordinal", "at", "from_state", "to_state", "reason", "harness", "rules", "rule", "evidence",
          "screen")
        select ?, coalesce(max("ordinal"), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ? from "move" where "agent_id" = ?
        returning "ordinal"`,
      [agent, this.#clock.now(), from, to, reason, ...[harness, rules, rule, evidence, screen].map(storedValue), agent],
    );
    if (ordinal > maxTransitions && ordinal % forgetEvery === 0)
      await this.#em.nativeDelete(AgentTransitionEntity, { agent, ordinal: { $lte: ordinal - maxTransitions } });
  }

  /** An agent's last transitions, newest first, with their screens if requested. */
  async lastOf(
    agent: string,
    { screens = false, limit = maxTransitions } = {},
  ): Promise<readonly StoredAgentTransition[]> {
    const wanted = screens ? ([...columns, 'screen'] as const) : columns;
    return rowsOf(this.#em, AgentTransitionEntity, { agent }, { orderBy: { ordinal: 'desc' }, limit, columns: wanted });
  }

  /** Deletes all transitions of an agent. */
  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(AgentTransitionEntity, { agent });
  }
}
