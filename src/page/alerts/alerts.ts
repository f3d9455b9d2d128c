import type { QueryClient } from '@tanstack/react-query';
import { printable } from '#contract/printable.ts';
import { type Connection, connectionKey } from '#page/api/connection.ts';
import { statusOf } from '#page/fleet/agent-status.ts';
import { type Fleet, fleetKey } from '#page/fleet/fleet.ts';
import type { TabLeader } from '#page/fleet/tab-leader.ts';
import type { FactListener } from '#page/fleet/watch.ts';
import calm from '#page/icon/calm.svg';
import lost from '#page/icon/lost.svg';
import waiting from '#page/icon/waiting.svg';
import { chime } from './chime.ts';
import { QuestionAlerts, type WaitingAgent } from './question-alerts.ts';
import { alertSettings } from './settings.ts';

/** The content of a tab's title and icon. */
interface Signal {
  /** How many agents wait for a person. */
  readonly count: number;
  readonly isLost: boolean;
}

/**
 * Makes waiting agents visible from another tab or program: the title counts them, the icon shows a dot and, if the
 * person chose that, the lead tab shows a notification and plays a sound. Returns what the facts of the watch are for.
 */
export function startAlerts(queries: QueryClient, lead: TabLeader, open: (agentId: string) => void): FactListener {
  let known: ReadonlyMap<string, WaitingAgent> | undefined;
  const questions = new QuestionAlerts({
    waiting: (agentId) => waitingIn(queries.getQueryData<Fleet>(fleetKey)).get(agentId),
    alert: (agents) => {
      if (lead.isOurs) speak(agents, open);
    },
  });
  // A hidden tab does not follow the fleet, so the lead tab sends it what to show.
  const channel = new BroadcastChannel('muster.alerts');
  channel.onmessage = ({ data }: MessageEvent<Signal>) => {
    if (!lead.isOurs && document.visibilityState === 'hidden') showInTab(data);
  };
  queries.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' && type !== 'added') return;
    const [kind] = query.queryKey;
    if (kind !== fleetKey[0] && kind !== connectionKey[0]) return;
    const fleet = queries.getQueryData<Fleet>(fleetKey);
    const state = queries.getQueryData<Connection>(connectionKey)?.state;
    const now = waitingIn(fleet);
    const signal = { count: now.size, isLost: state === 'lost' };
    showInTab(signal);
    if (lead.isOurs) channel.postMessage(signal);
    if (!fleet?.whole) return;
    // Every tab keeps questions back for rules, so that another one has them if the lead is closed meanwhile.
    if (known !== undefined)
      questions.begin([...now.values()].filter(({ id, since }) => known?.get(id)?.since !== since));
    known = now;
  });
  return questions;
}

function waitingIn(fleet: Fleet | undefined): ReadonlyMap<string, WaitingAgent> {
  const found = new Map<string, WaitingAgent>();
  for (const { agent, hidden } of fleet?.rows.values() ?? []) {
    if (agent === undefined || hidden || (statusOf(agent).kind !== 'waiting' && !agent.asksUnseen)) continue;
    found.set(agent.id, {
      id: agent.id,
      name: agent.name,
      reason: agent.waitingFor || agent.stateReason,
      since: agent.stateChangedAt,
    });
  }
  return found;
}

function showInTab({ count, isLost }: Signal): void {
  const title = count > 0 ? `(${count}) muster` : 'muster';
  if (document.title !== title) document.title = title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = isLost ? lost : count > 0 ? waiting : calm;
  if (icon !== null && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

function speak(fresh: readonly WaitingAgent[], open: (agentId: string) => void): void {
  const { notifications, sound } = alertSettings();
  if (sound) chime();
  if (!notifications || Notification.permission !== 'granted') return;
  for (const { id, name, reason } of fresh.slice(0, 3)) {
    const body = printable(reason.split('\n')[0] ?? '');
    const shown = new Notification(`${printable(name)} waits for you`, { body, tag: id });
    shown.onclick = () => {
      window.focus();
      open(id);
      shown.close();
    };
  }
}
