/** The leading tab of this browser: it notifies the person, and keeps listening while hidden. */
export interface Lead {
  /** Whether it is this one. It is until the tab is closed; then another one is. */
  readonly isOurs: boolean;
  /** Called when this tab became it. */
  onOurs(listener: () => void): void;
}

/** Takes part in choosing it, by a lock that one tab holds. */
export function lead(): Lead {
  const listeners: (() => void)[] = [];
  let isOurs = false;
  const take = (): void => {
    isOurs = true;
    for (const listener of listeners) listener();
  };
  // A page that is not served over TLS or from this machine has no locks: each of its tabs stands for itself.
  if (navigator.locks === undefined) take();
  else {
    void navigator.locks.request('muster.lead', () => {
      take();
      return new Promise(() => undefined);
    });
  }
  return {
    get isOurs() {
      return isOurs;
    },
    onOurs: (listener) => void listeners.push(listener),
  };
}
