import { createStore, del, get, set } from 'idb-keyval';

/** The session of this browser: what it calls the gateway with. */
export interface StoredSession {
  readonly token: string;
  /**
   * The key that the session is bound to. No script can read its private half, and no other origin has it: another port
   * is another origin.
   */
  readonly keys: CryptoKeyPair;
}

const place = createStore('muster', 'session');
const key = 'session';
/** Where the tabs of a browser notify each other of a sign-in. */
const tabs = new BroadcastChannel('muster.session');

/** As it was read last, until a tab says that it is another one. */
let known: Promise<StoredSession | undefined> | undefined;
const signedIn = new EventTarget();
let signIns = 0;
tabs.addEventListener('message', () => {
  known = undefined;
  countSignIn();
});

/** The session that this browser was signed in with last; undefined if there is none. */
export function storedSession(): Promise<StoredSession | undefined> {
  known ??= get<StoredSession>(key, place).catch(() => undefined);
  return known;
}

/** Keeps a session, for all tabs. If the browser keeps nothing, it lasts as long as this tab. */
export async function storeSession(session: StoredSession): Promise<void> {
  known = Promise.resolve(session);
  await set(key, session, place).catch(() => undefined);
  tabs.postMessage('signed in');
  countSignIn();
}

/** How often this browser was signed in while this tab was open. */
export function signInCount(): number {
  return signIns;
}

/** Forgets the session and its key. */
export async function forgetSession(): Promise<void> {
  known = Promise.resolve(undefined);
  await del(key, place).catch(() => undefined);
}

/** Called when this browser was signed in, in this tab or another one, until the signal ends it. */
export function onSignedIn(listener: () => void, signal: AbortSignal): void {
  signedIn.addEventListener('signed-in', listener, { signal });
}

function countSignIn(): void {
  signIns += 1;
  signedIn.dispatchEvent(new Event('signed-in'));
}
