import { commandOperations } from '#cli/client/command-operation.ts';
import { post } from '#cli/client/http.ts';
import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';
import { listedOperations } from './listed-operation.ts';

/** A content type that no operation accepts: the call does nothing, but a caller without the right is refused first. */
const noContentType = 'application/x-muster-offer';

/** The codes of failures that can occur before a command calls its main operation. */
const beforeAsked: ReadonlySet<string> = new Set(['invalid_argument', 'not_found', 'failed_precondition']);

/**
 * Replaces the failure of a faulty command line by the refusal of its operation, if that is not offered to the calling
 * agent: on every other channel, that refusal comes first too. People may call everything.
 */
export async function offerFirst(failure: Failure, argv: readonly string[], session: Session): Promise<Failure> {
  if (!beforeAsked.has(failure.code) || !session.io.env['SERVICE_TOKEN']) return failure;
  const path = pathOf(argv);
  if (path === undefined) return failure;
  try {
    await post(session.connection(), path, { headers: { 'content-type': noContentType }, body: '{}' });
  } catch (error) {
    const isOfCaller = error instanceof Failure && /^(permission_denied|unauthenticated)$/.test(error.code);
    if (isOfCaller) return error;
  }
  return failure;
}

/** The main operation of a command line: by a flag, by its first two words, or by its first word. */
function pathOf(argv: readonly string[]): string | undefined {
  const [first = '', second = ''] = argv.filter((word) => !word.startsWith('-'));
  if (first === 'rpc') return listedOperations().find(({ command }) => command === second)?.path;
  const flags = argv.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/s, ''));
  const words = [...flags, second].map((word) => `${first} ${word}`).concat(first);
  const found = words.find((one) => Object.hasOwn(commandOperations, one));
  return found === undefined ? undefined : commandOperations[found];
}
