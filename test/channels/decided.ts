/** Whom an operation may be about, seen from the agent that calls it. */
const targets = [
  'itself',
  'its child',
  'its parent',
  'its sibling',
  'one that it launched',
  'another',
  'a child of another',
] as const;
export type Target = (typeof targets)[number];
export type Role = 'implementer' | 'reviewer' | 'orchestrator';

/**
 * The allowed subjects of an operation, by the role of the calling agent. A missing role may not call it. A
 * child is a reviewer, unless something else is said of children.
 */
type Grants = Readonly<Partial<Record<Role | 'child', readonly Target[]>>>;
const toEach = (about: readonly Target[]): Grants => ({ implementer: about, reviewer: about, orchestrator: about });

const nobody: Grants = {};
const everyone = toEach(targets);
export const aboutItself = toEach(['itself']);
const steering: Grants = { implementer: ['its child'], reviewer: ['its child'], orchestrator: targets };
/** A reviewer without a parent has no agent to review. */
const reviewing: Grants = { reviewer: [], child: ['its parent'] };
const ownReview: Grants = { ...reviewing, implementer: ['itself'] };
const orchestrators: Grants = { orchestrator: targets };

/**
 * Who may do what, as it was decided: written by hand, and not read off the table of operations. What is not here is
 * allowed to nobody, and a test asks for it. A person may do everything; who is nobody, and whose token ended, nothing.
 */
export const decided: Readonly<Record<string, Grants>> = {
  // The agent that it is about is the parent: an agent speaks for itself alone.
  CreateAgent: aboutItself,
  ListAgents: everyone,
  GetAgent: everyone,
  FindAgent: everyone,
  WatchAgents: everyone,
  RetryAgent: orchestrators,
  ArchiveAgent: { orchestrator: ['one that it launched'] },
  RestoreAgent: nobody,
  DeleteAgent: nobody,
  HoldAgent: nobody,
  UnholdAgent: nobody,
  ParkAgent: nobody,
  UnparkAgent: orchestrators,
  MoveAgent: nobody,
  PromptAgent: steering,
  InterruptAgent: steering,
  ReadPane: steering,
  AnswerAgent: nobody,
  WatchPane: nobody,
  TypeInPane: nobody,
  ExplainAgent: aboutItself,
  RenameAgent: nobody,
  MarkAgent: nobody,
  CreateSignInCode: nobody,
  RotateTokens: nobody,
  IssueAgentToken: nobody,
  AttachAgent: nobody,
  RecordMetadata: aboutItself,
  ReportResult: aboutItself,
  CleanAgents: nobody,
  GetResult: {
    implementer: ['itself', 'its child', 'one that it launched'],
    reviewer: ['itself', 'its child', 'one that it launched'],
    orchestrator: targets,
  },
  WaitForAgents: everyone,
  SummarizeAgents: orchestrators,
  ReportReason: aboutItself,
  SendMail: {
    ...toEach(['itself', 'its child', 'one that it launched', 'another']),
    child: ['its parent', 'its sibling'],
  },
  ListMail: aboutItself,
  TakeMail: aboutItself,
  ClaimDoorbells: aboutItself,
  WaitForDoorbells: aboutItself,
  StartReviewRound: ownReview,
  ListReviewRounds: ownReview,
  GetReviewDiff: ownReview,
  ListReviewThreads: ownReview,
  CreateReviewThread: reviewing,
  ReleaseReview: reviewing,
  DiscardReview: reviewing,
  // These name a thread or a comment: of a review that the caller takes part in.
  ReplyReviewThread: { implementer: ['itself'], reviewer: [], child: ['itself'] },
  EditReviewMessage: { reviewer: [], child: ['itself'] },
  DeleteReviewThread: { reviewer: [], child: ['itself'] },
  ApplyReviewSuggestion: { implementer: ['itself'] },
  ResolveReviewThread: nobody,
  ReopenReviewThread: nobody,
  MarkReviewThreadsRead: nobody,
  ListWorkflows: everyone,
  GetWorkflow: everyone,
  CreateWorkflow: nobody,
  UpdateWorkflow: nobody,
  DeleteWorkflow: nobody,
  TryWorkflow: nobody,
  GetWorkflowTrial: nobody,
  StopWorkflowTrial: nobody,
  AllowConnections: nobody,
  ConfirmRepository: nobody,
  WithdrawRepository: nobody,
  ListHosts: orchestrators,
  DrainHost: nobody,
  UpdateHost: nobody,
  ForgetHost: nobody,
  ForgetHostKey: nobody,
  InviteHost: nobody,
  ListHostInvitations: nobody,
  WithdrawHostInvitation: nobody,
  RemoveHost: nobody,
  ListDirectories: nobody,
  ListLogRecords: nobody,
  ListHarnessLaunches: nobody,
  ConfirmHarness: nobody,
  RunDoctor: nobody,
  ListRunLogs: orchestrators,
  GetRunLog: orchestrators,
  AcknowledgeRun: nobody,
  ListSchedules: orchestrators,
  GetSchedule: orchestrators,
  WatchSchedules: orchestrators,
  CreateSchedule: nobody,
  UpdateSchedule: nobody,
  DeleteSchedule: nobody,
  PauseSchedule: nobody,
  ResumeSchedule: nobody,
  FireSchedule: nobody,
  ListScheduleRuns: orchestrators,
  ListComingFirings: orchestrators,
  CancelScheduleRun: nobody,
  RetryScheduleRun: nobody,
  ListBudgets: nobody,
  SetBudget: nobody,
  ContinueBudget: nobody,
  ListProfiles: nobody,
  GetApprovals: nobody,
  SetApprovals: nobody,
  AddApproval: nobody,
  TestApprovals: nobody,
  SwitchApprovals: nobody,
  CreateProfile: nobody,
  UpdateProfile: nobody,
  DeleteProfile: nobody,
  ListForgePullRequests: orchestrators,
  ListPullRequests: everyone,
  SweepRepository: orchestrators,
  ListForgeConnections: nobody,
  CreateForgeConnection: nobody,
  DeleteForgeConnection: nobody,
  CheckForgeConnection: nobody,
  ListFacts: nobody,
  WatchFacts: nobody,
  GetMachine: nobody,
  GetMachineChart: nobody,
  SurveyMachine: nobody,
  ListLives: nobody,
  ListTransitions: nobody,
  WatchTransitions: nobody,
  ExplainMachine: nobody,
  GetNotify: nobody,
  UpdateNotify: nobody,
  TestNotify: nobody,
};

/** Whom a caller may call an operation about; undefined if it may not call it at all. */
export function grantTo(method: string, role: Role, isChild: boolean): readonly Target[] | undefined {
  const grants = decided[method] ?? {};
  return (isChild ? grants.child : undefined) ?? grants[role];
}
