import { buildSchema } from 'graphql';

/**
 * The part of GitLab's GraphQL schema that is used, with the names, arguments, nullability and values of
 * https://docs.gitlab.com/api/graphql/reference/ (GitLab 18). No package carries that schema, so it is recorded here.
 */
export const gitlabSchema = buildSchema(`
  scalar Time
  scalar MergeRequestID

  type Query {
    currentUser: CurrentUser
    project(fullPath: ID!): Project
  }
  type CurrentUser { username: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }

  type Project {
    webUrl: String
    fullPath: ID!
    mergeRequests(
      iids: [String!]
      sourceBranches: [String!]
      targetBranches: [String!]
      state: MergeRequestState
      draft: Boolean
      sort: MergeRequestSort
      after: String
      before: String
      first: Int
      last: Int
    ): MergeRequestConnection
  }
  enum MergeRequestState { merged opened closed locked all }
  enum MergeRequestSort { CREATED_ASC CREATED_DESC UPDATED_ASC UPDATED_DESC MERGED_AT_ASC MERGED_AT_DESC CLOSED_AT_ASC CLOSED_AT_DESC }

  type MergeRequestConnection { count: Int! nodes: [MergeRequest] pageInfo: PageInfo! }
  type MergeRequest {
    id: ID!
    iid: String!
    webUrl: String
    title: String!
    draft: Boolean!
    state: MergeRequestState!
    createdAt: Time!
    updatedAt: Time!
    mergedAt: Time
    closedAt: Time
    sourceBranch: String!
    targetBranch: String!
    sourceProject: Project
    targetProject: Project!
    diffHeadSha: String
    diffRefs: DiffRefs
    detailedMergeStatus: DetailedMergeStatus
    approved: Boolean!
    approvedBy(after: String, before: String, first: Int, last: Int): UserCoreConnection
    reviewers(after: String, before: String, first: Int, last: Int): MergeRequestReviewerConnection
    headPipeline: Pipeline
  }
  type DiffRefs { baseSha: String headSha: String! startSha: String! }
  enum DetailedMergeStatus {
    APPROVALS_SYNCING BLOCKED_STATUS CHECKING CI_MUST_PASS CI_STILL_RUNNING COMMITS_STATUS CONFLICT DISCUSSIONS_NOT_RESOLVED
    DRAFT_STATUS EXTERNAL_STATUS_CHECKS JIRA_ASSOCIATION LOCKED_LFS_FILES LOCKED_PATHS MERGEABLE MERGE_TIME NEED_REBASE
    NOT_APPROVED NOT_OPEN PREPARING REQUESTED_CHANGES SECURITY_POLICIES_VIOLATIONS TITLE_NOT_MATCHING UNCHECKED
  }
  type UserCoreConnection { nodes: [UserCore] pageInfo: PageInfo! }
  type UserCore { username: String! }
  type MergeRequestReviewerConnection { nodes: [MergeRequestReviewer] pageInfo: PageInfo! }
  type MergeRequestReviewer { username: String! mergeRequestInteraction: UserMergeRequestInteraction }
  type UserMergeRequestInteraction { approved: Boolean! reviewed: Boolean! reviewState: MergeRequestReviewState }
  enum MergeRequestReviewState { UNREVIEWED REVIEWED REQUESTED_CHANGES APPROVED UNAPPROVED REVIEW_STARTED }

  type Pipeline {
    status: PipelineStatusEnum!
    jobs(statuses: [CiJobStatus!], after: String, before: String, first: Int, last: Int): CiJobConnection
  }
  enum PipelineStatusEnum {
    CREATED WAITING_FOR_RESOURCE PREPARING WAITING_FOR_CALLBACK PENDING RUNNING FAILED SUCCESS CANCELED CANCELING SKIPPED MANUAL SCHEDULED
  }
  type CiJobConnection { nodes: [CiJob] pageInfo: PageInfo! }
  type CiJob { name: String allowFailure: Boolean! status: CiJobStatus }
  enum CiJobStatus {
    CANCELED CANCELING CREATED FAILED MANUAL PENDING PREPARING RUNNING SCHEDULED SKIPPED SUCCESS WAITING_FOR_CALLBACK WAITING_FOR_RESOURCE
  }
`);
