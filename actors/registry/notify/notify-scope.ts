import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/store.ts';
import type { NotificationSender } from './notification-sender.ts';

/** What is known of the rules that answer questions of agents. */
export interface AnsweringRules {
  /** Whether rules may answer a question of an agent. */
  readonly mayAnswer: (tables: Tables, agent: StoredAgent) => Promise<boolean>;
  /** Whether one is answering an agent now. */
  readonly areAnswering: (tables: Tables, agentId: string) => Promise<boolean>;
}

/** What the notifier needs. */
export interface NotifierScope extends WorkScope, Pick<NotifyScope, 'store' | 'sender' | 'clock'> {
  readonly rules: AnsweringRules;
}

/** What the notify module needs. */
export interface NotifyScope extends KernelScope {
  /** Sends notifications to people. */
  readonly sender: NotificationSender;
}
