import type { EntityManager } from '@mikro-orm/sqlite';
import type { AgentState } from '#contract/agent/agent-state.ts';
import type { Clock } from '#contract/clock.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import { jsonOf } from '#store/kernel/json.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { MoveEntity, type StoredMove } from './move-entity.ts';

/** How many moves of each agent are kept. */
export const movesKept = 100;

/** A move of an agent's state that is to be written down. */
interface NewMove {
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

/** The last moves of each agent's state, with what was seen of its pane. */
export class MoveTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Writes a move down; the oldest go where there are more than are kept. */
  async append(agent: string, { from, to, reason, sighting }: NewMove): Promise<void> {
    const ordinal = (await this.#last(agent)) + 1;
    await this.#em.insert(MoveEntity, {
      agent,
      ordinal,
      at: this.#clock.now(),
      fromState: from,
      toState: to,
      reason,
      harness: sighting?.harness ?? null,
      rules: sighting?.rules ?? null,
      rule: sighting?.rule ?? null,
      evidence: sighting ? jsonOf(sighting.evidence) : null,
      screen: sighting ? jsonOf(sighting.screen) : null,
    });
    if (ordinal > movesKept) await this.#em.nativeDelete(MoveEntity, { agent, ordinal: { $lte: ordinal - movesKept } });
  }

  /** An agent's last moves, newest first, with their screens where they are asked for. */
  async lastOf(agent: string, { screens = false, limit = movesKept } = {}): Promise<readonly StoredMove[]> {
    const wanted = screens ? ([...columns, 'screen'] as const) : columns;
    return rowsOf(this.#em, MoveEntity, { agent }, { orderBy: { ordinal: 'desc' }, limit, columns: wanted });
  }

  /** Forgets all moves of an agent. */
  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(MoveEntity, { agent });
  }

  async #last(agent: string): Promise<number> {
    const order = { ordinal: 'desc' } as const;
    const [last] = await rowsOf(this.#em, MoveEntity, { agent }, { orderBy: order, limit: 1, columns: ['ordinal'] });
    return last?.ordinal ?? 0;
  }
}
