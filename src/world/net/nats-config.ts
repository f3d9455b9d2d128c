import { type BusUser, busUsers } from '#contract/process-context.ts';

/**
 * The subjects to which a bus user may publish and subscribe, and whether it may answer any request that reaches it.
 */
interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  readonly answers: boolean;
}

/** The maximum size of a message on the bus, in bytes. */
export const maxPayloadBytes = 8 * 1024 * 1024;

/** The rights of each kind of process, without its inbox: each user has its own, `_INBOX.<user>.>`. */
const rights: Readonly<Record<BusUser, Permissions>> = {
  gateway: {
    publish: ['rpc.>', 'registry.auth.>', 'registry.health.>'],
    subscribe: ['fact.>', 'pane.*', 'registry.present'],
    answers: false,
  },
  // For each request that may be answered, the server keeps an entry for ten minutes, and checks all entries every second:
  // too many if each call of a person or an agent adds one. So the registry may publish answers without such an entry.
  registry: {
    publish: [
      'fact.>',
      'bell.>',
      'host.*.>',
      'registry.lease',
      'registry.claim',
      'registry.peer.*',
      'registry.present',
      ...['gateway', 'registry', 'host', 'start'].map((user) => `_INBOX.${user}.>`),
    ],
    subscribe: ['rpc.>', 'registry.>', '$SRV.>'],
    answers: false,
  },
  host: { publish: ['registry.from.*.>', 'pane.*'], subscribe: ['bell.*', 'host.*.>', '$SRV.>'], answers: true },
  start: { publish: ['$SRV.>'], subscribe: [], answers: false },
};

/** The settings of a server, apart from its users' rights, which are always the same. */
export interface NatsSettings {
  /** `-1` means any free port. */
  readonly port: number;
  readonly passwords: Readonly<Record<BusUser, string>>;
  /** The folder in which the server writes a file with its port. */
  readonly portsFolder: string;
  readonly logFile: string;
}

/** The configuration of muster's own nats-server: loopback, a password for each kind of process, no JetStream. */
export function natsConfig({ port, passwords, portsFolder, logFile }: NatsSettings): string {
  return [
    'host: "127.0.0.1"',
    `port: ${port}`,
    `ports_file_dir: ${JSON.stringify(portsFolder)}`,
    `log_file: ${JSON.stringify(logFile)}`,
    'logfile_size_limit: 16MB',
    `max_payload: ${maxPayloadBytes}`,
    // A dead connection is detected within 6 s. Messages that are sent to it until then are lost.
    'ping_interval: "2s"',
    'ping_max: 2',
    'authorization {',
    '  users: [',
    ...busUsers.map((user) => natsUser(user, JSON.stringify(passwords[user]))),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** An entry of the server's `users`. The password is as written in the file: quoted, or `$VARIABLE`. */
export function natsUser(user: BusUser, password: string): string {
  const { publish, subscribe, answers } = rights[user];
  return [
    '    {',
    `      user: ${user}`,
    `      password: ${password}`,
    '      permissions: {',
    `        publish: ${subjects(publish)}`,
    `        subscribe: ${subjects([...subscribe, `_INBOX.${user}.>`])}`,
    ...(answers ? ['        allow_responses: { max: 1024, expires: "10m" }'] : []),
    '      }',
    '    }',
  ].join('\n');
}

const subjects = (list: readonly string[]): string => JSON.stringify(list).replaceAll(',', ', ');
