import type { QueryKey } from '@tanstack/react-query';

const channel = new BroadcastChannel('muster.stale');

/**
 * Notifies the browser's other tabs that the data of a query key has changed, if the service publishes no fact about
 * it.
 */
export function notifyTabs(key: QueryKey): void {
  channel.postMessage(key);
}

/** Calls the listener with the notifications of other tabs. */
export function onTabMessage(listener: (key: QueryKey) => void): void {
  channel.onmessage = ({ data }: MessageEvent<QueryKey>) => listener(data);
}
