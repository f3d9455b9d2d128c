import { type GenerateKeyPairOptions, generateKeyPair, generateProof } from 'dpop';
import { call, type HttpAnswer, type HttpQuestion } from './http-call.ts';

/**
 * What a browser that the person has open at the page holds and does, with each part of a request under the test's
 * hand.
 */
export interface PageBrowser {
  readonly origin: string;
  readonly keys: CryptoKeyPair;
  /** The token of its session; undefined until it was signed in. */
  token: string | undefined;
  /** The nonce that the gateway gave last. */
  nonce: string | undefined;
  signIn(code: unknown, headers?: HttpQuestion['headers']): Promise<HttpAnswer>;
  /** The headers of one request: those of the browser, the session and a new proof. */
  headers(path: string, given?: ProofOf): Promise<Record<string, string>>;
  /** Retries if the nonce was too old, as the page does. */
  ask(path: string, question?: HttpQuestion): Promise<HttpAnswer>;
}

/** Differences of a proof from the one that the page would make. */
export interface ProofOf {
  readonly method?: string;
  readonly url?: string;
  readonly token?: string | undefined;
  readonly nonce?: string | undefined;
  readonly keys?: CryptoKeyPair;
}

const options: GenerateKeyPairOptions = { extractable: false };

/** A browser at the page of a gateway that listens on a port of this machine. */
export async function pageBrowser(instance: { readonly port: number }, origin?: string): Promise<PageBrowser> {
  const at = origin ?? `http://muster.localhost:${instance.port}`;
  const keys = await generateKeyPair('ES256', options);
  const ofPage = { host: new URL(at).host, origin: at, 'sec-fetch-site': 'same-origin' };
  const browser: PageBrowser = {
    origin: at,
    keys,
    token: undefined,
    nonce: undefined,
    async headers(path, given = {}) {
      const { method = 'POST', url = `${at}${path}` } = given;
      const token = 'token' in given ? given.token : browser.token;
      const nonce = 'nonce' in given ? given.nonce : browser.nonce;
      const dpop = await generateProof(given.keys ?? keys, url, method, nonce, token);
      return { ...ofPage, dpop, ...(token === undefined ? {} : { authorization: `DPoP ${token}` }) };
    },
    async ask(path, question = {}) {
      const { method = 'POST' } = question;
      for (let tries = 1; ; tries += 1) {
        const headers = { authorization: null, ...(await browser.headers(path, { method })), ...question.headers };
        const answer = await call(instance, path, { ...question, headers });
        browser.nonce = answer.headers['dpop-nonce']?.toString() ?? browser.nonce;
        if (tries === 2 || !String(answer.headers['www-authenticate']).includes('use_dpop_nonce')) return answer;
      }
    },
    async signIn(code, headers = {}) {
      browser.token = undefined;
      const answer = await browser.ask('/session', { headers, body: { code } });
      if (answer.status === 200) browser.token = String(answer.json?.['token']);
      return answer;
    },
  };
  return browser;
}
