import type { QueryClient } from '@tanstack/react-query';
import { type Connection, connectionKey } from '#page/api/connection.ts';
import { type Fleet, fleetKey } from '#page/fleet/fleet.ts';
import { lookOf } from '#page/fleet/look.ts';
import calm from '#page/icon/calm.svg';
import lost from '#page/icon/lost.svg';
import waiting from '#page/icon/waiting.svg';
import { chime } from './chime.ts';
import { alertSettings } from './settings.ts';

/** An agent that waits, and since when. */
interface Waiting {
  readonly name: string;
  readonly reason: string;
  readonly since: string;
}

/**
 * Makes agents that wait for a person impossible to overlook from another tab or program: the title counts them, the icon
 * shows a dot, and where the person asked for it one of the open tabs shows a notification and sounds.
 */
export function startAlerts(queries: QueryClient, open: (agentId: string) => void): void {
  let known: ReadonlyMap<string, Waiting> | undefined;
  let isSpeaker = false;
  // Of several tabs one speaks: the lock goes to the next when it is closed.
  void navigator.locks?.request('muster.alerts', () => {
    isSpeaker = true;
    return new Promise(() => undefined);
  });
  queries.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' && type !== 'added') return;
    const [kind] = query.queryKey;
    if (kind !== fleetKey[0] && kind !== connectionKey[0]) return;
    const fleet = queries.getQueryData<Fleet>(fleetKey);
    const state = queries.getQueryData<Connection>(connectionKey)?.state;
    const now = waitingIn(fleet);
    showInTab(now.size, state === 'lost');
    if (!fleet?.whole) return;
    if (known !== undefined && isSpeaker) {
      const fresh = [...now].filter(([id, { since }]) => known?.get(id)?.since !== since);
      if (fresh.length > 0) speak(fresh, open);
    }
    known = now;
  });
}

function waitingIn(fleet: Fleet | undefined): ReadonlyMap<string, Waiting> {
  const found = new Map<string, Waiting>();
  for (const { agent, hidden } of fleet?.rows.values() ?? []) {
    if (agent === undefined || hidden || lookOf(agent).kind !== 'waiting') continue;
    found.set(agent.id, { name: agent.name, reason: agent.stateReason, since: agent.stateChangedAt });
  }
  return found;
}

function showInTab(count: number, isLost: boolean): void {
  const title = count > 0 ? `(${count}) muster` : 'muster';
  if (document.title !== title) document.title = title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = isLost ? lost : count > 0 ? waiting : calm;
  if (icon !== null && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

function speak(fresh: readonly (readonly [id: string, waiting: Waiting])[], open: (agentId: string) => void): void {
  const { notifications, sound } = alertSettings();
  if (sound) chime();
  if (!notifications || Notification.permission !== 'granted') return;
  for (const [id, { name, reason }] of fresh.slice(0, 3)) {
    const shown = new Notification(`${name} waits for you`, { body: reason.split('\n')[0] ?? '', tag: id });
    shown.onclick = () => {
      window.focus();
      open(id);
      shown.close();
    };
  }
}
