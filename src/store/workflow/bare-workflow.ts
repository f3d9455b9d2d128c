import type { StoredWorkflow } from './workflow-entity.ts';

/** The default values of a workflow's fields. */
export const emptyWorkflow: Omit<StoredWorkflow, 'id' | 'name' | 'cwd' | 'createdAt' | 'updatedAt' | Recorded> = {
  flags: '',
  harness: '',
  context: '',
  provisionEnabled: null,
  role: null,
  baseBranch: '',
  host: '',
  scripts: {},
  copyFiles: [],
  notify: {},
  mailOnPullRequest: [],
  agentsMayLaunch: {},
  preApprovedTools: [],
  environment: [],
};

/** What is not given, but found out. */
type Recorded = 'repositories' | 'unconfirmedRepositories';

/**
 * A workflow of which only the most necessary is known, and the repositories that the remotes of its directory name.
 */
export function bareWorkflow(
  given: Pick<StoredWorkflow, 'name' | 'cwd' | 'harness'>,
  repositories: readonly string[],
): Omit<StoredWorkflow, 'id' | 'createdAt' | 'updatedAt'> {
  return { ...emptyWorkflow, ...given, repositories: [...repositories], unconfirmedRepositories: [] };
}
