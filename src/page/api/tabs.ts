import type { QueryKey } from '@tanstack/react-query';

const channel = new BroadcastChannel('muster.stale');

/**
 * Tells the other tabs of this browser that what is read under a key has moved, where nobody else may know of it: no more than
 * that it is to be read anew.
 */
export function tellTabs(key: QueryKey): void {
  channel.postMessage(key);
}

/** Hears what other tabs tell. */
export function hearTabs(listener: (key: QueryKey) => void): void {
  channel.onmessage = ({ data }: MessageEvent<QueryKey>) => listener(data);
}
