import type { Handler } from './handler.ts';
import { answerAgentHandler } from './handlers/answer-agent.ts';
import { applyReviewSuggestionHandler } from './handlers/apply-review-suggestion.ts';
import { archiveAgentHandler } from './handlers/archive-agent.ts';
import { attachAgentHandler } from './handlers/attach-agent.ts';
import { listComingFiringsHandler } from './handlers/coming-firings.ts';
import { confirmRepositoryHandler, withdrawRepositoryHandler } from './handlers/confirm-repository.ts';
import { createAgentHandler } from './handlers/create-agent.ts';
import { createReviewThreadHandler } from './handlers/create-review-thread.ts';
import { createSignInCodeHandler } from './handlers/create-sign-in-code.ts';
import { deleteAgentHandler } from './handlers/delete-agent.ts';
import { claimDoorbellsHandler, waitForDoorbellsHandler } from './handlers/doorbells.ts';
import { explainAgentHandler } from './handlers/explain-agent.ts';
import { listFactsHandler, watchFactsHandler } from './handlers/facts.ts';
import {
  checkForgeConnectionHandler,
  createForgeConnectionHandler,
  deleteForgeConnectionHandler,
  listForgeConnectionsHandler,
} from './handlers/forge-connections.ts';
import { getAgentHandler } from './handlers/get-agent.ts';
import { getMachineHandler } from './handlers/get-machine.ts';
import { confirmHarnessHandler, listHarnessLaunchesHandler } from './handlers/harness-launches.ts';
import { holdAgentHandler, unholdAgentHandler } from './handlers/hold-agent.ts';
import { drainHostHandler, forgetHostHandler, forgetHostKeyHandler, listHostsHandler } from './handlers/hosts.ts';
import { interruptAgentHandler } from './handlers/interrupt-agent.ts';
import { issueAgentTokenHandler } from './handlers/issue-agent-token.ts';
import { listAgentsHandler } from './handlers/list-agents.ts';
import { listForgePullRequestsHandler } from './handlers/list-forge-pull-requests.ts';
import { listMailHandler } from './handlers/list-mail.ts';
import { listReviewThreadsHandler } from './handlers/list-review-threads.ts';
import {
  explainMachineHandler,
  getMachineChartHandler,
  listLivesHandler,
  listTransitionsHandler,
  surveyMachineHandler,
  watchTransitionsHandler,
} from './handlers/machines.ts';
import { markAgentHandler } from './handlers/mark-agent.ts';
import { getNotifyHandler, testNotifyHandler, updateNotifyHandler } from './handlers/notify.ts';
import { promptAgentHandler } from './handlers/prompt-agent.ts';
import { listPullRequestsHandler, sweepRepositoryHandler } from './handlers/pull-requests.ts';
import { readPaneHandler } from './handlers/read-pane.ts';
import { recordMetadataHandler } from './handlers/record-metadata.ts';
import { discardReviewHandler, releaseReviewHandler } from './handlers/release-review.ts';
import { renameAgentHandler } from './handlers/rename-agent.ts';
import { reportReasonHandler } from './handlers/report-reason.ts';
import { restoreAgentHandler } from './handlers/restore-agent.ts';
import { retryAgentHandler } from './handlers/retry-agent.ts';
import {
  deleteReviewThreadHandler,
  editReviewMessageHandler,
  replyReviewThreadHandler,
} from './handlers/review-messages.ts';
import { getReviewDiffHandler, listReviewRoundsHandler, startReviewRoundHandler } from './handlers/review-rounds.ts';
import { rotateTokensHandler } from './handlers/rotate-tokens.ts';
import { runDoctorHandler } from './handlers/run-doctor.ts';
import { acknowledgeRunHandler, getRunLogHandler, listRunLogsHandler } from './handlers/runs.ts';
import {
  getScheduleHandler,
  listScheduleRunsHandler,
  listSchedulesHandler,
  watchSchedulesHandler,
} from './handlers/schedules.ts';
import { sendMailHandler } from './handlers/send-mail.ts';
import {
  markReviewThreadsReadHandler,
  reopenReviewThreadHandler,
  resolveReviewThreadHandler,
} from './handlers/settle-review-thread.ts';
import { takeMailHandler } from './handlers/take-mail.ts';
import { typeInPaneHandler } from './handlers/type-in-pane.ts';
import { watchAgentsHandler } from './handlers/watch-agents.ts';
import { watchPaneHandler } from './handlers/watch-pane.ts';
import { deleteWorkflowHandler, getWorkflowHandler, listWorkflowsHandler } from './handlers/workflows.ts';
import {
  cancelScheduleRunHandler,
  createScheduleHandler,
  deleteScheduleHandler,
  fireScheduleHandler,
  pauseScheduleHandler,
  resumeScheduleHandler,
  retryScheduleRunHandler,
  updateScheduleHandler,
} from './handlers/write-schedule.ts';
import { createWorkflowHandler, updateWorkflowHandler } from './handlers/write-workflow.ts';

/** What answers each operation of the table. */
export const handlers: readonly Handler[] = [
  acknowledgeRunHandler,
  answerAgentHandler,
  archiveAgentHandler,
  attachAgentHandler,
  createAgentHandler,
  createSignInCodeHandler,
  confirmRepositoryHandler,
  createWorkflowHandler,
  deleteAgentHandler,
  deleteWorkflowHandler,
  drainHostHandler,
  forgetHostHandler,
  forgetHostKeyHandler,
  listHarnessLaunchesHandler,
  confirmHarnessHandler,
  rotateTokensHandler,
  runDoctorHandler,
  explainAgentHandler,
  getAgentHandler,
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
  holdAgentHandler,
  interruptAgentHandler,
  issueAgentTokenHandler,
  listAgentsHandler,
  listFactsHandler,
  listHostsHandler,
  listRunLogsHandler,
  listWorkflowsHandler,
  markAgentHandler,
  promptAgentHandler,
  readPaneHandler,
  recordMetadataHandler,
  renameAgentHandler,
  reportReasonHandler,
  restoreAgentHandler,
  retryAgentHandler,
  testNotifyHandler,
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
