import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { NotificationSender } from './notification-sender.ts';

/** What sends notices: a notifier needs nothing else. */
export type NotifierScope = WorkScope & Pick<NotifyScope, 'store' | 'sender'>;

/** What calls people. */
export interface NotifyScope extends KernelScope {
  /** Sends notices to people. */
  readonly sender: NotificationSender;
}
