import { PullRequest } from '#contract/forge/pull-request.ts';
import type { Operation } from './operation.ts';
import * as agent from './operations/agent.ts';
import * as approval from './operations/approval.ts';
import * as budget from './operations/budget.ts';
import * as clean from './operations/clean.ts';
import { createAgent } from './operations/create-agent.ts';
import * as doorbell from './operations/doorbell.ts';
import * as fact from './operations/fact.ts';
import * as forge from './operations/forge.ts';
import * as hold from './operations/hold.ts';
import * as host from './operations/host.ts';
import * as hostInvitation from './operations/host-invitation.ts';
import { removeHost } from './operations/host-removal.ts';
import { listAgents } from './operations/list-agents.ts';
import * as log from './operations/log.ts';
import * as machine from './operations/machine.ts';
import { listMail, sendMail, takeMail } from './operations/mail.ts';
import { recordMetadata } from './operations/metadata.ts';
import { moveAgent } from './operations/move.ts';
import * as notify from './operations/notify.ts';
import * as pane from './operations/pane.ts';
import * as park from './operations/park.ts';
import * as profile from './operations/profile.ts';
import * as pullRequest from './operations/pull-request.ts';
import { reportReason } from './operations/report.ts';
import * as result from './operations/result.ts';
import * as review from './operations/review.ts';
import { getReviewDiff, listReviewRounds, startReviewRound } from './operations/review-round.ts';
import * as reviewThread from './operations/review-thread.ts';
import * as run from './operations/run.ts';
import * as schedule from './operations/schedule.ts';
import * as session from './operations/session.ts';
import * as steering from './operations/steering.ts';
import { summarizeAgents } from './operations/summary.ts';
import { waitForAgents } from './operations/wait.ts';
import * as workflow from './operations/workflow.ts';
import * as workflowTrial from './operations/workflow-trial.ts';
import { Schedule } from './schedule.ts';

/** Every operation of the service. Each channel is generated from this table alone. */
export const operations: readonly Operation[] = [
  createAgent,
  listAgents,
  ...Object.values(agent),
  ...Object.values(hold),
  ...Object.values(park),
  moveAgent,
  ...Object.values(steering),
  ...Object.values(pane),
  reportReason,
  recordMetadata,
  ...Object.values(result),
  ...Object.values(clean),
  waitForAgents,
  summarizeAgents,
  sendMail,
  listMail,
  takeMail,
  ...Object.values(doorbell),
  startReviewRound,
  listReviewRounds,
  getReviewDiff,
  ...Object.values(review),
  ...Object.values(reviewThread),
  ...Object.values(workflow),
  ...Object.values(workflowTrial),
  ...Object.values(approval),
  ...Object.values(budget),
  profile.listProfiles,
  profile.createProfile,
  profile.updateProfile,
  profile.deleteProfile,
  ...Object.values(schedule),
  ...Object.values(forge),
  ...Object.values(pullRequest),
  ...Object.values(host),
  ...Object.values(hostInvitation),
  removeHost,
  ...Object.values(run),
  ...Object.values(log),
  ...Object.values(fact),
  ...Object.values(machine),
  ...Object.values(notify),
  ...Object.values(session),
];

/** Resources of the interface, declared even if no operation refers to them. */
export const resources = [PullRequest, Schedule] as const;
