/** How a person wants to be called, next to the title and the icon. */
export interface AlertSettings {
  readonly notifications: boolean;
  readonly sound: boolean;
}

const key = 'muster.alerts';

/** What the person chose in this browser: nothing at first. */
export function alertSettings(): AlertSettings {
  const kept = window.localStorage.getItem(key) ?? '';
  return { notifications: kept.includes('notifications'), sound: kept.includes('sound') };
}

/** Keeps what the person chose. */
export function keepAlertSettings({ notifications, sound }: AlertSettings): void {
  window.localStorage.setItem(key, [notifications && 'notifications', sound && 'sound'].filter(Boolean).join(' '));
}
