import type { Command } from 'commander';
import type { Define } from '#cli/client/session.ts';

/** The settings of muster's processes: variable, meaning, and default. */
const settings: readonly (readonly [variable: string, meaning: string, otherwise: string])[] = [
  ['MUSTER_HOME', 'state folder: database, tokens, worktrees, logs', '~/.local/state/muster'],
  ['MUSTER_PORT', 'port of the gateway; 0 means any free one', '7433'],
  ['MUSTER_BIND', 'address of the gateway; 0.0.0.0 lets other machines join', '127.0.0.1'],
  ['MUSTER_TLS_PORT', 'port of the gateway for other machines', '7434'],
  ['MUSTER_BUS_PORT', 'port of the bus for other machines', '7435'],
  ['MUSTER_TLS_CERT', 'PEM file with the certificate', 'no TLS'],
  ['MUSTER_TLS_KEY', 'PEM file with its key', 'no TLS'],
  ['MUSTER_H2C', 'on: HTTP/2 without TLS too, for gRPC clients', 'off'],
  ['MUSTER_URL', 'where agents and commands reach the gateway', 'its own address'],
  ['MUSTER_BUS_URL', 'your own NATS server', 'a nats-server of its own'],
  ['MUSTER_BUS_KEYS', 'the registry’s: file with the keys of the bus', 'bus.keys there'],
  ['MUSTER_BUS_CREDENTIALS', 'others’: file with a credential for the bus', 'none'],
  ['MUSTER_BUS_CA', 'PEM file of the CA of your NATS certificate', 'the system’s CAs'],
  ['MUSTER_JOIN_URL', 'where other machines reach a gateway to join', 'MUSTER_URL'],
  ['MUSTER_JOIN_CERT', 'PEM file with a certificate of its chain', 'MUSTER_TLS_CERT'],
  ['MUSTER_DATABASE_URL', 'your own PostgreSQL, postgres://…', 'SQLite in the state folder'],
  ['MUSTER_DATABASE_PASSWORD_FILE', 'file with only its password', 'in the address'],
  ['MUSTER_BACKUP_EVERY', 'how often a backup is made, such as 6h', 'never'],
  ['MUSTER_BACKUP_FOLDER', 'where; on another disk or machine', 'none'],
  ['MUSTER_BACKUP_KEEP', 'how many of these backups are kept', '14'],
  ['MUSTER_BACKUP_PASSPHRASE_FILE', 'file with the passphrase that encrypts them', 'not encrypted'],
  ['MUSTER_AGENT_CEILING', 'agent limit, not counting archived ones', '64'],
  ['MUSTER_PLACES_FOR_PEOPLE', 'of these, reserved for you and schedules', 'an eighth'],
  ['MUSTER_AGENT_LAUNCHES_PER_MINUTE', 'launches by an agent and its descendants', '12'],
  ['MUSTER_AGENT_LAUNCHES', 'agent limit of one such lineage', '24'],
  ['MUSTER_AGENT_LAUNCHES_ARCHIVED', 'limit of archived agents of one such lineage', '1000'],
  ['MUSTER_NEW_HOSTS', 'maximum number of unadmitted hosts', '256'],
  ['MUSTER_AGENT_ENV', 'further variables that agents on this host get', 'none'],
  ['MUSTER_FACT_DAYS', 'how many days facts are kept', '30'],
  ['MUSTER_FACT_COUNT', 'how many of the newest facts are always kept', '100000'],
  ['MUSTER_MAIL_PER_MINUTE', 'mails that an agent may send in a minute', '120'],
  ['MUSTER_MAIL_HOPS', 'longest chain of mails, each causing the next', '8'],
  ['MUSTER_TERMINAL', 'what runs panes: tmux, embedded or auto', 'auto: tmux if available'],
  ['MUSTER_ISOLATION', 'what new workflows get: sandbox, or none', 'sandbox where it works'],
  ['MUSTER_LOG', 'trace, debug, info, warn, error, fatal, silent', 'info'],
];

const descriptions: Readonly<Record<string, string>> = {
  start:
    'Runs the whole service on this machine until Ctrl-C: a bus, the registry, a host and a gateway. Agents in tmux keep ' +
    'running when it stops, and are found again when it starts; those in embedded panes end with it.',
  setup:
    'Installs nats-server, tmux and git with apt-get or Homebrew, if this machine lacks them. Without the rights to do so, it ' +
    'says how to install each.',
  gateway: 'Runs only a gateway, on your own bus. Any number may run.',
  registry:
    'Runs only the registry, on your own bus. With SQLite there is one; any number can share a PostgreSQL database.',
  host: 'Runs only a host, on your own bus: one on each machine that agents run on.',
  join:
    'Makes this machine a host of the installation that a line of `muster host invite` names, and starts a host and a gateway on ' +
    'loopback until Ctrl-C. It needs a state folder (MUSTER_HOME) of its own, and changes nothing if it is refused. `muster start` ' +
    'continues as the same host later. With --service, it runs as a service of systemd or launchd instead, with the settings of this ' +
    'terminal; `muster join --service` does that for a machine that has joined.',
  'migrate-database':
    'Moves the installation of this state folder from SQLite to an empty PostgreSQL database, all of it or nothing, and ' +
    'compares both row by row. Stop muster first. The old database stays in the state folder under another name.',
  'bus-keys':
    'Creates in a folder the files that your own NATS server and its clients need: bus.keys for the registry, bus-trust.conf to ' +
    'include in the configuration of the server, and a credential for gateways and, with --host, for a new host. Files that ' +
    'exist are kept. With --revoke, the bus in MUSTER_BUS_URL refuses a credential permanently, and ends its connections at once. Anyone with bus.keys can admit any process to the bus.',
  backup:
    'Writes everything that makes up the installation of this state folder into one file, as of one moment, even while muster ' +
    'runs: database, tokens, keys, rules. It reads the file back before the file gets its name, and overwrites nothing. With --every, ' +
    'it runs until you stop it, and FILE is a folder. `muster restore FILE` restores it into an empty state folder.',
  upgrade:
    'Replaces this copy of muster, if npm installed it, by the newest version, or by the one of --to. It backs up first, has the new ' +
    'version read a copy of the installation, checks that all hosts work with it, and restarts everything that runs here. Windows of ' +
    'agents stay open. If the new version does not get ready, or the upgrade is interrupted, the previous version comes back, with ' +
    'the database as it was. An older version is refused. Upgrade the registry’s machine first, then the others.',
  probe:
    'Checks the registry or the gateway of this machine (PROCESS is registry or gateway), and exits with 1 if it does not work: ' +
    'for the health checks of containers. Give it the settings of that process. A registry has to answer on the bus, which ' +
    'requires the keys of the bus (MUSTER_BUS_KEYS). A gateway has to be ready, as GET /readyz defines it.',
  doctor:
    'Checks what muster needs on this machine, changes nothing, and exits with 1 if something is missing. If the service ' +
    'runs, it also checks its registry and hosts.',
};

/**
 * The help of the commands of the service: `muster start`, `gateway`, `doctor` and others. The program
 * runs these commands before it loads the command line.
 */
export const define: Define = (command) => {
  const name = command.name();
  command.description(descriptions[name] ?? command.summary()).addHelpText('after', `\n${settingsFor(name)}`);
  if (name === 'migrate-database')
    command.requiredOption('--to <url>', 'address of the PostgreSQL database, as in MUSTER_DATABASE_URL');
  if (name === 'backup') {
    command
      .option('--passphrase-file <file>', 'encrypt the backup with the passphrase in this file')
      .option('--every <time>', 'repeat after this time, such as 30m, 6h or 1d')
      .option('--keep <count>', 'how many repeated backups to keep (default: 14)');
  }
  if (name === 'upgrade') {
    command
      .option('--check', 'only say whether it can be upgraded, and what that would change')
      .option('--to <version>', 'a version, or the file of a package, instead of the newest version')
      .option('-o, --output <format>', 'text, or json for programs');
  }
  if (name === 'bus-keys') {
    command
      .option('--host <name>', 'also a credential for a new host: NAME.creds')
      .option('--id <id>', 'with --host: the id that the host has already, from its host.id')
      .option('--revoke <name>', 'revoke the credential NAME.creds, and remove it');
  }
  if (name === 'join') command.option('--service', 'run as a user service, which also starts when the machine does');
  if (name === 'doctor') {
    command.option('-o, --output <format>', 'text, or json for programs');
    command.option('--host <name>', 'show only the checks of this host, by name or id');
  }
  command.action(() => refuse(command));
};

/** The settings that a command of the state folder depends on. */
const ofStateFolder: ReadonlySet<string> = new Set([
  'MUSTER_HOME',
  'MUSTER_DATABASE_URL',
  'MUSTER_DATABASE_PASSWORD_FILE',
]);

function settingsFor(name: string): string {
  if (name !== 'backup' && name !== 'migrate-database') {
    return `All settings are environment variables; on the right, the defaults:\n${settingsTable(settings)}`;
  }
  const own = settings.filter(([variable]) => ofStateFolder.has(variable));
  return `Its settings are environment variables; on the right, the defaults:\n${settingsTable(own)}muster start --help lists all settings.\n`;
}

function settingsTable(rows: typeof settings): string {
  const [variableWidth, meaningWidth] = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map(([variable, meaning, otherwise]) =>
    `  ${variable.padEnd(variableWidth ?? 0)}  ${meaning.padEnd(meaningWidth ?? 0)}  ${otherwise}`.trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function refuse(command: Command): never {
  return command.error(`muster ${command.name()} takes no flags here: run it as the first word of the command`);
}
