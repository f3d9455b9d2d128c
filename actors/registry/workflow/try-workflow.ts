import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { findHost } from '#actors/registry/host/host-resource.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import { readFleet } from '#actors/registry/placement/fleet.ts';
import { hostsFor, placeOf, takingHosts } from '#actors/registry/placement/placement.ts';
import { hostProfileOf } from '#actors/registry/profile/agent-profile.ts';
import type { ProfileScope } from '#actors/registry/profile/profile-scope.ts';
import { Failure } from '#contract/failure.ts';
import { runtimeOf } from '#contract/host/isolation.ts';
import { getWorkflowTrial, stopWorkflowTrial, tryWorkflow } from '#contract/operations/workflow-trial.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { HostTrial } from '#contract/wire/trial-calls.ts';
import type { WorkflowTrial } from '#contract/workflow-trial.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { findWorkflow } from './workflow-resource.ts';

/** Runs a workflow's setup script on a host as a launch would, in a temporary worktree. */
export const tryWorkflowHandler = handler(tryWorkflow, async ({ workflowId, setup }, _caller, scope: ProfileScope) => {
  const { store, lines, ids, sealing } = scope;
  const { workflow, hosts, profile } = await store.read(async (tables) => {
    const found = await findWorkflow(tables.workflows, workflowId);
    const { profileId } = found;
    const hosts = takingHosts(hostsFor(await readFleet(tables), found.host || undefined, undefined));
    const profile = profileId == null ? undefined : await tables.profiles.find(profileId);
    return { workflow: found, hosts, profile };
  });
  const { name, cwd, baseBranch, copyFiles, harness, environment, provisionEnabled } = workflow;
  const command = setup || workflow.scripts.setup;
  if (!command) throw nothingToTry(name, 'has no setup script: give one');
  const { host, path, isRepository } = await placeOf(lines, { field: "the workflow's cwd", path: cwd }, hosts);
  if (!(provisionEnabled ?? isRepository)) {
    throw nothingToTry(name, 'gives its agents no worktree, so its setup script never runs');
  }
  const trialId = ids.id('try');
  const trial = await askHost(lines, host, hostCalls.startTrial, {
    ...{ trialId, name, command, cwd: path, baseBranch, harness },
    copyFiles: [...copyFiles],
    environment: [...environment],
    isolation: runtimeOf(workflow.isolation),
    grants: workflow.grants,
    ...(profile && { profile: hostProfileOf(profile, sealing) }),
  });
  return { trial: { ...trialOf(trial, trialId, host), workflowId } };
});

/** Returns a trial and its output. */
export const getWorkflowTrialHandler = handler(
  getWorkflowTrial,
  async ({ trialId, hostId, cursor }, _caller, scope) => {
    const host = await hostOf(scope, hostId);
    const trial = await askHost(scope.lines, host, hostCalls.readTrial, { trialId, cursor: cursor ?? '' });
    return { trial: trialOf(trial, trialId, host) };
  },
);

/** Ends a trial. */
export const stopWorkflowTrialHandler = handler(stopWorkflowTrial, async ({ trialId, hostId }, _caller, scope) => {
  const host = await hostOf(scope, hostId);
  return { trial: trialOf(await askHost(scope.lines, host, hostCalls.stopTrial, { trialId }), trialId, host) };
});

function hostOf({ store }: KernelScope, hostId: string): Promise<StoredHost> {
  return store.read((tables) => findHost(tables.hosts, hostId));
}

function trialOf({ startedAt, endedAt, ...trial }: HostTrial, id: string, host: StoredHost): WorkflowTrial {
  const ended = endedAt === undefined ? {} : { endedAt: timeOf(endedAt) };
  return { ...trial, id, hostId: host.id, startedAt: timeOf(startedAt), ...ended };
}

function nothingToTry(name: string, why: string): Failure {
  return new Failure('NOTHING_TO_TRY', `Workflow ${quoted(name)} ${why}`, { field: 'workflowId' });
}
