/** The program that the system's service manager runs. */
export interface ServiceDefinition {
  /** The name of the service: letters, digits, `-` and `_`. */
  readonly name: string;
  readonly description: string;
  /** The command line; the program is an absolute path. */
  readonly argv: readonly [program: string, ...args: string[]];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The exit statuses after which a service is not started again: its settings are wrong, or a person removed the host.
 */
export const finalStatuses = [2, 8] as const;
