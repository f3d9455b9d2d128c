import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { Failure } from '#contract/failure.ts';

/** The supported values of libpq's `sslmode`. */
export const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/** The TLS options of a connection. */
export interface TlsSettings {
  readonly rejectUnauthorized: boolean;
  /** Replaces the machine's own authorities. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Why the name in a trusted certificate does not match; undefined if it matches. */
  readonly checkServerIdentity: (name: string, certificate: PeerCertificate) => Error | undefined;
}

interface Files {
  readonly sslrootcert?: string;
  readonly sslcert?: string;
  readonly sslkey?: string;
}

/**
 * The settings of a mode; undefined for `disable`. As with libpq, `require` verifies the certificate only if an
 * authority is given.
 * @throws INVALID_SETTING when a file cannot be read
 */
export function tlsOf(host: string, mode: TlsMode, { sslrootcert, sslcert, sslkey }: Files): TlsSettings | undefined {
  const files = {
    ca: textOf('sslrootcert', sslrootcert),
    cert: textOf('sslcert', sslcert),
    key: textOf('sslkey', sslkey),
  };
  if (mode === 'disable') return undefined;
  const isChecked = mode !== 'require' || sslrootcert !== undefined;
  return {
    rejectUnauthorized: isChecked,
    ...(files.ca && { ca: files.ca }),
    ...(files.cert && { cert: files.cert }),
    ...(files.key && { key: files.key }),
    // By default, the certificate of a server that is dialled by its address is compared with `localhost`.
    checkServerIdentity: (_name, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  };
}

function textOf(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'INVALID_SETTING',
      `MUSTER_DATABASE_URL has ${option}=${file}, which cannot be read (${why}): name a file that muster may read.`,
      { field: 'MUSTER_DATABASE_URL', cause },
    );
  }
}
