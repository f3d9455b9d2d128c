import { Notify } from '#contract/fact/notify.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Tables } from '#store/tables.ts';

const setting = 'notify';

/** The notification setting for all agents and hosts. */
export async function notifySetting({ settings }: Pick<Tables, 'settings'>): Promise<Notify> {
  const stored = await settings.get(setting);
  return stored === undefined ? {} : Notify.parse(JSON.parse(stored));
}

/** Saves the notification setting. */
export async function putNotifySetting({ settings }: Pick<Tables, 'settings'>, notify: Notify): Promise<void> {
  await settings.put(setting, JSON.stringify(notify));
}

/** @throws INVALID_ARGUMENT when an address or command cannot be used */
export function checkNotify({ webhook, command, on = [] }: Notify): void {
  if (webhook) checkAddress(webhook);
  if (command?.includes('\0')) {
    throw new Failure('INVALID_FIELD', 'notify.command has a NUL character: write it as in a shell', {
      field: 'notify.command',
    });
  }
  if (on.includes('NOTICE_KIND_UNSPECIFIED')) {
    throw new Failure(
      'INVALID_FIELD',
      'notify.on may contain NOTICE_KIND_WAITING, _FAILED, _FINISHED, _ENDED, _BUDGET, _HOST_LOST, _HOST_BACK and _BACKUP_FAILED',
      { field: 'notify.on' },
    );
  }
}

/** Error messages do not repeat the address, because it may be a secret. */
function checkAddress(webhook: string): void {
  const url = URL.canParse(webhook) ? new URL(webhook) : undefined;
  const why = !url
    ? 'is not an address'
    : !['http:', 'https:'].includes(url.protocol)
      ? `begins with ${quoted(url.protocol)}`
      : url.username || url.password
        ? 'has a name or a password'
        : undefined;
  if (why === undefined) return;
  throw new Failure('INVALID_FIELD', `notify.webhook ${why}: give an http or https address without credentials`, {
    field: 'notify.webhook',
  });
}
