import { generateProof } from 'dpop';
import { proofNonceMeta } from '#contract/access/page-address.ts';
import { type StoredSession, storedSession } from './session-store.ts';

/** How many times a call is sent if it is refused only because its proof is outdated. */
const maxTries = 4;

/** The nonce for the next proof, as last returned by the gateway. */
let nonce = document.querySelector<HTMLMetaElement>(`meta[name="${proofNonceMeta}"]`)?.content;

/**
 * Calls the page's own gateway as the signed-in browser. Each call carries a proof, for this call alone (RFC 9449),
 * that it comes from the holder of the session's key.
 */
export const callGateway: typeof fetch = async (input, init) => {
  const session = await storedSession();
  return session === undefined ? fetch(input, init) : fetchProven(new Request(input, init).url, init, session);
};

/** Fetches an address with a proof of possession of the key. If there is a token, the proof is bound to it. */
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
