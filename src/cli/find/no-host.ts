import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** The failure of a command that names a host that does not exist. */
export function noHost(nameOrId: string): Failure {
  return new Failure('HOST_NOT_FOUND', `There is no host ${quoted(nameOrId)}: muster hosts lists them`, {
    metadata: { host: nameOrId },
  });
}
