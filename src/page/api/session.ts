import type { QueryClient } from '@tanstack/react-query';
import { type Connection, connectionKey } from './connection.ts';

const codeForm = /^#code=([A-Za-z0-9_-]+)$/;

/**
 * Signs in where the address brought a one-time code, which is taken out of the address and the history at once. A code that
 * is not good any more is told on the page.
 */
export async function signInByAddress(queries: QueryClient): Promise<void> {
  const [, code] = codeForm.exec(window.location.hash) ?? [];
  if (code === undefined) return;
  window.history.replaceState(null, '', window.location.pathname);
  const refusal = await exchange(code);
  if (refusal !== undefined) {
    const refused: Connection = { state: 'signed-out', because: refusal };
    queries.setQueryData(connectionKey, refused);
  }
}

/** Ends this browser's session and shows the page as one who is not signed in sees it. */
export async function signOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE' });
  window.location.assign('/');
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
