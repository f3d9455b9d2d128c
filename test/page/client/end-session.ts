import type { Page } from 'playwright-core';

/**
 * Signs out with the key that the page keeps, as another of its tabs would, and has the page itself hear none of it.
 */
export async function endSession(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const { keys, token } = await new Promise((resolve) => {
      const asked = indexedDB.open('muster');
      asked.onsuccess = () => {
        const read = asked.result.transaction('session').objectStore('session').get('session');
        read.onsuccess = () => resolve(read.result);
      };
    });
    const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const json = (value) => encode(new TextEncoder().encode(JSON.stringify(value)));
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    const ath = encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
    const url = location.origin + '/session';
    let nonce = '';
    for (let tries = 0; tries < 2; tries += 1) {
      const head = json({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } });
      const iat = Math.floor(Date.now() / 1000);
      const body = json({ htm: 'DELETE', htu: url, jti: crypto.randomUUID(), iat, ath, nonce });
      const bytes = new TextEncoder().encode(head + '.' + body);
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, keys.privateKey, bytes);
      const headers = { authorization: 'DPoP ' + token, dpop: head + '.' + body + '.' + encode(signature) };
      const answer = await fetch(url, { method: 'DELETE', headers });
      if (answer.ok) return;
      nonce = answer.headers.get('dpop-nonce');
    }
    throw new Error('the session was not ended');
  })()`);
}
