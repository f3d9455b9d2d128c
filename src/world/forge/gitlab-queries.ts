const plainFields = `
  id iid webUrl title draft state createdAt updatedAt mergedAt closedAt
  sourceBranch targetBranch sourceProject { webUrl } diffHeadSha diffRefs { startSha }`;

const fullFields = `${plainFields}
  detailedMergeStatus approved
  approvedBy(first: 1) { nodes { username } }
  reviewers(first: 20) { nodes { mergeRequestInteraction { reviewState } } }
  headPipeline { status }`;

function list(fields: string): string {
  return `query ($path: ID!, $first: Int!, $after: String, $state: MergeRequestState, $branches: [String!]) {
  project(fullPath: $path) {
    webUrl
    mergeRequests(first: $first, after: $after, state: $state, sourceBranches: $branches, sort: UPDATED_DESC) {
      pageInfo { hasNextPage endCursor }
      nodes { ${fields} }
    }
  }
}`;
}

/** Every query that is sent to GitLab. */
export const gitlabQueries = {
  list: list(fullFields),
  listPlain: list(plainFields),
  read: `query ($path: ID!, $iids: [String!]!) {
  project(fullPath: $path) { webUrl mergeRequests(iids: $iids, first: 50) { nodes { ${fullFields} } } }
}`,
  failing: `query ($path: ID!, $iids: [String!]!) {
  project(fullPath: $path) {
    mergeRequests(iids: $iids, first: 50) {
      nodes { iid headPipeline { jobs(statuses: [FAILED], first: 20) { nodes { name allowFailure } } } }
    }
  }
}`,
  probe: `query ($path: ID!) {
  project(fullPath: $path) { mergeRequests(first: 1, sort: UPDATED_DESC) { count nodes { id updatedAt state } } }
}`,
  check: 'query { currentUser { username } }',
} as const;
