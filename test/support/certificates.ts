import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Files in PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** An authority of one test, and the certificates that it signs. */
export interface Authority extends CertificateFiles {
  /** Signs a certificate for names and addresses, such as `IP:127.0.0.1`; one of less than a day has expired. */
  sign(name: string, subjectAltName: string, days?: number): CertificateFiles;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];

/** Makes an authority whose files are in a folder, under its own name. */
export function makeAuthority(folder: string, name = 'authority'): Authority {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const filesOf = (one: string): CertificateFiles => ({
    cert: join(folder, `${one}.crt`),
    key: join(folder, `${one}.key`),
  });
  const own = filesOf(name);
  const isAuthority = ['-addext', 'keyUsage=critical,keyCertSign'];
  openssl('req', '-x509', ...newKey, '-keyout', own.key, '-out', own.cert, '-subj', `/CN=${name}`, ...isAuthority);
  return {
    ...own,
    sign(leaf, subjectAltName, days = 30) {
      const files = filesOf(leaf);
      const request = join(folder, `${leaf}.csr`);
      const what = ['-subj', `/CN=${leaf}`, '-addext', `subjectAltName=${subjectAltName}`];
      openssl('req', '-new', ...newKey, '-keyout', files.key, '-out', request, ...what);
      const by = ['-CA', own.cert, '-CAkey', own.key, '-days', String(days), '-copy_extensions', 'copy'];
      openssl('x509', '-req', '-in', request, '-out', files.cert, ...by);
      return files;
    },
  };
}
