import { handler } from '#actors/registry/kernel/handler.ts';
import type { Notify } from '#contract/fact/notify.ts';
import { getNotify, updateNotify } from '#contract/operations/notify.ts';
import { checkNotify, notifySetting, putNotifySetting } from './notify-setting.ts';

/** Returns the notification setting. */
export const getNotifyHandler = handler(getNotify, (_request, _caller, { store }) =>
  store.read(async (tables) => ({ notify: await notifySetting(tables) })),
);

/** Replaces the notification setting. */
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
