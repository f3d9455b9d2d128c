const plainFields = `
  id number url title isDraft state createdAt updatedAt mergedAt closedAt
  headRefName headRefOid headRepository { url } baseRefName baseRefOid repository { url }`;

// Requesting mergeable, not mergeStateStatus, makes GitHub compute both.
const fullFields = `${plainFields}
  isInMergeQueue mergeable mergeStateStatus reviewDecision
  latestOpinionatedReviews(first: 20, writersOnly: true) { nodes { state } }
  reviewRequests(first: 1) { totalCount }
  commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }`;

const rateLimit = 'rateLimit { limit remaining resetAt }';

function list(fields: string): string {
  return `query ($owner: String!, $name: String!, $first: Int!, $after: String, $states: [PullRequestState!], $branch: String) {
  ${rateLimit}
  repository(owner: $owner, name: $name, followRenames: true) {
    url
    parent { url nameWithOwner }
    pullRequests(first: $first, after: $after, states: $states, headRefName: $branch, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { ${fields} }
    }
  }
}`;
}

/** Every query that is sent to GitHub. */
export const githubQueries = {
  list: list(fullFields),
  listPlain: list(plainFields),
  read: `query ($ids: [ID!]!) { ${rateLimit} nodes(ids: $ids) { ... on PullRequest { ${fullFields} } } }`,
  failing: `query ($ids: [ID!]!) {
  ${rateLimit}
  nodes(ids: $ids) {
    ... on PullRequest {
      id
      commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
        __typename
        ... on CheckRun { name conclusion }
        ... on StatusContext { context state }
      } } } } } }
    }
  }
}`,
  check: `query { ${rateLimit} viewer { login } }`,
} as const;
