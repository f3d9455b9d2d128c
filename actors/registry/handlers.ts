import { createSignInCodeHandler } from '#actors/registry/access/create-sign-in-code.ts';
import { issueAgentTokenHandler } from '#actors/registry/access/issue-agent-token.ts';
import { rotateTokensHandler } from '#actors/registry/access/rotate-tokens.ts';
import {
  addApprovalHandler,
  getApprovalsHandler,
  setApprovalsHandler,
  switchApprovalsHandler,
  testApprovalsHandler,
} from '#actors/registry/approval/approval-handlers.ts';
import {
  continueBudgetHandler,
  listBudgetsHandler,
  setBudgetHandler,
} from '#actors/registry/budget/budget-handlers.ts';
import { claimDoorbellsHandler, waitForDoorbellsHandler } from '#actors/registry/doorbell/doorbell-handlers.ts';
import { listFactsHandler, watchFactsHandler } from '#actors/registry/fact/fact-handlers.ts';
import { confirmRepositoryHandler, withdrawRepositoryHandler } from '#actors/registry/forge/confirm-repository.ts';
import {
  checkForgeConnectionHandler,
  createForgeConnectionHandler,
  deleteForgeConnectionHandler,
  listForgeConnectionsHandler,
} from '#actors/registry/forge/forge-connections.ts';
import { listForgePullRequestsHandler } from '#actors/registry/forge/list-forge-pull-requests.ts';
import { listPullRequestsHandler, sweepRepositoryHandler } from '#actors/registry/forge/pull-requests.ts';
import { confirmHarnessHandler, listHarnessLaunchesHandler } from '#actors/registry/host/harness-launches.ts';
import {
  forgetHostHandler,
  forgetHostKeyHandler,
  listDirectoriesHandler,
  listHostsHandler,
  listLogRecordsHandler,
} from '#actors/registry/host/host-handlers.ts';
import { runDoctorHandler } from '#actors/registry/host/run-doctor.ts';
import { updateHostHandler } from '#actors/registry/host/settings/update-host.ts';
import {
  inviteHostHandler,
  listHostInvitationsHandler,
  withdrawHostInvitationHandler,
} from '#actors/registry/joining/invitation-handlers.ts';
import { removeHostHandler } from '#actors/registry/joining/remove-host.ts';
import type { Handler } from '#actors/registry/kernel/handler.ts';
import { createAgentHandler } from '#actors/registry/launch/create-agent.ts';
import { archiveAgentHandler } from '#actors/registry/lifecycle/archive-agent.ts';
import { deleteAgentHandler } from '#actors/registry/lifecycle/delete-agent.ts';
import { holdAgentHandler, unholdAgentHandler } from '#actors/registry/lifecycle/hold-agent.ts';
import { recordMetadataHandler } from '#actors/registry/lifecycle/record-metadata.ts';
import { renameAgentHandler } from '#actors/registry/lifecycle/rename-agent.ts';
import { reportReasonHandler } from '#actors/registry/lifecycle/report-reason.ts';
import { restoreAgentHandler } from '#actors/registry/lifecycle/restore-agent.ts';
import { retryAgentHandler } from '#actors/registry/lifecycle/retry-agent.ts';
import { parkAgentHandler, unparkAgentHandler } from '#actors/registry/limit/park-handlers.ts';
import { getMachineHandler } from '#actors/registry/machine/get-machine.ts';
import {
  explainMachineHandler,
  getMachineChartHandler,
  listLivesHandler,
  listTransitionsHandler,
  surveyMachineHandler,
  watchTransitionsHandler,
} from '#actors/registry/machine/machine-handlers.ts';
import { listMailHandler } from '#actors/registry/mail/list-mail.ts';
import { sendMailHandler } from '#actors/registry/mail/send-mail.ts';
import { takeMailHandler } from '#actors/registry/mail/take-mail.ts';
import { drainHostHandler } from '#actors/registry/move/drain-host.ts';
import { moveAgentHandler } from '#actors/registry/move/move-agent.ts';
import { getNotifyHandler, updateNotifyHandler } from '#actors/registry/notify/notify-handlers.ts';
import { answerAgentHandler } from '#actors/registry/pane/answer-agent.ts';
import { attachAgentHandler } from '#actors/registry/pane/attach-agent.ts';
import { explainAgentHandler } from '#actors/registry/pane/explain-agent.ts';
import { interruptAgentHandler } from '#actors/registry/pane/interrupt-agent.ts';
import { promptAgentHandler } from '#actors/registry/pane/prompt-agent.ts';
import { readPaneHandler } from '#actors/registry/pane/read-pane.ts';
import { typeInPaneHandler } from '#actors/registry/pane/type-in-pane.ts';
import { watchPaneHandler } from '#actors/registry/pane/watch-pane.ts';
import {
  createProfileHandler,
  deleteProfileHandler,
  listProfilesHandler,
  updateProfileHandler,
} from '#actors/registry/profile/profile-handlers.ts';
import { getResultHandler, reportResultHandler } from '#actors/registry/result/result-handlers.ts';
import { applyReviewSuggestionHandler } from '#actors/registry/review/apply-review-suggestion.ts';
import { createReviewThreadHandler } from '#actors/registry/review/create-review-thread.ts';
import { listReviewThreadsHandler } from '#actors/registry/review/list-review-threads.ts';
import { discardReviewHandler, releaseReviewHandler } from '#actors/registry/review/release-review.ts';
import {
  markReviewThreadsReadHandler,
  reopenReviewThreadHandler,
  resolveReviewThreadHandler,
} from '#actors/registry/review/resolve-review-thread.ts';
import {
  deleteReviewThreadHandler,
  editReviewMessageHandler,
  replyReviewThreadHandler,
} from '#actors/registry/review/review-messages.ts';
import {
  getReviewDiffHandler,
  listReviewRoundsHandler,
  startReviewRoundHandler,
} from '#actors/registry/review/review-rounds.ts';
import { findAgentHandler } from '#actors/registry/roster/find-agent-handler.ts';
import { getAgentHandler } from '#actors/registry/roster/get-agent.ts';
import { listAgentsHandler } from '#actors/registry/roster/list-agents.ts';
import { markAgentHandler } from '#actors/registry/roster/mark-agent.ts';
import { summarizeAgentsHandler } from '#actors/registry/roster/summarize-agents.ts';
import { waitForAgentsHandler } from '#actors/registry/roster/wait-for-agents.ts';
import { watchAgentsHandler } from '#actors/registry/roster/watch-agents.ts';
import { acknowledgeRunHandler, getRunLogHandler, listRunLogsHandler } from '#actors/registry/run/run-handlers.ts';
import { listComingFiringsHandler } from '#actors/registry/schedule/coming-firings.ts';
import {
  getScheduleHandler,
  listScheduleRunsHandler,
  listSchedulesHandler,
  watchSchedulesHandler,
} from '#actors/registry/schedule/schedule-handlers.ts';
import {
  cancelScheduleRunHandler,
  createScheduleHandler,
  deleteScheduleHandler,
  fireScheduleHandler,
  pauseScheduleHandler,
  resumeScheduleHandler,
  retryScheduleRunHandler,
  updateScheduleHandler,
} from '#actors/registry/schedule/write-schedule.ts';
import { allowConnectionsHandler } from '#actors/registry/workflow/allow-connections.ts';
import {
  getWorkflowTrialHandler,
  stopWorkflowTrialHandler,
  tryWorkflowHandler,
} from '#actors/registry/workflow/try-workflow.ts';
import {
  deleteWorkflowHandler,
  getWorkflowHandler,
  listWorkflowsHandler,
} from '#actors/registry/workflow/workflow-handlers.ts';
import { createWorkflowHandler, updateWorkflowHandler } from '#actors/registry/workflow/write-workflow.ts';
import type { RegistryScope } from './registry-scope.ts';
import { cleanAgentsHandler } from './room/clean-agents.ts';
import { testNotifyHandler } from './workflow/test-notify.ts';

/** The handlers of all operations in the table. */
export const handlers: readonly Handler<RegistryScope>[] = [
  acknowledgeRunHandler,
  answerAgentHandler,
  archiveAgentHandler,
  attachAgentHandler,
  createAgentHandler,
  getResultHandler,
  reportResultHandler,
  waitForAgentsHandler,
  summarizeAgentsHandler,
  createSignInCodeHandler,
  allowConnectionsHandler,
  confirmRepositoryHandler,
  createWorkflowHandler,
  listBudgetsHandler,
  setBudgetHandler,
  continueBudgetHandler,
  createProfileHandler,
  addApprovalHandler,
  getApprovalsHandler,
  setApprovalsHandler,
  switchApprovalsHandler,
  testApprovalsHandler,
  deleteProfileHandler,
  listProfilesHandler,
  updateProfileHandler,
  deleteAgentHandler,
  deleteWorkflowHandler,
  updateHostHandler,
  drainHostHandler,
  forgetHostHandler,
  forgetHostKeyHandler,
  inviteHostHandler,
  listHostInvitationsHandler,
  withdrawHostInvitationHandler,
  removeHostHandler,
  listDirectoriesHandler,
  listHarnessLaunchesHandler,
  confirmHarnessHandler,
  rotateTokensHandler,
  runDoctorHandler,
  explainAgentHandler,
  getAgentHandler,
  findAgentHandler,
  explainMachineHandler,
  getMachineChartHandler,
  getMachineHandler,
  listTransitionsHandler,
  listLivesHandler,
  surveyMachineHandler,
  watchTransitionsHandler,
  getNotifyHandler,
  getRunLogHandler,
  getWorkflowHandler,
  getWorkflowTrialHandler,
  stopWorkflowTrialHandler,
  tryWorkflowHandler,
  holdAgentHandler,
  parkAgentHandler,
  unparkAgentHandler,
  interruptAgentHandler,
  issueAgentTokenHandler,
  listAgentsHandler,
  listFactsHandler,
  listHostsHandler,
  listLogRecordsHandler,
  listRunLogsHandler,
  listWorkflowsHandler,
  markAgentHandler,
  moveAgentHandler,
  promptAgentHandler,
  readPaneHandler,
  recordMetadataHandler,
  renameAgentHandler,
  reportReasonHandler,
  restoreAgentHandler,
  retryAgentHandler,
  testNotifyHandler,
  cleanAgentsHandler,
  unholdAgentHandler,
  updateNotifyHandler,
  updateWorkflowHandler,
  withdrawRepositoryHandler,
  sendMailHandler,
  listMailHandler,
  takeMailHandler,
  claimDoorbellsHandler,
  waitForDoorbellsHandler,
  applyReviewSuggestionHandler,
  createReviewThreadHandler,
  deleteReviewThreadHandler,
  discardReviewHandler,
  editReviewMessageHandler,
  getReviewDiffHandler,
  listReviewRoundsHandler,
  listReviewThreadsHandler,
  markReviewThreadsReadHandler,
  releaseReviewHandler,
  reopenReviewThreadHandler,
  replyReviewThreadHandler,
  resolveReviewThreadHandler,
  startReviewRoundHandler,
  watchAgentsHandler,
  watchFactsHandler,
  watchPaneHandler,
  typeInPaneHandler,
  cancelScheduleRunHandler,
  createScheduleHandler,
  deleteScheduleHandler,
  fireScheduleHandler,
  getScheduleHandler,
  listComingFiringsHandler,
  listScheduleRunsHandler,
  listSchedulesHandler,
  pauseScheduleHandler,
  resumeScheduleHandler,
  retryScheduleRunHandler,
  updateScheduleHandler,
  watchSchedulesHandler,
  checkForgeConnectionHandler,
  createForgeConnectionHandler,
  deleteForgeConnectionHandler,
  listForgeConnectionsHandler,
  listForgePullRequestsHandler,
  listPullRequestsHandler,
  sweepRepositoryHandler,
];
