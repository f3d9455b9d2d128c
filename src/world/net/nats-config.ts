/** The maximum size of a message on the bus, in bytes. */
export const maxPayloadBytes = 8 * 1024 * 1024;

/** The configuration with which a nats-server authenticates the members of the bus, as NATS JWTs. */
export interface TrustedKeys {
  readonly operator: string;
  /** The public key of the system account. */
  readonly systemAccount: string;
  /** The claims of each account by its public key. */
  readonly accounts: Readonly<Record<string, string>>;
}

/** The settings of muster's own nats-server. */
export interface NatsSettings {
  /** The address that it listens on; loopback, if it is left out. */
  readonly host?: string;
  /** `-1` means any free port. */
  readonly port: number;
  /** Files in PEM with its certificate and key; undefined if it does not encrypt. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly trust: TrustedKeys;
  /** The folder in which the server writes a file with its port. */
  readonly portsFolder: string;
  /** The folder in which it keeps the newest claims that it has received. */
  readonly claimsFolder: string;
  readonly logFile: string;
}

/** The configuration of muster's own nats-server: members by their certificates, no JetStream. */
export function natsConfig({
  host = '127.0.0.1',
  port,
  tls,
  trust,
  portsFolder,
  claimsFolder,
  logFile,
}: NatsSettings): string {
  return [
    `host: ${JSON.stringify(host)}`,
    `port: ${port}`,
    ...(tls === undefined
      ? []
      : [`tls: { cert_file: ${JSON.stringify(tls.certFile)}, key_file: ${JSON.stringify(tls.keyFile)}, timeout: 5 }`]),
    `ports_file_dir: ${JSON.stringify(portsFolder)}`,
    `log_file: ${JSON.stringify(logFile)}`,
    'logfile_size_limit: 16MB',
    `max_payload: ${maxPayloadBytes}`,
    // A dead connection is detected within 6 s. Messages that are sent to it until then are lost.
    'ping_interval: "2s"',
    'ping_max: 2',
    `resolver: { type: full, dir: ${JSON.stringify(claimsFolder)}, allow_delete: false, interval: "2m" }`,
    natsTrust(trust),
  ].join('\n');
}

/** The part of a server's configuration that names its trust anchors. It contains no secret. */
export function natsTrust({ operator, systemAccount, accounts }: TrustedKeys): string {
  return [
    `operator: ${operator}`,
    `system_account: ${systemAccount}`,
    'resolver_preload: {',
    ...Object.entries(accounts).map(([key, claims]) => `  ${key}: ${claims}`),
    '}',
    '',
  ].join('\n');
}
