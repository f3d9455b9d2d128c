import type { z } from 'zod';
import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import { whyWindowless } from '#actors/registry/agent/agent-window.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent, refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { refuseOverBudget } from '#actors/registry/budget/refuse-spent.ts';
import { askWithPermit } from '#actors/registry/host/ask-with-permit.ts';
import type { HostCall } from '#actors/registry/host/host-call.ts';
import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { checkSteers } from '#actors/registry/rights/steering-rights.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { FactKind } from '#contract/fact/fact.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';

/**
 * How long a host may take to type something and verify that it was accepted, and how much of that must be left when it
 * begins, in milliseconds.
 */
const typed = { withinMs: 28_000, minMs: 10_000 } as const;

/** A request to an agent's host to type something, the checks before it, and the fact that records it. */
interface Steering<Q extends z.ZodType<{ readonly ticket: string }>, A extends z.ZodType> {
  readonly method: string;
  readonly call: HostCall<Q, A>;
  readonly request: Omit<z.input<Q> & object, 'ticket'> & { readonly agentId: string };
  /** Further checks of the caller's rights, beyond steering. @throws Failure to refuse */
  readonly check?: (tables: Tables, agent: StoredAgent) => Promise<void>;
  /** Whether it stops the agent, which is possible also when its budget is used up. */
  readonly stops?: boolean;
  /** Whether it is possible in a phase of the agent's machine. */
  readonly isPossible: (phase: string) => boolean;
  readonly fact: FactKind;
  /** The fact's details in addition to the caller. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Types something into an agent's pane through its host, records the fact, and returns the agent. */
export async function steer<Q extends z.ZodType<{ readonly ticket: string }>, A extends z.ZodType>(
  scope: PermitScope,
  caller: Caller,
  steering: Steering<Q, A>,
): Promise<{ agent: Agent }> {
  const { agent } = await steerAnswered(scope, caller, steering);
  return { agent };
}

/** As `steer`, and also returns the host's answer. */
export async function steerAnswered<Q extends z.ZodType<{ readonly ticket: string }>, A extends z.ZodType>(
  scope: PermitScope,
  caller: Caller,
  { method, call, request, check, stops = false, isPossible, fact, detail }: Steering<Q, A>,
): Promise<{ agent: Agent; done: z.output<A> }> {
  const { agentId } = request;
  const { store } = scope;
  /** The agent, if the request is allowed. Checked before the host is asked, and again right before it types. */
  const steered = async (tables: Tables): Promise<StoredAgent> => {
    const { agents } = tables;
    const agent = await findAgent(agents, agentId);
    checkSteers(caller, agent);
    await check?.(tables, agent);
    refuseHeld(agent, method);
    if (!stops) refuseOverBudget(agent, method);
    if (!isPossible(phaseOfAgent(agent))) {
      const why = agent.alive ? `is in ${agent.state} (${phaseOfAgent(agent)})` : whyWindowless(agent);
      throw new Failure('WRONG_AGENT_STATE', `${method} is not possible: agent ${describeAgent(agent)} ${why}`, {
        metadata: { agentId: agent.id, state: agent.state, phase: phaseOfAgent(agent) },
      });
    }
    return agent;
  };
  const host = await store.read(async (tables) => {
    const agent = await steered(tables);
    return (await tables.hosts.find(agent.host)) ?? { id: agent.host, name: agent.host };
  });
  const decide = () => store.read(async (tables) => tables.journal.load((await steered(tables)).id));
  const done = await askWithPermit(scope, host, call, request, { ...typed, decide });
  const by = caller.kind === 'person' ? 'person' : caller.agentId;
  return store.write(async ({ agents, facts }) => {
    await facts.append([{ kind: fact, subjectId: agentId, detail: { by, ...detail } }]);
    return { agent: await wholeAgent(agents, await findAgent(agents, agentId), caller), done };
  });
}
