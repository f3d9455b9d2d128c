import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Caller } from '#contract/access/caller.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import type { Peer } from '#gateway/http/peer.ts';
import { isAway } from '#gateway/http/retrying.ts';

/** The caller of one MCP request. Nothing is kept between requests. */
export interface Session {
  /** The SHA-256 of the token, in hex. */
  readonly credential: string;
  /** The caller's network address. */
  readonly address: string;
  /** Whether the registry has identified the caller. It may not have answered. */
  readonly isIdentified: boolean;
  /** The caller's trace from the request's header, as a W3C traceparent. */
  readonly trace: string | undefined;
  /**
   * Returns who holds the token.
   * @throws Failure when the registry did not answer
   */
  caller(): Caller;
}

/**
 * Opens a session. If the registry does not answer, the session's own calls fail later.
 * @throws Failure when the registry does not know the token
 */
export async function openSession(
  credential: string,
  { address, showedToken }: Peer,
  trace: string | undefined,
  { callers, throttle }: AuthContext,
): Promise<Session> {
  try {
    const caller = await throttle.admit(address, () => callers.ask(credential));
    showedToken(credential);
    return { credential, address, isIdentified: true, trace, caller: () => caller };
  } catch (error) {
    if (!isAway(error)) throw error;
    const fail = () => {
      throw error;
    };
    return { credential, address, isIdentified: false, trace, caller: fail };
  }
}

/** A session in the form that the MCP library passes through, without the token. */
export function authInfoOf(session: Session): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { session } };
}

/** The session that the MCP library passed through. */
export function sessionOf(authInfo: AuthInfo | undefined): Session {
  const session = authInfo?.extra?.['session'];
  if (session === undefined) throw new Error('An MCP request arrived without its session');
  return session as Session;
}
