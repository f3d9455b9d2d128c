import { defineEntity, p } from '@mikro-orm/sql';
import type { AgentRole } from '#contract/agent/agent.ts';
import type { ArchivePolicy } from '#contract/agent/archive-policy.ts';
import type { OnBoot } from '#contract/agent/on-boot.ts';
import type { OnUsageLimit } from '#contract/agent/park.ts';
import type { Notify } from '#contract/fact/notify.ts';
import type { Grants, Isolation } from '#contract/host/isolation.ts';
import type { AgentsMayLaunch, PullRequestMatter, WorkflowScripts } from '#contract/workflow.ts';
import type { Row } from '#store/kernel/row.ts';

/** A workflow: the project and the settings with which agents are launched. */
export const WorkflowEntity = defineEntity({
  name: 'Workflow',
  tableName: 'workflow',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    cwd: p.string(),
    flags: p.text(),
    harness: p.string(),
    context: p.text(),
    provisionEnabled: p.boolean().nullable(),
    role: p.string().$type<AgentRole>().nullable(),
    baseBranch: p.string(),
    host: p.string(),
    /** Conditions on the labels of hosts, each as `key=value`. */
    hostSelector: p.json<readonly string[]>().name('host_selector').default('[]'),
    scripts: p.json<WorkflowScripts>(),
    copyFiles: p.json<readonly string[]>(),
    notify: p.json<Notify>().default('{}'),
    mailOnPullRequest: p.json<readonly PullRequestMatter[]>().default('[]'),
    /** Web addresses of the repositories that a person confirmed for its agents: their pull requests are read. */
    repositories: p.json<readonly string[]>().default('[]'),
    /** Unconfirmed repositories that its agents push to, which were reported to people. */
    unconfirmedRepositories: p.json<readonly string[]>().default('[]'),
    agentsMayLaunch: p.json<AgentsMayLaunch>().default('{}'),
    preApprovedTools: p.json<readonly string[]>().default('[]'),
    /** Variables of its agents, each as `NAME` or `NAME=value`. */
    environment: p.json<readonly string[]>().default('[]'),
    isolation: p.string().$type<Isolation>().nullable(),
    grants: p.json<Grants>().default('{}'),
    archivePolicy: p.json<ArchivePolicy>().name('archive_policy').default('{}'),
    /** The profile of its agents. */
    profileId: p.string().nullable(),
    /** What happens to its agents at the usage limit of their account; null if it is not given. */
    onUsageLimit: p.string().$type<OnUsageLimit>().name('on_usage_limit').nullable(),
    /** What happens to its agents when a restart of the computer ends their windows; null if it is not given. */
    onBoot: p.string().$type<OnBoot>().name('on_boot').nullable(),
    /** Milliseconds since 1970. */
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
  indexes: [{ name: 'workflow_by_update', properties: ['updatedAt', 'id'] }],
  uniques: [{ name: 'workflow_name', properties: ['name'] }],
});
export type StoredWorkflow = Row<typeof WorkflowEntity>;
