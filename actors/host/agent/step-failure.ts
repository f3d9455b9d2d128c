import { Failure } from '#contract/failure.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';
import type { FailureReport } from '#machines/agent/agent-fault.ts';

/** A failed step of an agent, with the output. Its message has the summary, a mark, and the output. */
export class StepFailure extends Failure {
  readonly account: FailureReport;

  constructor(reason: 'SCRIPT_FAILED' | 'BRIEFING_NOT_TAKEN', mark: string, account: FailureReport) {
    super(reason satisfies FailureReason, `${account.summary}${mark}${account.output}`);
    this.account = account;
  }
}
