import { boolean, holdTo, integer, list, nullable, object, string, time } from './json-schema.ts';

/**
 * The documents that are read of Gitea, after its published description (https://gitea.com/api/swagger, definitions
 * Repository, PRBranchInfo, PullRequest, PullReview, CombinedStatus, CommitStatus, User; Gitea 1.24, and Forgejo 11
 * alike).
 */
const user = object({ id: integer, login: string, full_name: string, email: string }, ['id', 'login']);
const bareRepository = {
  id: integer,
  name: string,
  full_name: string,
  html_url: string,
  fork: boolean,
  private: boolean,
  default_branch: string,
};
const repository = object({ ...bareRepository, parent: nullable(object(bareRepository, ['full_name', 'html_url'])) }, [
  'full_name',
  'html_url',
]);
const branch = object({ label: string, ref: string, sha: string, repo_id: integer, repo: nullable(repository) }, [
  'label',
  'ref',
  'sha',
  'repo_id',
]);
const pull = object(
  {
    id: integer,
    url: string,
    html_url: string,
    number: integer,
    title: string,
    state: { enum: ['open', 'closed'] },
    draft: boolean,
    mergeable: boolean,
    merged: boolean,
    merged_at: nullable(time),
    closed_at: nullable(time),
    created_at: time,
    updated_at: time,
    user,
    requested_reviewers: nullable(list(user)),
    head: branch,
    base: branch,
    merge_base: string,
  },
  ['id', 'number', 'title', 'state', 'html_url', 'head', 'base', 'created_at', 'updated_at'],
);
const review = object(
  {
    id: integer,
    state: { enum: ['APPROVED', 'PENDING', 'COMMENT', 'REQUEST_CHANGES', 'REQUEST_REVIEW'] },
    official: boolean,
    stale: boolean,
    dismissed: boolean,
    commit_id: string,
    submitted_at: time,
    user: nullable(user),
  },
  ['id', 'state', 'official', 'stale', 'dismissed'],
);
const state = { enum: ['pending', 'success', 'error', 'failure', 'warning', ''] };
const status = object(
  {
    sha: string,
    state,
    total_count: integer,
    statuses: nullable(
      list(object({ id: integer, status: state, context: string, description: string }, ['status', 'context'])),
    ),
  },
  ['state', 'total_count'],
);

const protectedBranch = object(
  {
    name: string,
    protected: boolean,
    required_approvals: integer,
    enable_status_check: boolean,
    status_check_contexts: nullable(list(string)),
    user_can_push: boolean,
    user_can_merge: boolean,
    effective_branch_protection_name: string,
  },
  ['name', 'protected', 'required_approvals', 'enable_status_check'],
);

export const giteaDocuments = {
  branch: holdTo<object>(protectedBranch),
  repository: holdTo<object>(repository),
  pull: holdTo<object>(pull),
  pulls: holdTo<object[]>(list(pull)),
  reviews: holdTo<object[]>(list(review)),
  status: holdTo<object>(status),
  user: holdTo<object>(user),
};
