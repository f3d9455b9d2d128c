import type { z } from 'zod';
import { cleanName } from '#actors/registry/agent/agent-name.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import { checkNotify } from '#actors/registry/notify/notify-setting.ts';
import { checkFlags, checkHarness } from '#actors/registry/placement/check-launch.ts';
import { checkAdditions } from '#actors/registry/placement/environment-additions.ts';
import { readFleet } from '#actors/registry/placement/fleet.ts';
import { isSelected } from '#actors/registry/placement/host-fit.ts';
import { checkDirectory, hostsFor, type Place, placeOf } from '#actors/registry/placement/placement.ts';
import { findProfile } from '#actors/registry/profile/profile-resource.ts';
import type { ArchivePolicy } from '#contract/agent/archive-policy.ts';
import { Failure } from '#contract/failure.ts';
import type { Grants } from '#contract/host/isolation.ts';
import { limitsIn } from '#contract/host/limits.ts';
import { createWorkflow, updateWorkflow } from '#contract/operations/workflow.ts';
import { quoted } from '#contract/quoted.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import { emptyWorkflow } from '#store/workflow/bare-workflow.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { requireRefName } from '#world/git/repository/branch-name.ts';
import { isolationOfNew, type NewIsolation } from './default-isolation.ts';
import { checkGrant, checkPreApproved } from './grant.ts';
import { findWorkflow, workflowOf } from './workflow-resource.ts';
import type { WorkflowScope } from './workflow-scope.ts';

/** The fields of a workflow that people set. */
type Fields = Omit<StoredWorkflow, 'id' | 'createdAt' | 'updatedAt' | keyof Repositories>;
/** The repositories whose pull requests are read for its agents. */
type Repositories = Pick<StoredWorkflow, 'repositories' | 'unconfirmedRepositories'>;
type WorkflowFields = Omit<z.output<typeof updateWorkflow.request>, 'workflowId' | 'clear'>;
type Clearable = NonNullable<z.output<typeof updateWorkflow.request>['clear']>[number];

/** Creates a workflow. */
export const createWorkflowHandler = handler(createWorkflow, async (request, caller, scope: WorkflowScope) => {
  const fields = merged({ ...emptyWorkflow, name: '', cwd: '' }, request);
  const { fields: checked, place, hosts = [] } = await checkFields(scope, fields, request);
  const given: NewIsolation = { isolation: checked.isolation ?? null, fault: undefined };
  const { isolation, fault } = given.isolation === null ? await isolationOfNew(scope, checked, hosts) : given;
  const now = scope.clock.now();
  const workflow = {
    ...checked,
    isolation,
    ...recorded(place?.repositories),
    id: scope.ids.id('wfl'),
    createdAt: now,
    updatedAt: now,
  };
  await scope.store.write(async (tables) => {
    await checkNameIsFree(tables, workflow);
    await insertWorkflow(tables, workflow);
  });
  return { workflow: workflowOf(workflow, caller), ...(fault !== undefined && { notIsolated: fault }) };
});

/** Changes the fields that are set in the request. A field that is both set and cleared is set. */
export const updateWorkflowHandler = handler(updateWorkflow, async (request, caller, scope) => {
  const { workflowId, clear = [], ...given } = request;
  const before = await scope.store.read(({ workflows }) => findWorkflow(workflows, workflowId));
  const { fields: checked, place } = await checkFields(scope, merged(cleared(before, clear), given), given);
  return scope.store.write(async (tables) => {
    const current = await findWorkflow(tables.workflows, workflowId);
    const cwd = given.cwd ? checked.cwd : current.cwd;
    const next = { ...current, ...merged(cleared(current, clear), given), cwd };
    // Record the remotes only of a new directory: an agent may have changed those of the old one.
    const isElsewhere = next.cwd !== current.cwd || (given.host !== undefined && next.host !== current.host);
    await checkNameIsFree(tables, next);
    const fields = changedFields(current, next);
    if (fields.length === 0) return { workflow: workflowOf(current, caller) };
    const workflow = { ...next, ...(isElsewhere && recorded(place?.repositories)), updatedAt: scope.clock.now() };
    await tables.workflows.update(workflow);
    await tables.facts.append([{ kind: 'workflow.changed', subjectId: workflowId, detail: { fields } }]);
    return { workflow: workflowOf(workflow, caller) };
  });
});

/** Saves a new workflow and publishes it. */
export async function insertWorkflow({ workflows, facts }: Tables, workflow: StoredWorkflow): Promise<void> {
  await workflows.insert(workflow);
  await facts.append([{ kind: 'workflow.created', subjectId: workflow.id, detail: { name: workflow.name } }]);
}

/** The repositories of a directory that a person has just set: they need no confirmation. */
function recorded(repositories: readonly string[] = []): Repositories {
  return { repositories: [...repositories], unconfirmedRepositories: [] };
}

function cleared<F extends Fields>(fields: F, clear: readonly Clearable[]): F {
  return { ...fields, ...Object.fromEntries(clear.map((field) => [field, emptyWorkflow[field]])) };
}

/** Replaces the given fields. Scripts are replaced one by one. */
function merged(fields: Fields, given: WorkflowFields): Fields {
  const { role, scripts, copyFiles, provisionEnabled, name, notify, mailOnPullRequest, ...others } = given;
  const { agentsMayLaunch, preApprovedTools, environment, hostSelector, isolation, grants, profileId, ...rest } =
    others;
  const { archivePolicy, onUsageLimit, onBoot, ...texts } = rest;
  const set = Object.fromEntries(Object.entries(texts).filter(([field, value]) => field in fields && value));
  return {
    ...fields,
    ...set,
    name: name ? cleanName(name) : fields.name,
    provisionEnabled: provisionEnabled ?? fields.provisionEnabled ?? null,
    role: role && role !== 'AGENT_ROLE_UNSPECIFIED' ? role : (fields.role ?? null),
    scripts: { ...fields.scripts, ...Object.fromEntries(Object.entries(scripts ?? {}).filter(([, text]) => text)) },
    copyFiles: copyFiles?.length ? copyFiles : fields.copyFiles,
    mailOnPullRequest: mailOnPullRequest?.length ? namedMatters(mailOnPullRequest) : fields.mailOnPullRequest,
    notify: { ...fields.notify, ...filled(notify) },
    agentsMayLaunch: { ...fields.agentsMayLaunch, ...filled(agentsMayLaunch) },
    preApprovedTools: preApprovedTools?.length ? [...new Set(preApprovedTools)] : fields.preApprovedTools,
    environment: environment?.length ? environment : fields.environment,
    profileId: profileId || (fields.profileId ?? null),
    hostSelector: hostSelector?.length ? [...new Set(hostSelector)] : fields.hostSelector,
    isolation: isolation && isolation !== 'ISOLATION_UNSPECIFIED' ? isolation : (fields.isolation ?? null),
    grants: { ...fields.grants, ...givenGrants(grants) },
    archivePolicy: { ...fields.archivePolicy, ...givenPolicy(archivePolicy) },
    onUsageLimit:
      onUsageLimit && onUsageLimit !== 'ON_USAGE_LIMIT_UNSPECIFIED' ? onUsageLimit : (fields.onUsageLimit ?? null),
    onBoot: onBoot && onBoot !== 'ON_BOOT_UNSPECIFIED' ? onBoot : (fields.onBoot ?? null),
  };
}

/** The fields of a message that are set and not empty. */
function filled(given: Readonly<Record<string, { readonly length: number } | undefined>> = {}): object {
  return Object.fromEntries(Object.entries(given).filter(([, one]) => one?.length));
}

/** The parts of an archive policy that are set and not empty. */
function givenPolicy(given: ArchivePolicy = {}): ArchivePolicy {
  return Object.fromEntries(Object.entries(given).filter(([, one]) => (Array.isArray(one) ? one.length > 0 : one)));
}

/** The grants that are set and not empty. */
function givenGrants({
  memoryMib,
  maxProcesses,
  diskMib,
  cpuPercent,
  network,
  loopbackPorts,
  ...others
}: Grants = {}): Grants {
  return {
    ...filled(others),
    ...limitsIn({ memoryMib, maxProcesses, diskMib, cpuPercent }),
    ...(loopbackPorts?.length && { loopbackPorts }),
    ...(network && network !== 'NETWORK_ACCESS_UNSPECIFIED' && { network }),
  };
}

/** The given matters, without duplicates. */
function namedMatters(given: readonly PullRequestMatter[]): PullRequestMatter[] {
  return [...new Set(given)].filter((matter) => matter !== 'PULL_REQUEST_MATTER_UNSPECIFIED');
}

/**
 * Checks the given fields. Returns all fields; a given directory as its host resolves it, and the hosts that may run its
 * agents.
 */
async function checkFields(
  { store, lines, harnesses }: KernelScope,
  fields: Fields,
  given: WorkflowFields,
): Promise<{ fields: Fields; place?: Place; hosts?: readonly StoredHost[] }> {
  if (fields.name === '') {
    throw new Failure('INVALID_FIELD', `name is ${quoted(given.name)}, which has no visible character: give another`, {
      field: 'name',
    });
  }
  const { harness } = given;
  if (harness) checkHarness(await store.read(({ hosts }) => hosts.all()), harnesses, harness);
  if (given.flags) checkFlags(given.flags);
  if (given.baseBranch) requireRefName(given.baseBranch, 'base');
  if (given.notify) checkNotify(given.notify);
  if (given.preApprovedTools) checkPreApproved(given.preApprovedTools);
  if (given.environment) checkAdditions(given.environment);
  const { profileId } = given;
  if (profileId) await store.read((tables) => findProfile(tables, profileId));
  if (given.agentsMayLaunch) await checkGrant(store, harnesses, given.agentsMayLaunch);
  if (given.cwd) checkDirectory('cwd', given.cwd);
  if (!given.cwd && !given.host) return { fields };
  const wanted = fields.harness && { harness: fields.harness, harnesses };
  const able = hostsFor(await store.read(readFleet), fields.host || undefined, wanted);
  // If no host has the labels yet, another one resolves the directory.
  const labelled = able.filter((host) => isSelected(host, fields.hostSelector));
  const hosts = labelled.length > 0 ? labelled : able;
  const place = await placeOf(lines, { field: 'cwd', path: fields.cwd }, hosts);
  return { fields: { ...fields, cwd: place.path }, place, hosts };
}

async function checkNameIsFree({ workflows }: Tables, { id, name }: StoredWorkflow): Promise<void> {
  const holder = await workflows.findByName(name);
  if (holder === undefined || holder.id === id) return;
  throw new Failure('NAME_TAKEN', `Workflow ${holder.id} has the name ${quoted(name)} already: choose another one`, {
    field: 'name',
    metadata: { name, holderId: holder.id },
  });
}

function changedFields(before: StoredWorkflow, after: StoredWorkflow): string[] {
  const fields = [...Object.keys(emptyWorkflow), 'name', 'cwd'] as (keyof Fields)[];
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
