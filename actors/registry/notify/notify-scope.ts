import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { Tables } from '#store/tables.ts';
import type { NotificationSender } from './notification-sender.ts';

/** Whether a rule is answering an agent now. */
export type AreAnswering = (tables: Tables, agentId: string) => Promise<boolean>;

/** What the notifier needs. */
export interface NotifierScope extends WorkScope, Pick<NotifyScope, 'store' | 'sender' | 'clock'> {
  /** Whether a rule is answering an agent now. */
  readonly areAnswering: AreAnswering;
}

/** What the notify module needs. */
export interface NotifyScope extends KernelScope {
  /** Sends notifications to people. */
  readonly sender: NotificationSender;
}
