import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import type { Trial } from './trial.ts';

const rule = { action: 'APPROVAL_ACTION_ANSWER', command: { glob: 'npm test *' } } as const;

/** The workflow of the test. */
async function aWorkflow({ call }: RegistryFixture): Promise<{ workflowId: string }> {
  const { workflows = [] } = await call<{ workflows?: { id: string }[] }>('ListWorkflows', {});
  return { workflowId: workflows[0]?.id ?? '' };
}

/** How the operations about approvals are tried. */
export const approvalTrials: Readonly<Record<string, Trial>> = {
  GetApprovals: {
    request: () => ({}),
    prepare: aWorkflow,
    refused: { request: { workflowId: 'wfl_none' }, code: 'not_found' },
  },
  SetApprovals: {
    request: () => ({ workflowId: 'wfl_none', rules: [rule] }),
    prepare: aWorkflow,
    refused: { request: { workflowId: 'wfl_none', rules: [rule] }, code: 'not_found' },
  },
  AddApproval: {
    request: () => ({ workflowId: 'wfl_none', rule }),
    prepare: aWorkflow,
    refused: { request: { workflowId: 'wfl_none', rule }, code: 'not_found' },
  },
  TestApprovals: {
    request: () => ({ screen: 'nothing is asked', harness: 'claude', rules: [rule] }),
    refused: { request: { harness: 'claude' }, code: 'invalid_argument' },
  },
  SwitchApprovals: { request: () => ({ enabled: true }) },
};
