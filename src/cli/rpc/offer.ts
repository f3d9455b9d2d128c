import { commandOperations } from '#cli/client/command-operation.ts';
import { post } from '#cli/client/http.ts';
import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';
import { listedOperations } from './listed-operation.ts';

/** A content type that no operation takes: who may not call one learns that first, and nothing is ever done. */
const noContentType = 'application/x-muster-offer';

/**
 * What a command may come to before it asks for what it is about: a word of it is wrong, or names nothing or several.
 */
const beforeAsked: ReadonlySet<string> = new Set(['invalid_argument', 'not_found', 'failed_precondition']);

/**
 * What an agent reads about a wrong command line, or names what is not there: where the operation is not offered to it,
 * that, as over every other channel. A person is offered everything.
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

/** The path of the operation that a command line is about: by a flag of it, by two of its words, or by its first. */
function pathOf(argv: readonly string[]): string | undefined {
  const [first = '', second = ''] = argv.filter((word) => !word.startsWith('-'));
  if (first === 'rpc') return listedOperations().find(({ command }) => command === second)?.path;
  const flags = argv.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/s, ''));
  const words = [...flags, second].map((word) => `${first} ${word}`).concat(first);
  const found = words.find((one) => Object.hasOwn(commandOperations, one));
  return found === undefined ? undefined : commandOperations[found];
}
