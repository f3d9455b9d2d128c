import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Where other machines join, and the fingerprint of the authority that signed the certificate there. */
export function entranceText(
  { url, authorityFile }: { readonly url: string; readonly authorityFile: string },
  muster: string,
): string {
  const { fingerprint256 } = new X509Certificate(readFileSync(authorityFile));
  return `Other machines join at ${url} (CA fingerprint ${fingerprint256}): ${muster} host invite prints the line.`;
}
