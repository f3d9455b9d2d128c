import { Failure } from '#contract/failure.ts';
import { post } from '../http.ts';
import type { Session } from '../session.ts';
import { listedOperations } from './listed-operation.ts';

/** A content type that no operation takes: who may not call one is told that first, and nothing is ever done. */
const noContentType = 'application/x-muster-offer';

/**
 * What an agent is told of a command line that is wrong: where the operation is not offered to it, that, as over every other
 * channel. A person is offered everything.
 */
export async function offerFirst(failure: Failure, argv: readonly string[], session: Session): Promise<Failure> {
  const words = argv.filter((word) => !word.startsWith('-'));
  if (failure.code !== 'invalid_argument' || words[0] !== 'rpc' || !session.io.env['SERVICE_TOKEN']) return failure;
  const operation = listedOperations().find(({ command }) => command === words[1]);
  if (operation === undefined) return failure;
  try {
    await post(session.connection(), operation.path, { headers: { 'content-type': noContentType }, body: '{}' });
  } catch (error) {
    const isOfCaller = error instanceof Failure && /^(permission_denied|unauthenticated)$/.test(error.code);
    if (isOfCaller) return error;
  }
  return failure;
}
