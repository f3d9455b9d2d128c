import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Caller } from '#contract/access/caller.ts';
import type { Door } from '#gateway/http/door.ts';
import type { Peer } from '#gateway/http/peer.ts';
import { isAway } from '#gateway/http/retrying.ts';

/** Who calls over MCP. It is opened again for each request: nothing is kept from one to the next. */
export interface Session {
  /** What stands for the token: its SHA-256 in hex. */
  readonly credential: string;
  /** Where the caller calls from. */
  readonly address: string;
  /** Whether the registry named the caller; it may be away. */
  readonly isNamed: boolean;
  /** The trace that its caller has begun, by the header of the request, as W3C's traceparent. */
  readonly trace: string | undefined;
  /**
   * Who holds the token.
   * @throws Failure when the registry is away.
   */
  caller(): Caller;
}

/**
 * Opens a session. Where the registry is away, whatever it would be asked says so.
 * @throws Failure when it does not know the token.
 */
export async function openSession(
  credential: string,
  { address, showedToken }: Peer,
  trace: string | undefined,
  { callers, throttle }: Door,
): Promise<Session> {
  try {
    const caller = await throttle.admit(address, () => callers.ask(credential));
    showedToken(credential);
    return { credential, address, isNamed: true, trace, caller: () => caller };
  } catch (error) {
    if (!isAway(error)) throw error;
    const fail = () => {
      throw error;
    };
    return { credential, address, isNamed: false, trace, caller: fail };
  }
}

/** A session as it is handed through the library, which takes no other form; the token stays behind. */
export function authInfoOf(session: Session): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { session } };
}

/** The session that was handed through the library. */
export function sessionOf(authInfo: AuthInfo | undefined): Session {
  const session = authInfo?.extra?.['session'];
  if (session === undefined) throw new Error('An MCP request arrived without its session');
  return session as Session;
}
