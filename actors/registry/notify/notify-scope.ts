import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { NotificationSender } from './notification-sender.ts';

/** What calls people. */
export interface NotifyScope extends KernelScope {
  /** Sends notices to people. */
  readonly sender: NotificationSender;
}
