import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';

/** What one agent may send. */
export interface MailLimits {
  /** Mails a minute. */
  readonly perMinute: number;
  /** How many mails may have set off one another before a mail. */
  readonly hops: number;
}

/** What mail is bounded by. */
export interface MailScope extends KernelScope {
  readonly mailLimits: MailLimits;
}
