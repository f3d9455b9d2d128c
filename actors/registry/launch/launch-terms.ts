import type { Place } from '#actors/registry/placement/placement.ts';
import { roundText } from '#actors/registry/review/first-round.ts';
import { launchExtrasOf } from '#actors/registry/rights/launch-extras.ts';
import { launchIsolation } from '#actors/registry/rights/launch-isolation.ts';
import { briefingOf } from '#contract/agent/briefing.ts';
import { Failure } from '#contract/failure.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { AgentScript } from '#machines/agent/agent-context.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { PreparedLaunch } from './prepare.ts';

/**
 * The terms of a launch at its place.
 * @throws FAILED_PRECONDITION when the place does not allow it
 */
export function launchOf(
  request: CreateAgentRequest,
  { workflow, parent, flags, profile, rights, ...plan }: LaunchPlan,
  { place, opening, round: first }: PreparedLaunch & { readonly place: Place },
  { name, sessionId }: Pick<Launch, 'name' | 'sessionId'>,
): Launch {
  const harness = plan.harness ?? firstHarnessOf(place.host);
  const isForFlags = harness === harnessOfFlags(workflow, rights, place.host);
  const { baseBranch, context } = workflow;
  const { environment, scripts, copyFiles, preApprovedTools } = launchExtrasOf(workflow, rights);
  const { resultSchema } = request;
  const round = parent && first ? roundText(parent, first) : '';
  const provision = parent === undefined && provisionOf(request.provisionEnabled ?? workflow.provisionEnabled, place);
  if (request.withChanges && !provision) throw withoutWorktree(place.path);
  return {
    name,
    harness,
    flags: leavesFlags(request) && !isForFlags ? '' : flags,
    ...(leavesFlags(request) && isForFlags && { workflowFlags: true as const }),
    cwd: place.path,
    briefing: briefingOf({ harness, context, opening, round, prompt: request.prompt, resultSchema }),
    provision,
    ...(baseBranch === '' ? {} : { baseBranch }),
    ...(request.withChanges && { withChanges: true as const }),
    copyFiles: [...copyFiles],
    scripts,
    preApprovedTools: [...preApprovedTools],
    ...(environment.length > 0 && { environment: [...environment] }),
    ...launchIsolation({ isolation: request.isolation, workflow, rights, parent }),
    ...profile,
    ...(rights && { launchedByAgent: true as const }),
    ...(place.repository && { repository: place.repository }),
    sessionId,
  };
}

/** The input of an agent's machine for a launch at its place. */
export function stepsOf({ provision, scripts }: Launch): { provision: boolean; scripts: AgentScript[] } {
  return { provision, scripts: (Object.keys(scripts) as AgentScript[]).filter((script) => scripts[script]) };
}

/** The provisional input for a launch without a place. It is replaced when the agent is placed. */
export function launchWithoutPlace(
  request: CreateAgentRequest,
  { workflow, flags, profile, harness = '' }: LaunchPlan,
  { opening }: Pick<PreparedLaunch, 'opening'>,
  { name, sessionId }: Pick<Launch, 'name' | 'sessionId'>,
): Launch {
  const { resultSchema } = request;
  return {
    name,
    harness,
    flags,
    cwd: request.dir || workflow.cwd,
    briefing: briefingOf({
      harness,
      context: workflow.context,
      opening,
      round: '',
      prompt: request.prompt,
      resultSchema,
    }),
    provision: false,
    copyFiles: [],
    scripts: {},
    preApprovedTools: [],
    ...profile,
    sessionId,
  };
}

/** Whether a launch uses the workflow's flags. */
function leavesFlags({ flags, clear }: CreateAgentRequest): boolean {
  return !flags && !clear?.includes('flags');
}

/** The harness that a workflow's flags are for: the one it names, or the default for a launch that names none. */
function harnessOfFlags(
  workflow: LaunchPlan['workflow'],
  rights: LaunchPlan['rights'],
  host: StoredHost,
): string | undefined {
  return workflow.harness || rights?.agent.launch.harness || host.harnesses.find(isCodingAgent);
}

function isCodingAgent(harness: string): boolean {
  return harness !== 'shell';
}

function provisionOf(wanted: boolean | null | undefined, { path, isRepository, host }: Place): boolean {
  if (!wanted || isRepository) return wanted ?? isRepository;
  throw new Failure(
    'NOT_A_REPOSITORY',
    `${path} on ${host.name} is not in a git repository, so no worktree can be made from it: set provisionEnabled to ` +
      'false, or name a directory that is in one',
    { field: 'provisionEnabled' },
  );
}

function withoutWorktree(path: string): Failure {
  return new Failure(
    'CONFLICTING_FIELDS',
    `withChanges is true, but the agent gets no worktree: it runs in ${path} itself, where the changes are, so leave it out`,
    { field: 'withChanges' },
  );
}

function firstHarnessOf({ name, harnesses }: StoredHost): string {
  const found = harnesses.find(isCodingAgent);
  if (found !== undefined) return found;
  throw new Failure(
    'HARNESS_UNAVAILABLE',
    `Host ${name} has no coding agent, and neither the request nor the workflow names a harness: install one there, ` +
      'such as claude or codex, or name a harness; shell needs none',
    { field: 'harness' },
  );
}
