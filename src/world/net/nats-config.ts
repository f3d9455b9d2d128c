import { type BusUser, busUsers } from '#contract/process-context.ts';

/** What a bus user may publish to and subscribe to, and whether it may answer whatever reaches it. */
interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  readonly answers: boolean;
}

/** The largest message the bus carries, in bytes. */
export const maxPayloadBytes = 8 * 1024 * 1024;

/** The rights of each kind of process, without its inbox: every user has one of its own, `_INBOX.<user>.>`. */
const rights: Readonly<Record<BusUser, Permissions>> = {
  gateway: {
    publish: ['rpc.>', 'registry.auth.>', 'registry.health.>'],
    subscribe: ['fact.>', 'pane.*'],
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
      ...['gateway', 'registry', 'host', 'start'].map((user) => `_INBOX.${user}.>`),
    ],
    subscribe: ['rpc.>', 'registry.>', '$SRV.>'],
    answers: false,
  },
  host: { publish: ['registry.from.*.>', 'pane.*'], subscribe: ['bell.*', 'host.*.>', '$SRV.>'], answers: true },
  start: { publish: ['$SRV.>'], subscribe: [], answers: false },
};

/** How a server is set up, apart from its users' rights, which are the same everywhere. */
export interface NatsSettings {
  /** `-1` asks for any free port. */
  readonly port: number;
  readonly passwords: Readonly<Record<BusUser, string>>;
  /** The folder in which the server leaves a file with the port it took. */
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
    // A dead connection is noticed within 15 s: messages sent to it until then are lost.
    'ping_interval: "5s"',
    'ping_max: 2',
    'authorization {',
    '  users: [',
    ...busUsers.map((user) => natsUser(user, JSON.stringify(passwords[user]))),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** One entry of the server's `users`. The password is given as it is in the file: quoted, or `$VARIABLE`. */
export function natsUser(user: BusUser, password: string): string {
  const { publish, subscribe, answers } = rights[user];
  return [
    '    {',
    `      user: ${user}`,
    `      password: ${password}`,
    '      permissions: {',
    `        publish: ${subjects(publish)}`,
    `        subscribe: ${subjects([...subscribe, `_INBOX.${user}.>`])}`,
    ...(answers ? ['        allow_responses: { max: 16, expires: "10m" }'] : []),
    '      }',
    '    }',
  ].join('\n');
}

const subjects = (list: readonly string[]): string => JSON.stringify(list).replaceAll(',', ', ');
