import { launchExtrasOf } from '#actors/registry/rights/launch-extras.ts';
import { currentIsolation } from '#actors/registry/rights/launch-isolation.ts';
import { launchRightsOf } from '#actors/registry/rights/rights.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { AgentScript, LaunchSettings } from '#machines/agent/agent-context.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import { profileOfWorkflow } from './launch-profile.ts';

type StoredLaunch = StoredAgent['launch'];

/**
 * An agent's launch with the current values of its workflow: scripts, copied files, environment, pre-approved tools,
 * and, for a person, the flags and the profile that came from the workflow. Directory, host, harness and briefing stay. A caller that
 * is an agent grants at most what it has itself.
 */
export async function currentLaunch(
  tables: Tables,
  caller: Caller,
  { launch, workflowId, cwd, parentAgentId }: StoredAgent,
): Promise<{ readonly launch: StoredLaunch; readonly fresh: LaunchSettings }> {
  const workflow = await findWorkflow(tables.workflows, workflowId);
  const rights = await launchRightsOf(tables, caller);
  const extras = launchExtrasOf(workflow, rights);
  const { environment: _, baseBranch: base, isolation, grants, isolationRequested, ...others } = launch;
  const { profileId, workflowProfile, ...kept } = others;
  const isolated = { isolation, grants, isolationRequested };
  const { scripts, environment, copyFiles, preApprovedTools } = extras;
  const hasWorktree = launch.provision && cwd !== launch.cwd;
  const baseBranch = hasWorktree ? base : workflow.baseBranch || undefined;
  const isSameCli = workflow.harness === '' || workflow.harness === launch.harness;
  const isOwnFlags = caller.kind === 'person' && launch.workflowFlags && isSameCli;
  const isOwnProfile = profileId !== undefined && workflowProfile === undefined;
  const mayChangeProfile = caller.kind === 'person' && !isOwnProfile && !launch.launchedByAgent;
  const next = defined<StoredLaunch>({
    ...kept,
    ...(mayChangeProfile ? profileOfWorkflow(workflow) : { profileId, workflowProfile }),
    flags: isOwnFlags ? workflow.flags : launch.flags,
    scripts,
    copyFiles: [...copyFiles],
    preApprovedTools: [...preApprovedTools],
    ...(parentAgentId == null ? currentIsolation(launch, workflow, rights) : isolated),
    ...(environment.length > 0 && { environment: [...environment] }),
    ...(baseBranch !== undefined && { baseBranch }),
  });
  const named = (Object.keys(scripts) as AgentScript[]).filter((script) => scripts[script]);
  const fresh = {
    scripts: named,
    setup: scripts.setup !== launch.scripts.setup,
    copies: JSON.stringify(copyFiles) !== JSON.stringify(launch.copyFiles),
  };
  return { launch: next, fresh };
}

/** Without fields that are undefined, which the database would store as null. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
