import { z } from 'zod';
import { AgentRole } from '#contract/agent/agent.ts';
import { ArchivePolicy } from '#contract/agent/archive-policy.ts';
import { OnBoot } from '#contract/agent/on-boot.ts';
import { OnUsageLimit } from '#contract/agent/park.ts';
import { Notify } from '#contract/fact/notify.ts';
import { remoteUrl } from '#contract/forge/repository-reading.ts';
import { HostSelector } from '#contract/host/host-setting.ts';
import { GrantedHost, Grants, Isolation } from '#contract/host/isolation.ts';
import { explicitBoolean, meaningsOf, message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';
import { AgentsMayLaunch, PullRequestMatter, Workflow, WorkflowScripts } from '#contract/workflow.ts';

const service = { package: 'workflow.v1', service: 'WorkflowService' } as const;
const same = meaningsOf(Workflow);
const workflowId = [required(z.string().min(1)), 'The workflow, by its id: `wfl_` and a ULID.'] as const;
const changedWorkflow = [Workflow, 'The workflow after the call.'] as const;
const name = text(200);
const cwd = text(4096);
const copyFiles = z.array(text(4096)).max(100);
const preApprovedTools = z.array(text(100).min(1)).max(100);
const environment = z.array(text(8_192).min(1)).max(100);
const harness = text(40).regex(/^[a-z0-9-]*$/, 'may contain only a to z, 0 to 9 and -');

export const listWorkflows = operation({
  ...service,
  method: 'ListWorkflows',
  summary: 'Lists workflows, most recently updated first.',
  guidance: 'create_agent takes one of these ids as workflowId.',
  request: message('workflow.v1.ListWorkflowsRequest', { pagination: [1, ...paging] }),
  response: message('workflow.v1.ListWorkflowsResponse', {
    workflows: [1, z.array(Workflow), 'One page, most recently updated first.'],
    nextPageToken: [2, ...nextPageToken],
    defaultIsolation: [
      3,
      Isolation,
      'What isolates the agents of a new workflow that does not say, if it works on the hosts that may run them.',
    ],
  }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});

export const getWorkflow = operation({
  ...service,
  method: 'GetWorkflow',
  summary: 'Returns one workflow.',
  guidance: '',
  request: message('workflow.v1.GetWorkflowRequest', { workflowId: [1, ...workflowId] }),
  response: message('workflow.v1.GetWorkflowResponse', { workflow: [1, Workflow, 'The requested workflow.'] }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
  peopleOnly: { fields: [], guidance: 'list_workflows shows the ids.' },
});

export const createWorkflow = operation({
  ...service,
  method: 'CreateWorkflow',
  summary: 'Creates a workflow: where agents run, with which CLI, and how their briefing begins.',
  guidance: 'name and cwd are required. Names are unique: a taken one is refused as already_exists.',
  request: message('workflow.v1.CreateWorkflowRequest', {
    name: [1, required(name.min(1)), same.name],
    cwd: [2, required(cwd.min(1)), same.cwd],
    flags: [3, text(500), same.flags],
    harness: [4, harness, same.harness],
    context: [5, text(50_000), same.context],
    provisionEnabled: [6, explicitBoolean(), same.provisionEnabled],
    role: [7, AgentRole, same.role],
    baseBranch: [8, text(512), same.baseBranch],
    host: [9, z.string(), same.host],
    scripts: [10, WorkflowScripts, same.scripts],
    copyFiles: [11, copyFiles, same.copyFiles],
    notify: [12, Notify, same.notify],
    mailOnPullRequest: [13, z.array(PullRequestMatter), same.mailOnPullRequest],
    agentsMayLaunch: [14, AgentsMayLaunch, same.agentsMayLaunch],
    preApprovedTools: [15, preApprovedTools, same.preApprovedTools],
    environment: [16, environment, same.environment],
    hostSelector: [17, HostSelector, same.hostSelector],
    isolation: [
      18,
      Isolation,
      'What separates its agents and scripts from their host. Unset: a sandbox where one works, in installations that began with that.',
    ],
    grants: [19, Grants, same.grants],
    profileId: [30, z.string(), same.profileId],
    archivePolicy: [40, ArchivePolicy, same.archivePolicy],
    onUsageLimit: [31, OnUsageLimit, same.onUsageLimit],
    onBoot: [32, OnBoot, same.onBoot],
  }),
  response: message('workflow.v1.CreateWorkflowResponse', {
    workflow: [1, Workflow, 'The new workflow.'],
    notIsolated: [
      2,
      z.string(),
      'Why its agents are not isolated, if they would be by default, and what to do about it. Unset otherwise.',
    ],
  }),
  takesSecret: true,
  access: 'write',
  idempotent: false,
  roles: [],
});

export const updateWorkflow = operation({
  ...service,
  method: 'UpdateWorkflow',
  summary: 'Changes the fields of a workflow that the request names. Agents already launched keep their settings.',
  guidance: 'An omitted field stays. Name a field in clear to empty it.',
  request: message('workflow.v1.UpdateWorkflowRequest', {
    workflowId: [1, ...workflowId],
    name: [2, name, same.name],
    cwd: [3, cwd, same.cwd],
    flags: [4, text(500), same.flags],
    harness: [5, harness, same.harness],
    context: [6, text(50_000), same.context],
    provisionEnabled: [7, explicitBoolean(), same.provisionEnabled],
    role: [8, AgentRole, same.role],
    baseBranch: [9, text(512), same.baseBranch],
    host: [10, z.string(), same.host],
    scripts: [11, WorkflowScripts, same.scripts],
    copyFiles: [12, copyFiles, same.copyFiles],
    notify: [14, Notify, same.notify],
    mailOnPullRequest: [15, z.array(PullRequestMatter), same.mailOnPullRequest],
    agentsMayLaunch: [16, AgentsMayLaunch, same.agentsMayLaunch],
    preApprovedTools: [17, preApprovedTools, same.preApprovedTools],
    environment: [18, environment, same.environment],
    hostSelector: [19, HostSelector, same.hostSelector],
    isolation: [20, Isolation, same.isolation],
    grants: [21, Grants, same.grants],
    profileId: [30, z.string(), same.profileId],
    archivePolicy: [40, ArchivePolicy, same.archivePolicy],
    onUsageLimit: [31, OnUsageLimit, same.onUsageLimit],
    onBoot: [32, OnBoot, same.onBoot],
    clear: [
      13,
      z.array(
        z.enum([
          'flags',
          'harness',
          'context',
          'provisionEnabled',
          'role',
          'baseBranch',
          'host',
          'scripts',
          'copyFiles',
          'notify',
          'mailOnPullRequest',
          'agentsMayLaunch',
          'preApprovedTools',
          'environment',
          'hostSelector',
          'isolation',
          'grants',
          'profileId',
          'archivePolicy',
          'onUsageLimit',
          'onBoot',
        ]),
      ),
      'Fields to empty, by name. A field that is also given is set instead.',
    ],
  }),
  response: message('workflow.v1.UpdateWorkflowResponse', { workflow: [1, ...changedWorkflow] }),
  takesSecret: true,
  access: 'write',
  idempotent: true,
  roles: [],
});

export const allowConnections = operation({
  ...service,
  method: 'AllowConnections',
  summary: 'Lets the isolated agents of a workflow connect to more hosts, at once and in future.',
  guidance:
    'Adds to the grants of the workflow. Ports of the agents’ own host, such as 127.0.0.1:5432, count from the next window on.',
  request: message('workflow.v1.AllowConnectionsRequest', {
    workflowId: [1, ...workflowId],
    hosts: [2, required(z.array(GrantedHost).min(1).max(50)), 'The hosts, as in `grants.hosts`.'],
  }),
  response: message('workflow.v1.AllowConnectionsResponse', { workflow: [1, ...changedWorkflow] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

const repositoryRequest = { workflowId: [1, ...workflowId], remoteUrl: [2, ...remoteUrl] } as const;

export const confirmRepository = operation({
  ...service,
  method: 'ConfirmRepository',
  summary: 'Lets muster read the pull requests of a repository for the agents of a workflow.',
  guidance:
    'The remotes that cwd has when the workflow is created are already confirmed. An agent may have pointed its checkout to any ' +
    'other repository, so a person decides whether the agents may see what the forge’s credential can see there.',
  request: message('workflow.v1.ConfirmRepositoryRequest', repositoryRequest),
  response: message('workflow.v1.ConfirmRepositoryResponse', { workflow: [1, ...changedWorkflow] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const withdrawRepository = operation({
  ...service,
  method: 'WithdrawRepository',
  summary: 'Stops reading and showing the pull requests of a repository for the agents of a workflow.',
  guidance: 'Stored pull requests stay, and only people see them. not_found: it was not confirmed.',
  request: message('workflow.v1.WithdrawRepositoryRequest', repositoryRequest),
  response: message('workflow.v1.WithdrawRepositoryResponse', { workflow: [1, ...changedWorkflow] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const deleteWorkflow = operation({
  ...service,
  method: 'DeleteWorkflow',
  summary: 'Deletes a workflow that has no agents.',
  guidance: 'failed_precondition while it has agents, even archived ones: delete those first.',
  request: message('workflow.v1.DeleteWorkflowRequest', { workflowId: [1, ...workflowId] }),
  response: message('workflow.v1.DeleteWorkflowResponse', {}),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});
