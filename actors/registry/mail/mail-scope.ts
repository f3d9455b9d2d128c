import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';

/** The limits on the mail of one agent. */
export interface MailLimits {
  /** Mails a minute. */
  readonly perMinute: number;
  /** How long a chain of mails that cause each other may be. */
  readonly hops: number;
}

/** The dependencies of the mail module. */
export interface MailScope extends KernelScope {
  readonly mailLimits: MailLimits;
}
