import type { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';

/** Reasons for which a registry refuses every request of a process, until a person intervenes. */
const lasting: ReadonlySet<string> = new Set<FailureReason>(['OTHER_INSTALLATION', 'PROTOCOL_UNSUPPORTED']);

/** Whether a registry refuses a process for such a reason: an immediate retry is useless. */
export function isLastingRefusal({ reason }: Pick<Failure, 'reason'>): boolean {
  return lasting.has(reason);
}

/** Returns a function that logs once why the registry on the bus refuses everything that this process sends. */
export function refusalReporter(log: Log | undefined): (failure: Pick<Failure, 'reason' | 'message'>) => void {
  let reported = '';
  return ({ reason, message }) => {
    if (!isLastingRefusal({ reason }) || message === reported) return;
    reported = message;
    log?.error({ reason }, message);
  };
}
