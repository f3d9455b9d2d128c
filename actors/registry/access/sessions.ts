import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from '#bus/bus.ts';
import { signInSubject, signOutSubject } from '#bus/subjects.ts';
import { boundToken } from '#contract/access/session-token.ts';
import type { Clock, Ids } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { Store } from '#store/store.ts';
import { hashOf } from './agent-tokens.ts';

/** How long a one-time code is valid, in milliseconds. */
const codeMs = 60_000;
/** How long a browser stays signed in, in milliseconds. */
const sessionMs = 30 * 24 * 60 * 60_000;

const SignIn = z.object({ code: z.string().min(1).max(200), keyThumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });
const SignOut = z.object({ credential: z.string() });

/** What a browser gets for its code. */
export interface Session {
  /** In plain text, which is never shown again. */
  readonly token: string;
  /** RFC 3339 in UTC. */
  readonly expiresAt: string;
}

/**
 * Signs browsers in. One-time codes and sessions are rows, so any registry accepts what another one issued. A session
 * is identified by the hash of its token and of the key that it is bound to: the token alone is not a credential.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(store: Store, clock: Clock, ids: Ids) {
    this.#store = store;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Creates a one-time code. */
  async issueCode(): Promise<{ readonly oneTimeCode: string; readonly expiresAt: string }> {
    const code = this.#ids.uuid().replaceAll('-', '');
    const until = this.#clock.now() + codeMs;
    await this.#store.write(({ signInCodes }) => signInCodes.add(hashOf(code), until));
    return { oneTimeCode: code, expiresAt: new Date(until).toISOString() };
  }

  /**
   * Exchanges a code for a session that is bound to a key, by its RFC 7638 thumbprint.
   * @throws UNAUTHENTICATED when the code is unknown, used or expired
   */
  async signIn({ code, keyThumbprint }: z.infer<typeof SignIn>): Promise<Session> {
    const token = `mss_${randomBytes(32).toString('base64url')}`;
    const expiresAt = this.#clock.now() + sessionMs;
    const isGood = await this.#store.write(async ({ signInCodes, sessions }) => {
      if (!(await signInCodes.take(hashOf(code)))) return false;
      await sessions.add(hashOf(boundToken(token, keyThumbprint)), expiresAt);
      return true;
    });
    if (!isGood) {
      throw new Failure(
        'SIGN_IN_CODE_INVALID',
        'The code was used already, or is older than 60 seconds, or was never issued: run `muster open` again',
      );
    }
    return { token, expiresAt: new Date(expiresAt).toISOString() };
  }

  async signOut(credential: string): Promise<void> {
    await this.#store.write(({ sessions }) => sessions.remove(credential));
  }
}

/** Where a gateway signs browsers in and out. */
export function sessionEndpoints(sessions: Sessions): readonly Endpoint[] {
  return [
    {
      name: 'sign-in',
      subject: signInSubject,
      secret: true,
      handle: (body) => sessions.signIn(parseRequest(SignIn, body)),
    },
    {
      name: 'sign-out',
      subject: signOutSubject,
      async handle(body) {
        await sessions.signOut(parseRequest(SignOut, body).credential);
        return {};
      },
    },
  ];
}
