import { createStore, del, get, set } from 'idb-keyval';

/** The session with which this browser calls the gateway. */
export interface StoredSession {
  readonly token: string;
  /**
   * The key pair to which the session is bound. No script can read its private key, and no other origin, not even on
   * another port, has access to it.
   */
  readonly keys: CryptoKeyPair;
}

const place = createStore('muster', 'session');
const key = 'session';
/** The channel on which the tabs of a browser notify each other of a sign-in. */
const tabs = new BroadcastChannel('muster.session');

/** The session as last read, until a tab reports a different one. */
let known: Promise<StoredSession | undefined> | undefined;
const signedIn = new EventTarget();
let signIns = 0;
tabs.addEventListener('message', () => {
  known = undefined;
  countSignIn();
});

/** The session of this browser's last sign-in; undefined if there is none. */
export function storedSession(): Promise<StoredSession | undefined> {
  known ??= get<StoredSession>(key, place).catch(() => undefined);
  return known;
}

/** Saves a session for all tabs. If the browser stores nothing, the session lasts as long as this tab. */
export async function storeSession(session: StoredSession): Promise<void> {
  known = Promise.resolve(session);
  await set(key, session, place).catch(() => undefined);
  tabs.postMessage('signed in');
  countSignIn();
}

/** How many times this browser has signed in while this tab was open. */
export function signInCount(): number {
  return signIns;
}

/** Deletes the session and its key. */
export async function forgetSession(): Promise<void> {
  known = Promise.resolve(undefined);
  await del(key, place).catch(() => undefined);
}

/** Calls the listener when this browser signs in, in any of its tabs, until the signal aborts. */
export function onSignedIn(listener: () => void, signal: AbortSignal): void {
  signedIn.addEventListener('signed-in', listener, { signal });
}

function countSignIn(): void {
  signIns += 1;
  signedIn.dispatchEvent(new Event('signed-in'));
}
