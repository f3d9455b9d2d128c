import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { NotificationSender } from './notification-sender.ts';

/** What the notifier needs. */
export type NotifierScope = WorkScope & Pick<NotifyScope, 'store' | 'sender'>;

/** What the notify module needs. */
export interface NotifyScope extends KernelScope {
  /** Sends notifications to people. */
  readonly sender: NotificationSender;
}
