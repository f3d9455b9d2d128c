import type { QueryClient } from '@tanstack/react-query';
import { generateKeyPair } from 'dpop';
import { signedOutBy } from '#contract/access/page-address.ts';
import { callGateway, fetchProven } from './call-gateway.ts';
import { type Connection, connectionKey } from './connection.ts';
import { forgetSession, onSignedIn, signInCount, storedSession, storeSession } from './session-store.ts';

const codeForm = /^#code=([A-Za-z0-9_-]+)$/;
const sessionUrl = `${window.location.origin}/session`;

const updated = 'muster was updated, and sessions are now bound to one browser: sign in again.';
const withoutKeys =
  'This browser stores no keys for an unencrypted page: open the address that `muster open` prints, or use https.';

/**
 * Signs in with the one-time code in the address, if there is one, and removes it from the address and the history at
 * once. Resolves with the reason if a code is refused while the page is signed in; otherwise the page itself shows the
 * reason.
 */
export async function signInByAddress(queries: QueryClient): Promise<string | undefined> {
  const { location, history } = window;
  const [, code] = codeForm.exec(location.hash) ?? [];
  const query = new URLSearchParams(location.search);
  const isUpdated = query.get(signedOutBy.name) === signedOutBy.update;
  if (code === undefined && !isUpdated) return undefined;
  query.delete(signedOutBy.name);
  const search = query.size === 0 ? '' : `?${query}`;
  history.replaceState(history.state, '', location.pathname + search);
  const refusal = code === undefined ? await refusalByUpdate() : await exchange(code);
  if (refusal === undefined) return undefined;
  const known = queries.getQueryData<Connection>(connectionKey);
  if (known?.state === 'live') return refusal;
  const refused: Connection = { state: 'signed-out', because: refusal };
  queries.setQueryData(connectionKey, refused);
  return undefined;
}

/**
 * Resolves once this browser may be signed in again: a tab reports it, or the person returns to this tab. `before` is
 * the count of sign-ins before the refused call, because a sign-in may overtake the refusal.
 */
export function untilSignedIn(before: number): Promise<void> {
  if (signInCount() !== before) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = new AbortController();
    const go = (): void => {
      listening.abort();
      resolve();
    };
    onSignedIn(go, listening.signal);
    const look = (): void => {
      if (document.visibilityState === 'visible') go();
    };
    document.addEventListener('visibilitychange', look, { signal: listening.signal });
  });
}

/** Ends this browser's session and shows the signed-out page. */
export async function signOut(): Promise<void> {
  const answer = await callGateway(sessionUrl, { method: 'DELETE' });
  if (!answer.ok && answer.status !== 401) throw new Error(`the gateway answered ${answer.status}`);
  await forgetSession();
  window.location.assign('/');
}

/** Why a browser without a session is signed out after an update; undefined if it has a session. */
async function refusalByUpdate(): Promise<string | undefined> {
  return (await storedSession()) === undefined ? updated : undefined;
}

/**
 * Creates the key to which the session is bound, which never leaves this browser, and exchanges the code. Returns why
 * the code was refused; undefined if it was accepted.
 */
async function exchange(code: string): Promise<string | undefined> {
  if (crypto.subtle === undefined) return withoutKeys;
  const keys = await generateKeyPair('ES256', { extractable: false });
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: JSON.stringify({ code }) };
  try {
    const answer = await fetchProven(sessionUrl, asked, { keys });
    const { token, message } = (await answer.json()) as { readonly token?: string; readonly message?: string };
    if (token === undefined) return message ?? `the gateway answered ${answer.status}`;
    await storeSession({ token, keys });
    return undefined;
  } catch {
    return 'the gateway cannot be reached';
  }
}
