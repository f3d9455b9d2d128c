import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { type TlsMode, type TlsSettings, tlsModes, tlsOf } from './database-tls.ts';

/** The address of a PostgreSQL database, and how to connect to it. */
export interface DatabaseAddress {
  readonly user: string;
  /** A name, an address, or the folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly password: string | undefined;
  readonly tls: TlsSettings | undefined;
}

/** The supported query parameters, named as in libpq. */
const options = ['host', 'user', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Option = (typeof options)[number];

const example = 'postgres://muster@db.example/muster?sslmode=verify-full';

/**
 * Parses `MUSTER_DATABASE_URL`, a connection URI of libpq. Over a network, the server's certificate is verified unless
 * `sslmode` says otherwise.
 * @throws INVALID_SETTING when it is invalid; the message never contains the password
 */
export function readDatabaseAddress(text: string, password: string | undefined): DatabaseAddress {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) throw refused(`must be an address such as ${example}`);
  const given = optionsOf(url);
  const host = given.host ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === '') throw refused(`names no server: write ${example}, or ?host= and the folder of its socket`);
  if (database === '' || database.includes('/')) throw refused(`names no database: write its name as in ${example}`);
  const user = given.user ?? decodeURIComponent(url.username);
  if (user === '') throw refused(`names no user: write ${example}, or ?user= and its name`);
  if (url.password !== '' && password !== undefined)
    throw refused('has a password, and MUSTER_DATABASE_PASSWORD_FILE names another one: remove one of them');
  return {
    user,
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    password: password ?? (url.password === '' ? undefined : decodeURIComponent(url.password)),
    tls: tlsOf(host, modeOf(given.sslmode, host), given),
  };
}

/** A database as messages name it: without its password. */
export function nameOfDatabase({ user, host, port, database }: DatabaseAddress): string {
  const server = isSocket(host) ? `the socket in ${host}` : `${host}:${port}`;
  return `the database ${database} of ${user} at ${server}`;
}

function optionsOf(url: URL): Partial<Record<Option, string>> {
  const given: Partial<Record<Option, string>> = {};
  for (const [name, value] of url.searchParams) {
    const option = options.find((one) => one === name);
    if (option === undefined)
      throw refused(`has ${JSON.stringify(name)}, which muster does not know: it reads ${options.join(', ')}`);
    if (value === '') throw refused(`has ${name} without a value`);
    given[option] = value;
  }
  return given;
}

function modeOf(given: string | undefined, host: string): TlsMode {
  if (given === undefined) return isSocket(host) || isLoopback(host) ? 'disable' : 'verify-full';
  const mode = tlsModes.find((one) => one === given);
  if (mode !== undefined) return mode;
  const unsafe = given === 'prefer' || given === 'allow' ? ', which an attacker on the network can turn off' : '';
  throw refused(`has sslmode=${given}${unsafe}: it must be one of ${tlsModes.join(', ')}`);
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}

function refused(what: string): Failure {
  return new Failure('INVALID_SETTING', `MUSTER_DATABASE_URL ${what}.`, { field: 'MUSTER_DATABASE_URL' });
}
