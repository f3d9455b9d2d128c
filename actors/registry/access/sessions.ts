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

/** How long a one-time code is good, in milliseconds. */
const codeMs = 60_000;
/** How many codes may be outstanding; the oldest one is forgotten first. */
const maxCodes = 100;
/** How long a browser stays signed in, in milliseconds. */
const sessionMs = 30 * 24 * 60 * 60_000;

const SignIn = z.object({ code: z.string().min(1).max(200), keyThumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });
const SignOut = z.object({ credential: z.string() });

/** What a browser is given for its code. */
export interface Session {
  /** In the clear: it is shown only this once. */
  readonly token: string;
  /** RFC 3339 in UTC. */
  readonly expiresAt: string;
}

/**
 * Signs browsers in. One-time codes are kept in memory alone: whoever loses one to a restart asks for another. A
 * session is a row, by the hash of its token and of the key that it is bound to: the token alone is not a credential.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** Until when each code is good, in milliseconds since 1970, by its hash; the oldest first. */
  readonly #codes = new Map<string, number>();

  constructor(store: Store, clock: Clock, ids: Ids) {
    this.#store = store;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Makes a code that is good once. */
  issueCode(): { readonly oneTimeCode: string; readonly expiresAt: string } {
    const code = this.#ids.uuid().replaceAll('-', '');
    const until = this.#clock.now() + codeMs;
    const [oldest] = this.#codes.size < maxCodes ? [] : this.#codes.keys();
    if (oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(hashOf(code), until);
    return { oneTimeCode: code, expiresAt: new Date(until).toISOString() };
  }

  /** Takes back the codes that are outstanding. */
  forgetCodes(): void {
    this.#codes.clear();
  }

  /**
   * Exchanges a code for a session that is bound to a key, by its RFC 7638 thumbprint. @throws UNAUTHENTICATED when the
   * code is not known, used or too old
   */
  async signIn({ code, keyThumbprint }: z.infer<typeof SignIn>): Promise<Session> {
    const hash = hashOf(code);
    const until = this.#codes.get(hash);
    this.#codes.delete(hash);
    const now = this.#clock.now();
    if (until === undefined || until <= now) {
      throw new Failure(
        'SIGN_IN_CODE_INVALID',
        'The code was used already, or is older than 60 seconds, or was never made: run `muster open` again',
      );
    }
    const token = `mss_${randomBytes(32).toString('base64url')}`;
    const expiresAt = now + sessionMs;
    await this.#store.write(({ sessions }) => sessions.add(hashOf(boundToken(token, keyThumbprint)), expiresAt));
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
