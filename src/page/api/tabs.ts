import type { QueryKey } from '@tanstack/react-query';

const channel = new BroadcastChannel('muster.stale');

/**
 * Notifies the other tabs of this browser that the data of a query key has changed, if only this browser knows: at most
 * that it is to be read again.
 */
export function notifyTabs(key: QueryKey): void {
  channel.postMessage(key);
}

/** Receives what other tabs send. */
export function hearTabs(listener: (key: QueryKey) => void): void {
  channel.onmessage = ({ data }: MessageEvent<QueryKey>) => listener(data);
}
