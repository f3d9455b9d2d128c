import type { StoredWorkflow } from './workflow-entity.ts';

/** The default values of a workflow's fields. */
export const emptyWorkflow: Omit<StoredWorkflow, 'id' | 'name' | 'cwd' | 'createdAt' | 'updatedAt' | DerivedFields> = {
  flags: '',
  harness: '',
  context: '',
  provisionEnabled: null,
  role: null,
  baseBranch: '',
  host: '',
  hostSelector: [],
  scripts: {},
  copyFiles: [],
  notify: {},
  mailOnPullRequest: [],
  agentsMayLaunch: {},
  preApprovedTools: [],
  environment: [],
  isolation: null,
  grants: {},
  profileId: null,
  archivePolicy: {},
  onUsageLimit: null,
  onBoot: null,
};

/** Fields that are derived, not set. */
type DerivedFields = 'repositories' | 'unconfirmedRepositories';

/**
 * A workflow with only the required fields, and the repositories that the remotes of its directory name.
 */
export function bareWorkflow(
  given: Pick<StoredWorkflow, 'name' | 'cwd' | 'harness'>,
  repositories: readonly string[],
): Omit<StoredWorkflow, 'id' | 'createdAt' | 'updatedAt'> {
  return { ...emptyWorkflow, ...given, repositories: [...repositories], unconfirmedRepositories: [] };
}
