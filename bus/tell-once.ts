import type { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { otherInstallationReason } from '#contract/wire/registry-lease.ts';

/** Logs that the registry on the bus is of another installation: in one line, and again only where it is yet another one. */
export function tellerOfOthers(log: Log | undefined): (failure: Pick<Failure, 'reason' | 'message'>) => void {
  let told = '';
  return ({ reason, message }) => {
    if (reason !== otherInstallationReason || message === told) return;
    told = message;
    log?.error({ reason }, message);
  };
}
