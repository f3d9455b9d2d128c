import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { type TlsMode, type TlsSettings, tlsModes, tlsOf } from './database-tls.ts';

/** The address of a PostgreSQL server. */
export interface DatabaseServer {
  /** A name, an address, or the folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSettings | undefined;
}

/** The address of a PostgreSQL database, and the options of connections to it. */
export interface DatabaseAddress extends DatabaseServer {
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Further servers that hold the database: muster uses the one that is the primary. */
  readonly others?: readonly DatabaseServer[];
}

/** The supported query parameters, named as in libpq. */
const options = ['host', 'user', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type QueryParameter = (typeof options)[number];

const example = 'postgres://muster@db.example/muster?sslmode=verify-full';

/**
 * Reads `MUSTER_DATABASE_URL`, in libpq's syntax, also with several servers separated by commas. Over a network the
 * server's certificate is checked unless `sslmode` says otherwise.
 * @throws INVALID_SETTING naming the error, without the password.
 */
export function readDatabaseAddress(text: string, password: string | undefined): DatabaseAddress {
  const [url, ...more] = urlsOf(text);
  if (url === undefined) throw refused(`must be an address such as ${example}`);
  const given = optionsOf(url);
  const hosts = given.host?.split(',') ?? [url, ...more].map(hostOf);
  const servers = hosts.map((host, place) =>
    serverOf(host, given.host === undefined ? (more[place - 1] ?? url) : url, given),
  );
  const [server, ...others] = servers;
  if (server === undefined || hosts.includes(''))
    throw refused(`names no server: write ${example}, or ?host= and the folder of its socket`);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '' || database.includes('/')) throw refused(`names no database: write its name as in ${example}`);
  const user = given.user ?? decodeURIComponent(url.username);
  if (user === '') throw refused(`names no user: write ${example}, or ?user= and its name`);
  if (url.password !== '' && password !== undefined)
    throw refused('has a password, and MUSTER_DATABASE_PASSWORD_FILE names another one: remove one of them');
  return {
    ...server,
    user,
    database,
    password: password ?? (url.password === '' ? undefined : decodeURIComponent(url.password)),
    ...(others.length > 0 && { others }),
  };
}

/** A database as messages name it: without its password. */
export function nameOfDatabase(address: DatabaseAddress): string {
  const servers = serversOf(address).map(({ host, port }) =>
    isSocket(host) ? `the socket in ${host}` : `${host}:${port}`,
  );
  return `the database ${address.database} of ${address.user} at ${servers.join(' or ')}`;
}

/** Every server of an address, in its order. */
export function serversOf({ host, port, tls, others = [] }: DatabaseAddress): readonly DatabaseServer[] {
  return [{ host, port, tls }, ...others];
}

/** The address once for each of its servers; empty if it is not an address of PostgreSQL. */
function urlsOf(text: string): readonly URL[] {
  const [, start = '', servers = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  if (start === '') return [];
  const urls = servers.split(',').map((server) => URL.parse(start + server + rest));
  return urls.every((url) => url !== null) ? urls : [];
}

function hostOf({ hostname }: URL): string {
  return decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1');
}

function serverOf(host: string, { port }: URL, given: Partial<Record<QueryParameter, string>>): DatabaseServer {
  return { host, port: port === '' ? 5432 : Number(port), tls: tlsOf(host, modeOf(given.sslmode, host), given) };
}

function optionsOf(url: URL): Partial<Record<QueryParameter, string>> {
  const given: Partial<Record<QueryParameter, string>> = {};
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
