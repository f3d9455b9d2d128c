import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import type { Trial } from './trial.ts';

/** The budget of an agent, which is used up. */
async function aBudget({ call }: RegistryFixture, agentId: string): Promise<{ ownerId: string }> {
  await call('SetBudget', { ownerId: agentId, turns: 1 });
  return { ownerId: agentId };
}

const noOwner = { request: { ownerId: 'wfl_none' }, code: 'not_found' } as const;

/** How the operations about budgets are tried. */
export const budgetTrials: Readonly<Record<string, Trial>> = {
  ListBudgets: {
    request: (agentId) => ({ agentId }),
    refused: { request: { agentId: 'agt_none' }, code: 'not_found' },
  },
  SetBudget: { request: (agentId) => ({ ownerId: agentId, turns: 20, workMinutes: 480 }), refused: noOwner },
  ContinueBudget: { request: () => ({}), prepare: aBudget, refused: noOwner },
};
