import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { faultOfAddresses } from '#bus/join/address.ts';
import { defaultStateFolder } from '#cli/client/connection.ts';
import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { intervalMs, intervalRule } from '#contract/parse/interval.ts';
import { type Config, isolationSettings, logLevels, terminalSettings } from '#contract/process-context.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** An absolute path; `~/` means the person's home folder. An empty one may be a variable that a script lacked. */
const path = z
  .string()
  .min(1, 'must be a path')
  .transform((value) => (value.startsWith('~/') ? join(homedir(), value.slice(2)) : value))
  .refine(isAbsolute, 'must be an absolute path')
  .transform((value) => resolve(value));

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => /^(0|[1-9][0-9]{0,8})$/.test(value) && Number(value) >= min && Number(value) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

const isBaseUrl = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
};

const variables = z.object({
  MUSTER_HOME: path,
  MUSTER_PORT: wholeNumber(0, 65_535).default(7433),
  MUSTER_BIND: z
    .string()
    .refine((value) => value === 'localhost' || isIP(value) !== 0, 'must be an IP address or localhost')
    .default('127.0.0.1'),
  MUSTER_TLS_PORT: wholeNumber(0, 65_535).default(7434),
  MUSTER_BUS_PORT: wholeNumber(0, 65_535).default(7435),
  MUSTER_URL: z
    .string()
    .refine(isBaseUrl, 'must be an http or https address without a path, such as https://muster.example')
    .optional(),
  MUSTER_TLS_CERT: path.optional(),
  MUSTER_TLS_KEY: path.optional(),
  MUSTER_H2C: z
    .enum(['on', 'off', '1', '0', 'true', 'false'], { error: 'must be on or off' })
    .default('off')
    .transform((value) => ['on', '1', 'true'].includes(value)),
  MUSTER_BUS_URL: z
    .string()
    .superRefine((value, context) => {
      const message = faultOfAddresses(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .optional(),
  MUSTER_BUS_KEYS: path.optional(),
  MUSTER_BUS_CREDENTIALS: path.optional(),
  MUSTER_BUS_CA: path.optional(),
  MUSTER_JOIN_URL: z
    .string()
    .refine(isBaseUrl, 'must be an http or https address without a path, such as https://muster.example:7434')
    .optional(),
  MUSTER_JOIN_CERT: path.optional(),
  MUSTER_DATABASE_URL: z.string().optional(),
  MUSTER_DATABASE_PASSWORD_FILE: path.optional(),
  MUSTER_BACKUP_EVERY: z
    .string()
    .refine((value) => intervalMs(value) !== undefined, `must be ${intervalRule}`)
    .transform((value) => intervalMs(value) ?? 0)
    .optional(),
  MUSTER_BACKUP_FOLDER: path.optional(),
  MUSTER_BACKUP_KEEP: wholeNumber(1, 99_999).default(14),
  MUSTER_BACKUP_PASSPHRASE_FILE: path.optional(),
  MUSTER_AGENT_CEILING: wholeNumber(1, 100_000).default(64),
  MUSTER_PLACES_FOR_PEOPLE: wholeNumber(0, 100_000).optional(),
  MUSTER_AGENT_LAUNCHES_PER_MINUTE: wholeNumber(0, 1_000_000).default(12),
  MUSTER_AGENT_LAUNCHES: wholeNumber(0, 100_000).default(24),
  MUSTER_AGENT_LAUNCHES_ARCHIVED: wholeNumber(0, 1_000_000).default(1_000),
  MUSTER_NEW_HOSTS: wholeNumber(0, 100_000).default(256),
  MUSTER_FACT_DAYS: wholeNumber(1, 36_500).default(30),
  MUSTER_FACT_COUNT: wholeNumber(1, 100_000_000).default(100_000),
  MUSTER_MAIL_PER_MINUTE: wholeNumber(1, 1_000_000).default(120),
  MUSTER_MAIL_HOPS: wholeNumber(1, 1_000_000).default(8),
  MUSTER_TERMINAL: z.enum(terminalSettings, { error: `must be one of ${terminalSettings.join(', ')}` }).default('auto'),
  MUSTER_ISOLATION: z.enum(isolationSettings, { error: `must be one of ${isolationSettings.join(', ')}` }).optional(),
  MUSTER_AGENT_ENV: z
    .string()
    .regex(/^\s*[A-Za-z_]\w*\*?(?:[\s,]+[A-Za-z_]\w*\*?)*\s*$/, 'must be names of variables, such as NVM_DIR,ACME_*')
    .optional(),
  MUSTER_LOG: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});
type Variables = z.infer<typeof variables>;

/**
 * Reads the configuration from the environment. An empty variable counts as unset, unless it names a path.
 * @throws INVALID_ARGUMENT naming each invalid variable, its value and the rule
 */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(
    Object.keys(variables.shape)
      .map((name) => [name, isPath(name) ? environment[name] : environment[name] || undefined] as const)
      .filter(([, value]) => value !== undefined),
  );
  const parsed = variables.safeParse({ MUSTER_HOME: defaultStateFolder(environment), ...given });
  if (!parsed.success) throw new Failure('INVALID_SETTING', describe(parsed.error, given));
  const values = parsed.data;
  requireTls(values);
  return Object.freeze({
    home: values.MUSTER_HOME,
    bind: bindOf(values),
    port: values.MUSTER_PORT,
    baseUrl: new URL(values.MUSTER_URL ?? ownAddress(values)).origin,
    tls: tlsOf(values),
    h2c: values.MUSTER_H2C,
    busUrl: values.MUSTER_BUS_URL,
    busKeysFile: values.MUSTER_BUS_KEYS,
    busCredentialsFile: values.MUSTER_BUS_CREDENTIALS,
    busAuthorityFile: values.MUSTER_BUS_CA,
    network: networkOf(values),
    isJoinUrlGiven: values.MUSTER_JOIN_URL !== undefined,
    joinUrl: new URL(values.MUSTER_JOIN_URL ?? values.MUSTER_URL ?? ownAddress(values)).origin,
    joinCertFile: values.MUSTER_JOIN_CERT ?? values.MUSTER_TLS_CERT,
    databaseUrl: values.MUSTER_DATABASE_URL,
    databasePasswordFile: values.MUSTER_DATABASE_PASSWORD_FILE,
    backups: backupsOf(values),
    agentCeiling: values.MUSTER_AGENT_CEILING,
    placesForPeople: placesForPeople(values),
    agentLaunchesPerMinute: values.MUSTER_AGENT_LAUNCHES_PER_MINUTE,
    agentLaunches: values.MUSTER_AGENT_LAUNCHES,
    agentLaunchesArchived: values.MUSTER_AGENT_LAUNCHES_ARCHIVED,
    newHosts: values.MUSTER_NEW_HOSTS,
    factDays: values.MUSTER_FACT_DAYS,
    factCount: values.MUSTER_FACT_COUNT,
    mailPerMinute: values.MUSTER_MAIL_PER_MINUTE,
    mailHops: values.MUSTER_MAIL_HOPS,
    terminal: values.MUSTER_TERMINAL,
    isolation: values.MUSTER_ISOLATION,
    agentVariables: Object.freeze((values.MUSTER_AGENT_ENV ?? '').split(/[\s,]+/).filter(Boolean)),
    logLevel: values.MUSTER_LOG,
  });
}

/** Whether a variable names a path. Were an empty one unset, another folder or no file would be used. */
function isPath(name: string): boolean {
  // An upgrade empties this one together with MUSTER_DATABASE_URL, to try a copy of the database.
  if (name === 'MUSTER_DATABASE_PASSWORD_FILE') return false;
  const schema = Object.entries(variables.shape).find(([one]) => one === name)?.[1];
  return schema === path || (schema instanceof z.ZodOptional && schema.unwrap() === path);
}

/** The number of reserved places: an eighth of all by default. */
function placesForPeople({ MUSTER_AGENT_CEILING: ceiling, MUSTER_PLACES_FOR_PEOPLE: places }: Variables): number {
  if (places === undefined) return Math.ceil(ceiling / 8);
  if (places <= ceiling) return places;
  throw new Failure(
    'INVALID_SETTING',
    `MUSTER_PLACES_FOR_PEOPLE is "${places}": it must be at most MUSTER_AGENT_CEILING, which is ${ceiling}. Change one of them.`,
  );
}

/**
 * The settings of scheduled backups. A folder has no default, because a backup on the same disk is lost with it.
 * @throws INVALID_ARGUMENT when only one of interval and folder is set
 */
function backupsOf(values: Variables): Config['backups'] {
  const { MUSTER_BACKUP_EVERY: everyMs, MUSTER_BACKUP_FOLDER: folder } = values;
  if (everyMs !== undefined && folder !== undefined) {
    const { MUSTER_BACKUP_KEEP: keep, MUSTER_BACKUP_PASSPHRASE_FILE: passphraseFile } = values;
    return Object.freeze({ everyMs, folder, keep, passphraseFile });
  }
  if (everyMs === folder) return undefined;
  const both = ['MUSTER_BACKUP_EVERY', 'MUSTER_BACKUP_FOLDER'] as const;
  const [present, missing] = everyMs === undefined ? both.toReversed() : both;
  throw new Failure('INVALID_SETTING', `${present} is set, and ${missing} is unset: set both or neither.`, {
    ...(missing !== undefined && { field: missing }),
  });
}

function describe(error: z.ZodError, given: Readonly<Record<string, string | undefined>>): string {
  const lines = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const value = (given[name] ?? '').replace(/\/\/[^/@]*@/g, '//…@');
    return `${name} is ${JSON.stringify(value)}: it ${issue.message}`;
  });
  return `${lines.join('; ')}. Change the variable or unset it.`;
}

function requireTls(values: Variables): void {
  const { MUSTER_TLS_CERT: cert, MUSTER_TLS_KEY: key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    const [present, missing] =
      cert === undefined ? ['MUSTER_TLS_KEY', 'MUSTER_TLS_CERT'] : ['MUSTER_TLS_CERT', 'MUSTER_TLS_KEY'];
    throw new Failure(
      'INVALID_SETTING',
      `${present} is ${JSON.stringify(cert ?? key)}, and ${missing} is unset: set both or neither.`,
    );
  }
}

/** Where the gateway listens that local programs call: without a given certificate, only on loopback. */
function bindOf({ MUSTER_BIND: bind, MUSTER_TLS_CERT: cert }: Variables): string {
  return cert === undefined && !isLoopback(bind) ? '127.0.0.1' : bind;
}

function networkOf(values: Variables): Config['network'] {
  const { MUSTER_BIND: bind, MUSTER_TLS_CERT: cert, MUSTER_TLS_PORT: port, MUSTER_BUS_PORT: busPort } = values;
  if (isLoopback(bind)) return undefined;
  return Object.freeze({ bind, port: cert === undefined ? port : undefined, busPort });
}

function tlsOf({ MUSTER_TLS_CERT: certFile, MUSTER_TLS_KEY: keyFile }: Variables): Config['tls'] {
  return certFile === undefined || keyFile === undefined ? undefined : Object.freeze({ certFile, keyFile });
}

/** The address at which this computer reaches its own gateway. For a wildcard bind that is loopback. */
function ownAddress(values: Variables): string {
  const { MUSTER_PORT: port, MUSTER_TLS_CERT: cert } = values;
  const bind = bindOf(values);
  const reached = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind;
  return `${cert === undefined ? 'http' : 'https'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
