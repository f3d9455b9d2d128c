/** How a person is alerted, in addition to the title and the icon. */
export interface AlertSettings {
  readonly notifications: boolean;
  readonly sound: boolean;
}

const key = 'muster.alerts';

/** The person's choice in this browser. By default everything is off. */
export function alertSettings(): AlertSettings {
  const kept = window.localStorage.getItem(key) ?? '';
  return { notifications: kept.includes('notifications'), sound: kept.includes('sound') };
}

/** Saves the person's choice. */
export function keepAlertSettings({ notifications, sound }: AlertSettings): void {
  window.localStorage.setItem(key, [notifications && 'notifications', sound && 'sound'].filter(Boolean).join(' '));
}
