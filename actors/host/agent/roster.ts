import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { AgentActor } from './agent-actor.ts';

/** The actors of a host, by agent and by family. */
export class Roster {
  readonly #byAgent = new Map<string, AgentActor>();
  readonly #byFamily = new Map<string, Set<AgentActor>>();

  get(agentId: string): AgentActor | undefined {
    return this.#byAgent.get(agentId);
  }

  add(actor: AgentActor): void {
    const { id, family } = actor.record;
    this.#byAgent.set(id, actor);
    this.#byFamily.set(family, this.#byFamily.get(family)?.add(actor) ?? new Set([actor]));
  }

  delete({ record: { id, family } }: AgentActor): void {
    const actor = this.#byAgent.get(id);
    if (!actor) return;
    this.#byAgent.delete(id);
    const members = this.#byFamily.get(family);
    members?.delete(actor);
    if (members?.size === 0) this.#byFamily.delete(family);
  }

  all(): Iterable<AgentActor> {
    return this.#byAgent.values();
  }

  /** Every family that has an actor here. */
  families(): Iterable<string> {
    return this.#byFamily.keys();
  }

  of(family: string): ReadonlySet<AgentActor> {
    return this.#byFamily.get(family) ?? none;
  }
}

const none: ReadonlySet<AgentActor> = new Set();

/** Whether an agent needs an actor: it is not archived, or it has pending effects. */
export function isAtWork({ snapshot, effects }: AgentRecord): boolean {
  const phase = phaseOf(snapshot.value);
  if (phase === 'gone') return false;
  return phase !== 'archived' || effects.length > 0 || readAgentContext(snapshot).paneId !== undefined;
}
