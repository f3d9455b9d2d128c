import { handler } from '#actors/registry/kernel/handler.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import { Failure } from '#contract/failure.ts';
import type { Notify } from '#contract/notify.ts';
import { getNotify, testNotify, updateNotify } from '#contract/operations/notify.ts';
import type { Notice } from './notice.ts';
import { parcelsOf } from './notice.ts';
import { checkNotify, notifySetting, putNotifySetting } from './notify-setting.ts';

/** Shows whom the person wants to be told. */
export const getNotifyHandler = handler(getNotify, (_request, _caller, { store }) =>
  store.read(async (tables) => ({ notify: await notifySetting(tables) })),
);

/** Sets whom the person wants to be told. */
export const updateNotifyHandler = handler(updateNotify, async ({ notify = {} }, _caller, { store }) => {
  checkNotify(notify);
  const { webhook, command, on } = notify;
  const kept: Notify = {
    ...(webhook ? { webhook } : {}),
    ...(command ? { command } : {}),
    ...(on?.length ? { on: [...new Set(on)] } : {}),
  };
  await store.write((tables) => putNotifySetting(tables, kept));
  return { notify: kept };
});

/** Sends a trial notice and waits for what becomes of it. */
export const testNotifyHandler = handler(testNotify, async ({ workflowId }, _caller, { store, courier, clock }) => {
  const notify = await store.read(async (tables) =>
    workflowId ? (await findWorkflow(tables.workflows, workflowId)).notify : notifySetting(tables),
  );
  const notice: Notice = {
    event: 'test',
    text: 'muster can reach you: this is a trial',
    at: new Date(clock.now()).toISOString(),
    seq: '0',
    agent: { id: '', name: 'trial', state: 'AGENT_STATE_WAITING' },
  };
  const parcels = parcelsOf(notice, 'NOTICE_KIND_WAITING', '', [{ ...notify, on: [] }]);
  if (parcels.length === 0) {
    throw new Failure('failed_precondition', 'Nobody is to be told: set a webhook or a command first (update_notify)');
  }
  const results = parcels.map(async (parcel) => ({ through: parcel.through, failure: await courier(parcel) }));
  return { results: await Promise.all(results) };
});
