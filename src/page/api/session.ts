import type { QueryClient } from '@tanstack/react-query';
import { tell } from '#page/parts/notices.tsx';
import { type Connection, connectionKey } from './connection.ts';

const codeForm = /^#code=([A-Za-z0-9_-]+)$/;
/** Where the tabs of a browser tell each other that it was signed in. */
const channelName = 'muster.session';

/**
 * Signs in where the address brought a one-time code, which is taken out of the address and the history at once. A code that
 * is not good any more is told on the page. One that is put into the address of a page that is open is taken as well.
 */
export async function signInByAddress(queries: QueryClient): Promise<void> {
  const [, code] = codeForm.exec(window.location.hash) ?? [];
  if (code === undefined) return;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  const refusal = await exchange(code);
  if (refusal === undefined) return tellTabs();
  const refused: Connection = { state: 'signed-out', because: refusal };
  const known = queries.getQueryData<Connection>(connectionKey);
  if (known?.state === 'live') tell({ tone: 'failed', text: refusal });
  else queries.setQueryData(connectionKey, refused);
}

/** Resolves once this browser may be signed in again: one of its tabs says so, or the person comes back to this one. */
export function signedInAgain(): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const tabs = new BroadcastChannel(channelName);
    const go = (): void => {
      listening.abort();
      tabs.close();
      resolve();
    };
    tabs.onmessage = go;
    const look = (): void => {
      if (document.visibilityState === 'visible') go();
    };
    document.addEventListener('visibilitychange', look, { signal: listening.signal });
  });
}

/** Ends this browser's session and shows the page as one who is not signed in sees it. */
export async function signOut(): Promise<void> {
  const answer = await fetch('/session', { method: 'DELETE' });
  if (!answer.ok && answer.status !== 401) throw new Error(`the gateway answered ${answer.status}`);
  window.location.assign('/');
}

function tellTabs(): void {
  const tabs = new BroadcastChannel(channelName);
  tabs.postMessage('signed in');
  tabs.close();
}

/** Why the code was refused; undefined where it was taken. */
async function exchange(code: string): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ code }) });
    if (answer.ok) return undefined;
    const { message } = (await answer.json()) as { readonly message?: string };
    return message ?? `the gateway answered ${answer.status}`;
  } catch {
    return 'the gateway cannot be reached';
  }
}
