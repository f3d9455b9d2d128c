import { generateProof } from 'dpop';
import { proofNonceMeta } from '#contract/access/page-address.ts';
import { type StoredSession, storedSession } from './session-store.ts';

/** How often a call is repeated if only its proof was too old, so nothing was done. */
const maxTries = 4;

/** The nonce for the next proof, as the gateway said it last. */
let nonce = document.querySelector<HTMLMetaElement>(`meta[name="${proofNonceMeta}"]`)?.content;

/**
 * Calls our own gateway as the browser that is signed in: each call proves, for itself alone (RFC 9449), that it is
 * made if the key of the session is.
 */
export const callGateway: typeof fetch = async (input, init) => {
  const session = await storedSession();
  return session === undefined ? fetch(input, init) : fetchProven(new Request(input, init).url, init, session);
};

/** Calls an address with a proof of holding the key; one that has a token proves it for that alone. */
export async function fetchProven(
  url: string,
  init: RequestInit | undefined,
  { keys, token }: Pick<StoredSession, 'keys'> & Partial<StoredSession>,
): Promise<Response> {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set('authorization', `DPoP ${token}`);
  for (let tries = 1; ; tries += 1) {
    headers.set('dpop', await generateProof(keys, url, init?.method ?? 'GET', nonce, token));
    const answer = await fetch(url, { ...init, headers });
    nonce = answer.headers.get('dpop-nonce') ?? nonce;
    if (tries === maxTries || !wantsNonce(answer)) return answer;
  }
}

function wantsNonce({ status, headers }: Response): boolean {
  return status === 401 && /use_dpop_nonce/.test(headers.get('www-authenticate') ?? '');
}
