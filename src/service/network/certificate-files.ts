import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { readSecretFile, writePrivateFile } from '#world/file/private-file.ts';
import type { CertificateAndKey } from '#world/net/certificate-maker.ts';

/** A certificate is made again this long before it ends, in milliseconds. */
const renewedBefore = 60 * 24 * 60 * 60_000;

/** Files in PEM: muster's own certificate authority, and a certificate of it with the authority’s behind it. */
export interface CertificateFiles {
  readonly authorityFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * The certificate of this machine, by an authority of the installation's own: both are in the state folder, and made if they are missing.
 * The authority stays, because machines that joined trust it. The certificate is made again if it ends soon, or if this machine has another name or
 * address.
 * @param names the names and IP addresses that it must hold
 * @throws SECRET_EXPOSED when others may read a key
 */
export async function ensureCertificates(
  home: string,
  names: readonly string[],
  now: number,
): Promise<CertificateFiles> {
  const folder = join(home, 'tls');
  const within = (name: string) => join(folder, name);
  const files = { authorityFile: within('ca.pem'), certFile: within('server.pem'), keyFile: within('server.key') };
  const [authorityCert, authorityKey] = [readSecretFile(files.authorityFile), readSecretFile(within('ca.key'))];
  const hasAuthority = authorityCert !== undefined && authorityKey !== undefined;
  const [cert, key] = [readSecretFile(files.certFile), readSecretFile(files.keyFile)];
  if (hasAuthority && key !== undefined && cert !== undefined && isGood(cert, authorityCert, { names, now }))
    return files;
  const { makeAuthority, signCertificate } = await import('#world/net/certificate-maker.ts');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority: CertificateAndKey = hasAuthority
    ? { cert: authorityCert, key: authorityKey }
    : await makeAuthority('muster CA', now);
  if (!hasAuthority) {
    writePrivateFile(within('ca.key'), `${authority.key}\n`);
    writePrivateFile(files.authorityFile, `${authority.cert}\n`);
  }
  const made = await signCertificate(authority, names, now);
  writePrivateFile(files.keyFile, `${made.key}\n`);
  writePrivateFile(files.certFile, `${made.cert}\n${authority.cert}\n`);
  return files;
}

/** Whether a certificate is of the authority, holds all names, and does not end soon. */
function isGood(
  cert: string,
  authority: string,
  { names, now }: { readonly names: readonly string[]; readonly now: number },
): boolean {
  try {
    const own = new X509Certificate(cert);
    const isOfIt = own.checkIssued(new X509Certificate(authority));
    const holds = names.every((name) => (isIP(name) === 0 ? own.checkHost(name) : own.checkIP(name)) !== undefined);
    return isOfIt && holds && Date.parse(own.validTo) - now > renewedBefore;
  } catch {
    return false;
  }
}
