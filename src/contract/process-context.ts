import type { Check } from '#contract/host/check.ts';
import type { Failure } from './failure.ts';
import type { Tracer } from './tracer.ts';
import type { ProcessFigures } from './wire/figures.ts';

/** How much a process writes to its log, from everything to nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What holds agents' panes: tmux, the host itself, or tmux if it is there and else the host. */
export const terminalSettings = ['auto', 'tmux', 'embedded'] as const;
export type TerminalSetting = (typeof terminalSettings)[number];

/** What the environment settles for a process. It is read once, validated and frozen. */
export interface Config {
  /** The state folder (`MUSTER_HOME`), absolute. */
  readonly home: string;
  /** The address and the TCP port the gateway listens on; port 0 asks for any free one. */
  readonly bind: string;
  readonly port: number;
  /** Where agents and commands reach the gateway, such as `http://127.0.0.1:7433`, without a trailing slash. */
  readonly baseUrl: string;
  /** Files with the gateway's certificate and key in PEM; undefined if it speaks plain HTTP on loopback. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Whether HTTP/2 is spoken without TLS. */
  readonly h2c: boolean;
  /** The bus to join (`MUSTER_BUS_URL`); undefined if `muster start` brings its own. */
  readonly busUrl: string | undefined;
  /** A JSON file that maps a bus user to its password (`MUSTER_BUS_CREDENTIALS`). */
  readonly busCredentialsFile: string | undefined;
  /**
   * A PEM file with the authority that signs the bus's certificates (`MUSTER_BUS_CA`); undefined for those this machine
   * trusts.
   */
  readonly busAuthorityFile: string | undefined;
  /** The PostgreSQL database (`MUSTER_DATABASE_URL`); undefined for SQLite in the state folder. */
  readonly databaseUrl: string | undefined;
  /** A file with its password alone (`MUSTER_DATABASE_PASSWORD_FILE`). */
  readonly databasePasswordFile: string | undefined;
  /** How many agents may exist that are not archived, in the whole installation. */
  readonly agentCeiling: number;
  /** How many of those places only people and their schedules may take. */
  readonly placesForPeople: number;
  /**
   * How many launches an agent and its descendants may make in a minute, and how many of those may exist unarchived.
   */
  readonly agentLaunchesPerMinute: number;
  readonly agentLaunches: number;
  readonly agentLaunchesArchived: number;
  /** How many hosts may be there that nobody has taken in (`MUSTER_NEW_HOSTS`). */
  readonly newHosts: number;
  /** Facts are kept for this many days, and the newest so many however old they are. */
  readonly factDays: number;
  readonly factCount: number;
  /** How many mails an agent may send in a minute, and how many may set off one another in a chain. */
  readonly mailPerMinute: number;
  readonly mailHops: number;
  readonly terminal: TerminalSetting;
  /** Names of variables of the person's environment that every agent of this host is given (`MUSTER_AGENT_ENV`). */
  readonly agentVariables: readonly string[];
  readonly logLevel: LogLevel;
}

interface Write {
  (message: string): void;
  (fields: object, message: string): void;
}

/** A structured log: one JSON record a call, with secrets removed. `err` is the field for an error. */
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

/** The kinds of process that join the bus, which are also the names of their bus users. */
export const busUsers = ['gateway', 'registry', 'host', 'start'] as const;
export type BusUser = (typeof busUsers)[number];

/** The installation that a process belongs to, as its state folder has it. */
export interface OwnInstallation {
  /** Undefined until it has first met its registry. */
  id(): string | undefined;
  keep(id: string): void;
}

/** What a long-running process of muster is given when it starts. */
export interface ProcessContext {
  /** Of muster. */
  readonly version: string;
  readonly config: Config;
  readonly log: Log;
  /** Undefined if nobody collects traces. */
  readonly tracer?: Tracer | undefined;
  /** What the process takes of its machine, as it is now. */
  processFigures(): ProcessFigures;
  /** Looks at what the process needs on its machine, changing nothing. */
  examine(): Promise<Check[]>;
  /** One or more server addresses, separated by commas, without credentials. */
  readonly busUrl: string;
  readonly busUser: string;
  readonly busPassword: string;
  /** Certificates in PEM of the authority that signs the bus's own; undefined for those that this machine trusts. */
  readonly busAuthority: string | undefined;
  readonly installation: OwnInstallation;
  /** Ends the process with the status of a failure, whose message is logged: it cannot continue. */
  giveUp(why: Failure): void;
  /** Says that the process does its work from now on. `url` is where it is reached, if it listens. */
  ready(details?: { readonly url?: string }): void;
  /** Adds a step to the stop. Steps run once, in reverse order, and each may take about two seconds. */
  onStop(step: () => void | Promise<void>): void;
}
