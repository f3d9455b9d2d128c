import type { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { otherInstallationReason } from '#contract/wire/registry-lease.ts';

/** Returns a function that logs once if the registry on the bus belongs to another installation. */
export function otherInstallationReporter(
  log: Log | undefined,
): (failure: Pick<Failure, 'reason' | 'message'>) => void {
  let reported = '';
  return ({ reason, message }) => {
    if (reason !== otherInstallationReason || message === reported) return;
    reported = message;
    log?.error({ reason }, message);
  };
}
