import { z } from 'zod';
import { message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { WorkflowTrial } from '#contract/workflow-trial.ts';

const service = { package: 'workflow.v1', service: 'WorkflowService' } as const;
const trialId = [required(z.string().min(1).max(100)), 'The trial, by its id.'] as const;
const hostId = [required(z.string().min(1)), 'The host it runs on, from try_workflow.'] as const;

export const tryWorkflow = operation({
  ...service,
  method: 'TryWorkflow',
  summary: 'Runs a workflow’s setup script in a worktree that is removed afterwards, without launching an agent.',
  guidance:
    'It runs as in a launch, with the same files, variables and time limit, but without an agent’s token. get_workflow_trial returns its ' +
    'output; if nobody calls that for 15 seconds, the trial ends. failed_precondition if there is no setup script, or if agents of ' +
    'the workflow get no worktree.',
  request: message('workflow.v1.TryWorkflowRequest', {
    workflowId: [1, required(z.string().min(1)), 'The workflow, by its id: `wfl_` and a ULID.'],
    setup: [2, text(50_000), 'The script to try. Unset: the workflow’s own.'],
  }),
  response: message('workflow.v1.TryWorkflowResponse', { trial: [1, WorkflowTrial, 'The trial, just started.'] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const getWorkflowTrial = operation({
  ...service,
  method: 'GetWorkflowTrial',
  summary: 'Returns a trial of a setup script with its output after a cursor, waiting up to two seconds for output.',
  guidance:
    'Call it again at once with the cursor of the answer until state says that it has ended. If nobody calls for 15 seconds, the ' +
    'trial is stopped. A host keeps its last 20 trials.',
  request: message('workflow.v1.GetWorkflowTrialRequest', {
    trialId: [1, ...trialId],
    hostId: [2, ...hostId],
    cursor: [3, z.string(), 'Where to continue. Unset: from the beginning.'],
  }),
  response: message('workflow.v1.GetWorkflowTrialResponse', { trial: [1, WorkflowTrial, 'The trial as it is now.'] }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const stopWorkflowTrial = operation({
  ...service,
  method: 'StopWorkflowTrial',
  summary: 'Stops a trial of a setup script and removes its worktree.',
  guidance: 'A trial that has ended does not change.',
  request: message('workflow.v1.StopWorkflowTrialRequest', { trialId: [1, ...trialId], hostId: [2, ...hostId] }),
  response: message('workflow.v1.StopWorkflowTrialResponse', {
    trial: [1, WorkflowTrial, 'The trial, which may still be ending.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});
