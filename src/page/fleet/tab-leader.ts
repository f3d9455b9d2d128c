/** The lead among this browser's tabs: it notifies the person, and keeps following the fleet while hidden. */
export interface TabLeader {
  /** Whether this tab is the lead. A lead stays so until it is closed; then another tab takes over. */
  readonly isOurs: boolean;
  /** Calls the listener once this tab is the lead. */
  onOurs(listener: () => void): void;
}

/** Elects the lead, by a lock that one tab holds. */
export function lead(): TabLeader {
  const listeners: (() => void)[] = [];
  let isOurs = false;
  const take = (): void => {
    isOurs = true;
    for (const listener of listeners) listener();
  };
  // A page that is not served over TLS or from this machine has no locks: each of its tabs is a lead.
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
