import { handler } from '#actors/registry/kernel/handler.ts';
import { type Notice, toDeliveries } from '#actors/registry/notify/notice.ts';
import type { NotifyScope } from '#actors/registry/notify/notify-scope.ts';
import { notifySetting } from '#actors/registry/notify/notify-setting.ts';
import { Failure } from '#contract/failure.ts';
import { testNotify } from '#contract/operations/notify.ts';
import { findWorkflow } from './workflow-resource.ts';

/** Sends a test notice and returns whether it arrived. */
export const testNotifyHandler = handler(
  testNotify,
  async ({ workflowId }, _caller, { store, sender, clock }: NotifyScope) => {
    const notify = await store.read(async (tables) =>
      workflowId ? (await findWorkflow(tables.workflows, workflowId)).notify : notifySetting(tables),
    );
    const notice: Notice = {
      event: 'test',
      text: 'muster can reach you: this is a test',
      at: new Date(clock.now()).toISOString(),
      seq: '0',
      agent: { id: '', name: 'trial', state: 'AGENT_STATE_WAITING' },
    };
    const deliveries = toDeliveries(notice, 'NOTICE_KIND_WAITING', '', [{ ...notify, on: [] }]);
    if (deliveries.length === 0) {
      throw new Failure(
        'NOTIFICATION_NOT_SET',
        'No notifications are set: set a webhook or a command first (update_notify)',
      );
    }
    const results = deliveries.map(async (delivery) => ({
      through: delivery.through,
      failure: await sender(delivery),
    }));
    return { results: await Promise.all(results) };
  },
);
