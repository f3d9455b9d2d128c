import type { z } from 'zod';
import type { Operation } from '#contract/operation.ts';
import type * as agent from '#contract/operations/agent.ts';
import type * as approval from '#contract/operations/approval.ts';
import type * as budget from '#contract/operations/budget.ts';
import type * as clean from '#contract/operations/clean.ts';
import type { createAgent } from '#contract/operations/create-agent.ts';
import type * as doorbell from '#contract/operations/doorbell.ts';
import type * as fact from '#contract/operations/fact.ts';
import type * as forge from '#contract/operations/forge.ts';
import type * as hold from '#contract/operations/hold.ts';
import type * as host from '#contract/operations/host.ts';
import type * as hostInvitation from '#contract/operations/host-invitation.ts';
import type * as hostRemoval from '#contract/operations/host-removal.ts';
import type { listAgents } from '#contract/operations/list-agents.ts';
import type * as machine from '#contract/operations/machine.ts';
import type * as mail from '#contract/operations/mail.ts';
import type * as move from '#contract/operations/move.ts';
import type * as notify from '#contract/operations/notify.ts';
import type * as pane from '#contract/operations/pane.ts';
import type * as park from '#contract/operations/park.ts';
import type * as profile from '#contract/operations/profile.ts';
import type * as pullRequest from '#contract/operations/pull-request.ts';
import type * as result from '#contract/operations/result.ts';
import type * as review from '#contract/operations/review.ts';
import type * as reviewRound from '#contract/operations/review-round.ts';
import type * as reviewThread from '#contract/operations/review-thread.ts';
import type * as run from '#contract/operations/run.ts';
import type * as schedule from '#contract/operations/schedule.ts';
import type * as session from '#contract/operations/session.ts';
import type * as steering from '#contract/operations/steering.ts';
import type { summarizeAgents } from '#contract/operations/summary.ts';
import type { waitForAgents } from '#contract/operations/wait.ts';
import type * as workflow from '#contract/operations/workflow.ts';
import type * as workflowTrial from '#contract/operations/workflow-trial.ts';
import type { Connection } from './connection.ts';
import { call } from './http.ts';
import { watch } from './stream.ts';

/**
 * The operations that commands call, as types only, because loading the table takes longer than a call. Each is named
 * by its method, with a lower-case first letter.
 */
interface Services {
  'agent.v1.AgentService': typeof agent &
    typeof hold &
    typeof park &
    typeof move &
    typeof pane &
    typeof doorbell &
    Pick<typeof mail, 'sendMail' | 'listMail' | 'takeMail'> &
    typeof review &
    typeof reviewThread &
    Pick<typeof reviewRound, 'startReviewRound' | 'listReviewRounds' | 'getReviewDiff'> &
    typeof steering &
    typeof clean &
    typeof result & {
      createAgent: typeof createAgent;
      listAgents: typeof listAgents;
      waitForAgents: typeof waitForAgents;
      summarizeAgents: typeof summarizeAgents;
    };
  'approval.v1.ApprovalService': typeof approval;
  'budget.v1.BudgetService': typeof budget;
  'profile.v1.ProfileService': Omit<typeof profile, 'GivenSecret'>;
  'workflow.v1.WorkflowService': typeof workflow & typeof workflowTrial;
  'schedule.v1.ScheduleService': typeof schedule;
  'fact.v1.FactService': typeof fact & typeof machine & typeof notify;
  'session.v1.SessionService': typeof session;
  'forge.v1.ForgeService': typeof forge & typeof pullRequest;
  'host.v1.HostService': typeof run & typeof host & typeof hostInvitation & typeof hostRemoval;
}

/** The HTTP path of an operation, without its leading slash. */
export type Path = { [S in keyof Services]: `${S}/${Capitalize<keyof Services[S] & string>}` }[keyof Services];

type RowOf<P extends Path> = P extends `${infer S extends keyof Services}/${infer M}`
  ? Uncapitalize<M> extends infer K extends keyof Services[S]
    ? Services[S][K]
    : never
  : never;
export type RequestOf<P extends Path> =
  RowOf<P> extends Operation<infer Request extends z.ZodType, z.ZodType> ? z.input<Request> : never;
export type ResponseOf<P extends Path> =
  RowOf<P> extends Operation<z.ZodType, infer Response extends z.ZodType> ? z.output<Response> : never;

/** A typed client of the service. Every call may throw a Failure. */
export interface Client {
  call<P extends Path>(path: P, request: RequestOf<P>): Promise<ResponseOf<P>>;
  watch<P extends Path>(path: P, request: RequestOf<P>, signal?: AbortSignal): AsyncGenerator<ResponseOf<P>, void>;
}

/** A client over HTTP. */
export function clientOf(connection: Connection): Client {
  return {
    call: <P extends Path>(path: P, request: RequestOf<P>) => call(connection, path, request) as Promise<ResponseOf<P>>,
    watch: <P extends Path>(path: P, request: RequestOf<P>, signal?: AbortSignal) =>
      watch(connection, path, request, signal) as AsyncGenerator<ResponseOf<P>, void>,
  };
}
