import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { Failure } from '#contract/failure.ts';
import { answerByRule, type Outcome } from './answer-by-rule.ts';
import { mayAnswer } from './may-answer.ts';
import { areInForce, hasRules, rulesFor } from './stored-approvals.ts';

/** How often waiting agents are looked at without a cause, in milliseconds. */
const every = 2_000;
/** How long causes are gathered, in milliseconds. */
const gatherMs = 50;
/** The kinds of facts after which a question may be there, or rules for it. */
const causes =
  /^(?:agent\.(?:state-moved|waits|changed|unheld|unparked|approved)|workflow\.changed|approvals\.switched)$/;

/** Answers questions of agents by the rules of their workflows. Each registry does so; a lease lets one answer at a time. */
export function startApprovals(scope: PermitScope): Service {
  /** What was considered last, by agent: the same is not considered again. */
  const considered = new Map<string, string>();
  /** The agents that are being answered: one that takes long keeps no other waiting. */
  const answering = new Map<string, Promise<void>>();
  const poller = new Poller(
    { name: 'approvals', every, gatherMs, pass: () => pass(scope, { considered, answering }) },
    scope,
  ).start();
  const stopListening = scope.store.onFacts((facts) => {
    if (facts.some(({ kind }) => causes.test(kind))) poller.wake();
  });
  return {
    async stop() {
      stopListening();
      await poller.stop();
      await Promise.all(answering.values());
    },
  };
}

interface Progress {
  readonly considered: Map<string, string>;
  readonly answering: Map<string, Promise<void>>;
}

/** Begins to answer each question that is new. */
async function pass(scope: PermitScope, { considered, answering }: Progress): Promise<void> {
  const due = await scope.store.read(async (tables) => {
    if (!(await areInForce(tables)) || !(await hasRules(tables))) return [];
    const asking = (await tables.agentSearch.asking()).filter(mayAnswer);
    const found: { readonly id: string; readonly key: string }[] = [];
    for (const agent of asking) {
      const { rules } = await rulesFor(tables, agent);
      const key = `${agent.version} ${agent.waitingFor} ${JSON.stringify(rules)}`;
      if (rules.length > 0 && considered.get(agent.id) !== key && !answering.has(agent.id))
        found.push({ id: agent.id, key });
    }
    return found;
  });
  for (const { id, key } of due) {
    const answer = consider(scope, id)
      .then((outcome) => void (outcome !== 'changed' && considered.set(id, key)))
      .finally(() => answering.delete(id));
    answering.set(id, answer);
  }
  if (considered.size > 10_000) considered.clear();
}

/** Answers a question if a rule says so. A failure is logged: the question is looked at again. */
async function consider(scope: PermitScope, id: string): Promise<Outcome> {
  try {
    return await answerByRule(scope, id);
  } catch (error) {
    if (error instanceof Failure)
      scope.log.debug({ err: error, agentId: id }, 'a question could not be looked at for rules');
    else scope.log.error({ err: error, agentId: id }, 'a question could not be looked at for rules');
    return 'changed';
  }
}
