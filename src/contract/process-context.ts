import type { Check } from '#contract/host/check.ts';
import type { BusMember } from './access/bus-member.ts';
import type { ScheduledBackups } from './backup/scheduled-backups.ts';
import type { Failure } from './failure.ts';
import type { BusAdmission } from './joining/bus-admission.ts';
import type { OwnCertificates } from './joining/own-certificates.ts';
import type { Tracer } from './tracer.ts';
import type { ProcessFigures } from './wire/figures.ts';

/** Log levels, from everything to nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What runs agents' panes: tmux, the host itself (`embedded`), or tmux if it is available and else the host. */
export const terminalSettings = ['auto', 'tmux', 'embedded'] as const;
export type TerminalSetting = (typeof terminalSettings)[number];

/** What isolates the agents of workflows that do not say: a sandbox where one works, or nothing. */
export const isolationSettings = ['sandbox', 'none'] as const;
export type IsolationSetting = (typeof isolationSettings)[number];

/** The settings of a process, read from its environment once, validated and frozen. */
export interface Config {
  /** The state folder (`MUSTER_HOME`), absolute. */
  readonly home: string;
  /** The address and TCP port that the gateway listens on; port 0 means any free one. */
  readonly bind: string;
  readonly port: number;
  /** Where agents and commands reach the gateway, such as `http://127.0.0.1:7433`, without a trailing slash. */
  readonly baseUrl: string;
  /** Files with the gateway's certificate and key in PEM; undefined if it speaks plain HTTP on loopback. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Whether HTTP/2 is accepted without TLS. */
  readonly h2c: boolean;
  /** The bus to join (`MUSTER_BUS_URL`); undefined if `muster start` runs its own. */
  readonly busUrl: string | undefined;
  /** The file with the keys that admit members to the bus (`MUSTER_BUS_KEYS`): the registry's. */
  readonly busKeysFile: string | undefined;
  /** The file with this process's credential for the bus (`MUSTER_BUS_CREDENTIALS`), as NATS writes it. */
  readonly busCredentialsFile: string | undefined;
  /**
   * A PEM file with the authority that signs the bus's certificates (`MUSTER_BUS_CA`); undefined for the system's
   * authorities.
   */
  readonly busAuthorityFile: string | undefined;
  /**
   * What `muster start` opens to other machines; undefined if it listens on loopback alone. `port` is that of a second gateway
   * with muster's own certificate, while `bind` is loopback; it is undefined if a certificate is given.
   */
  readonly network: { readonly bind: string; readonly port: number | undefined; readonly busPort: number } | undefined;
  /** Where other machines join: the address of a gateway, without a trailing slash, and whether `MUSTER_JOIN_URL` says it. */
  readonly joinUrl: string;
  readonly isJoinUrlGiven: boolean;
  /** A PEM file with a certificate of that gateway’s chain, which machines that join check (`MUSTER_JOIN_CERT`). */
  readonly joinCertFile: string | undefined;
  /** The PostgreSQL database (`MUSTER_DATABASE_URL`); undefined for SQLite in the state folder. */
  readonly databaseUrl: string | undefined;
  /** A file that contains only its password (`MUSTER_DATABASE_PASSWORD_FILE`). */
  readonly databasePasswordFile: string | undefined;
  /** The scheduled backups (`MUSTER_BACKUP_…`); undefined if there are none. */
  readonly backups:
    | {
        readonly everyMs: number;
        readonly folder: string;
        /** How many are kept. */
        readonly keep: number;
        /** A file with the passphrase that encrypts them. */
        readonly passphraseFile: string | undefined;
      }
    | undefined;
  /** How many agents may exist in the installation, not counting archived ones. */
  readonly agentCeiling: number;
  /** How many of these places are reserved for people and their schedules. */
  readonly placesForPeople: number;
  /**
   * How many agents one agent and its descendants may launch in a minute, and how many of those may exist unarchived
   * and archived.
   */
  readonly agentLaunchesPerMinute: number;
  readonly agentLaunches: number;
  readonly agentLaunchesArchived: number;
  /** How many hosts may exist that nobody has admitted (`MUSTER_NEW_HOSTS`). */
  readonly newHosts: number;
  /** Facts are kept for `factDays` days, and the newest `factCount` regardless of age. */
  readonly factDays: number;
  readonly factCount: number;
  /** How many mails an agent may send in a minute, and how long a chain may be in which each mail causes the next. */
  readonly mailPerMinute: number;
  readonly mailHops: number;
  readonly terminal: TerminalSetting;
  /** What new workflows get (`MUSTER_ISOLATION`); undefined for what the installation began with. */
  readonly isolation: IsolationSetting | undefined;
  /** Names of the environment variables that every agent of this host gets too (`MUSTER_AGENT_ENV`). */
  readonly agentVariables: readonly string[];
  readonly logLevel: LogLevel;
}

interface Write {
  (message: string): void;
  (fields: object, message: string): void;
}

/** A structured log: each call writes one JSON record, with secrets removed. `err` is the field for an error. */
export interface Log {
  readonly trace: Write;
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  /** A log that adds the fields to each of its records, such as `{ agentId }`. */
  child(fields: Readonly<Record<string, unknown>>): Log;
}

/** What proves on the bus who a process is. */
export interface BusCredential {
  /** The certificate of its key, which says who it is and what it may: a JWT of NATS, as renewed last. */
  jwt(): string;
  /** The seed of its key. */
  readonly seed: string;
}

/** The installation that a process belongs to, as its state folder records it. */
export interface OwnInstallation {
  /** Undefined until the process first reaches its registry. */
  id(): string | undefined;
  keep(id: string): void;
}

/** What each long-running process of muster gets at start. */
export interface ProcessContext {
  /** The version of muster. */
  readonly version: string;
  readonly config: Config;
  readonly log: Log;
  /** Undefined if traces are off. */
  readonly tracer?: Tracer | undefined;
  /** The resources that the process uses now. */
  processFigures(): ProcessFigures;
  /** Checks what the process needs on its computer. Changes nothing. */
  examine(): Promise<Check[]>;
  /** Makes the scheduled backups; undefined if there are none. */
  readonly backups: ScheduledBackups | undefined;
  /** One or more server addresses, separated by commas, without credentials. */
  readonly busUrl: string;
  /** Who this process is on the bus, and how it proves that. */
  readonly busMember: BusMember;
  readonly busCredential: BusCredential;
  /** Certificates (PEM) of the authority that signed the bus's certificate; undefined for the system's authorities. */
  readonly busAuthority: string | undefined;
  /** Admits hosts to the bus. Only a registry has it. */
  readonly admission: BusAdmission | undefined;
  /** The certificates of a host that has joined; undefined for any other process. */
  readonly certificates: OwnCertificates | undefined;
  readonly installation: OwnInstallation;
  /** Logs the failure and ends the process with its exit status, because it cannot continue. */
  giveUp(why: Failure): void;
  /** Reports that the process is ready. `url` is its address, if it listens; `refusal` says why it cannot do its work yet. */
  ready(details?: { readonly url?: string; readonly refusal?: string }): void;
  /** Adds a step that runs at stop. Steps run once, in reverse order, and each may take about two seconds. */
  onStop(step: () => void | Promise<void>): void;
}
