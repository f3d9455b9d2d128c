import type { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { otherInstallationReason } from '#contract/wire/registry-lease.ts';

/**
 * Logs that the registry on the bus belongs to another installation: in one line, and again only if it is yet another
 * one.
 */
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
