import type { z } from 'zod';
import type { Agent } from '#contract/agent.ts';
import type { Caller } from '#contract/caller.ts';
import type { FactKind } from '#contract/fact.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { Tables } from '#store/store.ts';
import { called, findAgent, phaseOfAgent, refuseHeld, whyWindowless } from './find-agent.ts';
import { askHost, type HostCall } from './host-call.ts';
import { checkSteers } from './launch/steering-rights.ts';
import type { RegistryScope } from './registry-scope.ts';
import { wholeAgent } from './roster/shown-agent.ts';

/** How long a host may take to type something and to see it taken, in milliseconds. */
const typedWithin = 28_000;

/** What is asked of an agent's host, in whose name, and the fact that comes of it. */
interface Steering<Q extends z.ZodType> {
  readonly method: string;
  readonly call: HostCall<Q, z.ZodType>;
  readonly request: z.input<Q> & { readonly agentId: string };
  /** Refuses what this caller may not ask of the agent, beyond steering it. */
  readonly check?: (tables: Tables, agent: StoredAgent) => Promise<void>;
  /** Whether it is possible in a phase. */
  readonly isPossible: (phase: string) => boolean;
  readonly fact: FactKind;
  /** What the fact says beside who did it. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Has an agent's host type something into its pane, writes down that it was done, and gives the agent as it is then. */
export async function steer<Q extends z.ZodType>(
  { store, lines }: RegistryScope,
  caller: Caller,
  { method, call, request, check, isPossible, fact, detail }: Steering<Q>,
): Promise<{ agent: Agent }> {
  const { agentId } = request;
  const host = await store.read(async (tables) => {
    const { agents, hosts } = tables;
    const agent = await findAgent(agents, agentId);
    checkSteers(caller, agent);
    await check?.(tables, agent);
    refuseHeld(agent, method);
    if (!isPossible(phaseOfAgent(agent))) {
      const why = agent.alive ? `is in ${agent.state} (${phaseOfAgent(agent)})` : whyWindowless(agent);
      throw new Failure('failed_precondition', `${method} is not possible: agent ${called(agent)} ${why}`);
    }
    return (await hosts.find(agent.host)) ?? { id: agent.host, name: agent.host };
  });
  await askHost(lines, host, call, request, typedWithin);
  const by = caller.kind === 'person' ? 'person' : caller.agentId;
  return store.write(async ({ agents, facts }) => {
    await facts.append([{ kind: fact, subjectId: agentId, detail: { by, ...detail } }]);
    return { agent: await wholeAgent(agents, await findAgent(agents, agentId), caller) };
  });
}
